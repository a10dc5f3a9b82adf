"""A second scorer by the letter of the rules: slow, plain, and sharing no line with the first.

Here cells have coordinates and every rule is spelled out; it is what `grid_score` is compared with.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dormie_rules.scoring import BlockBonus, Scoring

Cell: TypeAlias = tuple[int, int]
Ranks: TypeAlias = dict[Cell, str]

HIDDEN = ""


def plainly(scoring: Scoring, grid: Sequence[str | None], cols: int) -> int:
    """The raw score of a grid."""
    rows = len(grid) // cols
    ranks = {
        (row, col): (grid[row * cols + col] or HIDDEN)[:1]
        for row in range(rows)
        for col in range(cols)
    }
    worth = {**dict(scoring.values), HIDDEN: 0}
    score, squares = blocks(scoring.block_bonus, ranks, worth)
    free = squares | freed_by_lines(scoring, ranks, worth, squares)
    score += sum(worth[rank] for cell, rank in ranks.items() if cell not in free)
    return 0 if scoring.floor_zero and score < 0 else score


def freed_by_lines(
    scoring: Scoring, ranks: Ranks, worth: Mapping[str, int], squares: set[Cell]
) -> set[Cell]:
    free: set[Cell] = set()
    taken = set(squares)
    for line in lines_of(scoring, ranks):
        jokers = [cell for cell in line if ranks[cell] == "*"]
        naturals = [ranks[cell] for cell in line if ranks[cell] != "*"]
        same = naturals == naturals[:1] * len(naturals) and HIDDEN not in naturals
        mixed = bool(jokers) and bool(naturals)
        if not same or (mixed and not scoring.joker_wild_in_lines):
            continue
        taken |= set(line)
        if not keeps(scoring, naturals[0] if naturals else "*", worth):
            free |= set(line)
        elif naturals:
            free |= set(jokers)
    if "pairs_anywhere" in scoring.lines:
        for rank in set(ranks.values()) - {HIDDEN}:
            left = [cell for cell in ranks if ranks[cell] == rank and cell not in taken]
            if not keeps(scoring, rank, worth):
                free |= set(left[len(left) % 2 :])
    return free


def keeps(scoring: Scoring, rank: str, worth: Mapping[str, int]) -> bool:
    if rank == "*":
        return scoring.joker_line == "sum"
    return worth[rank] < 0 and scoring.negative_line == "sum"


def lines_of(scoring: Scoring, ranks: Ranks) -> list[list[Cell]]:
    rows, cols = (max(side) + 1 for side in zip(*ranks, strict=True))
    lines: list[list[Cell]] = []
    if "rows" in scoring.lines:
        lines += [[(row, col) for col in range(cols)] for row in range(rows)]
    if "columns" in scoring.lines:
        lines += [[(row, col) for row in range(rows)] for col in range(cols)]
    if "diagonals" in scoring.lines and rows == cols:
        lines += [[(n, n) for n in range(rows)], [(n, rows - 1 - n) for n in range(rows)]]
    return [line for line in lines if len(line) > 1]


def blocks(
    bonus: BlockBonus | None, ranks: Ranks, worth: Mapping[str, int]
) -> tuple[int, set[Cell]]:
    rows, cols = (max(side) + 1 for side in zip(*ranks, strict=True))
    if bonus is None or rows == 1 or cols == 1:
        return 0, set()
    if bonus.shape == "equal_columns":
        return column_bonus(bonus, ranks, rows, cols), set()
    if bonus.shape == "square2x2":
        squares = [
            {(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)}
            for row in range(rows - 1)
            for col in range(cols - 1)
        ]
        paid = [
            (worth[next(iter(found))], square)
            for square in squares
            if len(found := {ranks[cell] for cell in square}) == 1 and worth[next(iter(found))] > 0
        ]
        return -sum(points for points, _ in paid), {cell for _, s in paid for cell in s}
    corners = [(0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols - 1)]
    found = {ranks[cell] for cell in (corners if bonus.shape == "corners" else ranks)}
    return (bonus.amount if len(found) == 1 and HIDDEN not in found else 0), set()


def column_bonus(bonus: BlockBonus, ranks: Ranks, rows: int, cols: int) -> int:
    groups: Counter[tuple[str, int]] = Counter()
    before, group = None, 0
    for col in range(cols):
        found = {ranks[row, col] for row in range(rows)}
        name = found.pop() if len(found) == 1 else HIDDEN
        group += bonus.adjacent and name != before
        before = name
        groups[name, group] += 1
    score = 0
    for (name, _), columns in groups.items():
        amounts = [points for least, points in sorted(bonus.amounts) if least <= columns]
        score += amounts[-1] if amounts and name != HIDDEN else 0
    return score
