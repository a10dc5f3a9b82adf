"""The card of a listed table on the lobby's shelf: what it says, and when it has to be written anew.

The card is laid down by the very put that changes the table, so that lobby and table cannot disagree.
Nearly every change is a move, and a move changes nothing that the card says.
"""

from collections.abc import Mapping
from functools import lru_cache

from pydantic import TypeAdapter

from dormie_protocol.lobby_view import LobbyCard
from dormie_rules.chosen import chosen
from dormie_server.store import NO_CARDS
from dormie_server.table.games import usual_rules
from dormie_server.table.seats import free_seats
from dormie_server.table.state import Table, people_here, taken

LOBBY = "lobby"
"""The shelf of all listed tables that are not closed."""

_CARD: TypeAdapter[LobbyCard] = TypeAdapter(LobbyCard)


def card_of(table: Table) -> LobbyCard | None:
    """What the lobby shows of *table*; None for one that is not listed, or closed."""
    about, public = table.about, table.public
    if not about.listed or public.phase == "closed":
        return None
    host = public.seats[public.host] if public.host is not None else None
    free = free_seats(table)  # after a match the name of whoever left it stays there until the next
    return LobbyCard(
        table=about.table,
        variant=about.variant,
        options=chosen(usual_rules(about.variant), about.rules),
        size=about.size,
        taken=len(set(taken(table)) - set(free)),
        free=len(free),
        here=len(people_here(table)),
        phase=public.phase,
        host=host.name if host else None,
        turn_seconds=about.turn_seconds,
        since=table.secret.opened,
        password=about.password,
        locked=public.locked,
        spectators=about.spectators.allowed,
        open_to_watch=about.password and not about.spectators.password,
    )


def on_the_shelf(before: Table | None, after: Table) -> Mapping[str, bytes | None]:
    """What a change lays down on the lobby's shelf, or takes away from it."""
    listed = after.about.listed or (before is not None and before.about.listed)
    if not listed or (before is not None and _looks_alike(before, after)):
        return NO_CARDS
    old, new = card_of(before) if before else None, card_of(after)
    return NO_CARDS if old == new else {LOBBY: write_card(new) if new else None}


def write_card(card: LobbyCard) -> bytes:
    """A card as text."""
    return _CARD.dump_json(card)


@lru_cache(maxsize=1024)
def read_card(text: bytes) -> LobbyCard:
    """A card from its text. Raises pydantic's ValidationError for a damaged one."""
    return _CARD.validate_json(text)


def _looks_alike(before: Table, after: Table) -> bool:
    """Whether it is plain that the card stays as it is: after nearly every move."""
    old, new = before.public, after.public
    if old.phase != new.phase or old.host != new.host or old.locked != new.locked:
        return False
    if before.about is not after.about:
        return False
    for one, other in zip(old.seats, new.seats, strict=False):
        if one is other:
            continue
        if one is None or other is None or one.here != other.here or one.name != other.name:
            return False
    return len(old.seats) == len(new.seats)
