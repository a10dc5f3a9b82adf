"""Nine Card Golf: three rows of three, where rows, columns and diagonals of one rank are free.

Everybody has nine cards in three rows of three and turns any three of them up. On your turn draw a card
from the stock or take the top of the discard pile. Put it in place of one of your nine cards, which then
goes to the discard pile; or, if it came from the stock, throw it away, and then you may turn one of your
face-down cards up. A card taken from the discard pile must be placed.

When all nine of your cards lie face-up you have closed the hole: every other player has one more turn,
then everything is turned up and counted. If nobody turns a card up for two whole laps, everybody has one
last turn.

Points: an ace 1, a 2 takes 2 off, 3 to 10 as they say, Jack and Queen 10, a King nothing. A whole row, a
whole column or a whole diagonal of one rank counts nothing. The lowest total after nine holes wins.

A row of 2s counts nothing (case G63), and four 6s in a square are no line (G66):

>>> score("222/595/KA5"), score("669/664/A3K")
(25, 41)
"""

from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import Scoring
from dormie_rules.variant import Variant, score_with

VALUES = tuple(zip("A23456789TJQK", (1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0), strict=True))

VARIANT = Variant(
    GridRules(
        rows=3,
        cols=3,
        scoring=Scoring(VALUES, lines=("rows", "columns", "diagonals")),
        initial_face_up=3,
    ),
    shapes=((3, 3),),
)
score = score_with(VARIANT)
