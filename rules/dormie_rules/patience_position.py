"""A position of Golf Patience with nothing hidden: what a solver is asked, and what a deal begins with."""

from collections.abc import Sequence
from dataclasses import dataclass

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules


@dataclass(frozen=True, slots=True)
class Position:
    """Columns of any length, the top of the foundation if there is one, and the stock.

    The last card of a column is exposed; the first card of the stock is drawn first.
    """

    columns: tuple[tuple[Card, ...], ...]
    foundation: Card | None
    stock: tuple[Card, ...]

    @property
    def left(self) -> int:
        """How many cards the tableau has."""
        return sum(map(len, self.columns))


def lay_out(rules: PatienceRules, shuffled: Sequence[Card]) -> Position:
    """The position that a shuffled pack, its top card last, is dealt to (rule A11).

    Card k goes to column k modulo the number of columns; the next one starts the foundation.

    >>> from dormie_rules.cards import pack
    >>> first = lay_out(PatienceRules(), pack()[::-1])
    >>> first.columns[1], first.foundation, len(first.stock)
    (('2S', '9S', '3H', 'TH', '4D'), 'TD', 16)
    """
    cards = tuple(reversed(shuffled))
    tableau = rules.columns * rules.per_column
    columns = tuple(cards[at : tableau : rules.columns] for at in range(rules.columns))
    if rules.empty_start:
        return Position(columns, None, cards[tableau:])
    if rules.start is not None:
        return Position(columns, rules.start, cards[tableau:])
    return Position(columns, cards[tableau], cards[tableau + 1 :])
