"""A pause that all agreed to: it ends, uses up a budget, and puts the deadline off by just as long as it lasts."""

from dormie_protocol.clocks import Ask, Break, PauseBegan, PauseEnded
from dormie_server.table import matches
from dormie_server.table.draft import Draft
from dormie_server.table.running import change, clocks_of, excuse, on_turn, think_on


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


def begin(draft: Draft, ask: Ask) -> None:
    """All have agreed: nothing at the table goes on until the pause is over."""
    think_on(draft)
    table = draft.table
    clocks, deadline = clocks_of(table), table.public.deadline
    assert deadline is not None, "a table that is played at has a deadline"
    pause = Break(ask.seat, draft.now, deadline, clocks.runs)
    change(draft, pause=pause, runs="pause", pauses=clocks.pauses - 1)
    draft.public(deadline=draft.now + ask.seconds)
    draft.tell(PauseBegan(ask.seconds))
    matches.settle(draft)
