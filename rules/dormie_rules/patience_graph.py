"""The solver's pass for tableaus that are no columns: peaks and pyramids, with everything known.

The argument is the same. A tableau is a set of cards that are gone, 22,932 of them for the peaks and 1,430
for a pyramid, because a card goes only after those that lie on it; and for each tableau and each top of the
foundation only the fewest cards drawn count. ``docs/solver.md`` has the rest.
"""

from functools import cached_property
from typing import TypeAlias

from dormie_rules.cards import JOKER, RANKS, Card, rank
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_layouts import COVERS
from dormie_rules.patience_moves import PatienceMove, Play
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules, followers
from dormie_rules.patience_score import hole_score
from dormie_rules.patience_search import to_the_end
from dormie_rules.patience_solution import Solution

Gone: TypeAlias = int
"""A set of places, one bit each, whose cards have been played."""
Soonest: TypeAlias = list[int]
"""For each top, by its number, the fewest cards drawn with which it lies on the foundation."""

TOPS = RANKS + JOKER
EMPTY = len(TOPS)
"""The number of a foundation without a card."""
NEVER = 999


class _Pass:
    """A position, and what has been reached in it, a layer for each number of cards played."""

    def __init__(self, rules: PatienceRules, position: Position) -> None:
        self.rules, self.position = rules, position
        self.places = [
            (at, 1 << at, sum(1 << over for over in COVERS[rules.layout][at]), _number(cards[0]))
            for at, cards in enumerate(position.columns)
            if cards
        ]
        self.onto = _onto(rules)
        start = [NEVER] * (EMPTY + 1)
        start[EMPTY if position.foundation is None else _number(position.foundation)] = 0
        empty = sum(1 << at for at, cards in enumerate(position.columns) if not cards)
        self.layers: list[dict[Gone, Soonest]] = [{empty: start}]

    def go(self) -> None:
        """From the whole tableau to whatever can be reached, a card fewer at a time."""
        while layer := self.layers[-1]:
            after: dict[Gone, Soonest] = {}
            for gone, played in layer.items():
                able = self.able(played)
                for _, bit, over, card in self.places:
                    if gone & bit or gone & over != over:
                        continue
                    drawn = min([able[top] for top in self.onto[card]])
                    if drawn == NEVER:
                        continue
                    there = after.get(gone | bit)
                    if there is None:
                        there = after[gone | bit] = [NEVER] * (EMPTY + 1)
                    there[card] = min(there[card], drawn)
            self.layers.append(after)
        self.layers.pop()

    def able(self, played: Soonest) -> Soonest:
        """With how few cards drawn each top can lie there, when a play or the stock may bring it."""
        return [*map(min, played, self.coming[min(played)])]

    def line(self) -> tuple[PatienceMove, ...]:
        """The moves that leave the fewest cards, with the fewest drawn."""
        drawn, gone = min((min(played), gone) for gone, played in self.layers[-1].items())
        top = self.layers[-1][gone].index(drawn)
        moves: list[PatienceMove] = []
        for before in reversed(self.layers[:-1]):
            place, gone, on = self._play_before(before, gone, top, drawn)
            moves.append(Play(place))
            played = before[gone]
            if played[on] != drawn:  # it came from the stock
                moves.extend([Draw()] * (drawn - min(played)))
                drawn = min(played)
                on = played.index(drawn)
            top = on
        return tuple(reversed(moves))

    def _play_before(
        self, layer: dict[Gone, Soonest], gone: Gone, card: int, drawn: int
    ) -> tuple[int, Gone, int]:
        """Which place was played to have *card* on top, from which tableau, and on which top."""
        for place, bit, over, of in self.places:
            before = gone & ~bit
            if of != card or before not in layer or gone & over != over or not gone & bit:
                continue
            able = self.able(layer[before])
            on = next((top for top in self.onto[card] if able[top] == drawn), None)
            if on is not None:
                return place, before, on
        raise AssertionError("whatever is reached was reached by a play")

    @cached_property
    def coming(self) -> list[Soonest]:
        """For each number of cards drawn, and each top, after how many draws it comes up next."""
        stock = self.position.stock
        table = [[NEVER] * (EMPTY + 1)]
        for drawn in range(len(stock), 0, -1):
            table.append([*table[-1]])
            table[-1][_number(stock[drawn - 1])] = drawn
        return table[::-1]


def _number(card: Card) -> int:
    return TOPS.index(rank(card))


def _onto(rules: PatienceRules) -> list[list[int]]:
    """For each card the tops it goes on."""
    after = followers(rules)
    free = [EMPTY] if rules.empty_start else []
    return [[*free, *(at for at, top in enumerate(TOPS) if card in after[top])] for card in TOPS]


def graph_fits_in_a_pass(rules: PatienceRules) -> bool:
    """Whether this pass answers for positions under *rules*, exactly and always."""
    return bool(COVERS[rules.layout]) and rules.draw_with_moves and rules.build == "either"


def solve_graph(rules: PatienceRules, position: Position) -> Solution:
    """How low a position can end that lies as a graph, and a line that leads there.

    >>> from dormie_rules.patience_deals import attempt_pack, practice_seed
    >>> from dormie_rules.patience_position import lay_out
    >>> rules = PatienceRules("wrap", columns=28, per_column=1, layout="escalator")
    >>> solve_graph(rules, lay_out(rules, attempt_pack(rules, practice_seed(1), 0))).exact
    True
    """
    walk = _Pass(rules, position)
    walk.go()
    line = walk.line()
    left = position.left - len(walk.layers) + 1
    best = hole_score(left, len(position.stock) - line.count(Draw()))
    line = to_the_end(rules, position, line)
    return Solution("clearable" if best <= 0 else "not_clearable", best, line)
