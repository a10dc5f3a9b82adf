"""One hole of Golf Patience for somebody who plays alone: the game that the patience modules make up (A11)."""

from dataclasses import dataclass

from dormie_rules.cards import Card
from dormie_rules.drawers import State
from dormie_rules.game import AnyEvent, Deal, Step, tell
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import (
    board_after,
    board_moves,
    board_of,
    board_why_not,
    turned_up,
)
from dormie_rules.patience_events import HoleEnded, LaidOut, Played, TurnedUp
from dormie_rules.patience_moves import GiveUp, PatienceMove, Play
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import (
    Board,
    PatiencePocket,
    PatiencePublic,
    PatienceSecret,
    PatienceState,
    PatienceView,
)
from dormie_rules.values import replace

SEAT = 0
"""The only one."""


@dataclass(frozen=True, slots=True)
class GolfPatience:
    """Golf Patience under *rules*: a ``Game`` with one seat."""

    rules: PatienceRules

    def pack(self) -> tuple[Card, ...]:
        """The unshuffled pack."""
        return self.rules.pack

    def deal(self, deal: Deal) -> Step[PatienceState]:
        """Deal a hole; the top of the pack is its last card.

        Where nothing fits and nothing can be drawn it is over as soon as it is dealt, and that is told too.

        >>> from dormie_rules.cards import pack
        >>> golf = GolfPatience(PatienceRules())
        >>> state = golf.deal(Deal(pack(), b"")).state
        >>> state.public.board.foundation, golf.waiting_for(state), golf.scores(state)
        ('4H', (0,), None)
        """
        position = lay_out(self.rules, deal.pack)
        board = board_of(self.rules, position)
        down = tuple((at, position.columns[at][0]) for at in board.down)
        secret = PatienceSecret(position.stock, down=down)
        state = State(PatiencePublic(board), (PatiencePocket(),), secret)
        return Step(state, (tell(LaidOut(position.foundation, board.stock)), *_ended(SEAT, board)))

    def moves(self, view: PatienceView) -> tuple[PatienceMove, ...]:
        """The moves the viewer may make now."""
        return board_moves(self.rules, view.public.board) if view.seat == SEAT else ()

    def why_not(self, view: PatienceView, move: PatienceMove) -> str | None:
        """Why the viewer may not make *move* now, or None."""
        if view.seat != SEAT:
            return "not_playing"
        return board_why_not(self.rules, view.public.board, move)

    def default(self, view: PatienceView) -> PatienceMove:
        """What a sleeper does when the time is up: the hole is scored as it stands."""
        del view
        return GiveUp()

    def play(self, state: PatienceState, seat: int, move: PatienceMove) -> Step[PatienceState]:
        """The step that a legal *move* makes."""
        before, secret = state.public.board, state.secret
        down = {at: (card,) for at, card in secret.down}
        dealt = [down.get(at, ()) for at in range(len(before.columns))] if down else ()
        board = board_after(self.rules, before, move, next(iter(secret.stock), None), dealt)
        if board.down != before.down:
            secret = replace(secret, down=tuple(its for its in secret.down if its[0] in board.down))
        if board.pile > before.pile and before.foundation is not None:
            secret = replace(secret, under=(*secret.under, before.foundation))
        if board.stock < before.stock:
            secret = replace(secret, stock=secret.stock[1:])
        state = replace(state, public=PatiencePublic(board), secret=secret)
        return Step(state, _told(seat, move, before, board))

    def waiting_for(self, state: PatienceState) -> tuple[int, ...]:
        """The seat, until the hole is over."""
        return () if state.public.board.ending else (SEAT,)

    def scores(self, state: PatienceState) -> tuple[int | None, ...] | None:
        """The score of the hole once it is over, else None."""
        board = state.public.board
        return (board.score,) if board.ending else None


def position_of(state: PatienceState) -> Position:
    """The hole with its stock, as a solver wants it; for the server and for study, never for a player."""
    board, down = state.public.board, dict(state.secret.down)
    columns = tuple((down[at],) if at in down else its for at, its in enumerate(board.columns))
    return Position(columns, board.foundation, state.secret.stock)


def cards_of_hole(state: PatienceState) -> tuple[Card, ...]:
    """Every card of the hole, from every drawer: always exactly the pack, and a card set apart (rule A1)."""
    board, secret = state.public.board, state.secret
    top = () if board.foundation is None else (board.foundation,)
    return (
        *(card for column in board.columns for card in column),
        *(card for _, card in secret.down),
        *top,
        *secret.under,
        *secret.stock,
    )


def _told(seat: int, move: PatienceMove, before: Board, board: Board) -> tuple[AnyEvent, ...]:
    happened: tuple[AnyEvent, ...] = ()
    if isinstance(move, Play) and board.foundation is not None:
        happened = (
            tell(Played(seat, move.column, board.foundation, board.left, turned_up(before, board))),
        )
    if isinstance(move, Draw) and board.foundation is not None:
        happened = (tell(TurnedUp(seat, board.foundation, board.stock)),)
    return (*happened, *_ended(seat, board))


def _ended(seat: int, board: Board) -> tuple[AnyEvent, ...]:
    if board.ending is None:
        return ()
    return (tell(HoleEnded(seat, board.ending, board.score, board.longest_run)),)
