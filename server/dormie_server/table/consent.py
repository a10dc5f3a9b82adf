"""What somebody asks of all the others, a pause or to take a move back: it is done when all have agreed."""

from dormie_protocol.clocks import Agreed, Ask, Asking, Declined, PauseAsked, ResumeAsked
from dormie_protocol.undo_messages import UndoAsked
from dormie_rules.values import replace
from dormie_server.table import matches, pause, undoing
from dormie_server.table.clock import level_of, paused, turn_of
from dormie_server.table.commands import Pause
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.running import change, clocks_of
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
        pause.end(draft)
        return
    draft.tell(ResumeAsked(seat))
    _ask(draft, seat, "resume", 0.0)


def ask_undo(draft: Draft, seat: int) -> None:
    """*seat* asks all the others to let it take its last move back. Raises No."""
    table = draft.table
    undoing.check(table, seat)
    if paused(table):
        raise No("paused")
    deadline = table.public.deadline
    if deadline is None or deadline <= draft.now or clocks_of(table).ask is not None:
        raise No("wrong_time")
    draft.tell(UndoAsked(seat))
    _ask(draft, seat, "undo", 0.0)


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
    if ask.what == "undo" and not undoing.is_possible(draft.table, ask.seat):
        undoing.lapse(draft)
        return
    overdue = (draft.table.public.deadline or 0.0) <= draft.now  # the clock comes first
    if not overdue and _all_agree(draft.table, ask, draft.now):
        change(draft, ask=None)
        _do(draft, ask)
    elif draft.now >= ask.until:
        change(draft, ask=None)
        draft.tell(Declined(None))
    elif draft.now >= ask.at:
        change(draft, ask=replace(ask, at=ask.until))


def _ask(draft: Draft, seat: int, what: Asking, seconds: float) -> None:
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


def _do(draft: Draft, ask: Ask) -> None:
    match ask.what:
        case "pause":
            pause.begin(draft, ask)
        case "resume":
            pause.end(draft)
        case "undo":
            undoing.take_back(draft, ask.seat)
            matches.settle(draft)
