"""A pause that all agree to: it has an end, a budget, and puts the deadline off by exactly as long as it lasts."""

from typing import Literal

from dormie_protocol.clocks import (
    Agreed,
    Ask,
    Break,
    Declined,
    PauseAsked,
    PauseBegan,
    PauseEnded,
    ResumeAsked,
)
from dormie_rules.values import replace
from dormie_server.table import matches
from dormie_server.table.clock import level_of, turn_of
from dormie_server.table.commands import Pause
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.running import change, clocks_of, excuse, on_turn, think_on
from dormie_server.table.state import Table, in_match, people

MOMENT = 5.0
"""Whoever is away counts for so long, and then no more."""
PATIENCE = 30.0
"""After so long nothing is asked any more."""


def ask_pause(draft: Draft, seat: int, request: Pause) -> None:
    """*seat* asks all the others for a pause. Raises No."""
    table = draft.table
    clocks, deadline = clocks_of(table), table.public.deadline
    playing = table.public.phase == "between" or turn_of(table) is not None
    overdue = deadline is None or deadline <= draft.now
    if not playing or overdue or clocks.pause is not None or clocks.ask is not None:
        raise No("wrong_time")
    if clocks.pauses < 1 or clocks.pause_seconds < 1:
        raise No("no_pause")
    seconds = min(float(request.seconds or clocks.pause_seconds), clocks.pause_seconds)
    draft.tell(PauseAsked(seat, seconds))
    _ask(draft, seat, "pause", seconds)


def ask_resume(draft: Draft, seat: int) -> None:
    """*seat* wants to go on: whoever asked for the pause ends it, anybody else asks all others. Raises No."""
    clocks, before = clocks_of(draft.table), draft.before.public.clocks
    if before is not None and before.sits_in[seat] is not None:
        return  # to have the seat back from a bot is all there is to it
    if clocks.pause is None or (clocks.ask is not None and clocks.pause.seat != seat):
        raise No("wrong_time")
    if clocks.pause.seat == seat:
        end(draft)
        return
    draft.tell(ResumeAsked(seat))
    _ask(draft, seat, "resume", 0.0)


def agree(draft: Draft, seat: int, *, yes: bool) -> None:
    """*seat* agrees with what is asked, or does not. Raises No."""
    ask = clocks_of(draft.table).ask
    if ask is None:
        raise No("wrong_time")
    _check_in(draft.table, seat)
    if not yes:
        change(draft, ask=None)
        draft.tell(Declined(seat))
        return
    if seat not in ask.agreed:
        change(draft, ask=replace(ask, agreed=(*ask.agreed, seat)))
        draft.tell(Agreed(seat))
    look_again(draft)


def look_again(draft: Draft) -> None:
    """Do what is asked if all agree who must; no longer ask for it when its time is over."""
    clocks = draft.table.public.clocks
    ask = clocks.ask if clocks else None
    if ask is None:
        return
    overdue = (draft.table.public.deadline or 0.0) <= draft.now  # the clock comes first
    if not overdue and _all_agree(draft.table, ask, draft.now):
        change(draft, ask=None)
        end(draft) if ask.what == "resume" else _begin(draft, ask)
    elif draft.now >= ask.until:
        change(draft, ask=None)
        draft.tell(Declined(None))
    elif draft.now >= ask.at:
        change(draft, ask=replace(ask, at=ask.until))


def end(draft: Draft) -> None:
    """Go on: every deadline is put off by exactly as long as the pause has lasted."""
    table = draft.table
    clocks = clocks_of(table)
    pause = clocks.pause
    assert pause is not None, "only a pause can end"
    lasted = min(draft.now, table.public.deadline or draft.now) - pause.since
    left = max(0.0, clocks.pause_seconds - lasted)  # who rings late uses nothing up
    change(draft, pause=None, ask=None, runs=pause.runs, pause_seconds=left)
    draft.public(deadline=draft.now + (pause.held - pause.since))
    draft.tell(PauseEnded())
    seat = on_turn(table)
    if seat is not None:
        excuse(draft, seat)
    matches.settle(draft)


def _ask(draft: Draft, seat: int, what: Literal["pause", "resume"], seconds: float) -> None:
    _check_in(draft.table, seat)
    at, until = draft.now + MOMENT, draft.now + PATIENCE
    change(draft, ask=Ask(seat, what, seconds, (seat,), at, until))
    look_again(draft)


def _check_in(table: Table, seat: int) -> None:
    if not in_match(table, seat):
        raise No("out")


def _all_agree(table: Table, ask: Ask, now: float) -> bool:
    """Bots agree to anything, and so does, after a moment, whoever is away."""
    asked = [s for s in people(table) if in_match(table, s) and level_of(table, s) is None]
    missing = [table.public.seats[s] for s in asked if s not in ask.agreed]
    if any(who and who.here for who in missing):
        return False
    return not missing or now >= ask.until - PATIENCE + MOMENT


def _begin(draft: Draft, ask: Ask) -> None:
    think_on(draft)
    table = draft.table
    clocks, deadline = clocks_of(table), table.public.deadline
    assert deadline is not None, "a table that is played at has a deadline"
    pause = Break(ask.seat, draft.now, deadline, clocks.runs)
    change(draft, pause=pause, runs="pause", pauses=clocks.pauses - 1)
    draft.public(deadline=draft.now + ask.seconds)
    draft.tell(PauseBegan(ask.seconds))
    matches.settle(draft)
