"""Golf Patience for beginners: Kings and Aces meet, and every deal is a gentle one.

Seven columns of five cards lie face-up; only the last card of each is free. One card begins the foundation,
and sixteen form the stock. Put a free card on the foundation when its rank is one above or one below the
card that lies there, whatever the suits; the direction may change at every card. Or turn the next card of
the stock onto the foundation, whenever you like; there is no second time through.

Ranks go round: a King lies between a Queen and an Ace, and an Ace between a King and a 2.

The hole ends when the tableau is empty, when the stock is empty and no card fits, or when you give up. Each
card left in the tableau is a stroke. If there is none, each card left in the stock takes a stroke off.
Nine holes make a course, and it is won with no more strokes than its par of 45. Moves may be taken back.

A deal is gentle when one of four players clears it who look one card ahead and do not know the stock.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

A Queen and an Ace go on a King, and a King goes on an Ace:

>>> fits("K", "Q"), fits("K", "A"), fits("A", "K"), fits("2", "K")
(True, True, True, False)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

VARIANT = PatienceVariant(
    PatienceRules("wrap", undo="unlimited", deal_policy="clearable"),
    preset="gamelake_easy",
    level_deals="gentle",
)


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
