"""The numbers of Golf Patience, and which card fits on which (rule A11).

The names by which programs call their Golf mean different rules in different programs, so here the rule
for Kings has a name of its own and nothing else decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from dormie_rules.cards import JOKER, RANKS, Card, pack, rank
from dormie_rules.match_play import TiedMatch
from dormie_rules.patience_layouts import Layout
from dormie_rules.standing import TieBreak

KingRule = Literal["strict", "queen", "wrap"]
"""strict: nothing goes on a King; queen: a Queen does; wrap: a Queen and an Ace do, and a King goes on an Ace."""

MAX_RACE_SEATS = 6
JOKER_CARD = Card(JOKER)

JokerFollow = Literal["any"]
Undo = Literal["off", "before_draw", "unlimited"]
Build = Literal["either", "up"]
"""either: a card goes on its neighbours; up: only on the rank below it, round from King to Ace, and two cards
or more may be followed by any, which begins another run (All in a Row as its author meant it)."""
DealPolicy = Literal["random", "not_hopeless", "clearable", "gentle", "par_4_5"]
"""Which deals are played (``patience_deals``): gentle and par_4_5 can be cleared, and are picked by how honest
players fare at them."""
PatienceScoring = Literal["strokes", "match"]
OpponentView = Literal["cards_left", "finished"]
"""What rivals see of each other while a hole is played: cards_left, or only whether they have finished."""
TimeUp = Literal["score", "lose"]
"""What the end of a hole's time does to who still plays: the board is scored as it stands, or the hole is lost."""


@dataclass(frozen=True, slots=True)
class PatienceRules:
    """Every number of Golf Patience; the names are those of the options (rule A11)."""

    king_rule: KingRule = "strict"
    columns: int = 7
    per_column: int = 5
    redeals: int = 0
    jokers: int = 0
    """Wild cards in the pack; each makes the stock a card longer."""
    empty_start: bool = False
    """The foundation begins without a card, and any exposed card may be the first."""
    draw_with_moves: bool = True
    """A card may be drawn although one could be played."""
    joker_on_strict_king: bool = False
    joker_follow: JokerFollow = "any"
    undo: Undo = "off"
    deal_policy: DealPolicy = "random"
    holes: int = 9
    par: int = 5
    """The par of every hole."""
    par_of_deal: bool = False
    """Each hole has a par of its own, from 3 to 5, that follows from its deal (recipe A)."""
    scoring: PatienceScoring = "strokes"
    tie_break: TieBreak = "share"
    """In stroke play, what parts those who are level after the last hole."""
    tied_match: TiedMatch = "halve"
    """In match play, what becomes of two who are all square after the last hole."""
    play_out: bool = False
    """In match play, all holes are played although every match is decided."""
    opponent_view: OpponentView = "cards_left"
    decks: int = 1
    layout: Layout = "columns"
    """What lies on what; where it is no columns, each place counts as a column of one card."""
    start: Card | None = None
    """The card that begins the foundation in every deal, taken out before the pack is shuffled."""
    build: Build = "either"
    hole_seconds: int = 600
    """The time for a hole."""
    time_up: TimeUp = "score"

    @property
    def stock(self) -> int:
        """How many cards the stock has when the hole begins.

        >>> PatienceRules().stock, PatienceRules(empty_start=True).stock, PatienceRules(jokers=2).stock
        (16, 17, 18)
        """
        begins = not self.empty_start and self.start is None
        return len(self.pack) - self.columns * self.per_column - begins

    @property
    def pack(self) -> tuple[Card, ...]:
        """The unshuffled pack, without a card that every deal begins with.

        >>> len(PatienceRules().pack), len(PatienceRules(decks=2).pack), len(PatienceRules(start=Card("AS")).pack)
        (52, 104, 51)
        """
        return _pack(self.decks, self.jokers, self.start)

    @property
    def golf(self) -> bool:
        """Whether this is Golf with its columns, and no relative that a column's player does not know."""
        return self.layout == "columns" and self.build == "either"

    @property
    def seven_columns(self) -> bool:
        """Whether the tableau is that of Golf Patience itself, and of one pack.

        >>> PatienceRules(jokers=2).seven_columns, PatienceRules(decks=2, columns=9, per_column=7).seven_columns
        (True, False)
        """
        return self.golf and (self.decks, self.columns, self.per_column) == (1, 7, 5)


def fits(rules: PatienceRules, top: Card | None, card: Card) -> bool:
    """Whether *card* may go on the foundation, whose top is *top*, or which is empty (None).

    >>> [fits(PatienceRules(king_rule), Card("KS"), Card("QH")) for king_rule in ("strict", "queen")]
    [False, True]
    >>> fits(PatienceRules("wrap"), Card("AS"), Card("KH")), fits(PatienceRules(), None, Card("5D"))
    (True, False)
    """
    if top is None:
        return rules.empty_start
    return rank(card) in _followers(rules.king_rule, rules.joker_on_strict_king)[rank(top)]


def followers(rules: PatienceRules) -> Mapping[str, str]:
    """For each rank, and the joker, the ranks that may follow it.

    >>> followers(PatienceRules("wrap"))["K"], followers(PatienceRules())["K"]
    ('QA*', '')
    """
    return _followers(rules.king_rule, rules.joker_on_strict_king)


@cache
def _pack(decks: int, jokers: int, start: Card | None) -> tuple[Card, ...]:
    cards = list(pack(decks) + (JOKER_CARD,) * jokers)
    if start is not None:
        cards.remove(start)
    return tuple(cards)


@cache
def _followers(king_rule: KingRule, joker_on_strict_king: bool) -> Mapping[str, str]:  # noqa: FBT001 - a key of the cache
    after = {
        one: "".join(RANKS[other] for other in (at - 1, at + 1) if 0 <= other < len(RANKS))
        for at, one in enumerate(RANKS)
    }
    if king_rule == "strict":
        after["K"] = ""
    if king_rule == "wrap":
        after |= {"K": "QA", "A": "2K"}
    closed = "K" if king_rule == "strict" and not joker_on_strict_king else ""
    after = {one: others + JOKER * (one not in closed) for one, others in after.items()}
    return {**after, JOKER: RANKS + JOKER}
