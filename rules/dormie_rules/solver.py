"""An exact solver for Golf Patience: one pass over everything the columns can come to.

A tableau is a number of cards for each column, so a deal has at most 6^7 = 279,936 tableaus, and a play
always leads to one with a card fewer. For each tableau and each top of the foundation only the *fewest*
cards drawn count: whoever has drawn less can catch up by drawing, and keeps more stock. So a tableau is a
row of sixteen bytes, one for each top, and a pass takes the tableaus layer by layer, fullest first. A
draw is one look-up (where each rank comes next in the stock), a play moves one byte. A second pass, the
other way, says from where a score can still be reached.

Rules under which drawing is not always allowed, and tableaus too large for a pass, go to
``patience_search``. ``docs/solver.md`` has the argument and the figures.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from dormie_rules.cards import rank
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_moves, board_of
from dormie_rules.patience_lattice import (
    BYTE,
    KING,
    NEVER,
    WIDTH,
    WILD,
    Trace,
    code_of,
    fits_in_a_pass,
    has_joker,
    size,
    strides,
)
from dormie_rules.patience_moves import GiveUp, PatienceMove
from dormie_rules.patience_position import Position
from dormie_rules.patience_routes import solve_otherwise
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_score import hole_score
from dormie_rules.patience_search import USUAL_BUDGET, keeping_by, to_the_end
from dormie_rules.patience_solution import Solution, next_position

Bytes = NDArray[np.uint8]
Codes = NDArray[np.intp]

_ROW = np.dtype((np.void, WIDTH))


def solve(rules: PatienceRules, position: Position, budget: int = USUAL_BUDGET) -> Solution:
    """How low *position* can end when the stock is known, and a line that leads there.

    *budget* is for what does not fit in a pass: after so many positions the verdict may be ``unknown``.

    >>> from dormie_rules.cards import Card
    >>> start = Position(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), (Card("6D"),))
    >>> solved = solve(PatienceRules(), start)
    >>> solved.verdict, solved.best, len(solved.line)
    ('clearable', 0, 4)
    """
    other = solve_otherwise(rules, position, budget)
    return other or _forward(rules, position).solution


def keeping(
    rules: PatienceRules, position: Position, budget: int = USUAL_BUDGET
) -> tuple[PatienceMove, ...] | None:
    """Every move with which the hole can still end as low as it can now.

    None if that does not fit in a pass and *budget* is too little to say.
    """
    if not fits_in_a_pass(rules, position):
        return keeping_by(partial(solve, budget=budget), rules, position)
    best = _forward(rules, position).solution.best
    return Study(rules, position, best).keeping(position)


class Study:
    """A deal that has been gone through: which of its positions can still end at *target* or lower.

    The usual *target*, 0, asks for a cleared tableau. Making one takes two passes, a question only
    microseconds. Only positions that can come up in the deal may be asked about.

    >>> from dormie_rules.cards import Card
    >>> start = Position(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), (Card("6D"),))
    >>> study = Study(PatienceRules(), start)
    >>> study.reaches(start), study.keeping(start), study.reaches(next_position(start, Draw()))
    (True, (Play(column=0, move='play'),), False)
    """

    def __init__(self, rules: PatienceRules, position: Position, target: int = 0) -> None:
        """Go through the deal that begins with *position*. Raises ValueError if it does not fit in a pass."""
        if not fits_in_a_pass(rules, position):
            raise ValueError("this is too much for a pass")
        forward = _forward(rules, position)
        self.rules, self.position, self.target = rules, position, target
        self.solution = forward.solution
        self._latest = _backward(forward, target)

    def reaches(self, position: Position) -> bool:
        """Whether *position*, one of the deal's, can end at the target or lower."""
        lengths = [len(column) for column in position.columns]
        if hole_score(sum(lengths), len(position.stock)) <= self.target:
            return True
        if position.foundation is None:
            return self.target >= self.solution.best
        code = code_of(self.position, lengths)
        drawn = len(self.position.stock) - len(position.stock)
        return drawn < int(self._latest[code, BYTE[rank(position.foundation)]])

    def keeping(self, position: Position) -> tuple[PatienceMove, ...]:
        """The moves after which the target can still be reached; giving up is one when it has been."""
        moves = board_moves(self.rules, board_of(self.rules, position))
        return tuple(move for move in moves if self._keeps(position, move))

    def _keeps(self, position: Position, move: PatienceMove) -> bool:
        if isinstance(move, GiveUp):
            return position.left > 0 and position.left <= self.target
        return self.reaches(next_position(position, move))


