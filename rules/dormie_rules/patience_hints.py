"""Hints for whoever learns Golf Patience: one that is fair, and one that looks into the stock.

The *fair* hint is made from what the player can see, and is an average over the orders that the stock may
have. The *open* hint knows the stock, as no player does: it says what can still be reached. Each is named
as what it is, and neither is given where a result counts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.grid_moves import Draw
from dormie_rules.patience_ahead import Ahead, Run, best_run
from dormie_rules.patience_board import board_moves, board_of
from dormie_rules.patience_chances import best_chance, chances
from dormie_rules.patience_moves import PatienceMove
from dormie_rules.patience_position import Position
from dormie_rules.patience_reason import Reason, ReasonCode, reason
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_sight import Sight
from dormie_rules.patience_solution import Solution

Solve: TypeAlias = Callable[[PatienceRules, Position], Solution]
"""The solver, handed in as a judge is: it needs a library, and its time is its caller's business."""

HINT_ORDERS = 300
"""How many orders of the stock a fair hint looks at."""
HINT_STATES = 50_000
"""How far it looks for a run that leaves nothing, or the fewest cards when the stock is empty."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, what it promises, and why it is the one."""

    kind: Literal["fair", "open"]
    move: PatienceMove
    tenths: int
    """The score that is promised, in tenths of a stroke: on average if fair, else exactly."""
    sure: bool
    """The score can be had whatever comes; a fair hint is sure only when nothing more is needed."""
    why: Reason


def fair_hint(
    rules: PatienceRules, sight: Sight, luck: bytes, orders: int = HINT_ORDERS
) -> Hint | None:
    """The move that does best on average, as far as its player can know; None when the hole is over.

    While cards of the tableau lie face-down it is the run with the best end, and the promise is the cards left
    at most. None as well for a game that is not known here (``build``).

    *luck* is a seed for the orders of the stock, and not the deal's: the same sight and luck give the same
    hint.

    >>> from dormie_rules.cards import Card
    >>> from dormie_rules.patience_state import Board
    >>> sight = Sight(Board(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), 1, 1))
    >>> hint = fair_hint(PatienceRules(), sight, b"luck")
    >>> hint.move, hint.why.code
    (Play(column=0, move='play'), 'average')
    """
    moves = board_moves(rules, sight.board)
    if not moves or rules.build != "either":
        return None
    stock = sight.board.stock
    last = best_run(Ahead(rules, sight, HINT_STATES), sight.board, moves)
    if last is not None and last.left == 0:
        return Hint(
            "fair", last.move, -10 * stock, sure=True, why=reason("clears_now", stock=stock)
        )
    if last is not None and not stock:
        why = reason("last_run", cards=last.left)
        return Hint("fair", last.move, 10 * last.left, last.sure, why)
    if sight.board.down:
        return _hint_face_down(sight, last)
    best = best_chance(chances(Ahead(rules, sight), sight, moves, luck, orders))
    tenths = round(10 * best.mean)
    if last is None:
        return Hint("fair", best.move, tenths, sure=False, why=reason("nothing_fits"))
    code: ReasonCode = "average_draw" if isinstance(best.move, Draw) else "average"
    return Hint("fair", best.move, tenths, sure=False, why=reason(code, tenths=tenths))


def _hint_face_down(sight: Sight, run: Run | None) -> Hint:
    """The longest run, where face-down cards make an average too bold: at most what it leaves is left."""
    left = sight.board.left if run is None else run.left
    if run is None:
        return Hint("fair", Draw(), 10 * left, sure=False, why=reason("nothing_fits"))
    why = reason("run", cards=sight.board.left - left)
    return Hint("fair", run.move, 10 * left, sure=False, why=why)


def open_hint(rules: PatienceRules, position: Position, solve: Solve) -> Hint | None:
    """A move that keeps what can be reached with the stock known; None when the hole is over.

    None as well when the solver's budget was too little to be sure: a hint that may be wrong is none.

    >>> from dormie_rules.cards import Card
    >>> from dormie_rules.solver import solve
    >>> start = Position(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), (Card("6D"),))
    >>> hint = open_hint(PatienceRules(), start, solve)
    >>> hint.move, hint.why
    (Play(column=0, move='play'), Reason(code='can_clear', params=(('stock', 0),)))
    """
    if board_of(rules, position).ending:
        return None
    solution = solve(rules, position)
    if not solution.exact:
        return None
    best = solution.best
    why = reason("can_clear", stock=-best) if best <= 0 else reason("fewest", cards=best)
    return Hint("open", solution.line[0], 10 * best, sure=True, why=why)
