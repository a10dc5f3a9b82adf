"""Taking a move back in grid Golf: only one that has shown nobody a card, and only the last ones.

To undo a move must teach nobody anything: neither the mover, who could choose better with it, nor the
others. So a draw is never taken back, nor a discard or a swap of what was drawn (the drawn card is known
to all by then), nor a card that was turned up, nor whatever ended a hole.
"""

from dataclasses import dataclass

from dormie_rules.course_state import CoursePublic, CourseState
from dormie_rules.drawers import State
from dormie_rules.grid_moves import GridMove, Pass, Swap, Take
from dormie_rules.grid_state import GridPocket, GridSecret

MOST_UNDONE = 4
"""So many moves in a row can be taken back: two whole turns."""


@dataclass(frozen=True, slots=True)
class Before:
    """How a match was before a move of *seat* that can be taken back."""

    seat: int
    state: State[CoursePublic, GridPocket, GridSecret | None]


def reveals_nothing(before: CoursePublic, move: GridMove, after: CoursePublic) -> bool:
    """Whether the legal *move* between these two has shown nobody a card they had not seen.

    A card that is taken was seen by all, and so was the one under it when it lay on top; what is swapped
    out of a face-up place was, too.
    """
    play, then = before.play, after.play
    if play is None or then is None or then.stage == "over" or play.turn is None:
        return False
    match move:
        case Take() | Pass():
            return True
        case Swap(at):
            return play.taken is not None and play.grids[play.turn][at] is not None
        case _:
            return False


def with_move(
    past: tuple[Before, ...], state: CourseState, seat: int, move: GridMove, after: CourseState
) -> tuple[Before, ...]:
    """What can be taken back after *move* led from *state* to *after*, the newest last."""
    if not reveals_nothing(state.public, move, after.public):
        return ()
    return (*past, Before(seat, state))[-MOST_UNDONE:]
