"""One player's board: which moves it allows, and what each of them makes of it (rule A11).

Nothing here knows who plays, or who looks on; the stock's next card is handed in by whoever keeps it.
"""

from dormie_rules.cards import Card
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_moves import GiveUp, PatienceMove, Play
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules, fits
from dormie_rules.patience_state import Board, PatienceEnding
from dormie_rules.tuples import put
from dormie_rules.values import replace

PATIENCE_WORDS = (
    "hole_over",
    "no_such_column",
    "empty_column",
    "does_not_fit",
    "no_stock",
    "must_play",
    "not_playing",
)
"""Every word with which these rules say no."""


def board_of(rules: PatienceRules, position: Position) -> Board:
    """The board on which *position* lies; a position in which nothing can be done is over.

    >>> board_of(PatienceRules(), Position(((Card("5S"),),), Card("9H"), ())).ending
    'stuck'
    """
    pile = 0 if position.foundation is None else 1
    board = Board(position.columns, position.foundation, len(position.stock), pile)
    return _ended(rules, board)


def board_why_not(rules: PatienceRules, board: Board, move: PatienceMove) -> str | None:
    """Why *move* is not allowed now, as one of PATIENCE_WORDS, or None if it is.

    >>> board = Board(((Card("5S"),), ()), Card("9H"), stock=3, pile=1)
    >>> [board_why_not(PatienceRules(), board, Play(at)) for at in range(3)]
    ['does_not_fit', 'empty_column', 'no_such_column']
    """
    if board.ending is not None:
        return "hole_over"
    match move:
        case Play(column):
            return _why_not_play(rules, board, column)
        case Draw():
            return _why_not_draw(rules, board)
        case GiveUp():
            return None


def board_moves(rules: PatienceRules, board: Board) -> tuple[PatienceMove, ...]:
    """The moves allowed now: columns from the left, then drawing, then giving up."""
    if board.ending is not None:
        return ()
    draw = () if _why_not_draw(rules, board) else (Draw(),)
    return (*map(Play, playable(rules, board)), *draw, GiveUp())


def playable(rules: PatienceRules, board: Board) -> tuple[int, ...]:
    """The columns whose exposed card fits, counted from 0.

    >>> playable(PatienceRules(), Board(((Card("5S"),), (), (Card("3D"),)), Card("4H"), 0, 1))
    (0, 2)
    """
    return tuple(
        at
        for at, column in enumerate(board.columns)
        if column and fits(rules, board.foundation, column[-1])
    )


def board_after(
    rules: PatienceRules, board: Board, move: PatienceMove, drawn: Card | None = None
) -> Board:
    """The board after a legal *move*; *drawn* is the card that a draw turns up."""
    match move:
        case Play(column):
            return _ended(rules, _played(board, column))
        case Draw():
            assert drawn is not None, "drawing is legal only with a card in the stock"
            board = replace(
                board, foundation=drawn, stock=board.stock - 1, pile=board.pile + 1, run=0
            )
            return _ended(rules, board)
        case GiveUp():
            return replace(board, ending="given_up")


def _played(board: Board, column: int) -> Board:
    *rest, card = board.columns[column]
    return replace(
        board,
        columns=put(board.columns, column, tuple(rest)),
        foundation=card,
        pile=board.pile + 1,
        run=board.run + 1,
        longest_run=max(board.longest_run, board.run + 1),
    )


def _why_not_play(rules: PatienceRules, board: Board, column: int) -> str | None:
    if not 0 <= column < len(board.columns):
        return "no_such_column"
    if not board.columns[column]:
        return "empty_column"
    return None if fits(rules, board.foundation, board.columns[column][-1]) else "does_not_fit"


def _why_not_draw(rules: PatienceRules, board: Board) -> str | None:
    if not board.stock:
        return "no_stock"
    if not rules.draw_with_moves and playable(rules, board):
        return "must_play"
    return None


def _ended(rules: PatienceRules, board: Board) -> Board:
    """An empty tableau ends the hole at once, an empty stock only when no card fits either."""
    ending: PatienceEnding | None = None
    if not board.left:
        ending = "cleared"
    elif not board.stock and not playable(rules, board):
        ending = "stuck"
    return replace(board, ending=ending) if ending else board
