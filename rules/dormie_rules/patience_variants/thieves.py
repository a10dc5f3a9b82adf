"""Thieves: Golf with two jokers, which fit on everything.

Seven columns of five cards lie face-up; only the last card of each is free. One card begins the foundation,
and eighteen form the stock: two jokers are in the pack. Put a free card on the foundation when its rank is
one above or one below the card that lies there, whatever the suits; the direction may change at every card.
Or turn the next card of the stock onto the foundation, whenever you like; there is no second time through.

A joker goes on any card, and any card on a joker. A Queen goes on a King, and a King on a Queen; an Ace and a
King never meet.

The hole ends when the tableau is empty, when the stock is empty and no card fits, or when you give up. Each
card left in the tableau is a stroke. If there is none, each card left in the stock takes a stroke off. Nine
holes make a course, and it is won with no more strokes than its par of 45.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

A joker goes on a King, and a King on a joker:

>>> fits("K", "*"), fits("*", "K"), fits("K", "Q"), VARIANT.rules.stock
(True, True, True, 18)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

VARIANT = PatienceVariant(PatienceRules("queen", jokers=2), preset="")


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
