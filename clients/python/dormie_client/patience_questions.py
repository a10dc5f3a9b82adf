"""What the referee is asked about Golf Patience: moves, holes, courses, and how low a deal can end."""

from collections.abc import Mapping
from typing import get_args

from dormie_client.question import Ask, Question, read_score
from dormie_rules.cards import RANKS, Card, is_card
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_moves, board_of, playable
from dormie_rules.patience_moves import GiveUp, PatienceMove, Play
from dormie_rules.patience_options import MAX_HOLES, choose_patience
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_score import USUAL_PAR, against, hole_name, hole_score
from dormie_rules.scoring_options import BadRules, rows, whole, word

MAX_CARDS = 54
MAX_COLUMNS = 13
USUAL_COURSE = 9 * USUAL_PAR
BUDGET = 20_000
"""Positions looked at for a question that a pass of the solver does not answer."""


def _move(question: Question) -> dict[str, object]:
    rules = _rules(question)
    columns = [
        () if card is None else (_card(f"exposed.{at}", card),)
        for at, card in enumerate(rows("exposed", question["exposed"], MAX_COLUMNS))
    ]
    stock = whole("stock", question["stock"], 0, MAX_CARDS)
    top = read_foundation(question)
    cards_to_come = tuple(Card("A") for _ in range(stock))  # how many decides, not which
    board = board_of(rules, Position(tuple(columns), top, cards_to_come))
    over = board.ending is not None
    return {
        "legal_columns": [] if over else list(playable(rules, board)),
        "can_draw": Draw() in board_moves(rules, board),
        "status": board.ending or "play",
    }


def _hole(question: Question) -> dict[str, object]:
    left = whole("tableau_left", question["tableau_left"], 0, MAX_CARDS)
    stock = whole("stock_left", question["stock_left"], 0, MAX_CARDS)
    par = whole("par", question["par"], 1, MAX_CARDS)
    score = hole_score(left, stock)
    return {"score": score, "name": hole_name(score, par)}


def _course(question: Question) -> dict[str, object]:
    listed = rows("scores", question["scores"], MAX_HOLES)
    scores = [read_score(f"scores.{at}", score) for at, score in enumerate(listed)]
    total = sum(scores)
    return {"total": total, f"vs_{USUAL_COURSE}": against(total, USUAL_COURSE)}


def _solve(question: Question) -> dict[str, object]:
    from dormie_rules.solver import solve  # noqa: PLC0415 - numpy is loaded when it is needed

    columns = tuple(
        read_cards(f"columns.{at}", column)
        for at, column in enumerate(rows("columns", question["columns"], MAX_COLUMNS))
    )
    position = Position(columns, read_foundation(question), read_cards("stock", question["stock"]))
    if position.left + len(position.stock) > MAX_CARDS:
        raise BadRules("columns", f"at most {MAX_CARDS} cards are needed")
    solution = solve(_rules(question), position, BUDGET)
    if not solution.exact:
        raise BadRules("columns", "this is too much to be solved")
    moves = [write_move(move) for move in solution.line if not isinstance(move, GiveUp)]
    return {
        "best": solution.best,
        "clearable": solution.verdict == "clearable",
        "moves": moves,
    }


def _rules(question: Question) -> PatienceRules:
    king_rule = word("king_rule", question["king_rule"], get_args(KingRule))
    options = question.get("options", {})
    if not isinstance(options, Mapping):
        raise BadRules("options", "an object is needed")
    try:
        return choose_patience({**options, "king_rule": king_rule})
    except BadRules as bad:
        field = "options" if bad.field == "options" else f"options.{bad.field}"
        raise BadRules(field, bad.because) from None


def read_foundation(question: Question) -> Card | None:
    """The card on the foundation, or None."""
    top = question["foundation"]
    return None if top is None else _card("foundation", top)


def read_cards(field: str, given: object, most: int = MAX_CARDS) -> tuple[Card, ...]:
    """The cards that a list holds, at *most* so many. Raises BadRules for what is no card."""
    return tuple(_card(f"{field}.{at}", card) for at, card in enumerate(rows(field, given, most)))


def _card(field: str, given: object) -> Card:
    if not isinstance(given, str) or not (is_card(given) or given in [*RANKS]):
        raise BadRules(field, "a card is a rank A23456789TJQK and maybe a suit SHDC, or *")
    return Card(given)


def write_move(move: PatienceMove) -> str:
    """A move as the worked cases write it: the number of a column, or D."""
    return str(move.column) if isinstance(move, Play) else "D"


PATIENCE_ASKS: Mapping[str, Ask] = {
    "patience_move": Ask(_move, ("king_rule", "foundation", "exposed", "stock"), ("options",)),
    "patience_hole": Ask(_hole, ("tableau_left", "stock_left", "par")),
    "patience_course": Ask(_course, ("scores",)),
    "patience_solve": Ask(_solve, ("columns", "foundation", "stock", "king_rule"), ("options",)),
}
