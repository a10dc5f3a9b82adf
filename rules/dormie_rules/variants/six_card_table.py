"""Six Card Golf as Dormie's own tables play it: jokers, a price for closing too early, out at 100.

Everybody has six cards in two rows of three and turns any two of them up. On your turn draw a card from
the stock or take the top of the discard pile. Put it in place of one of your six cards, which then goes to
the discard pile; or, if it came from the stock, throw it away, and then you must turn one of your face-down
cards up. A card taken from the discard pile must be placed.

When all six of your cards lie face-up you have closed the hole: every other player has one more turn, then
everything is turned up and counted. If somebody then has fewer points than the one who closed, the closer
pays 10 more, or twice the hole's points if that is dearer.

Points: an ace 1, a 2 takes 2 off, 3 to 10 as they say, Jack and Queen 10, a King nothing, a joker takes 3
off. Two cards of the same rank in one column count nothing, two jokers too. Who reaches 100 points is out;
the last one in wins.

A pair of jokers counts nothing (case G14), and a joker is not wild (G19):

>>> score("*57/*39"), score("*2Q/2*Q"), score("**K/KAK")
(24, -10, -5)
"""

from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import Scoring
from dormie_rules.variant import Variant, score_with

VALUES = tuple(zip("A23456789TJQK*", (1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0, -3), strict=True))

VARIANT = Variant(
    GridRules(
        rows=2,
        cols=3,
        scoring=Scoring(VALUES),
        flip_after_discard="must",
        closer_penalty="qc",
        jokers_per_deck=2,
        end="elimination",
        holes=None,
        limit=100,
    ),
    shapes=((2, 3),),
)
score = score_with(VARIANT)
