"""How the solver numbers tableaus and tops, and how a line is read back from what it has reached.

A deal's tableaus are numbered in mixed radix, a digit for each column: the cards it has left. A tableau's
row has sixteen bytes, one for each top of the foundation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from dormie_rules.cards import JOKER, RANKS, Card, rank
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_moves import PatienceMove, Play
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules, fits

WIDTH = 16
NEVER = 255
"""More cards than any stock has: such a top is not reached."""

KING, WILD = 13, 15
BYTE = {one: at + 1 for at, one in enumerate(RANKS)} | {JOKER: WILD}
"""Byte 0 guards, 1 to 13 are Ace to King, 14 guards, 15 is the joker: the tops that a rank goes on are
the bytes beside its own, and a whole layer is compared with itself, one byte further."""

MAX_TABLEAUS = 400_000
"""Larger ones go to the search: a solver should stay small."""
MAX_STOCK = 200

Fewest: TypeAlias = Callable[[int, int], int]
"""With how few cards drawn a tableau and a top are reached by a play; NEVER if they are not."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A deal, and what a pass has reached in it."""

    rules: PatienceRules
    position: Position
    fewest: Fewest

    def back_from(self, code: int) -> tuple[PatienceMove, ...]:
        """The plays and draws that lead to tableau *code* with the fewest cards drawn."""
        moves: list[PatienceMove] = []
        root = self._root
        top, drawn = self._soonest(code)
        while code != root:
            column, before = self._play_before(code, top, drawn)
            moves.append(Play(column))
            code += strides(self.position)[column]
            if before is None:  # it was played on a card from the stock, or on nothing
                top, soonest = self._soonest(code)
                moves.extend([Draw()] * (drawn - soonest))
                drawn = soonest
            else:
                top = before
        return tuple(reversed(moves))

    @property
    def _root(self) -> int:
        return size(self.position) - 1

    def _soonest(self, code: int) -> tuple[str, int]:
        """The top with which a tableau is reached soonest, and after how many draws."""
        if code == self._root:
            return self.position.foundation or "", 0
        drawn, top = min((self.fewest(code, byte), one) for one, byte in BYTE.items())
        return top, drawn

    def _play_before(self, code: int, top: str, drawn: int) -> tuple[int, str | None]:
        """The column that was played to reach *top* after so many draws, and the top it was played on.

        None for a top that was drawn just before, and for a foundation without a card.
        """
        for column, (cards, stride) in enumerate(
            zip(self.position.columns, strides(self.position), strict=True)
        ):
            left = code // stride % (len(cards) + 1)
            if left == len(cards) or rank(cards[left]) != top:
                continue
            for one, byte in BYTE.items():
                reached = self.fewest(code + stride, byte) == drawn
                if reached and fits(self.rules, Card(one), cards[left]):
                    return column, one
            if self._goes_on_the_stock(code + stride, drawn, cards[left]):
                return column, None
        raise AssertionError("whatever is reached was reached by a play")

    def _goes_on_the_stock(self, code: int, drawn: int, card: Card) -> bool:
        """Whether *card* goes on the last card drawn, or begins an empty foundation."""
        if drawn > self._soonest(code)[1]:
            return fits(self.rules, self.position.stock[drawn - 1], card)
        begins = code == self._root and self.position.foundation is None
        return begins and fits(self.rules, None, card)


def size(position: Position) -> int:
    """How many tableaus a position can come to, itself among them.

    >>> size(Position(((Card("5S"), Card("8H")), (Card("7D"),)), None, ()))
    6
    """
    return prod(len(column) + 1 for column in position.columns)


def strides(position: Position) -> tuple[int, ...]:
    """By how much a card from each column lowers the number of a tableau.

    >>> strides(Position(((Card("5S"), Card("8H")), (Card("7D"),)), None, ()))
    (2, 1)
    """
    bases = [len(column) + 1 for column in position.columns]
    return tuple(prod(bases[at + 1 :]) for at in range(len(bases)))


def code_of(position: Position, lengths: Sequence[int]) -> int:
    """The number of the tableau whose columns have so many cards left."""
    return sum(n * stride for n, stride in zip(lengths, strides(position), strict=True))


def fits_in_a_pass(rules: PatienceRules, position: Position) -> bool:
    """Whether one pass of the solver answers for *position*, exactly and always.

    Where drawing is not always allowed, having drawn less is no longer always as good.
    """
    small = size(position) <= MAX_TABLEAUS and len(position.stock) <= MAX_STOCK
    return rules.golf and small and rules.draw_with_moves


def has_joker(position: Position) -> bool:
    """Whether a joker lies anywhere."""
    return any(JOKER in cards for cards in (*position.columns, position.stock)) or (
        position.foundation == JOKER
    )
