"""All in a Row, as most programs play it: the whole pack in one run, beginning anywhere.

The pack lies face-up in thirteen columns of four; only the last card of each is free. There is no stock, and
the foundation is empty: any free card may be the first. Then put a free card on the foundation when its rank
is one above or one below the card that lies there, whatever the suits; the direction may change at every
card.

Ranks go round: a King lies between a Queen and an Ace, and an Ace between a King and a 2. This is a common
misreading of an older game: see All in a Row II.

The hole ends when the tableau is empty, when no card fits, or when you give up. Each card left is a stroke.
Nine holes make a course, and it is won with no more strokes than its par of 45. A solver looks at such a deal
within a budget, and may not know whether it can be cleared.

Up to six may play the same deals at once, each on a board of their own. Until a hole is over for all, the
others see only who has finished it and how many cards are left; then every board is shown. The lowest total
wins, and nobody takes a move back.

The run may turn at every card:

>>> fits("7", "6"), fits("6", "7"), fits("K", "A"), VARIANT.rules.stock
(True, True, True, 0)
"""

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_rules import fits as fits_by
from dormie_rules.patience_variant import PatienceVariant

VARIANT = PatienceVariant(
    PatienceRules("wrap", columns=13, per_column=4, empty_start=True), preset=""
)


def fits(top: str, card: str) -> bool:
    """Whether *card* goes on *top*, for the examples above."""
    return fits_by(VARIANT.rules, Card(top), Card(card))
