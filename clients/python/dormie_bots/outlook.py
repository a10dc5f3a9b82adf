"""What a grid will be worth when everything is turned up, as far as anybody can know.

The face-up cards are counted by the one scoring function of the rules. A face-down card is worth what an
unseen card is worth on average, less the points that complete lines may still save. Where lines are all
there is, the result is exact; pairs anywhere, wild jokers and blocks count once they lie there.

A card of a complete line counts nothing once, however many lines cross it, so the chances of several
lines do not simply add up: what two lines save together is taken off again, what three save is put back,
and so on (inclusion and exclusion).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from dormie_bots.odds import Odds
from dormie_rules.cards import RANKS, Card
from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import complete_lines, grid_score
from dormie_rules.tuples import put
from dormie_rules.values import replace

Cells: TypeAlias = frozenset[int]
Hope: TypeAlias = tuple[str | None, int]
"""That some cells will all be of one rank: the rank of those that are face-up (None if none is), and how
many are face-down."""
Hopes: TypeAlias = Mapping[Hope, int]
"""How many cards would count nothing for each hope that comes true."""


class Prices(dict[Hope, float]):
    """What a card of each hope saves on average, for one way to play and one set of odds."""

    def __init__(self, rules: GridRules, odds: Odds) -> None:
        super().__init__()
        shape = _shape(rules)
        self.odds = odds
        self.mean = odds.mean(shape.worth)
        self._free = shape.free

    def __missing__(self, hope: Hope) -> float:
        of, down = hope
        ranks = self.odds.unseen if of is None else (of,)
        price = sum([self._free[r] * self.odds.all_are(r, down) for r in ranks])
        self[hope] = price
        return price

    def saved(self, hopes: Hopes) -> float:
        """The points that *hopes* save on average."""
        return sum([cards * self[hope] for hope, cards in hopes.items()])


@dataclass(frozen=True, slots=True)
class Outlook:
    """One grid, and all that it may hope for."""

    rules: GridRules
    grid: tuple[Card | None, ...]
    hopes: Hopes
    through: tuple[Hopes, ...]
    """For each cell, the hopes that it is part of."""
    beside: tuple[Hopes, ...]
    """For each cell, the hopes that a card put there would join: they speak of the other cells only."""

    def expected(self, prices: Prices) -> float:
        """The score to expect of the grid as it lies."""
        score = grid_score(self.rules.scoring, self.grid, self.rules.cols)
        return score + self.grid.count(None) * prices.mean - prices.saved(self.hopes)

    def swapped(self, card: Card, prices: Prices) -> tuple[float, ...]:
        """For each cell, the score to expect with *card* put there; *prices* know that it was seen."""
        rules, of = self.rules, card[0]
        hidden, now = self.grid.count(None), prices.saved(self.hopes)
        scores = []
        for at, old in enumerate(self.grid):
            score = grid_score(rules.scoring, put(self.grid, at, card), rules.cols)
            unknown = (hidden - (old is None)) * prices.mean
            kept = now - prices.saved(self.through[at])
            joined = [
                cards * prices[of, down]
                for (other, down), cards in self.beside[at].items()
                if other is None or other == of
            ]
            scores.append(score + unknown - kept - sum(joined))
        return tuple(scores)


@lru_cache(maxsize=256)
def outlook(rules: GridRules, grid: tuple[Card | None, ...]) -> Outlook:
    """The outlook of *grid*."""
    ranks = [card and card[0] for card in grid]
    hopes: Counter[Hope] = Counter()
    through: list[Counter[Hope]] = [Counter() for _ in grid]
    beside: list[Counter[Hope]] = [Counter() for _ in grid]
    for cells, cards in _shape(rules).sets:
        shown = [ranks[at] for at in cells]
        if len(set(shown)) > 3:  # noqa: PLR2004 - face-down, one rank, and one to be replaced
            continue
        hope = _hope(shown)
        hopes[hope] += cards
        for at in cells:
            through[at][hope] += cards
            shown.remove(ranks[at])
            beside[at][_hope(shown)] += cards
            shown.append(ranks[at])
    return Outlook(rules, grid, _only(hopes), tuple(map(_only, through)), tuple(map(_only, beside)))


_HOPELESS: Hope = (None, 0)


def _hope(shown: list[str | None]) -> Hope:
    """The hope of cells that show these ranks: none when all are face-up, or of two ranks."""
    down = shown.count(None)
    kinds = set(shown)
    if not down or len(kinds) > 2:  # noqa: PLR2004 - face-down, and one rank
        return _HOPELESS
    kinds.discard(None)
    return next(iter(kinds), None), down


def _only(hopes: Counter[Hope]) -> Hopes:
    return {hope: cards for hope, cards in hopes.items() if cards and hope != _HOPELESS}


@dataclass(frozen=True, slots=True)
class _Shape:
    """All that can be known of the hopes of a grid before its cards are."""

    worth: Mapping[str, int]
    """What each rank counts."""
    free: Mapping[str, int]
    """What is saved for each card of a rank in a complete line."""
    sets: tuple[tuple[Cells, int], ...]


@lru_cache(maxsize=64)
def _shape(rules: GridRules) -> _Shape:
    scoring = replace(rules.scoring, block_bonus=None, floor_zero=False)
    lines = replace(scoring, lines=tuple(of for of in scoring.lines if of != "pairs_anywhere"))
    pairs = replace(scoring, lines=("columns",))
    worth = dict(scoring.values)
    free = {of: worth[of] - grid_score(pairs, [Card(of)] * 2, 1) // 2 for of in worth}
    full = [Card(RANKS[0])] * rules.cells
    cells = [frozenset(line) for line in complete_lines(lines, full, rules.cols)]
    return _Shape(worth, free, tuple(_sets(cells)))


def _sets(lines: list[Cells]) -> Iterator[tuple[Cells, int]]:
    """Every union of lines that share a card, and how many cards it frees beyond its parts."""
    cards: Counter[Cells] = Counter()
    for size in range(1, len(lines) + 1):
        for some in combinations(lines, size):
            cards[frozenset().union(*some)] -= (-1) ** size * len(frozenset.intersection(*some))
    return ((cells, n) for cells, n in cards.items() if n)
