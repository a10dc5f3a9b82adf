"""What a seat may do in a race, judged by what it sees (rules A11, A13)."""

from dormie_rules.patience_board import PATIENCE_WORDS, board_moves, board_why_not
from dormie_rules.patience_moves import Concede, RaceMove, TakeBack
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import Board
from dormie_rules.race_state import RacePocket, RaceView

RACE_WORDS = (*PATIENCE_WORDS, "undo_off", "nothing_to_undo", "undo_reveals", "no_match")
"""Every word with which these rules say no."""


def race_moves(rules: PatienceRules, view: RaceView) -> tuple[RaceMove, ...]:
    """The moves the viewer may make now: those of its board, taking back, conceding the match."""
    board, play = _board(view), view.public.play
    if board is None or play is None:
        return ()
    on_board = board_moves(rules, board) if play.stage == "play" else ()
    others: tuple[RaceMove, ...] = (TakeBack(), Concede())
    return (
        *on_board,
        *(move for move in others if race_why_not(rules, view, move) is None),
    )


def race_why_not(rules: PatienceRules, view: RaceView, move: RaceMove) -> str | None:
    """Why the viewer may not make *move* now, as one of RACE_WORDS, or None if it may."""
    if isinstance(move, Concede):
        return _why_not_concede(view)
    if view.public.play is None or view.public.play.stage == "over":
        return "hole_over"
    board = _board(view)
    if board is None:
        return "not_playing"
    if board.ending is not None:
        return "hole_over"
    if isinstance(move, TakeBack):
        return _why_not_undo(rules, board, len(view.public.totals))
    return board_why_not(rules, board, move)


def undo_policy(rules: PatienceRules, seats: int) -> str:
    """The option ``undo`` as it is for so many seats: whoever plays with others takes nothing back."""
    return rules.undo if seats == 1 else "off"


def _why_not_undo(rules: PatienceRules, board: Board, seats: int) -> str | None:
    policy = undo_policy(rules, seats)
    if policy == "off":
        return "undo_off"
    if board.pile == (0 if rules.empty_start else 1):
        return "nothing_to_undo"
    # The last move was a draw, whose card would be known then.
    return "undo_reveals" if policy == "before_draw" and not board.run else None


def _why_not_concede(view: RaceView) -> str | None:
    """A match may be conceded between two holes too, but nobody gives up one that is decided."""
    public, seat = view.public, view.seat
    if not public.matches:
        return "no_match"
    if seat is None or public.places or not public.hole:
        return "not_playing"
    ours = (pair for pair in public.matches if seat in (pair.one, pair.two))
    return None if any(pair.standing.ending is None for pair in ours) else "no_match"


def _board(view: RaceView) -> Board | None:
    pocket: RacePocket | None = view.pocket
    return None if pocket is None else pocket.board
