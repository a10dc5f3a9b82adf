"""As whom it is heard that the host sends somebody away."""

from dormie_protocol.table_view import Kicked, PublicEvent


def heard_as(event: PublicEvent, seat: int | None, sat: int | None) -> int | None:
    """The seat as which *event* is heard in *seat*, None for who watches, by somebody who *sat* there before.

    Whoever is sent away sees the table without their seat at once, and would be told of themselves as of
    somebody else.

    >>> kicked = Kicked(1, "Ben")
    >>> heard_as(kicked, None, 1), heard_as(kicked, 0, 0), heard_as(kicked, None, None)
    (1, 0, None)
    """
    gone = seat is None and isinstance(event, Kicked) and event.seat == sat
    return sat if gone else seat


def sent_away(event: PublicEvent, seat: int | None) -> bool:
    """Whether *event*, heard as *seat*, sends its hearer away, who may still watch."""
    return isinstance(event, Kicked) and event.seat == seat and not event.ban
