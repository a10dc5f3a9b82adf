"""What can be taken back at a table that allows it, and taking it back.

Only tables that were opened with it keep anything for that; everywhere else a move costs nothing more.
"""

from typing import Any

from dormie_protocol.clocks import Declined
from dormie_protocol.undo_messages import MoveUndone
from dormie_rules.game import Step
from dormie_rules.grid_undo import with_move
from dormie_rules.record import undo_line
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.running import change
from dormie_server.table.state import Table


def remember(
    draft: Draft, step: Step[Any], made: tuple[Any, int, Any] | None
) -> None:  # of grid Golf: no other game is opened with it
    """Play a step, and keep how it was before if that can be taken back.

    *made* is the state before, the seat and the move; None when the clock made the move for somebody.
    """
    past = draft.locked("past")
    draft.play(step)
    if made is not None:
        draft.secret(past=with_move(past, *made, step.state))
    lapse(draft)


def lapse(draft: Draft) -> None:
    """Whoever asked to take a move back asks no longer: something else has happened since."""
    clocks = draft.table.public.clocks
    if clocks is not None and clocks.ask is not None and clocks.ask.what == "undo":
        change(draft, ask=None)
        draft.tell(Declined(None))


def check(table: Table, seat: int) -> None:
    """Raise No unless the last move at the table is one of *seat* that can be taken back."""
    if not table.about.undo:
        raise No("no_undo")
    if not is_possible(table, seat):
        raise No("nothing_to_undo")


def is_possible(table: Table, seat: int) -> bool:
    """Whether *seat* has made the last move, and nobody has seen a card since."""
    past = table.secret.past
    return bool(past) and past[-1].seat == seat


def take_back(draft: Draft, seat: int) -> None:
    """Let the match be as it was before the last move.

    That takes a number, as a move does: what the player chose while the others made up their minds
    was chosen at another table than this, and is stale.
    """
    *earlier, last = draft.table.secret.past
    state = last.state
    draft.pockets(state.pockets)
    draft.public(match=state.public)
    draft.secret(hole=state.secret, past=tuple(earlier))
    who = draft.table.public.seats[seat]
    assert who is not None, "whoever takes a move back sits there"
    draft.seat(seat, count=who.count + 1)
    draft.sitter(seat, last_move=None)
    draft.tell(MoveUndone(seat))
    draft.note(undo_line(seat))
