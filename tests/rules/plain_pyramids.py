"""Peaks and pyramids as plainly as they can be written: cards at points, and every way to play a few of them.

It shares no line with the rules or the solver. A card lies on another when it is half a step to the side of
it, one row below.
"""

from functools import cache

from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from tests.rules.plain_patience import goes_on

Point = tuple[int, float]


def points(layout: str) -> list[Point]:
    """The row and the place in the row of every card, in the order in which they are dealt."""
    if layout != "peaks":
        return [(row, at - row / 2) for row in range(7) for at in range(row + 1)]
    tops = [(0, 3 * peak + 1.5) for peak in range(3)]
    second = [(1, 3 * peak + side) for peak in range(3) for side in (1.0, 2.0)]
    third = [(2, 3 * peak + side) for peak in range(3) for side in (0.5, 1.5, 2.5)]
    return [*tops, *second, *third, *((3, float(at)) for at in range(10))]


def lies_on(layout: str, place: int) -> set[int]:
    """The places whose cards lie on the one at *place*."""
    there = points(layout)
    row, at = there[place]
    return {
        other for other, (low, side) in enumerate(there) if low == row + 1 and abs(side - at) == 0.5
    }


def best_of_pyramid(rules: PatienceRules, position: Position) -> int:
    """The lowest score, from every way to play on."""
    over = [lies_on(rules.layout, place) for place in range(28)]
    ranks = {place: cards[0][0] for place, cards in enumerate(position.columns) if cards}

    @cache
    def best(left: frozenset[int], top: str, stock: str) -> int:
        ends = [len(left) or -len(stock)]
        moves = [
            (left - {place}, ranks[place], stock)
            for place in left
            if not over[place] & left and goes_on(rules, top, ranks[place])
        ]
        if left and stock and (rules.draw_with_moves or not moves):
            moves.append((left, stock[0], stock[1:]))
        if left:
            ends += [best(*move) for move in moves]
        return min(ends)

    top = position.foundation[0] if position.foundation else ""
    return best(frozenset(ranks), top, "".join(card[0] for card in position.stock))
