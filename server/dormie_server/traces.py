"""Where a player is named: the shelf on which everything lies that has to change when they are forgotten."""


def traces_shelf(player: str) -> str:
    """The shelf of all that names a player; each card is the name it uses.

    >>> traces_shelf("p1")
    'traces:p1'
    """
    return f"traces:{player}"
