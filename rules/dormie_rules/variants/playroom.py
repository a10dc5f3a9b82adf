"""Playroom Golf: from four to sixteen cards, all face-down, and every full line of equal cards is free.

Everybody has a grid of cards, all face-down: two rows of three unless the table chooses another shape. On
your turn draw a card from the stock or take the top of the discard pile. Put it in place of one of your
cards, which then goes to the discard pile; or, if it came from the stock, throw it away, and then you must
turn one of your face-down cards up. A card taken from the discard pile must be placed.

When all your cards lie face-up you have closed the hole: every other player has one more turn, then
everything is turned up and counted. If somebody then has fewer points than the one who closed, the closer
pays 10 more, or twice the hole's points if that is dearer.

Points: an ace 1, 2 to 10 as they say, a Jack 11, a Queen 12, a King nothing, a joker takes 3 off. A whole
row, a whole column, and on a square grid a whole diagonal of one rank counts nothing. Who reaches 100
points is out; the last one in wins. Larger grids make dearer holes: about 180 suits three rows of three,
350 four rows of four.

Pairs in two columns, but a row of two equal cards is no row (case G48); on 2x2 the diagonal counts (G41):

>>> score("773/783"), score("58/35"), score("QJ/JQ")
(15, 11, 0)
"""

from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import Scoring
from dormie_rules.variant import Variant, score_with

VALUES = tuple(zip("A23456789TJQK*", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, -3), strict=True))

VARIANT = Variant(
    GridRules(
        rows=2,
        cols=3,
        scoring=Scoring(VALUES, lines=("rows", "columns", "diagonals")),
        initial_face_up=0,
        flip_after_discard="must",
        closer_penalty="qc",
        jokers_per_deck=2,
        decks=2,
        end="elimination",
        holes=None,
        limit=100,
    ),
    shapes=((2, 3), (2, 2), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4)),
)
score = score_with(VARIANT)
