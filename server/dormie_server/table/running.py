"""What a table's clocks do by themselves: run for a turn, stand still for whoever is away, and add up.

Times are in seconds, and no bank and no allowance is ever less than nothing. A turn at a table whose clocks
stand as at the beginning of a match is the common case, and nothing here makes it dearer.
"""

from typing import Any

from dormie_protocol.clocks import Clocks, HandedBack, fresh
from dormie_rules.tuples import put
from dormie_rules.values import replace
from dormie_server.table.clock import turn_of
from dormie_server.table.draft import Draft
from dormie_server.table.state import Table, Turn

LAG = 5.0
"""A line is known to be down only some time after it broke; so much of that is given back at most, to
time to think, and taken from the allowance."""


def clocks_of(table: Table) -> Clocks:
    """How the clocks stand, also when that is as at the beginning."""
    return table.public.clocks or fresh(table.about.clock, len(table.public.seats))


def change(draft: Draft, **fields: Any) -> None:  # dataclasses.replace takes any field
    """Change how the clocks stand."""
    draft.public(clocks=replace(clocks_of(draft.table), **fields))


def on_turn(table: Table) -> int | None:
    """The seat whose turn it is; None while cards are turned up, and while nobody plays."""
    turn = turn_of(table)
    return None if turn is None else turn[2]


def whole_turn(table: Table, clocks: Clocks, seat: int | None) -> float:
    """How long a turn of *seat* may last from its beginning: its own time, and what the bank has."""
    bank = 0.0 if seat is None or _is_bot(table, clocks, seat) else clocks.bank[seat]
    return table.about.turn_seconds + bank


def begin_turn(draft: Draft, turn: Turn | None) -> None:
    """Somebody's turn begins, with the whole of its time; setup is a turn that all share."""
    about = draft.before.about
    seat = turn[2] if turn else None
    who = draft.shown("seats")[seat] if seat is not None else None
    plain = about.clock.game_seconds is None and draft.shown("clocks") is None
    if plain and (who is None or who.here):
        draft.public(deadline=draft.now + about.turn_seconds)
        draft.secret(turn=turn)
        return
    table = draft.table
    draft.secret(turn=turn)
    clocks = _charged(table, draft.now)
    whole = whole_turn(table, clocks, seat)
    clocks = replace(clocks, left=None, out=False, votes=None)
    if clocks.pause is not None:  # somebody left in the pause; the next turn begins after it
        held = clocks.pause.since + whole
        clocks = replace(clocks, pause=replace(clocks.pause, held=held, runs="turn"))
    else:
        clocks = replace(clocks, runs="turn")
        draft.public(deadline=draft.now + whole)
    draft.public(clocks=_or_none(table, clocks))
    if seat is not None:
        excuse(draft, seat)


def end_turn(draft: Draft) -> None:
    """No turn follows for now: the hole is over. Whatever was asked or voted on has no meaning any more."""
    table = draft.table
    if table.public.clocks is None and table.about.clock.game_seconds is None:
        return
    clocks = replace(_charged(table, draft.now), left=None, out=False, votes=None)
    clocks = replace(clocks, runs="turn", ask=None, pause=None)
    draft.public(clocks=_or_none(table, clocks))


def excuse(draft: Draft, seat: int, lag: float = 0.0) -> None:
    """If it is the turn of *seat* and its player is away, the allowance runs instead of the time to think."""
    table = draft.table
    who, clocks, deadline = table.public.seats[seat], clocks_of(table), table.public.deadline
    if who is None or who.here or on_turn(table) != seat or _is_bot(table, clocks, seat):
        return
    away = clocks.away[seat]
    if clocks.runs != "turn" or clocks.out or away <= 0 or not deadline or deadline <= draft.now:
        return
    left = deadline - draft.now
    used = max(0.0, whole_turn(table, clocks, seat) - left)
    credit = min(lag, used) if away > lag else 0.0
    away -= credit
    change(draft, runs="away", left=left + credit, away=put(clocks.away, seat, away))
    draft.public(deadline=draft.now + away)


def think_on(draft: Draft) -> None:
    """The allowance runs no longer: what is left of it is kept, and the time to think goes on."""
    clocks, seat = clocks_of(draft.table), on_turn(draft.table)
    if clocks.runs != "away" or seat is None:
        return
    assert clocks.left is not None, "an allowance runs instead of something"
    away = max(0.0, (draft.table.public.deadline or 0.0) - draft.now)
    change(draft, runs="turn", left=None, away=put(clocks.away, seat, away))
    draft.public(deadline=draft.now + clocks.left)


def came_back(draft: Draft, seat: int) -> None:
    """The player of *seat* is here again: the seat is the player's own, and so is the time."""
    if draft.table.public.clocks is None:
        return
    hand_back(draft, seat)
    if on_turn(draft.table) == seat:
        think_on(draft)


def hand_back(draft: Draft, seat: int) -> None:
    """If a bot sits in for the player of *seat*, it does so no longer."""
    clocks = draft.table.public.clocks
    if clocks is None or clocks.sits_in[seat] is None:
        return
    change(draft, sits_in=put(clocks.sits_in, seat, None))
    draft.tell(HandedBack(seat))
    if on_turn(draft.table) == seat and clocks.runs == "turn":
        whole = whole_turn(draft.table, clocks_of(draft.table), seat)
        draft.public(deadline=draft.now + whole)


def spent(draft: Draft) -> Clocks:
    """The clocks once the time of this turn is over; what thinking did not use stays in the bank."""
    return replace(_charged(draft.table, draft.now), runs="turn", left=None, out=True)


def _charged(table: Table, now: float) -> Clocks:
    """The clocks with what the turn that is over has used of its player's bank and allowance."""
    clocks, turn, deadline = clocks_of(table), table.secret.turn, table.public.deadline
    seat = turn[2] if turn else None
    if seat is None or deadline is None or seat >= len(clocks.bank):
        return clocks
    if _is_bot(table, clocks, seat):
        return clocks
    if clocks.runs == "away":
        away = min(clocks.away[seat], max(0.0, deadline - now))
        clocks = replace(clocks, away=put(clocks.away, seat, away))
    bank = min(clocks.bank[seat], max(0.0, _thinking(clocks, deadline, now)))
    return replace(clocks, bank=put(clocks.bank, seat, bank))


def _thinking(clocks: Clocks, deadline: float, now: float) -> float:
    """What is left of the time to think, whatever the deadline is for just now."""
    if clocks.pause is not None:
        kind, deadline, now = clocks.pause.runs, clocks.pause.held, clocks.pause.since
    else:
        kind = clocks.runs
    if kind == "away":
        return clocks.left or 0.0
    return deadline - now if kind == "turn" else max(clocks.bank)


def _is_bot(table: Table, clocks: Clocks, seat: int) -> bool:
    who = table.public.seats[seat]
    return clocks.sits_in[seat] is not None or (who is not None and who.bot is not None)


def _or_none(table: Table, clocks: Clocks) -> Clocks | None:
    """Nothing is sent and kept of clocks that stand as at the beginning."""
    return None if clocks == fresh(table.about.clock, len(table.public.seats)) else clocks
