"""What can happen in a hole of grid Golf, as told to everybody, and the one thing told to a single seat."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.cards import Card
from dormie_rules.grid_state import Ending


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hole was dealt: who deals, who plays first, and the first card of the discard pile."""

    dealer: int
    first: int
    discard: Card
    event: Literal["dealt"] = "dealt"


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """Everybody has turned the first cards up; *seat* plays first."""

    seat: int
    event: Literal["play_began"] = "play_began"


@dataclass(frozen=True, slots=True)
class Flipped:
    """A face-down card was turned up."""

    seat: int
    at: int
    card: Card
    event: Literal["flipped"] = "flipped"


@dataclass(frozen=True, slots=True)
class Drew:
    """A card was drawn from the stock; which one, only the drawer is told."""

    seat: int
    event: Literal["drew"] = "drew"


@dataclass(frozen=True, slots=True)
class DrewCard:
    """For the drawer alone: the card."""

    card: Card
    event: Literal["drew_card"] = "drew_card"


@dataclass(frozen=True, slots=True)
class Took:
    """The top of the discard pile was taken."""

    seat: int
    card: Card
    event: Literal["took"] = "took"


@dataclass(frozen=True, slots=True)
class Swapped:
    """*card* was placed at *at*, and *out* went to the discard pile."""

    seat: int
    at: int
    card: Card
    out: Card
    event: Literal["swapped"] = "swapped"


@dataclass(frozen=True, slots=True)
class Discarded:
    """The drawn card was thrown away."""

    seat: int
    card: Card
    event: Literal["discarded"] = "discarded"


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing was turned up after a discard."""

    seat: int
    event: Literal["passed"] = "passed"


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The discard pile, but for its top card, became the new stock of *stock* cards."""

    stock: int
    event: Literal["reshuffled"] = "reshuffled"


@dataclass(frozen=True, slots=True)
class FinalLap:
    """The final lap was called: *closer* closed, or nobody did and *why* says what ran out."""

    why: Ending
    closer: int | None
    seats: tuple[int, ...]
    event: Literal["final_lap"] = "final_lap"


@dataclass(frozen=True, slots=True)
class Withdrew:
    """A seat left the hole; a card it held went to the discard pile."""

    seat: int
    discarded: Card | None
    event: Literal["withdrew"] = "withdrew"


@dataclass(frozen=True, slots=True)
class Revealed:
    """The hole is over, and every card lies face-up."""

    why: Ending
    grids: tuple[tuple[Card | None, ...], ...]
    event: Literal["revealed"] = "revealed"


GridEvent: TypeAlias = (
    Dealt
    | PlayBegan
    | Flipped
    | Drew
    | Took
    | Swapped
    | Discarded
    | Passed
    | Reshuffled
    | FinalLap
    | Withdrew
    | Revealed
)
