"""The careful player: counts lines and chances, and looks at the other grids before closing.

Of all moves it makes the one after which it expects the fewest points. It looks one turn ahead: in the
last turn of a hole that is exact, before it a fair guess. The price of closing too early is part of the
points, and so is a discard that would please the next player.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from dormie_bots.bot import Bot, Choice, Luck
from dormie_bots.odds import unseen
from dormie_bots.options import Option, reason
from dormie_bots.outlook import Outlook, Prices, outlook
from dormie_bots.rivals import Rivals, closing_cost
from dormie_bots.sight import Sight, crowd, see
from dormie_bots.why import because
from dormie_rules.cards import Card, rank
from dormie_rules.course_state import CourseView
from dormie_rules.grid_moves import Draw, Flip, GridMove, Swap, Take
from dormie_rules.grid_rules import GridRules
from dormie_rules.luck import shuffle
from dormie_rules.scoring import grid_score
from dormie_rules.tuples import put

KNOWING = 0.5
"""The points that it is worth to know a card more, for turns to come."""


def medium_bot(rules: GridRules) -> Bot:
    """The bot for *rules*."""
    return partial(_choose, rules)


def _choose(rules: GridRules, view: CourseView, moves: Sequence[GridMove], luck: Luck) -> Choice:
    if len(moves) == 1:
        return Choice(moves[0], because("only_move"))
    thought = _think(rules, view)
    options = thought.options(shuffle(luck, moves))
    best = min(options, key=lambda option: option.cost)
    return Choice(best.move, reason(rules, thought.sight, thought.stay, best, options))


@dataclass(frozen=True, slots=True)
class _Thought:
    """What a careful player makes of a view."""

    rules: GridRules
    sight: Sight
    prices: Prices
    mine: Outlook
    rivals: Rivals
    closing: Mapping[str, float]
    """For each rank, what a closer whose last card has it may have to pay; empty if no move can close."""

    def options(self, moves: Sequence[GridMove]) -> list[Option]:
        """What each move leads to."""
        sight = self.sight
        if sight.hole.stage == "setup":
            return [Option(move, crowd(self.rules, sight, move)) for move in moves]
        if sight.held is None:
            return [self._without_card(move) for move in moves]
        swapped = self.mine.swapped(sight.held, self.prices)
        gifts = {of: self.rivals.gift(Card(of)) for of in sight.shown}
        return [self._with_card(move, swapped, gifts) for move in moves]

    def _without_card(self, move: GridMove) -> Option:
        """What *move* leads to with an empty hand."""
        odds = self.prices.odds
        match move:
            case Draw():
                return Option(move, sum(p * self._drawn(of) for of, p in odds.draws()))
            case Take():
                return Option(move, min(self._placed(self.sight.card, self.prices)))
            case Flip():
                return Option(move, self.stay - self._news, self._blind(self.prices))
            case _:
                return Option(move, self.stay)

    def _with_card(
        self, move: GridMove, swapped: Sequence[float], gifts: Mapping[str, float]
    ) -> Option:
        """What *move* leads to with a card in hand."""
        held = self.sight.held
        assert held is not None, "a card is in hand"
        if not isinstance(move, Swap):
            points, closing = self._thrown(self.prices)
            return Option(move, points, closing, gifts[rank(held)], held)
        out = self.sight.grid[move.at]
        if out is None:
            return Option(move, swapped[move.at], self.closing.get(rank(held), 0.0))
        return Option(move, swapped[move.at], gift=gifts[rank(out)], out=out)

    def _drawn(self, of: str) -> float:
        """The points to expect with a card of this rank in hand, from the stock."""
        after = Prices(self.rules, self.prices.odds.without(of))
        return min(sum(self._thrown(after)), *self._placed(of, after))

    def _placed(self, of: str, prices: Prices) -> tuple[float, ...]:
        """For each place the points to expect with a card of this rank there."""
        closing = self.closing.get(of, 0.0)
        swapped = self.mine.swapped(Card(of), prices)
        return tuple(
            points + closing * (old is None)
            for points, old in zip(swapped, self.sight.grid, strict=True)
        )

    def _thrown(self, prices: Prices) -> tuple[float, float]:
        """The points to expect once the card in hand is discarded, and what closing so may cost.

        After it a card is turned up if that is needed or better.
        """
        stay = self.mine.expected(prices)
        if not self.sight.face_down or self.rules.flip_after_discard == "never":
            return stay, 0.0
        blind = self._blind(prices)
        if self._may_pass and blind >= self._news:
            return stay, 0.0
        return stay - self._news, blind

    def _blind(self, prices: Prices) -> float:
        """What it costs to turn up the last card, not knowing what it is."""
        if not self.closing:
            return 0.0
        return sum(p * self.closing.get(of, 0.0) for of, p in prices.odds.draws())

    @property
    def stay(self) -> float:
        """The points to expect of the grid as it lies."""
        return self.mine.expected(self.prices)

    @property
    def _news(self) -> float:
        """What it is worth to turn a card up when the hole goes on."""
        return 0.0 if self.sight.can_close or self.sight.hole.ending else KNOWING

    @property
    def _may_pass(self) -> bool:
        """Whether nothing need be turned up after a discard."""
        last = self.rules.last_flip_optional and self.sight.face_down == 1
        return last or self.rules.flip_after_discard == "may"


def _think(rules: GridRules, view: CourseView) -> _Thought:
    sight = see(view)
    prices = Prices(rules, unseen(rules, view))
    rivals = Rivals(rules, sight, prices)
    closing = _closing(rules, sight, rivals) if sight.can_close else {}
    return _Thought(rules, sight, prices, outlook(rules, sight.grid), rivals, closing)


def _closing(rules: GridRules, sight: Sight, rivals: Rivals) -> Mapping[str, float]:
    """For each rank of the last card, what its owner may have to pay."""
    at, finals = sight.grid.index(None), rivals.finals()
    grids = {of: put(sight.grid, at, Card(of)) for of, _ in rules.scoring.values}
    return {
        of: closing_cost(rules, grid_score(rules.scoring, grid, rules.cols), finals)
        for of, grid in grids.items()
    }
