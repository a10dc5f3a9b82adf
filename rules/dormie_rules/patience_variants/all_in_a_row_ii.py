"""All in a Row II, as its author meant it: upward runs of two cards or more.

The pack lies face-up in thirteen columns of four; only the last card of each is free. There is no stock, and
the foundation is empty: any free card may be the first. A run goes up, whatever the suits: on a card goes the
next higher rank, and on a King an Ace.

When a run has two cards or more, any free card may begin another one. A single card cannot be left alone: it
waits for the card that goes on it.

The hole ends when everything lies in runs, when no card fits, or when you give up. Each card left is a
stroke, and so is a single card that was waiting. Nine holes make a course, and it is won with no more strokes
than its par of 45. No solver knows this game.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

A run goes up, and round:

>>> goes_on("7", "8"), goes_on("8", "7"), goes_on("K", "A"), VARIANT.rules.stock
(True, False, True, 0)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_board import follows_up
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_variant import PatienceVariant

VARIANT = PatienceVariant(
    PatienceRules("wrap", columns=13, per_column=4, empty_start=True, build="up"), preset=""
)


def goes_on(top: str, card: str) -> bool:
    """Whether *card* continues a run that ends with *top*, for the examples above."""
    return follows_up(Card(top), Card(card))