@dataclass(frozen=True, slots=True)
class _Forward:
    """What can be reached from a position."""

    rules: PatienceRules
    position: Position
    exposed: tuple[Bytes, ...]
    """For each column the exposed card of every tableau, as a byte of a row; 0 for none."""
    reached: Bytes
    """For each tableau and top the fewest cards drawn, when the top was played."""
    layers: tuple[Codes, ...]
    """The tableaus that are reached, fullest first."""

    @property
    def solution(self) -> Solution:
        code = int(self.layers[-1][0])
        trace = Trace(self.rules, self.position, lambda code, top: int(self.reached[code, top]))
        line = trace.back_from(code)
        left = self.position.left - len(self.layers) + 1
        best = hole_score(left, len(self.position.stock) - line.count(Draw()))
        line = to_the_end(self.rules, self.position, line)
        return Solution("clearable" if best <= 0 else "not_clearable", best, line)


def _forward(rules: PatienceRules, position: Position) -> _Forward:
    """Go from the fullest tableau to whatever can be reached."""
    exposed = _exposed(position)
    reached = np.full((size(position), WIDTH), NEVER, np.uint8)
    if position.foundation is not None:
        reached[-1, BYTE[rank(position.foundation)]] = 0
    alive = np.zeros(len(reached), np.bool_)
    alive[-1] = True
    upcoming = _upcoming(position)
    layers: list[Codes] = []
    for layer in _lattice(tuple(map(len, position.columns))):
        codes = layer[alive[layer]]
        if not len(codes):
            break
        tops = _rows(reached, codes)
        fewest = _planes(tops).min(axis=0) if layers else np.zeros(1, np.uint8)
        np.minimum(tops, _rows(upcoming, fewest), out=tops)
        able = ~_follows(rules, ~tops, wild=has_joker(position))
        if not layers and position.foundation is None and rules.empty_start:
            able[1:] = 0
        rows = np.arange(0, len(able), WIDTH)
        for column, stride in zip(exposed, strides(position), strict=True):
            card = column.take(codes)
            alive[_play(reached, codes - stride, card, able.take(rows + card))] = True
        layers.append(codes)
    return _Forward(rules, position, exposed, reached, tuple(layers))


def _play(reached: Bytes, after: Codes, card: Bytes, drawn: Bytes) -> Codes:
    """Play the exposed *card* of one column wherever it fits, and say to which tableaus that leads."""
    fit = np.flatnonzero(drawn != NEVER)
    after = after.take(fit)
    there = after * WIDTH + card.take(fit)
    flat = reached.reshape(-1)
    flat[there] = np.minimum(flat.take(there), drawn.take(fit))
    return after


def _backward(forward: _Forward, target: int) -> Bytes:
    """For each tableau and top with how many cards drawn the target is out of reach: with fewer it is not."""
    position, rules, stock = forward.position, forward.rules, len(forward.position.stock)
    latest = np.zeros_like(forward.reached)
    last = _last(position)
    for at in reversed(range(len(forward.layers))):
        codes, left = forward.layers[at], position.left - at
        if left <= max(target, 0):
            latest[codes] = max(stock + 1 + (0 if left else min(target, 0)), 0)
            continue
        able = np.zeros(len(codes) * WIDTH, np.uint8)
        for column, stride in zip(forward.exposed, strides(position), strict=True):
            _unplay(latest, codes, able, column.take(codes), stride)
        tops = _planes(_precedes(rules, able, wild=has_joker(position)))
        drawing = np.zeros(len(codes), np.uint8)
        for byte in {BYTE[rank(card)] for card in position.stock}:
            np.maximum(drawing, last[byte].take(tops[byte]), out=drawing)
        latest[codes] = np.maximum(tops, drawing).T
    return latest


def _unplay(latest: Bytes, codes: Codes, able: Bytes, card: Bytes, stride: int) -> None:
    """Note for one column until when playing its exposed *card* is good enough."""
    there = np.flatnonzero(card)
    played = card.take(there)
    after = (codes.take(there) - stride) * WIDTH + played
    before = there * WIDTH + played
    able[before] = np.maximum(able.take(before), latest.reshape(-1).take(after))


