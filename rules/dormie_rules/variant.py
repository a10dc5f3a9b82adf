"""What a variant is: a name, the numbers of its rules, and the shapes and seats it allows."""

from collections.abc import Callable
from dataclasses import dataclass

from dormie_rules.cards import Card
from dormie_rules.grid_rules import MAX_SEATS, MIN_SEATS, GridRules
from dormie_rules.scoring import grid_score


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to play, as its file in ``dormie_rules/variants`` declares it.

    The file's name is the variant's name and its docstring the rules for people.
    """

    rules: GridRules
    shapes: tuple[tuple[int, int], ...]
    """The (rows, columns) that a table may choose, the usual one first."""
    min_seats: int = MIN_SEATS
    max_seats: int = MAX_SEATS
    name: str = ""
    """Filled in by the finder, from the file's name."""
    text: str = ""
    """The rules for people, likewise, without the examples that only programs need."""


def score_with(variant: Variant) -> Callable[[str], int]:
    """A function that scores a grid written as rows of ranks, for the examples in a variant's docstring.

    >>> from dormie_rules.variants import find
    >>> score_with(find("six_card"))("K57/K39")
    24
    """

    def score(rows: str) -> int:
        cards = [None if r == "#" else Card(r) for r in rows.replace("/", "")]
        return grid_score(variant.rules.scoring, cards, cols=rows.index("/"))

    return score
