"""What can happen on a board of Golf Patience, and how a course that is played alone ends.

At a table the cards of these would tell rivals what comes next: there they go to pockets.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.cards import Card
from dormie_rules.patience_state import PatienceEnding


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A hole was dealt; *foundation* is its first card, if it has one."""

    foundation: Card | None
    stock: int
    event: Literal["laid_out"] = "laid_out"


@dataclass(frozen=True, slots=True)
class Played:
    """The exposed card of *column* went on the foundation."""

    seat: int
    column: int
    card: Card
    left: int
    """The cards left in the tableau."""
    turned: tuple[tuple[int, Card], ...] = ()
    """The face-down cards that the move has turned up, each with its place."""
    event: Literal["played"] = "played"


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card of the stock went on the foundation."""

    seat: int
    card: Card
    stock: int
    """The cards left in the stock."""
    event: Literal["turned_up"] = "turned_up"


@dataclass(frozen=True, slots=True)
class HoleEnded:
    """The hole is over, and worth *score*."""

    seat: int
    why: PatienceEnding
    score: int
    longest_run: int
    event: Literal["hole_ended"] = "hole_ended"


@dataclass(frozen=True, slots=True)
class CourseOver:
    """The last hole was scored; a course is won when its total is no more than its par."""

    total: int
    par: int
    won: bool
    event: Literal["course_over"] = "course_over"


PatienceEvent: TypeAlias = LaidOut | Played | TurnedUp | HoleEnded | CourseOver
