"""One player's board: which moves it allows, and what each of them makes of it (rule A11).

Nothing here knows who plays, or who looks on; the stock's next card is handed in by whoever keeps it.
"""

from collections.abc import Sequence

from dormie_rules.cards import JOKER, RANKS, Card, rank
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_layouts import COVERS, FACE_DOWN
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
    "covered",
    "does_not_fit",
    "no_stock",
    "must_play",
    "not_playing",
)
"""Every word with which these rules say no."""


def board_of(rules: PatienceRules, position: Position) -> Board:
    """The board on which *position* lies; a position in which nothing can be done is over.

    Cards that begin face-down lie so until nothing covers them.

    >>> board_of(PatienceRules(), Position(((Card("5S"),),), Card("9H"), ())).ending
    'stuck'
    """
    pile = 0 if position.foundation is None else 1
    down = tuple(
        at
        for at in FACE_DOWN[rules.layout]
        if position.columns[at] and _covered(rules, position.columns, at)
    )
    columns = tuple(() if at in down else cards for at, cards in enumerate(position.columns))
    board = Board(columns, position.foundation, len(position.stock), pile, down=down)
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
        if column and not covered(rules, board, at) and goes_on(rules, board, column[-1])
    )


def covered(rules: PatienceRules, board: Board, place: int) -> bool:
    """Whether another card lies on the one at *place*, where a tableau is no columns."""
    over = COVERS[rules.layout]
    return bool(over) and any(board.columns[at] or at in board.down for at in over[place])


def goes_on(rules: PatienceRules, board: Board, card: Card) -> bool:
    """Whether *card* may be put on the foundation now."""
    top = board.foundation
    if rules.build == "either" or top is None:
        return fits(rules, top, card)
    return board.run > 1 or follows_up(top, card)


def follows_up(top: Card, card: Card) -> bool:
    """Whether *card* is the next rank above *top*; an Ace is above a King, and a joker is any card (rule A11).

    >>> follows_up(Card("5S"), Card("6H")), follows_up(Card("KS"), Card("AH")), follows_up(Card("6S"), Card("5H"))
    (True, True, False)
    """
    if JOKER in (rank(top), rank(card)):
        return True
    return RANKS[(RANKS.index(rank(top)) + 1) % len(RANKS)] == rank(card)


def board_after(
    rules: PatienceRules,
    board: Board,
    move: PatienceMove,
    drawn: Card | None = None,
    dealt: Sequence[tuple[Card, ...]] = (),
) -> Board:
    """The board after a legal *move*; *drawn* is the card that a draw turns up.

    *dealt* is needed for face-down cards alone: the columns, or at least the places that may be turned up.
    """
    match move:
        case Play(column):
            return _ended(rules, _turned(rules, _played(rules, board, column), dealt))
        case Draw():
            assert drawn is not None, "drawing is legal only with a card in the stock"
            board = replace(
                board, foundation=drawn, stock=board.stock - 1, pile=board.pile + 1, run=0
            )
            return _ended(rules, board)
        case GiveUp():
            return replace(board, ending="given_up")


def _played(rules: PatienceRules, board: Board, column: int) -> Board:
    *rest, card = board.columns[column]
    run = board.run + 1
    if rules.build == "up" and board.foundation and not follows_up(board.foundation, card):
        run = 1
    return replace(
        board,
        columns=put(board.columns, column, tuple(rest)),
        foundation=card,
        pile=board.pile + 1,
        run=run,
        longest_run=max(board.longest_run, run),
        held=int(rules.build == "up" and run == 1),
    )


def turned_up(before: Board, after: Board) -> tuple[tuple[int, Card], ...]:
    """The face-down cards that a move has turned up, each with its place."""
    places = (at for at in before.down if at not in after.down)
    return tuple((at, after.columns[at][0]) for at in places)


def _turned(rules: PatienceRules, board: Board, dealt: Sequence[tuple[Card, ...]]) -> Board:
    """The board with every face-down card turned up on which nothing lies any more."""
    up = [at for at in board.down if not covered(rules, board, at)]
    for at in up:
        board = replace(board, columns=put(board.columns, at, dealt[at]))
    return replace(board, down=tuple(at for at in board.down if at not in up)) if up else board


def _covered(rules: PatienceRules, columns: Sequence[tuple[Card, ...]], place: int) -> bool:
    return any(columns[at] for at in COVERS[rules.layout][place])


def _why_not_play(rules: PatienceRules, board: Board, column: int) -> str | None:
    if not 0 <= column < len(board.columns):
        return "no_such_column"
    if column in board.down or covered(rules, board, column):
        return "covered"
    if not board.columns[column]:
        return "empty_column"
    return None if goes_on(rules, board, board.columns[column][-1]) else "does_not_fit"


def _why_not_draw(rules: PatienceRules, board: Board) -> str | None:
    if not board.stock:
        return "no_stock"
    if not rules.draw_with_moves and playable(rules, board):
        return "must_play"
    return None


def _ended(rules: PatienceRules, board: Board) -> Board:
    """An empty tableau ends the hole at once, an empty stock only when no card fits either."""
    ending: PatienceEnding | None = None
    if not board.left and not board.held:
        ending = "cleared"
    elif not board.stock and not playable(rules, board):
        ending = "stuck"
    return replace(board, ending=ending) if ending else board
