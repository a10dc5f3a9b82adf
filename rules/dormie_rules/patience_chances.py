"""What each move of Golf Patience is worth on average to somebody who does not know the stock.

A fixed number of orders of the unseen cards is drawn from a seed, the same orders for every move, and
played to the end: after each card from the stock the run that looks best, then the next card. What was
found out about a tableau and a card serves all orders, so that most of them are look-ups.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dormie_rules.grid_moves import Draw
from dormie_rules.luck import digest, shuffle
from dormie_rules.patience_ahead import Ahead, number
from dormie_rules.patience_moves import PatienceMove, Play
from dormie_rules.patience_score import hole_score
from dormie_rules.patience_sight import Sight

ORDERS = 100
"""How many orders of the stock are tried. A number and not a time, so that games can be played again."""
FEWEST_ORDERS = 10
"""So many are tried by whoever is tired, too: fewer say nothing."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A move, and the scores with which all the orders together end after it."""

    move: PatienceMove
    total: int
    orders: int

    @property
    def mean(self) -> float:
        """The score to expect.

        >>> Chance(Draw(), 10, 4).mean
        2.5
        """
        return self.total / self.orders


def chances(
    ahead: Ahead, sight: Sight, moves: Sequence[PatienceMove], luck: bytes, orders: int = ORDERS
) -> tuple[Chance, ...]:
    """What each of *moves* but giving up is worth, in their order, to whoever looks *ahead* of *sight*.

    *luck* is a seed for the orders of the stock. Of *orders* fewer are tried, the same for every move, when
    whoever looks ahead gets tired.

    >>> from dormie_rules.cards import Card
    >>> from dormie_rules.patience_rules import PatienceRules
    >>> from dormie_rules.patience_state import Board
    >>> sight = Sight(Board(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), 1, 1))
    >>> ahead = Ahead(PatienceRules(), sight)
    >>> [round(chance.mean, 1) for chance in chances(ahead, sight, (Play(0), Draw()), b"")]
    [0.8, 2.4]
    """
    able = [move for move in moves if isinstance(move, Play | Draw)]
    starts = [_start(ahead, sight, move) for move in able]
    ends, totals, tried = _Ends(ahead), [0] * len(able), 0
    for stock in _stocks(ahead, sight, luck, orders):
        for at, start in enumerate(starts):
            totals[at] += ends.score(start, stock)
        tried += 1
        if tried >= FEWEST_ORDERS and ahead.tired:
            break
    return tuple(Chance(move, total, tried) for move, total in zip(able, totals, strict=True))


def best_chance(choices: Sequence[Chance]) -> Chance:
    """The one that does best on average; of equals the first, so that a card is played before one is drawn."""
    return min(choices, key=lambda chance: chance.total)


def _stocks(ahead: Ahead, sight: Sight, luck: bytes, orders: int) -> Iterator[tuple[int, ...]]:
    """Orders that the stock may have, as the numbers of its ranks."""
    for order in range(orders):
        yield shuffle(digest(luck, order.to_bytes(4, "big")), ahead.unseen)[: sight.board.stock]


def _start(ahead: Ahead, sight: Sight, move: PatienceMove) -> int:
    """The tableau when the next card must be drawn."""
    if not isinstance(move, Play):
        return ahead.start
    return ahead.run(ahead.after(move.column), number(sight.board.columns[move.column][-1]))


class _Ends:
    """How holes end that are played on from a tableau; it remembers where each card of the stock leads."""

    def __init__(self, ahead: Ahead) -> None:
        self._ahead = ahead
        self._after: dict[tuple[int, int], int] = {}

    def score(self, tableau: int, stock: tuple[int, ...]) -> int:
        """The score with this *stock*."""
        after, drawn = self._after, 0
        for card in stock:
            if not tableau:
                break
            there = after.get((tableau, card))
            if there is None:
                there = after[tableau, card] = self._ahead.run(tableau, card)
            tableau, drawn = there, drawn + 1
        return hole_score(self._ahead.left(tableau), len(stock) - drawn)
