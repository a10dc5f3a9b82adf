"""A deal of Golf Patience as text, as PySolFC and the solvers around it write and read it.

A line for the stock (``Talon:``, the next card first), one for the foundation (``Foundations:``) and one
for each column, its exposed card last. Whatever is wrong with a text is named by its line and its card.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from dormie_rules.cards import JOKER, Card, is_card, pack
from dormie_rules.patience_position import Position

COLUMNS, PER_COLUMN = 7, 5
LONGEST_LINE = 200
MAX_JOKERS = 2
STOCK, FOUNDATION = "Talon:", "Foundations:"
EMPTY = "-"


TEXT_WORDS: Mapping[str, str] = {
    "no_deal": "there is no deal here",
    "second_deal": "a second deal begins here",
    "long_line": f"a line has at most {LONGEST_LINE} characters",
    "no_card": "{card} is no card",
    "double": "{card} was there already",
    "missing": "{card} is missing",
    "column_length": f"a column has {PER_COLUMN} cards, this one {{number}} (the last: {{card}})",
    "many_columns": f"a deal has {COLUMNS} columns, and {{card}} begins another",
    "few_columns": f"a deal has {COLUMNS} columns, this one {{number}}",
    "many_starts": "the foundation begins with one card, and {card} is a second",
    "second_head": "{card} was there already",
    "no_talon": f"a deal has a line that begins with {STOCK}",
    "no_foundation": f"a deal has a line that begins with {FOUNDATION}",
}
"""Everything that can be wrong with a text, in a word for programs and a sentence for people."""


class BadDeal(ValueError):
    """A text that is no deal: the line where that shows, one of TEXT_WORDS, and the card to blame.

    >>> print(BadDeal(3, "no_card", "XS"))
    line 3: XS is no card
    """

    def __init__(self, line: int, word: str, card: str = "", number: int = 0) -> None:
        super().__init__(f"line {line}: {TEXT_WORDS[word].format(card=card, number=number)}")
        self.line = line
        self.word = word
        self.card = card
        self.number = number


@dataclass(frozen=True, slots=True)
class DealText:
    """A deal that was read, and the line it begins at, counted from 1."""

    position: Position
    line: int


def write_deal(position: Position) -> str:
    """*position* as text.

    >>> print(write_deal(Position(((Card("5S"), Card("8H")),), Card("9H"), ())), end="")
    Talon:
    Foundations: 9H
    5S 8H
    """
    heads = [" ".join((STOCK, *position.stock)), f"{FOUNDATION} {position.foundation or EMPTY}"]
    return "".join(f"{line}\n" for line in (*heads, *map(" ".join, position.columns)))


def read_deal(text: str) -> Position:
    """The one deal that *text* holds. Raises BadDeal if there is none, or more, or it is no whole pack."""
    deals = read_deals(text)
    if len(deals) > 1:
        raise BadDeal(deals[1].line, "second_deal")
    return deals[0].position


def read_deals(text: str) -> list[DealText]:
    """Every deal of *text*, one after the other. Raises BadDeal for the first thing that is wrong.

    Blank lines, and lines that begin with ``#``, are skipped.
    """
    deals: list[DealText] = []
    reading = _Reading()
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        words = _words(number, line)
        if words and reading.has(words[0]) and reading.columns:
            deals.append(reading.finish())
            reading = _Reading()
        if words:
            reading.take(number, words)
    if not (reading.first or deals):
        raise BadDeal(max(number, 1), "no_deal")
    if reading.first:
        deals.append(reading.finish())
    return deals


@dataclass(slots=True)
class _Reading:
    """A deal of which some lines have been read."""

    heads: dict[str, tuple[Card, ...]] = field(default_factory=dict)
    columns: list[tuple[Card, ...]] = field(default_factory=list)
    seen: Counter[Card] = field(default_factory=Counter)
    first: int = 0
    last: int = 0

    def has(self, head: str) -> bool:
        return _head(head) in self.heads

    def take(self, number: int, words: list[str]) -> None:
        self.first, self.last = self.first or number, number
        head = _head(words[0])
        if head:
            if head in self.heads:
                raise BadDeal(number, "second_head", head)
            cards = [word for word in words[1:] if word != EMPTY]
            self.heads[head] = tuple(self._card(number, word) for word in cards)
            if head == FOUNDATION and len(cards) > 1:
                raise BadDeal(number, "many_starts", cards[1])
            return
        column = tuple(self._card(number, word) for word in words if word != ":")
        if len(self.columns) == COLUMNS:
            raise BadDeal(number, "many_columns", next(iter(column), "-"))
        if len(column) != PER_COLUMN:
            last = column[-1] if column else "-"
            raise BadDeal(number, "column_length", last, len(column))
        self.columns.append(column)

    def finish(self) -> DealText:
        for head, word in ((STOCK, "no_talon"), (FOUNDATION, "no_foundation")):
            if head not in self.heads:
                raise BadDeal(self.last, word)
        if len(self.columns) < COLUMNS:
            raise BadDeal(self.last, "few_columns", number=len(self.columns))
        missing = next((card for card in pack() if not self.seen[card]), None)
        if missing:
            raise BadDeal(self.last, "missing", missing)
        top = next(iter(self.heads[FOUNDATION]), None)
        return DealText(Position(tuple(self.columns), top, self.heads[STOCK]), self.first)

    def _card(self, number: int, word: str) -> Card:
        text = word.upper().replace("10", "T", 1)
        if not is_card(text):
            raise BadDeal(number, "no_card", word[:4])
        card = Card(text)
        self.seen[card] += 1
        if self.seen[card] > (MAX_JOKERS if card == JOKER else 1):
            raise BadDeal(number, "double", card)
        return card


def _head(word: str) -> str:
    """The head that *word* is, or nothing."""
    return next((head for head in (STOCK, FOUNDATION) if head.lower() == word.lower()), "")


def _words(number: int, line: str) -> list[str]:
    if len(line) > LONGEST_LINE:
        raise BadDeal(number, "long_line")
    return [] if line.lstrip().startswith("#") else line.split()
