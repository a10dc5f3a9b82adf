"""How matches of each game are read from a record, as far as the games differ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.drawers import State
from dormie_rules.game import Step
from dormie_rules.grid_moves import read_move, write_move
from dormie_rules.grid_options import choose
from dormie_rules.grid_undo import Before, with_move
from dormie_rules.luck import shuffle
from dormie_rules.patience_deals import Judge, attempt_pack, why_not_certified
from dormie_rules.patience_moves import read_patience_move, write_patience_move
from dormie_rules.patience_options import choose_race
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.race import RaceCourse
from dormie_rules.race_record import race_result_lines
from dormie_rules.record import result_lines
from dormie_rules.variants import find, names

AnyCourse: TypeAlias = Any  # a GridCourse or a RaceCourse: their states and moves differ
AnyState: TypeAlias = State[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A match of some game, and how its record is read."""

    course: AnyCourse
    read_move: Callable[[str], Any]
    """The move that a text stands for. Raises ValueError."""
    write_move: Callable[[Any], str]
    pack: Callable[[AnyState, bytes, int], tuple[Card, ...]]
    """The pack of the next hole, by its seed and the number of the attempt at it."""
    results: Callable[[Any], tuple[str, ...]]
    """The lines that tell the result of a hole."""
    time_is_up: Callable[[AnyState], Step[Any]] | None = None
    """What the end of a hole's time does; None where no hole has a time of its own."""
    after_move: Callable[..., tuple[Before, ...]] | None = None
    """What can be taken back after a move, as ``with_move`` says; None where nothing ever is."""
    why_not_dealt: Callable[[bytes, int, Judge], str | None] | None = None
    """What is wrong with an attempt at a deal; None where the first deal is always taken."""


def recorded(variant: str, options: Mapping[str, object], seats: int) -> Recorded:
    """A match of *variant* with these options. Raises KeyError for a variant, BadRules for an option.

    >>> recorded("six_card", {}, 2).course.seats, recorded("golf_patience_wrap", {}, 1).course.seats
    (2, 1)
    """
    if variant in patience_names():
        return _race(RaceCourse(choose_race(find_patience(variant), options, seats), seats))
    return _grid(GridCourse(choose(find(variant), options, seats), seats))


def recorded_names() -> tuple[str, ...]:
    """The names of the variants that records know."""
    return (*names(), *patience_names())


def _grid(course: GridCourse) -> Recorded:
    return Recorded(
        course,
        read_move,
        write_move,
        pack=lambda state, seed, _: shuffle(seed, course.pack(state)),
        results=result_lines,
        after_move=with_move,
    )


def _race(course: RaceCourse) -> Recorded:
    return Recorded(
        course,
        read_patience_move,
        write_patience_move,
        pack=lambda _, seed, attempt: attempt_pack(course.rules, seed, attempt),
        results=race_result_lines,
        time_is_up=course.time_is_up,
        why_not_dealt=lambda seed, attempt, judge: why_not_certified(
            course.rules, seed, attempt, judge
        ),
    )
