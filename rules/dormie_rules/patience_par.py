"""The par of a deal: what honest players make of it, who do not know the stock (recipe A).

Twenty players who look one step ahead go round, each with a luck of its own that follows from the deal.
They play a card after which another one fits, if they can, and from the longest column; of equal columns
luck takes one, and they draw when nothing fits. Par is the mean of their scores, rounded, and never below
3 or above 5. The best possible score would be a poor par: it is about
four cards better than anyone can do who does not know the stock.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count

from dormie_rules.cards import rank
from dormie_rules.luck import digest
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules, followers
from dormie_rules.patience_score import hole_score

PAR_RECIPE = "A1"
"""Written beside every par that was worked out, so that a later recipe does not change old cards."""

PLAYERS = 20
LOWEST, HIGHEST = 3, 5


def par_of(rules: PatienceRules, position: Position) -> int:
    """The par of a deal by recipe A.

    >>> from dormie_rules.patience_deals import attempt_pack, practice_seed
    >>> from dormie_rules.patience_position import lay_out
    >>> par_of(PatienceRules(), lay_out(PatienceRules(), attempt_pack(PatienceRules(), practice_seed(1), 0)))
    5
    """
    return par_from(honest_scores(rules, position))


def par_from(scores: Sequence[int]) -> int:
    """The par of a deal at which the players of the recipe scored so.

    >>> par_from([4] * 10 + [5] * 10), par_from([4] * 11 + [5] * 9), par_from([-9] * 20), par_from([12] * 20)
    (5, 4, 3, 5)
    """
    mean = (2 * sum(scores) + PLAYERS) // (2 * PLAYERS)  # halves are rounded up
    return min(max(mean, LOWEST), HIGHEST)


def honest_scores(rules: PatienceRules, position: Position) -> tuple[int, ...]:
    """What each of the twenty players of recipe A scores at a deal; one who clears it scores 0 or less."""
    ranks = [[rank(card) for card in column] for column in position.columns]
    stock = [rank(card) for card in position.stock]
    top = "" if position.foundation is None else rank(position.foundation)
    deal = "/".join(["".join(column) for column in ranks] + [top, "".join(stock)])
    after = dict(followers(rules))
    after[""] = after["*"] if rules.empty_start else ""
    scores = []
    for player in range(PLAYERS):
        luck = _bytes(digest(b"dormie par", PAR_RECIPE.encode(), deal.encode(), bytes([player])))
        scores.append(_goes_round(after, [*map(list, ranks)], top, stock, luck))
    return tuple(scores)


def _goes_round(
    after: dict[str, str], columns: list[list[str]], top: str, stock: list[str], luck: Iterator[int]
) -> int:
    """What one player scores."""
    coming = iter(stock)
    drawn = 0
    left = sum(map(len, columns))
    while left:
        able = [column for column in columns if column and column[-1] in after[top]]
        if able:
            top = _chosen(after, columns, able, luck).pop()
            left -= 1
            continue
        card = next(coming, None)
        if card is None:
            break
        top, drawn = card, drawn + 1
    return hole_score(left, len(stock) - drawn)


def _chosen(
    after: dict[str, str], columns: list[list[str]], able: list[list[str]], luck: Iterator[int]
) -> list[str]:
    """The column to play: one after whose card another fits, and of those the longest."""
    if len(able) == 1:
        return able[0]
    exposed = {column[-1] for column in columns if column}
    worth = []
    for column in able:
        onto = after[column[-1]]
        goes_on = any(one in onto for one in (*exposed, *column[-2:-1]))
        worth.append((goes_on, len(column)))
    most = max(worth)
    best = [column for column, its in zip(able, worth, strict=True) if its == most]
    return best[next(luck) % len(best)]


def _bytes(seed: bytes) -> Iterator[int]:
    """Numbers from 0 to 255 that follow from a seed."""
    for counter in count():
        yield from hashlib.sha256(seed + counter.to_bytes(4, "big")).digest()
