"""Six Card Golf, as most people play it.

Everybody has six cards in two rows of three and turns any two of them up. On your turn draw a card from
the stock or take the top of the discard pile. Put it in place of one of your six cards, face-up or
face-down, which then goes to the discard pile; or, if it came from the stock, throw it away, and then you
may turn one of your face-down cards up. A card taken from the discard pile must be placed.

When all six of your cards lie face-up you have closed the hole: every other player has one more turn, then
everything is turned up and counted. If nobody turns a card up for two whole laps, everybody has one last
turn.

Points: an ace 1, a 2 takes 2 off, 3 to 10 as they say, Jack and Queen 10, a King nothing. Two cards of the
same rank in one column count nothing. The lowest total after nine holes wins.

A 5 above a 3, a pair of Kings, a 7 above a 9 (case G01); and unpaired 2s keep their -2 (G04):

>>> score("K57/K39"), score("279/529")
(24, 8)
"""

from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import Scoring
from dormie_rules.variant import Variant, score_with

VALUES = tuple(zip("A23456789TJQK", (1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0), strict=True))

VARIANT = Variant(
    GridRules(rows=2, cols=3, scoring=Scoring(VALUES)),
    shapes=((2, 3),),
)
score = score_with(VARIANT)
