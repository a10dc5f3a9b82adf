"""The tableaus that a position can come to without its stock: what each leaves and shows, and what it seems worth.

A tableau is worked out when it is asked for, and kept. Columns are looked at in two halves, a few hundred
sorts of each, so that a tableau is mostly two look-ups; where cards lie across each other every place is one bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

CLEARED = 1000.0
"""Worth more than anything that leaves a card."""
NEXT_CARD = 3.0
"""How many cards it is worth that the next card from the stock is sure to be of use."""
EVEN = 0.1
"""By how much columns of uneven length are worse: so much for the square of each length."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A column, or a place where there are no columns."""

    cards: tuple[int, ...]
    """The numbers of its ranks, the exposed one last."""
    stride: int
    """By how much playing one of them lowers the number of a tableau."""
    over: tuple[int, ...] | None = ()
    """The strides of the piles that lie on it; None if it will never be free."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What decides how good it seems to stop at a tableau."""

    onto: tuple[int, ...]
    """For each card the ranks that it can be played on, as the bits of a number."""
    chances: tuple[float, ...]
    """For each rank how likely the stock's next card has it."""
    even: float = EVEN


class Tableau(NamedTuple):  # made by the thousand: a frozen dataclass takes three times as long
    """What can be seen of one tableau."""

    left: int
    exposed: tuple[tuple[int, int], ...]
    """The number of each exposed rank, and by how much playing it lowers the tableau's number."""
    worth: float
    """What it seems to be worth to stop here, in cards."""


class _Part(NamedTuple):
    left: int = 0
    exposed: tuple[tuple[int, int], ...] = ()
    useful: int = 0
    """The ranks of the foundation on which one of the exposed cards goes, as bits."""
    squares: int = 0


class Tableaus(dict[int, Tableau]):
    """Every tableau that was asked for, by its number.

    >>> worth = Worth(onto=(2, 5, 2), chances=(0.0, 0.5, 0.0), even=0.0)
    >>> two = Tableaus((Pile((0, 2), 2), Pile((1,), 1)), worth)
    >>> two[5]
    Tableau(left=3, exposed=((2, 2), (1, 1)), worth=-1.5)
    >>> two[0].worth == CLEARED
    True
    """

    def __init__(self, piles: Sequence[Pile], worth: Worth, down: int = 0) -> None:
        """*down* cards lie face-down, and no look ahead removes them."""
        super().__init__()
        self._worth, self._down = worth, down
        self._useful: dict[int, float] = {}
        if all(pile.over == () for pile in piles):
            half = (len(piles) + 1) // 2
            self._cut = piles[half - 1].stride if piles else 1
            self._high = _Parts(piles[:half], worth.onto, _columns)
            self._low = _Parts(piles[half:], worth.onto, _columns)
        else:
            self._cut = 1
            self._high, self._low = _Parts(piles, worth.onto, _places), _Parts((), (), _places)

    def __missing__(self, number: int) -> Tableau:
        low = number % self._cut
        high, lower = self._high[number - low], self._low[low]
        left = high.left + lower.left + self._down
        if left:
            uneven = self._worth.even * (high.squares + lower.squares)
            worth = self._use(high.useful | lower.useful) - uneven - left
            found = Tableau(left, high.exposed + lower.exposed, worth)
        else:
            found = Tableau(0, (), CLEARED)
        self[number] = found
        return found

    def _use(self, useful: int) -> float:
        """What it is worth that the cards of these ranks can be played on, the stock's next one maybe."""
        found = self._useful.get(useful)
        if found is None:
            chance = sum(p for at, p in enumerate(self._worth.chances) if useful >> at & 1)
            found = self._useful[useful] = NEXT_CARD * chance
        return found


_Look = Callable[[Sequence[Pile], Sequence[int], int], _Part]


class _Parts(dict[int, _Part]):
    """What some of the piles come to, by the part of a tableau's number that is theirs."""

    def __init__(self, piles: Sequence[Pile], onto: Sequence[int], look: _Look) -> None:
        super().__init__()
        self._piles, self._onto, self._look = piles, onto, look

    def __missing__(self, number: int) -> _Part:
        found = self[number] = self._look(self._piles, self._onto, number)
        return found


def _columns(piles: Sequence[Pile], onto: Sequence[int], number: int) -> _Part:
    """Columns: the last card of each is exposed."""
    lengths = [number // pile.stride % (len(pile.cards) + 1) for pile in piles]
    exposed = tuple(
        (pile.cards[length - 1], pile.stride)
        for pile, length in zip(piles, lengths, strict=True)
        if length
    )
    squares = sum(length * length for length in lengths)
    return _Part(sum(lengths), exposed, _onto_any(exposed, onto), squares)


def _places(piles: Sequence[Pile], onto: Sequence[int], number: int) -> _Part:
    """Places with a card or none: those are exposed on which nothing lies."""
    there = [pile for pile in piles if number & pile.stride and pile.cards]
    exposed = tuple(
        (pile.cards[0], pile.stride)
        for pile in there
        if pile.over is not None and not number & sum(pile.over)
    )
    return _Part(len(there), exposed, _onto_any(exposed, onto), len(exposed))


def _onto_any(exposed: Sequence[tuple[int, int]], onto: Sequence[int]) -> int:
    useful = 0
    for card, _ in exposed:
        useful |= onto[card]
    return useful
