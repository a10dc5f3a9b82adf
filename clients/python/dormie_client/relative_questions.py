"""What the referee is asked about any variant of the patience by its name: moves, and how low it can end.

A place of a peak or a pyramid counts as a column of at most one card, numbered from the top down and from
the left, and everything is laid open: the answer says which places begin face-down.
"""

from collections.abc import Mapping

from dormie_client.patience_questions import read_cards, read_foundation, write_move
from dormie_client.question import Ask, Question
from dormie_rules.cards import Card
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_moves, board_of
from dormie_rules.patience_moves import GiveUp, Play
from dormie_rules.patience_options import choose_patience
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.scoring_options import BadRules, rows, whole
from dormie_rules.values import replace

MAX_CARDS = 106
MAX_COLUMNS = 28
BUDGET = 20_000
"""Positions looked at for a game that is too large for a pass of the solver."""


def _move(question: Question) -> dict[str, object]:
    rules = _rules(question)
    stock = whole("stock", question["stock"], 0, MAX_CARDS)
    position = _position(rules, question, (Card("A"),) * stock)  # how many decides, not which
    board = board_of(rules, position)
    if rules.build == "up":
        run = whole("run", question.get("run", 0), 0, MAX_CARDS)
        board = replace(board, run=run, ending=None if board.left else board.ending)
    moves = board_moves(rules, board)
    columns = [move.column for move in moves if isinstance(move, Play)]
    going = "play" if columns or Draw() in moves else "stuck"
    return {
        "legal_columns": columns,
        "can_draw": Draw() in moves,
        "face_down": list(board.down),
        "status": board.ending or going,
    }


def _solve(question: Question) -> dict[str, object]:
    from dormie_rules.solver import solve  # noqa: PLC0415 - numpy is loaded when it is needed

    rules = _rules(question)
    stock = read_cards("stock", question["stock"], MAX_CARDS)
    position = _position(rules, question, stock)
    if rules.build == "up":
        return {"verdict": "not_served"}
    solution = solve(rules, position, BUDGET)
    moves = [write_move(move) for move in solution.line if not isinstance(move, GiveUp)]
    return {
        "verdict": solution.verdict,
        "best": solution.best,
        "exact": solution.exact,
        "moves": moves,
    }


def _rules(question: Question) -> PatienceRules:
    name = question["variant"]
    if not isinstance(name, str) or name not in patience_names():
        raise BadRules("variant", f"a variant is one of {', '.join(patience_names())}")
    options = question.get("options", {})
    if not isinstance(options, Mapping):
        raise BadRules("options", "an object is needed")
    try:
        return choose_patience(options, find_patience(name).rules)
    except BadRules as bad:
        field = "options" if bad.field == "options" else f"options.{bad.field}"
        raise BadRules(field, bad.because) from None


def _position(rules: PatienceRules, question: Question, stock: tuple[Card, ...]) -> Position:
    columns = tuple(
        read_cards(f"columns.{at}", column, rules.per_column)
        for at, column in enumerate(rows("columns", question["columns"], MAX_COLUMNS))
    )
    if len(columns) > rules.columns or (not rules.golf and len(columns) != rules.columns):
        raise BadRules("columns", f"this game has {rules.columns} of them, empty ones too")
    return Position(columns, read_foundation(question), stock)


RELATIVE_ASKS: Mapping[str, Ask] = {
    "relative_move": Ask(_move, ("variant", "columns", "foundation", "stock"), ("options", "run")),
    "relative_solve": Ask(_solve, ("variant", "columns", "foundation", "stock"), ("options",)),
}
