"""TriPeaks: three small pyramids on a common row of ten cards.

Three pyramids of six cards stand face-down, tops upward, on a common row of ten cards that lie face-up. Each
card of a pyramid is covered by two cards of the row below it. When both have gone it is free, and is turned
up at once. One more card begins the foundation, and twenty-three form the stock. Put a free card on the
foundation when its rank is one above or one below the card that lies there, whatever the suits; the direction
may change at every card. Or turn the next card of the stock onto the foundation, whenever you like; there is
no second time through.

Ranks go round: a King lies between a Queen and an Ace, and an Ace between a King and a 2.

The hole ends when the tableau is empty, when the stock is empty and no card fits, or when you give up. Each
card left in the tableau is a stroke. If there is none, each card left in the stock takes a stroke off. Nine
holes make a course, and it is won with no more strokes than its par of 45. A run has no points of its own
here: a hole is worth the same however its cards went.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

Ranks go round, and the top of the first pyramid is covered by the next two cards:

>>> fits("K", "A"), COVERS["peaks"][0], VARIANT.rules.stock
(True, (3, 4), 23)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_layouts import COVERS, PLACES
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

__all__ = ["COVERS", "VARIANT", "fits"]

VARIANT = PatienceVariant(
    PatienceRules("wrap", columns=PLACES, per_column=1, layout="peaks"), preset=""
)


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
