"""On which shelves the cards of a table lie: of its players, of all tables, and the lobby's."""

from dormie_server.lobby_cards import on_the_shelf
from dormie_server.table.comings import name_of, players_of, same_seats
from dormie_server.table.state import Table
from dormie_server.traces import traces_shelf

OPEN_TABLES = "tables"
"""The shelf of all tables that are not closed."""


def player_shelf(player: str) -> str:
    """The shelf of the tables at which a player sits."""
    return f"seats:{player}"


def cards_of(before: Table | None, after: Table) -> dict[str, bytes | None]:
    """Where the table's cards must be laid down or taken away after a change."""
    cards, shown = _who_sits(before, after), on_the_shelf(before, after)
    return {**cards, **shown} if shown else cards


def _who_sits(before: Table | None, after: Table) -> dict[str, bytes | None]:
    if before is not None and same_seats(before, after):
        return {}
    old, new = players_of(before), players_of(after)
    cards: dict[str, bytes | None] = {player_shelf(player): b"" for player in new - old}
    cards |= {traces_shelf(player): name_of(after, player) for player in new - old}
    cards |= {player_shelf(player): None for player in old - new}
    if before is None:
        cards[OPEN_TABLES] = b""
    elif after.public.phase == "closed":
        cards[OPEN_TABLES] = None
    return cards
