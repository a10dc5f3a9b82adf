"""What the cards that nobody shows you may be: the pack, less every card in your view."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from dormie_rules.cards import Card, rank
from dormie_rules.course_state import CourseView
from dormie_rules.grid_rules import GridRules, pack_for


@dataclass(frozen=True, slots=True)
class Odds:
    """How many cards of each rank the viewer has not seen.

    Face-down cards, the stock and the discard pile below its top are all the same to it.
    """

    unseen: Mapping[str, int]
    """Only ranks of which there are any."""
    total: int

    def mean(self, worth: Mapping[str, int]) -> float:
        """What an unseen card is worth on average.

        >>> Odds({"K": 1, "5": 3}, 4).mean({"K": 0, "5": 5})
        3.75
        """
        points = sum([worth[of] * count for of, count in self.unseen.items()])
        return points / self.total if self.total else 0.0

    def spread(self, worth: Mapping[str, int]) -> float:
        """How far from the mean an unseen card usually is (its standard deviation).

        >>> Odds({"K": 1, "5": 1}, 2).spread({"K": 0, "5": 5})
        2.5
        """
        mean = self.mean(worth)
        return sqrt(sum([chance * (worth[of] - mean) ** 2 for of, chance in self.draws()]))

    def all_are(self, of: str, cards: int) -> float:
        """The chance that so many unseen cards are all of one rank.

        >>> Odds({"K": 2, "5": 2}, 4).all_are("K", 2)
        0.16666666666666666
        """
        left, total, chance = self.unseen.get(of, 0), self.total, 1.0
        if left < cards:
            return 0.0
        for gone in range(cards):
            chance *= (left - gone) / (total - gone)
        return chance

    def draws(self) -> Iterator[tuple[str, float]]:
        """Each rank an unseen card may have, and the chance of it."""
        return ((of, count / self.total) for of, count in self.unseen.items())

    def without(self, of: str) -> "Odds":
        """The odds once a card of this rank has been seen as well.

        >>> Odds({"K": 1, "5": 3}, 4).without("K")
        Odds(unseen={'5': 3}, total=3)
        """
        left = {**self.unseen, of: self.unseen[of] - 1}
        return Odds({of: count for of, count in left.items() if count}, self.total - 1)


def unseen(rules: GridRules, view: CourseView) -> Odds:
    """The odds for a viewer in the middle of a hole."""
    left = _pack(rules, len(view.public.totals)) - Counter(map(rank, _seen(view)))
    return Odds(left, left.total())


@lru_cache(maxsize=64)
def _pack(rules: GridRules, seats: int) -> Counter[str]:
    return Counter(map(rank, pack_for(rules, seats)))


def _seen(view: CourseView) -> Iterator[Card]:
    hole = view.public.play
    assert hole is not None, "a bot is asked in the middle of a hole"
    for grid in hole.grids:
        yield from (card for card in grid if card is not None)
    held = view.pocket.drawn if view.pocket else None
    yield from (card for card in (hole.discard, hole.taken, held) if card is not None)
