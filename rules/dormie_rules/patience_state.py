"""What the drawers of a hole of Golf Patience hold.

A player's board is a value of its own. Alone at a table it lies open; in a race over one deal a rival's
board would show your own next cards, so there each board can lie in its player's pocket.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.cards import Card
from dormie_rules.drawers import State, View
from dormie_rules.patience_score import hole_score

PatienceEnding = Literal["cleared", "stuck", "given_up", "time_up", "left"]
"""cleared: the tableau is empty; stuck: no card fits and the stock is empty; left: the player did."""


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that one player sees of a hole."""

    columns: tuple[tuple[Card, ...], ...]
    """The last card of a column is exposed."""
    foundation: Card | None
    """The top of the foundation; None while it is empty."""
    stock: int
    pile: int
    """How many cards the foundation has."""
    run: int = 0
    """Cards played since the last one was drawn."""
    longest_run: int = 0
    down: tuple[int, ...] = ()
    """The places whose cards lie face-down; they look empty, and what lies there is a secret."""
    held: int = 0
    """Cards that were played but cannot stay: they count as left. See ``build``."""
    ending: PatienceEnding | None = None
    """Why the hole is over, once it is."""

    @property
    def left(self) -> int:
        """How many cards the tableau has."""
        return sum(map(len, self.columns)) + len(self.down)

    @property
    def score(self) -> int:
        """What the hole is worth if it ends now."""
        return hole_score(self.left + self.held, self.stock)


@dataclass(frozen=True, slots=True)
class PatiencePublic:
    """What lies on the table of somebody who plays alone."""

    board: Board


@dataclass(frozen=True, slots=True)
class PatiencePocket:
    """Somebody who plays alone has nothing to hide."""


@dataclass(frozen=True, slots=True)
class PatienceSecret:
    """What is locked away."""

    stock: tuple[Card, ...]
    """The first card is drawn first."""
    under: tuple[Card, ...] = ()
    """The foundation below its top card, the topmost last."""
    down: tuple[tuple[int, Card], ...] = ()
    """The face-down cards of the tableau, each with its place."""


PatienceState: TypeAlias = State[PatiencePublic, PatiencePocket, PatienceSecret]
PatienceView: TypeAlias = View[PatiencePublic, PatiencePocket]
