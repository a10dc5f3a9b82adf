"""What a grid is worth: the value of each card, the lines that count nothing, the bonus for blocks.

A line is complete when all its cards lie face-up and have the same rank; rank, not value: a Jack
and a Queen that both count 10 are no pair. A card of a complete line counts nothing, once, however
many lines cross it. A face-down card counts nothing and completes nothing, so that one function
gives the score of a finished hole and the running score that everybody may see. Suits never matter.

>>> six = Scoring(tuple(zip("A23456789TJQK", (1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0))))
>>> grid_score(six, [Card(card) for card in ("KS", "5H", "7D", "KD", "3C", "9S")], cols=3)
24
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Literal, TypeAlias

from dormie_rules.cards import JOKER, Card, rank

Line: TypeAlias = Literal["columns", "rows", "diagonals", "pairs_anywhere"]
LineCounts: TypeAlias = Literal["zero", "sum"]
Shape: TypeAlias = Literal["equal_columns", "corners", "all_equal", "square2x2"]
Cells: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockBonus:
    """Points for four and more equal cards in one shape, on top of what lines do.

    ``equal_columns`` pays by the number of equal columns: ``amounts`` holds (columns, points), and
    ``adjacent`` asks them to touch. ``corners`` and ``all_equal`` pay ``amount``. ``square2x2``
    takes the value of the rank off, once for each 2×2 square of one rank that is worth more than
    nothing; the cards of the square then count nothing. No joker is wild in a block.
    """

    shape: Shape
    amount: int = 0
    amounts: tuple[tuple[int, int], ...] = ()
    adjacent: bool = False


@dataclass(frozen=True, slots=True)
class Scoring:
    """How one way to play counts a grid; the names are those of the options (rule A6)."""

    values: tuple[tuple[str, int], ...]
    """What each rank is worth: one pair a rank, and one for ``*`` where jokers are in the pack."""
    lines: tuple[Line, ...] = ("columns",)
    joker_line: LineCounts = "zero"
    """What a line of jokers counts: nothing, or the sum of its cards."""
    negative_line: LineCounts = "zero"
    """The same for a line of any other rank that is worth less than nothing."""
    joker_wild_in_lines: bool = False
    """Whether jokers help a line whose other cards agree; they count nothing in it."""
    block_bonus: BlockBonus | None = None
    floor_zero: bool = False


def value(scoring: Scoring, card: Card) -> int:
    """What one card counts outside any line.

    >>> value(Scoring((("K", 0), ("2", -2))), Card("2H"))
    -2
    """
    return _worth(scoring)[rank(card)]


def grid_score(scoring: Scoring, grid: Sequence[Card | None], cols: int) -> int:
    """The raw score of a grid, given row by row; ``None`` is a card that lies face-down.

    >>> columns = Scoring((("9", 9), ("4", 4), ("7", 7)))
    >>> grid_score(columns, [Card("9"), Card("9"), Card("7"), Card("9"), None, Card("4")], cols=3)
    20
    """
    sheet = _sheet(scoring, len(grid), cols)
    ranks = [card if card is None else card[0] for card in grid]  # rank(), without its price
    score, void = _bonus(scoring.block_bonus, sheet.worth, ranks, cols)
    for cells in _complete(sheet, ranks, {*void}):
        void.update(_void(sheet, ranks, cells) if sheet.kept else cells)
    score += sum([sheet.worth[of] for cell, of in enumerate(ranks) if cell not in void])
    return max(0, score) if scoring.floor_zero else score


def complete_lines(scoring: Scoring, grid: Sequence[Card | None], cols: int) -> tuple[Cells, ...]:
    """The cells of each complete line, for showing and explaining a score.

    A line that keeps its sum by ``joker_line`` or ``negative_line`` is complete all the same.

    >>> both = Scoring((("9", 9), ("4", 4)), lines=("rows", "columns"))
    >>> complete_lines(both, [Card("9"), Card("9"), Card("9"), Card("4")], cols=2)
    ((0, 1), (0, 2))
    """
    sheet = _sheet(scoring, len(grid), cols)
    ranks = [card if card is None else rank(card) for card in grid]
    _, used = _bonus(scoring.block_bonus, sheet.worth, ranks, cols)
    return tuple(_complete(sheet, ranks, used))


_Ranks: TypeAlias = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """All that can be known of a score before the cards are."""

    worth: Mapping[str | None, int]
    kept: frozenset[str | None]
    """The ranks whose lines keep their sum."""
    lines: tuple[tuple[Cells, Callable[[_Ranks], _Ranks]], ...]
    """The cells of each full line, and what reads them."""
    wild: bool
    pairs: bool


@lru_cache(maxsize=512)
def _sheet(scoring: Scoring, size: int, cols: int) -> _Sheet:
    if cols < 1 or size % cols:
        raise ValueError("a grid has whole rows")
    lines = [cells for kind in scoring.lines for cells in _lines(kind, size // cols, cols)]
    return _Sheet(
        worth=_worth(scoring),
        kept=frozenset(r for r, worth in scoring.values if _keeps_its_sum(scoring, r, worth)),
        lines=tuple((cells, itemgetter(*cells)) for cells in lines if len(cells) > 1),
        wild=scoring.joker_wild_in_lines,
        pairs="pairs_anywhere" in scoring.lines,
    )


@lru_cache(maxsize=512)
def _worth(scoring: Scoring) -> Mapping[str | None, int]:
    return {**dict(scoring.values), None: 0}


def _keeps_its_sum(scoring: Scoring, of: str, worth: int) -> bool:
    if of == JOKER:
        return scoring.joker_line == "sum"
    return scoring.negative_line == "sum" and worth < 0


def _lines(kind: Line, rows: int, cols: int) -> list[Cells]:
    size = rows * cols
    match kind:
        case "columns":
            return [tuple(range(col, size, cols)) for col in range(cols)]
        case "rows":
            return [tuple(range(row, row + cols)) for row in range(0, size, cols)]
        case "diagonals" if rows == cols > 1:
            return [tuple(range(0, size, cols + 1)), tuple(range(cols - 1, size - 1, cols - 1))]
        case "diagonals" | "pairs_anywhere":
            return []


def _complete(sheet: _Sheet, ranks: _Ranks, used: set[int]) -> Iterator[Cells]:
    """Each complete line, then the pairs anywhere among the cells that nothing has *used*."""
    for cells, read in sheet.lines:
        found = set(read(ranks))
        if sheet.wild and len(found) > 1:
            found.discard(JOKER)
        if len(found) == 1 and None not in found:
            used.update(cells)
            yield cells
    if sheet.pairs:
        yield from _pairs(ranks, used)


def _pairs(ranks: _Ranks, used: set[int]) -> Iterator[Cells]:
    """Two by two, wherever they lie; of three equal cards one stays alone, and no joker is wild."""
    alone: dict[str, int] = {}
    for cell, of in enumerate(ranks):
        if of is None or cell in used:
            continue
        if of in alone:
            yield alone.pop(of), cell
        else:
            alone[of] = cell


def _void(sheet: _Sheet, ranks: _Ranks, cells: Cells) -> Cells:
    """The cells of a complete line that count nothing."""
    naturals = {ranks[cell] for cell in cells} - {JOKER}
    if sheet.kept.isdisjoint(naturals or {JOKER}):
        return cells
    if naturals:  # the line keeps its sum, to which a wild joker adds nothing
        return tuple(cell for cell in cells if ranks[cell] == JOKER)
    return ()


def _bonus(
    bonus: BlockBonus | None, worth: Mapping[str | None, int], ranks: _Ranks, cols: int
) -> tuple[int, set[int]]:
    """The points of the blocks, and the cells that count nothing because of them."""
    if bonus is None or cols < 2 or len(ranks) < 2 * cols:  # noqa: PLR2004 - a block is 2 by 2 or more
        return 0, set()
    match bonus.shape:
        case "equal_columns":
            return _equal_columns(bonus, ranks, cols), set()
        case "corners":
            corners = {ranks[0], ranks[cols - 1], ranks[-cols], ranks[-1]}
            return bonus.amount * _is_one_rank(corners), set()
        case "all_equal":
            return bonus.amount * _is_one_rank(set(ranks)), set()
        case "square2x2":
            squares = [square for square in _squares(ranks, cols) if worth[ranks[square[0]]] > 0]
            points = -sum(worth[ranks[square[0]]] for square in squares)
            return points, {cell for square in squares for cell in square}


def _is_one_rank(found: set[str | None]) -> bool:
    return len(found) == 1 and None not in found


def _equal_columns(bonus: BlockBonus, ranks: _Ranks, cols: int) -> int:
    columns = [set(ranks[col::cols]) for col in range(cols)]
    of = [next(iter(column)) if len(column) == 1 else None for column in columns]
    named = [name or "" for name in of]
    runs = groupby(named if bonus.adjacent else sorted(named))
    return sum(_amount(bonus, len(list(run))) for name, run in runs if name)


def _amount(bonus: BlockBonus, columns: int) -> int:
    """The points for so many equal columns: those of the largest number they reach."""
    return max((pair for pair in bonus.amounts if pair[0] <= columns), default=(0, 0))[1]


def _squares(ranks: _Ranks, cols: int) -> Iterator[Cells]:
    for cell in range(len(ranks) - cols - 1):
        square = (cell, cell + 1, cell + cols, cell + cols + 1)
        if (cell + 1) % cols and _is_one_rank({ranks[at] for at in square}):
            yield square
