"""Whether shuffles are even: 100,000 of them, and how far each figure is from what luck allows.

`python -m bench luck [NUMBER]`; `tests/rules/test_luck.py` does the same with a tenth.
"""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from time import perf_counter
from typing import TypeAlias

from dormie_rules.cards import PACK_SIZE
from dormie_rules.luck import shuffle

Order: TypeAlias = Sequence[int]
Shuffle: TypeAlias = Callable[[bytes, Sequence[int]], Order]

ALLOWED = 4.0
"""So many standard deviations: one honest figure in 16,000 is further away."""


def orders(number: int, how: Shuffle = shuffle) -> Iterable[Order]:
    """So many shuffles of a pack, from seeds that are numbers."""
    cards = range(PACK_SIZE)
    return (how(seed.to_bytes(32, "big"), cards) for seed in range(number))


def unevenness(shuffled: Iterable[Order], size: int = PACK_SIZE) -> dict[str, float]:
    """How many standard deviations each figure is away from what it should be.

    places: how often each card lies in each place (chi-square); fixed points: cards that stay where
    they were; pairs: how often each card lies on its old neighbour; descents: places where the next
    card comes earlier in a new pack.
    """
    seen = [[0] * size for _ in range(size)]
    number = fixed = pairs = descents = 0
    for order in shuffled:
        number += 1
        for place, card in enumerate(order):
            seen[place][card] += 1
            fixed += place == card
        pairs += sum(b == a + 1 for a, b in pairwise(order))
        descents += sum(b < a for a, b in pairwise(order))
    return {
        "places": _chi_square(seen, number),
        "fixed points": (fixed - number) / math.sqrt(number),
        "pairs": _away(pairs, number, 1 - 1 / size, 1 - 1 / size - 1 / size**2),
        "descents": _away(descents, number, (size - 1) / 2, (size + 1) / 12),
    }


def _away(total: int, number: int, mean: float, variance: float) -> float:
    return (total - number * mean) / math.sqrt(number * variance)


def _chi_square(seen: Sequence[Sequence[int]], number: int) -> float:
    """Rows and columns have fixed sums, so there are (size - 1)² free counts."""
    size, expected = len(seen), number / len(seen)
    squares = sum((count - expected) ** 2 for row in seen for count in row) / expected
    free = (size - 1) ** 2
    return (squares * (size - 1) / size - free) / math.sqrt(2 * free)


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    began = perf_counter()
    figures = unevenness(orders(number))
    seconds = perf_counter() - began
    for name, away in figures.items():
        print(f"{name:>12}: {away:+.2f} standard deviations of {ALLOWED:.0f}")
    print(f"{number} shuffles of {PACK_SIZE} cards in {seconds:.1f} s")
    sys.exit(any(abs(away) > ALLOWED for away in figures.values()))


if __name__ == "__main__":
    main()
