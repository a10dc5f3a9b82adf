"""What can happen in a race over one deal: to everybody only progress, to a seat its own cards.

The pocket parts of these events are ``LaidOut``, ``Played``, ``TurnedUp`` and ``HoleEnded``, as for
somebody who plays alone, and ``TookBack``. ``LeftMatch``, ``PlayOff`` and ``MatchOver`` are those of
every match.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.cards import Card
from dormie_rules.course_state import LeftMatch, MatchOver, PlayOff
from dormie_rules.match_play import Pairing
from dormie_rules.patience_events import CourseOver, HoleEnded, LaidOut, Played, TurnedUp
from dormie_rules.patience_state import PatienceEnding


@dataclass(frozen=True, slots=True)
class RaceHoleBegan:
    """Hole number *hole* begins for these *seats*; *extra* when it is one more to part somebody."""

    hole: int
    par: int
    seats: tuple[int, ...]
    extra: bool = False
    event: Literal["race_hole_began"] = "race_hole_began"


@dataclass(frozen=True, slots=True)
class RaceMoved:
    """A seat made a move; *left* is how many cards its tableau has now, or None where that is hidden."""

    seat: int
    left: int | None
    event: Literal["race_moved"] = "race_moved"


@dataclass(frozen=True, slots=True)
class RaceFinished:
    """A seat has finished the hole; how is shown when the hole is over for everybody."""

    seat: int
    left: int | None
    event: Literal["race_finished"] = "race_finished"


@dataclass(frozen=True, slots=True)
class TookBack:
    """A seat took its last move back; to that seat alone. *card* went back to *column*, or to the stock."""

    seat: int
    card: Card
    column: int | None
    stock: int
    """The cards left in the stock."""
    event: Literal["took_back"] = "took_back"


@dataclass(frozen=True, slots=True)
class HoleTimeUp:
    """The time of the hole is up for these seats, which were still playing."""

    seats: tuple[int, ...]
    event: Literal["hole_time_up"] = "hole_time_up"


@dataclass(frozen=True, slots=True)
class Conceded:
    """A seat conceded the match to whoever it still played against; it is final."""

    seat: int
    event: Literal["conceded"] = "conceded"


@dataclass(frozen=True, slots=True)
class RaceHoleScored:
    """A hole was scored: what it was worth to each seat, how it ended for them, and the totals."""

    hole: int
    par: int
    scores: tuple[int | None, ...]
    endings: tuple[PatienceEnding | None, ...]
    totals: tuple[int, ...]
    match: bool = False
    """Whether holes are won here: what is given up is conceded, and strokes are not added up."""
    event: Literal["race_hole_scored"] = "race_hole_scored"


@dataclass(frozen=True, slots=True)
class Stands:
    """How a match between two seats stands, after a hole of theirs or because it was conceded."""

    pairing: Pairing
    event: Literal["stands"] = "stands"


RaceEvent: TypeAlias = (
    RaceHoleBegan
    | RaceMoved
    | RaceFinished
    | HoleTimeUp
    | Conceded
    | RaceHoleScored
    | Stands
    | LeftMatch
    | PlayOff
    | CourseOver
    | MatchOver
)
"""The part for everybody."""

RacePocketEvent: TypeAlias = LaidOut | Played | TurnedUp | TookBack | HoleEnded
"""The part for one seat."""
