"""Escalator, or Pyramid Golf: a pyramid in which every card lies face-up.

A pyramid of twenty-eight cards has seven rows, from one card at its top to seven at its foot. All of them lie
face-up. Each card is covered by two cards of the row below it; when both have gone it is free. One more card
begins the foundation, and twenty-three form the stock. Put a free card on the foundation when its rank is one
above or one below the card that lies there, whatever the suits; the direction may change at every card. Or
turn the next card of the stock onto the foundation, whenever you like; there is no second time through.

Ranks go round: a King lies between a Queen and an Ace, and an Ace between a King and a 2.

The hole ends when the tableau is empty, when the stock is empty and no card fits, or when you give up. Each
card left in the tableau is a stroke. If there is none, each card left in the stock takes a stroke off. Nine
holes make a course, and it is won with no more strokes than its par of 45.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

Two cards of the second row cover the top, and the lowest row is free:

>>> COVERS["escalator"][0], COVERS["escalator"][21], len(FACE_DOWN["escalator"]), fits("A", "K")
((1, 2), (), 0, True)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_layouts import COVERS, FACE_DOWN, PLACES
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

__all__ = ["COVERS", "FACE_DOWN", "VARIANT", "fits"]

VARIANT = PatienceVariant(
    PatienceRules("wrap", columns=PLACES, per_column=1, layout="escalator"), preset=""
)


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
