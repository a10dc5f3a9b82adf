"""Double Golf: two packs, nine columns of seven cards, and a Queen goes on a King.

Nine columns of seven cards lie face-up; only the last card of each is free. One card begins the foundation,
and forty form the stock. Put a free card on the foundation when its rank is one above or one below the card
that lies there, whatever the suits; the direction may change at every card. Or turn the next card of the
stock onto the foundation, whenever you like; there is no second time through.

A Queen goes on a King, and a King on a Queen; an Ace and a King never meet.

The hole ends when the tableau is empty, when the stock is empty and no card fits, or when you give up. Each
card left in the tableau is a stroke. If there is none, each card left in the stock takes a stroke off. Nine
holes make a course, and it is won with no more strokes than its par of 45. A solver looks at such a deal
within a budget, and may not know whether it can be cleared.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

Forty cards are in the stock:

>>> VARIANT.rules.stock, fits("K", "Q"), fits("K", "A")
(40, True, False)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

VARIANT = PatienceVariant(PatienceRules("queen", columns=9, per_column=7, decks=2), preset="")


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
