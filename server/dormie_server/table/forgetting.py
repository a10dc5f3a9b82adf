"""A player is forgotten at a table: the seat is given up, and no name or id of theirs stays behind."""

from collections.abc import Collection
from typing import TypeVar

from dormie_protocol.table_view import Joined, Kicked, LeftTable, Missing, Seat
from dormie_rules.values import replace
from dormie_server.names import distinct
from dormie_server.table import gathering, seats
from dormie_server.table.commands import Forget
from dormie_server.table.draft import Change, Draft, unchanged
from dormie_server.table.state import Table, seat_of

E = TypeVar("E")

SOMEBODY = "Somebody"
"""What a player who was forgotten is called from then on."""


def forget(table: Table, command: Forget, now: float) -> Change:
    """Let nobody find the player here any more. Done before, or never needed, it changes nothing."""
    draft = Draft(table, now)
    _rename(draft, command)
    _forget_what_is_locked_away(draft, command.player)
    own = seat_of(draft.table, command.player)
    if own is not None and draft.table.public.phase == "closed":
        draft.sitter(own, player=None, server=None)
    elif own is not None:
        seats.leave(draft, own)
        gathering.somebody_left(draft)
    return draft.done() if draft.table != table else unchanged(table)


def _rename(draft: Draft, command: Forget) -> None:
    """Call the seats that bear a name of the player otherwise."""
    before = draft.table.public.seats
    own = seat_of(draft.table, command.player)
    for at, seat in enumerate(before):
        if seat and (at == own or _was_theirs(draft.table, at, seat, command.names)):
            taken = [other.name for other in draft.table.public.seats if other]
            draft.seat(at, name=distinct(SOMEBODY, taken))


def _was_theirs(table: Table, at: int, seat: Seat, names: tuple[str, ...]) -> bool:
    """Whether the player sat there and has left in mid-match: the name stayed on the seat."""
    sitter = table.secret.sitters[at]
    left = sitter is not None and sitter.player is None and seat.bot is None
    return left and seat.name in names


def _forget_what_is_locked_away(draft: Draft, player: str) -> None:
    secret = draft.table.secret
    if any(answer.player == player for answer in secret.answers):
        draft.secret(answers=tuple(a for a in secret.answers if a.player != player))
    if secret.founder == player:
        draft.secret(founder="")
    if player in secret.cast:
        draft.secret(cast=tuple(None if who == player else who for who in secret.cast))
    if player in secret.banned:
        draft.secret(banned=tuple(who for who in secret.banned if who != player))
    for at, sitter in enumerate(secret.sitters):
        if sitter is not None and sitter.player == player and sitter.run:
            kept = draft.table.secret.sitters
            draft.secret(sitters=(*kept[:at], replace(sitter, run=""), *kept[at + 1 :]))


def anonymous_event(event: E, names: Collection[str]) -> E:
    """An event that calls nobody by one of *names*.

    >>> [anonymous_event(Joined(1, name), {"Ada"}).name for name in ("Ada", "Ben")]
    ['Somebody', 'Ben']
    """
    if isinstance(event, Joined | LeftTable | Kicked) and event.name in names:
        return replace(event, name=SOMEBODY)
    if isinstance(event, Missing) and not set(event.names).isdisjoint(names):
        others = tuple(SOMEBODY if name in names else name for name in event.names)
        return replace(event, names=others)
    return event
