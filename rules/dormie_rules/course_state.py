"""What is known of a whole match of grid Golf, and what can happen in it besides the holes."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.drawers import State, View
from dormie_rules.grid_state import GridPocket, GridPublic, GridSecret
from dormie_rules.match_play import Pairing


@dataclass(frozen=True, slots=True)
class CoursePublic:
    """The score card, and the hole being played."""

    hole: int
    """The number of the hole being played or last played, from 1; 0 before the first."""
    dealer: int | None
    first: int | None
    """Who plays first in this hole."""
    totals: tuple[int, ...]
    out: tuple[int | None, ...]
    """For each seat the hole in which it went out of the match, or None."""
    withdrawn: tuple[int, ...] = ()
    """The seats among those that left by themselves."""
    card: tuple[tuple[int | None, ...], ...] = ()
    """The charged score of every seat in every finished hole."""
    raw: tuple[int | None, ...] = ()
    """What the grids of the last finished hole were worth, before penalties."""
    closer: int | None = None
    """Who closed the last finished hole."""
    playoff: tuple[int, ...] = ()
    """The seats that play extra holes for the first place."""
    survived: tuple[int, ...] = ()
    """For each seat the extra holes it was still level after."""
    places: tuple[int, ...] = ()
    """The place of each seat, once the match is over."""
    play: GridPublic | None = None
    """The hole itself."""
    matches: tuple[Pairing, ...] = ()
    """In match play, every pair of seats."""


CourseState: TypeAlias = State[CoursePublic, GridPocket, GridSecret | None]
CourseView: TypeAlias = View[CoursePublic, GridPocket]


@dataclass(frozen=True, slots=True)
class HoleBegan:
    """Hole number *hole* begins; *extra* when it is a hole more to part the leaders."""

    hole: int
    extra: bool = False
    event: Literal["hole_began"] = "hole_began"


@dataclass(frozen=True, slots=True)
class HoleScored:
    """A hole was scored: *raw* is what the grids are worth, *charged* what is added to the totals."""

    hole: int
    raw: tuple[int | None, ...]
    charged: tuple[int | None, ...]
    totals: tuple[int, ...]
    closer: int | None
    event: Literal["hole_scored"] = "hole_scored"


@dataclass(frozen=True, slots=True)
class WentOut:
    """These seats reached the limit."""

    seats: tuple[int, ...]
    event: Literal["went_out"] = "went_out"


@dataclass(frozen=True, slots=True)
class LeftMatch:
    """A seat left the match; it gets no score for this hole."""

    seat: int
    event: Literal["left_match"] = "left_match"


@dataclass(frozen=True, slots=True)
class PlayOff:
    """These seats are level for the first place and play on."""

    seats: tuple[int, ...]
    event: Literal["play_off"] = "play_off"


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over: the place and the total of every seat."""

    places: tuple[int, ...]
    totals: tuple[int, ...]
    event: Literal["match_over"] = "match_over"


CourseEvent: TypeAlias = HoleBegan | HoleScored | WentOut | LeftMatch | PlayOff | MatchOver
