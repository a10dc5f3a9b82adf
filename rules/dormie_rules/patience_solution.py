"""What a solver answers: how low a hole can end, and how sure that is."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_after, board_moves, board_of
from dormie_rules.patience_moves import GiveUp, PatienceMove
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_score import hole_score
from dormie_rules.patience_state import Board

Verdict: TypeAlias = Literal["clearable", "not_clearable", "unknown"]
"""unknown: the search was stopped by its budget, and had found no way to clear the tableau by then."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The best that can be done in a position whose stock is known."""

    verdict: Verdict
    best: int
    """The lowest score that was found; no line leads lower if *exact*."""
    line: tuple[PatienceMove, ...]
    """Moves that end the hole with *best*."""
    exact: bool = True


def not_served(position: Position) -> Solution:
    """What a solver says of a game that it does not know: nothing is proved, and giving up ends as it lies."""
    score = hole_score(position.left, len(position.stock))
    return Solution("unknown", score, (GiveUp(),), exact=False)


def next_position(position: Position, move: PatienceMove) -> Position:
    """The position after a legal *move*; nothing lies differently when the hole is given up.

    >>> from dormie_rules.cards import Card
    >>> from dormie_rules.patience_moves import Play
    >>> next_position(Position(((Card("5S"), Card("8H")),), Card("9H"), ()), Play(0))
    Position(columns=(('5S',),), foundation='8H', stock=())
    """
    if isinstance(move, GiveUp):
        return position
    if isinstance(move, Draw):
        return Position(position.columns, position.stock[0], position.stock[1:])
    *rest, card = position.columns[move.column]
    columns = list(position.columns)
    columns[move.column] = tuple(rest)
    return Position(tuple(columns), card, position.stock)


def replay_line(
    rules: PatienceRules, position: Position, line: tuple[PatienceMove, ...]
) -> Board | None:
    """The board after all the moves of *line*, or None if one of them is not allowed.

    >>> from dormie_rules.cards import Card
    >>> start = Position(((Card("5S"),),), Card("9H"), (Card("6D"),))
    >>> from dormie_rules.patience_moves import Play
    >>> replay_line(PatienceRules(), start, (Draw(), Play(0))).score
    0
    """
    board = board_of(rules, position)
    for move in line:
        if move not in board_moves(rules, board):
            return None
        drawn = next(iter(position.stock), None)
        board = board_after(rules, board, move, drawn, position.columns)
        position = next_position(position, move)
    return board
