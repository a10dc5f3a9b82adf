"""Golf Patience with nothing on a King, and deals that can be cleared but are hard to.

Seven columns of five cards lie face-up; only the last card of each is free. One card begins the foundation,
and sixteen form the stock. Put a free card on the foundation when its rank is one above or one below the
card that lies there, whatever the suits; the direction may change at every card. Or turn the next card of
the stock onto the foundation, whenever you like; there is no second time through.

Nothing goes on a King: it ends a run, and only the stock goes on from there.

The hole ends when the tableau is empty, when the stock is empty and no card fits, or when you give up. Each
card left in the tableau is a stroke. If there is none, each card left in the stock takes a stroke off.
Nine holes make a course, and it is won with no more strokes than its par of 45. Moves may be taken back.

Every deal can be cleared, says a solver; and players who look one card ahead and do not know the stock need
three and a half strokes for it on average, or more: those are the deals whose own par is 4 or 5.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

A Queen does not go on a King, nor an Ace; a King goes on a Queen:

>>> fits("K", "Q"), fits("K", "A"), fits("Q", "K")
(False, False, True)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

VARIANT = PatienceVariant(
    PatienceRules("strict", undo="unlimited", deal_policy="clearable"),
    preset="gamelake_hard",
    level_deals="par_4_5",
)


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
