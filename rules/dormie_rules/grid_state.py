"""What the three drawers of a hole of grid Golf hold."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.cards import Card
from dormie_rules.drawers import State, View

Stage = Literal["setup", "turn", "drawn", "taken", "flip", "over"]
"""setup: turning first cards up; turn: nothing in hand yet; drawn, taken: a card in hand, from the stock
or the discard pile; flip: a drawn card was discarded and a card may or must be turned up."""

Ending = Literal["closed", "no_progress", "max_laps", "stock_out", "abandoned"]


@dataclass(frozen=True, slots=True)
class GridPublic:
    """What lies on the table."""

    stage: Stage
    playing: tuple[int, ...]
    """The seats still in this hole, in the order of their turns from the first player."""
    grids: tuple[tuple[Card | None, ...], ...]
    """For each seat its cards, row by row; None is face-down; empty for a seat not in this hole."""
    showing: tuple[int | None, ...]
    """For each seat the score of its face-up cards."""
    stock: int
    discard: Card | None
    """The top of the discard pile."""
    pile: int
    """How many cards the discard pile holds."""
    turn: int | None
    """Whose turn it is; None in setup and when the hole is over."""
    taken: Card | None = None
    """The card in hand when it came from the discard pile."""
    turns: int = 0
    """Turns finished in this hole."""
    quiet: int = 0
    """Turns since a face-down card was last turned up."""
    ending: Ending | None = None
    """Why the final lap was called, or the hole ended."""
    closer: int | None = None
    reshuffles: int = 0
    last: tuple[int, ...] = ()
    """In the final lap, the seats that still have their turn, the one to move first."""


@dataclass(frozen=True, slots=True)
class GridPocket:
    """What one seat alone knows: the card it drew from the stock."""

    drawn: Card | None = None


@dataclass(frozen=True, slots=True)
class GridSecret:
    """What is locked away."""

    hidden: tuple[tuple[Card | None, ...], ...]
    """For each seat the cards under its face-down backs; None where the card is face-up."""
    stock: tuple[Card, ...]
    """The top card is the last one."""
    under: tuple[Card, ...]
    """The discard pile below its top card, the topmost last."""
    luck: bytes
    gone: tuple[Card, ...] = ()
    """The cards of seats that withdrew."""


GridState: TypeAlias = State[GridPublic, GridPocket, GridSecret]
GridView: TypeAlias = View[GridPublic, GridPocket]