def _follows(rules: PatienceRules, tops: Bytes, *, wild: bool) -> Bytes:
    """For each card the greatest of the tops it may go on. Forgets what a strict King is worth."""
    king = tops[KING::WIDTH].copy()
    if rules.king_rule == "strict":
        tops[KING::WIDTH] = 0
    cards = _beside(rules, tops)
    if wild:
        each, top = cards.reshape(-1, WIDTH), tops.reshape(-1, WIDTH)
        np.maximum(each[:, 1 : KING + 1], top[:, WILD:], out=each[:, 1 : KING + 1])
        each[:, WILD] = top.max(axis=1)
        if rules.joker_on_strict_king:
            np.maximum(each[:, WILD], king, out=each[:, WILD])
    return cards


def _precedes(rules: PatienceRules, cards: Bytes, *, wild: bool) -> Bytes:
    """For each top the greatest of the cards that may go on it."""
    tops = _beside(rules, cards)
    if rules.king_rule == "strict":
        tops[KING::WIDTH] = 0
    if wild:
        each, card = tops.reshape(-1, WIDTH), cards.reshape(-1, WIDTH)
        open_kings = rules.king_rule != "strict" or rules.joker_on_strict_king
        upto = KING + open_kings
        np.maximum(each[:, 1:upto], card[:, WILD:], out=each[:, 1:upto])
        each[:, WILD] = card.max(axis=1)
    return tops


def _beside(rules: PatienceRules, rows: Bytes) -> Bytes:
    """For each rank the greatest of its neighbours."""
    beside = np.zeros_like(rows)
    np.maximum(rows[:-2], rows[2:], out=beside[1:-1])
    if rules.king_rule == "wrap":
        for one, other in ((1, KING), (KING, 1)):
            np.maximum(beside[one::WIDTH], rows[other::WIDTH], out=beside[one::WIDTH])
    beside[0::WIDTH] = beside[WILD::WIDTH] = 0
    return beside


def _rows(table: Bytes, codes: Codes | Bytes) -> Bytes:
    """A copy of some rows of a table, one behind the other."""
    return table.view(_ROW).reshape(-1).take(codes).view(np.uint8)


def _planes(rows: Bytes) -> Bytes:
    """Rows made columns: what is the same byte of each row lies together."""
    return np.ascontiguousarray(rows.reshape(-1, WIDTH).T)


def _exposed(position: Position) -> tuple[Bytes, ...]:
    """For each column the exposed card of every tableau, as the byte of a row; 0 when it is empty."""
    tableaus = size(position)
    columns = []
    for cards, stride in zip(position.columns, strides(position), strict=True):
        byte = np.array([0, *(BYTE[rank(card)] for card in cards)], np.uint8)
        shape = (tableaus // (stride * len(byte)), len(byte), stride)
        columns.append(np.ascontiguousarray(np.broadcast_to(byte[:, None], shape)).reshape(-1))
    return tuple(columns)


def _upcoming(position: Position) -> Bytes:
    """For each number of cards drawn, and each top, after how many draws it comes up next."""
    table = np.full((len(position.stock) + 1, WIDTH), NEVER, np.uint8)
    for drawn in reversed(range(len(position.stock))):
        table[drawn] = table[drawn + 1]
        table[drawn, BYTE[rank(position.stock[drawn])]] = drawn + 1
    return table


def _last(position: Position) -> Bytes:
    """For each rank, and each limit, the last draw before that limit that brings it; 0 for none."""
    table = np.zeros((WIDTH, len(position.stock) + 2), np.uint8)
    for drawn, card in enumerate(position.stock, 1):
        table[BYTE[rank(card)], drawn + 1 :] = drawn
    return table


@lru_cache(maxsize=8)
def _lattice(heights: tuple[int, ...]) -> tuple[Codes, ...]:
    """The tableaus of columns of these heights in layers, fullest first."""
    left: NDArray[np.int16] = np.zeros((1,), np.int16)
    for height in heights:
        left = np.add.outer(left, np.arange(height + 1, dtype=np.int16)).reshape(-1)
    order = np.argsort(-left, kind="stable").astype(np.intp)
    ends = np.cumsum(np.bincount(left)[::-1])
    return tuple(np.split(order, ends[:-1]))
