"""Golf Patience for two, hole against hole on the same deals.

Seven columns of five cards lie face-up; only the last card of each is free. One card begins the foundation,
and sixteen form the stock. Put a free card on the foundation when its rank is one above or one below the
card that lies there, whatever the suits; the direction may change at every card. Or turn the next card of
the stock onto the foundation, whenever you like; there is no second time through.

Nothing goes on a King: it ends a run, and only the stock goes on from there.

The hole ends when the tableau is empty, when the stock is empty and no card fits, or when you give up. Each
card left in the tableau is a stroke. If there is none, each card left in the stock takes a stroke off.
The lower score wins the hole; eighteen holes make a match, and strokes are not added up.

Both play the same deal at once, each on a board of their own, and see of each other only who has finished
and how many cards are left, until the hole is over for both. Who gives up a hole concedes it; the match may
be conceded too. It is over as soon as one leads by more holes than are left. Up to six may play, everybody
against everybody.

A Queen does not go on a King, nor an Ace; a King goes on a Queen:

>>> fits("K", "Q"), fits("K", "A"), fits("Q", "K")
(False, False, True)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

VARIANT = PatienceVariant(
    PatienceRules("strict", holes=18, scoring="match"), preset="match_play", min_seats=2
)


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
