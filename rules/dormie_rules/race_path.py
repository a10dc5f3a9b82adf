"""The way from a deal to a board in one letter a move, so that any position can be reached again.

A column is a letter of ``COLUMNS``, the first one ``1``; ``D`` is a draw, ``G`` giving up.
"""

from dormie_rules.cards import Card
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_after, board_of
from dormie_rules.patience_moves import GiveUp, PatienceMove, Play
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import Board

COLUMNS = "123456789abcdefghijklmnopqrstuvwxyz"
DRAW, GIVE_UP = "D", "G"


def step_letter(move: PatienceMove) -> str:
    """The letter of a move.

    >>> "".join(map(step_letter, (Play(0), Draw(), Play(6), GiveUp())))
    '1D7G'
    """
    if isinstance(move, Play):
        return COLUMNS[move.column]
    return DRAW if isinstance(move, Draw) else GIVE_UP


def step_move(letter: str) -> PatienceMove:
    """The move that a letter stands for. Raises ValueError if there is none."""
    if letter == DRAW:
        return Draw()
    return GiveUp() if letter == GIVE_UP else Play(COLUMNS.index(letter))


def walk(rules: PatienceRules, deal: Position, path: str) -> Board:
    """The board that *path*, of legal moves, leads to.

    >>> deal = Position(((Card("5S"), Card("9D")), (Card("7H"),)), Card("8C"), (Card("4D"),))
    >>> walk(PatienceRules(), deal, "1D").columns, walk(PatienceRules(), deal, "1D").foundation
    ((('5S',), ('7H',)), '4D')
    """
    board = board_of(rules, deal)
    for letter in path:
        drawn = next_card(deal, board)
        board = board_after(rules, board, step_move(letter), drawn, deal.columns)
    return board


def next_card(deal: Position, board: Board) -> Card | None:
    """The card that the next draw turns up, or None when the stock is empty."""
    return deal.stock[-board.stock] if board.stock else None
