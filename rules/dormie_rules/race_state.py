"""What the drawers of a race hold: Golf Patience for one to six seats, all on the same deal (rule A13).

Every seat has a board of its own. A rival's board would show one's own next cards, so boards are pockets
until the hole is over for everybody; the table shows who still plays, and how many cards are left.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.drawers import State, View
from dormie_rules.match_play import Pairing
from dormie_rules.patience_position import Position
from dormie_rules.patience_state import Board

RaceStage = Literal["play", "over"]
Running = Literal["playing", "finished", "away"]
"""away: the seat does not play this hole, or has left it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What others see of a seat while the hole is played."""

    state: Running
    left: int | None = None
    """The cards left in its tableau; None where ``opponent_view`` hides them, and for who is away."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A hole that is over for everybody: the deal, and what each seat made of it."""

    deal: Position
    """The columns, the first card of the foundation, and the whole stock."""
    boards: tuple[Board | None, ...]
    """How the board of each seat lies at the end; None for who did not begin the hole."""
    paths: tuple[str, ...]
    """The moves of each seat from the deal to that board, those taken back left out: see ``race_path``."""
    peeked: tuple[int, ...]
    """How many draws each seat took back: it knew so many cards beforehand."""


@dataclass(frozen=True, slots=True)
class RacePlay:
    """The hole being played: progress, and no card before it is over."""

    stage: RaceStage
    progress: tuple[Progress, ...]
    """One for every seat of the table."""
    attempt: int = 0
    """Which attempt at a deal was dealt: those before it were turned down by ``deal_policy``."""
    void: bool = False
    """Whether the hole ended without a result, because too few were left to play it."""
    shown: Shown | None = None
    """Once the stage is over."""
    turns: int = 0
    turn: int | None = None
    """A race has no turns: with these two, whoever times turns times the whole hole as one."""


@dataclass(frozen=True, slots=True)
class RacePublic:
    """The score card, and the hole being played."""

    hole: int
    """The number of the hole being played or last played, from 1; 0 before the first."""
    totals: tuple[int, ...]
    """The strokes of each seat; extra holes are not counted."""
    out: tuple[int | None, ...]
    """For each seat the hole in which it went out of the match, or None."""
    withdrawn: tuple[int, ...] = ()
    """The seats among those that left; the others conceded the match."""
    card: tuple[tuple[int | None, ...], ...] = ()
    """The score of every seat in every finished hole."""
    pars: tuple[int, ...] = ()
    """The par of every hole that was dealt."""
    longest_runs: tuple[int, ...] = ()
    """The longest run of each seat in all finished holes."""
    playoff: tuple[int, ...] = ()
    """The seats that play extra holes."""
    survived: tuple[int, ...] = ()
    """For each seat the extra holes it was still level after, in stroke play."""
    matches: tuple[Pairing, ...] = ()
    """In match play, every pair of seats."""
    places: tuple[int, ...] = ()
    """The place of each seat, once the match is over."""
    play: RacePlay | None = None
    """The hole itself."""


@dataclass(frozen=True, slots=True)
class RacePocket:
    """What one seat alone sees while the hole is played."""

    board: Board | None = None
    """None for a seat that does not play this hole."""
    undone: int = 0
    """How many moves of this hole were taken back."""
    peeked: int = 0
    """How many of them were draws."""


NO_BOARD = RacePocket()


@dataclass(frozen=True, slots=True)
class RaceSecret:
    """What is locked away: the deal, which is everybody's, and how each seat came to its board.

    The stock of a seat is the end of the deal's stock, as long as its board says.
    """

    deal: Position
    paths: tuple[str, ...]
    luck: bytes


HoleState: TypeAlias = State[RacePlay, RacePocket, RaceSecret]
HoleView: TypeAlias = View[RacePlay, RacePocket]
RaceState: TypeAlias = State[RacePublic, RacePocket, RaceSecret | None]
RaceView: TypeAlias = View[RacePublic, RacePocket]
