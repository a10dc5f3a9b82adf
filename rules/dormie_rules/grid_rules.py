"""The numbers of one way to play grid Golf: what a variant fixes and a table may choose."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from dormie_rules.cards import PACK_SIZE, Card, pack
from dormie_rules.match_play import TiedMatch
from dormie_rules.penalties import Mode, Tie
from dormie_rules.scoring import Scoring
from dormie_rules.standing import TieBreak

FlipAfterDiscard: TypeAlias = Literal["must", "may", "never"]
FinalLapRule: TypeAlias = Literal["others", "none", "all"]
StockEmpty: TypeAlias = Literal["reshuffle_keep_top", "eager", "end_hole", "no_draw"]
End: TypeAlias = Literal["holes", "elimination", "first_to_limit"]
NextFirst: TypeAlias = Literal["rotate", "closer", "winner"]

MIN_SEATS, MAX_SEATS = 2, 6

_SPARE = 12
"""So many cards at least should lie in the stock when it starts (rule A2)."""


@dataclass(frozen=True, slots=True)
class GridRules:
    """Every number of grid Golf; the names are those of the options (rules A2 to A9)."""

    rows: int
    cols: int
    scoring: Scoring
    initial_face_up: int = 2
    flip_after_discard: FlipAfterDiscard = "may"
    last_flip_optional: bool = False
    final_lap: FinalLapRule = "others"
    closer_penalty: Mode = "none"
    closer_tie: Tie = "safe"
    jokers_per_deck: int = 0
    decks: int | Literal["auto"] = "auto"
    stock_empty: StockEmpty = "reshuffle_keep_top"
    max_reshuffles: int | None = None
    no_progress_laps: int | None = 2
    max_laps: int = 60
    end: End = "holes"
    holes: int | None = 9
    limit: int | None = None
    limit_inclusive: bool = True
    tie_break: TieBreak = "share"
    next_first_player: NextFirst = "rotate"
    match_play: bool = False
    """Holes are won, not counted: the charged scores say who wins one, for each pair (rule A13)."""
    tied_match: TiedMatch = "halve"
    """In match play, what becomes of two who are all square after the last hole."""

    @property
    def cells(self) -> int:
        """How many cards a grid has."""
        return self.rows * self.cols


@lru_cache(maxsize=1024)
def shared(rules: GridRules) -> GridRules:
    """*rules*, or equal ones of another table: what was worked out for those is found without comparing."""
    return rules


def deck_count(rules: GridRules, seats: int) -> int:
    """How many decks *seats* players need: the number the rules fix, or rule A2's for ``auto``.

    >>> from dormie_rules.variants import find
    >>> [deck_count(find("six_card").rules, seats) for seats in range(2, 7)]
    [1, 1, 1, 2, 2]
    """
    if rules.decks != "auto":
        return rules.decks
    decks = 2 if rules.cells == 6 and seats >= 5 else 1  # noqa: PLR2004 - six cards from five players: rule A2
    while decks * _deck(rules) - seats * rules.cells < 1 + max(_SPARE, 2 * seats):
        decks += 1
    return decks


def spare_cards(rules: GridRules, seats: int) -> int:
    """How many cards are left when every grid is dealt; below two a hole could get stuck (rule A1)."""
    return deck_count(rules, seats) * _deck(rules) - seats * rules.cells


def pack_for(rules: GridRules, seats: int) -> tuple[Card, ...]:
    """The unshuffled pack that *seats* players use."""
    return pack(deck_count(rules, seats), rules.jokers_per_deck)


def _deck(rules: GridRules) -> int:
    return PACK_SIZE + rules.jokers_per_deck
