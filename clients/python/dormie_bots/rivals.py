"""What the other grids mean for a choice: what closing may cost, and what a discard may give away."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from dormie_bots.outlook import Prices, outlook
from dormie_bots.sight import Sight
from dormie_rules.cards import Card
from dormie_rules.grid_rules import GridRules
from dormie_rules.penalties import penalty

TURN_SHARE = 0.35
"""What one more turn saves a player, as a share of an average card."""
SURPRISE = 0.5
"""No estimate is better than this."""
GIFT_SHARE = 0.7
"""How much of a point that a discard gives to the only rival is felt as lost."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """The other players of a hole, seen from one seat."""

    rules: GridRules
    sight: Sight
    prices: Prices

    def finals(self) -> tuple[NormalDist, ...]:
        """How each rival's grid will probably count if this seat closes now."""
        turn = 0.0 if self.rules.final_lap == "none" else self._turn
        one = self.prices.odds.spread(dict(self.rules.scoring.values))
        finals = []
        for seat in self.sight.rivals:
            grid = self.sight.hole.grids[seat]
            mean = outlook(self.rules, grid).expected(self.prices) - turn
            spread = one * sqrt(grid.count(None) + TURN_SHARE)
            finals.append(NormalDist(mean, max(spread, SURPRISE)))
        return tuple(finals)

    def gift(self, card: Card | None) -> float:
        """What *card* on the discard pile costs, because the next player may want it."""
        seat = self.sight.next
        if card is None or seat is None:
            return 0.0
        theirs = outlook(self.rules, self.sight.hole.grids[seat])
        gain = theirs.expected(self.prices) - min(theirs.swapped(card, self.prices))
        return GIFT_SHARE * max(0.0, gain - self._turn) / len(self.sight.rivals)

    @property
    def _turn(self) -> float:
        return TURN_SHARE * max(0.0, self.prices.mean)


def closing_cost(rules: GridRules, own: int, finals: Sequence[NormalDist]) -> float:
    """What a closer expects to pay whose grid counts *own*, when the others end as *finals* says."""
    if rules.closer_penalty == "none":
        return 0.0
    ties = rules.closer_tie == "penalised" or rules.closer_penalty == "per_beater5"
    beaten = [1.0]
    for final in finals:
        chance = final.cdf(own + (0.5 if ties else -0.5))
        beaten = [
            before * chance + same * (1 - chance)
            for before, same in zip([0.0, *beaten], [*beaten, 0.0], strict=True)
        ]
    return sum(
        chance * penalty(rules.closer_penalty, rules.closer_tie, own, [own - 1] * others)
        for others, chance in enumerate(beaten)
    )
