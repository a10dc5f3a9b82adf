"""Looking for the best end of a hole move by move, within a budget: slower than the solver, and for anything.

The solver (``solver.py``) answers for what it can lay out as a lattice. This search takes tableaus of any
size and rules under which waiting may be better than drawing, but it may run out of its budget; then it
says what it has found so far, and that it is not sure.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dormie_rules.cards import rank
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_moves, board_of
from dormie_rules.patience_moves import GiveUp, PatienceMove
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_score import hole_score
from dormie_rules.patience_solution import Solution, Verdict, next_position
from dormie_rules.values import replace

USUAL_BUDGET = 100_000
"""How many positions may be met before the search gives up: seconds, and some 60 MB."""


@dataclass(frozen=True, slots=True)
class _Found:
    score: int
    line: tuple[PatienceMove, ...] = ()
    sure: bool = False
    """Everything was looked at, or nothing could be better."""


def search(rules: PatienceRules, position: Position, budget: int = USUAL_BUDGET) -> Solution:
    """The best end of *position*, or the best that *budget* positions show.

    >>> from dormie_rules.cards import Card
    >>> start = Position(((Card("5S"),),), Card("9H"), (Card("6D"),))
    >>> search(PatienceRules(), start).verdict, search(PatienceRules(), start, budget=1).verdict
    ('clearable', 'unknown')
    """
    found = _best_within(rules, position, budget)
    verdict: Verdict = "not_clearable" if found.sure else "unknown"
    if found.score <= 0:
        verdict = "clearable"
    line = to_the_end(rules, position, found.line)
    return Solution(verdict, found.score, line, exact=found.sure)


def keeping_by(
    solve: Callable[[PatienceRules, Position], Solution], rules: PatienceRules, position: Position
) -> tuple[PatienceMove, ...] | None:
    """Every move with which the hole can still end as low, or None if *solve* is not sure about one."""
    board = board_of(rules, position)
    best = solve(rules, position)
    after = {
        move: solve(rules, next_position(position, move)) for move in board_moves(rules, board)[:-1]
    }
    if not all(solution.exact for solution in (best, *after.values())):
        return None
    kept = tuple(move for move, solution in after.items() if solution.best == best.best)
    as_low = board.ending is None and board.score == best.best
    return (*kept, GiveUp()) if as_low else kept


def to_the_end(
    rules: PatienceRules, position: Position, line: tuple[PatienceMove, ...]
) -> tuple[PatienceMove, ...]:
    """*line*, and what ends the hole after it: drawing the rest when nothing fits, else giving up."""
    for move in line:
        position = next_position(position, move)
    rest: tuple[PatienceMove, ...] = ()
    while allowed := board_moves(rules, board_of(rules, position)):
        if allowed[0] != Draw():
            return (*line, GiveUp())
        rest = (*rest, Draw())
        position = next_position(position, Draw())
    return line + rest


def _best_within(rules: PatienceRules, start: Position, budget: int) -> _Found:
    """Depth first, and never twice the same lengths, stock and top."""
    best = _Found(hole_score(start.left, len(start.stock)))
    seen = {_key(start)}
    waiting: list[tuple[Position, tuple[object, ...]]] = [(start, ())]
    while waiting and len(seen) < budget:
        position, way = waiting.pop()
        score = hole_score(position.left, len(position.stock))
        if score < best.score:
            best = _Found(score, _line(way))
        if best.score <= -len(position.stock):
            continue  # nothing below it can be better
        for move in reversed(board_moves(rules, board_of(rules, position))[:-1]):
            after = next_position(position, move)
            if (key := _key(after)) not in seen:
                seen.add(key)
                waiting.append((after, (move, way)))
    return replace(best, sure=not waiting or best.score <= -len(start.stock))


def _key(position: Position) -> tuple[tuple[int, ...], int, str | None]:
    """What the rest of a hole depends on, inside one deal."""
    top = position.foundation
    return (
        tuple(map(len, position.columns)),
        len(position.stock),
        None if top is None else rank(top),
    )


def _line(way: tuple[object, ...]) -> tuple[PatienceMove, ...]:
    """The moves of a way that is kept as its last move and the way before it."""
    moves: list[PatienceMove] = []
    while way:
        move, way = way  # type: ignore[assignment]  # a chain of pairs; its type would be endless
        moves.append(move)  # type: ignore[arg-type]  # same
    return tuple(reversed(moves))
