"""One hole of a race: everybody plays the same deal at once, each on a board of their own (rule A13)."""

from collections.abc import Iterator, Sequence

from dormie_rules.cards import Card
from dormie_rules.drawers import State
from dormie_rules.game import AnyEvent, Deal, Step, tell
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_after, board_of, turned_up
from dormie_rules.patience_events import HoleEnded, LaidOut, Played, TurnedUp
from dormie_rules.patience_moves import GiveUp, PatienceMove, Play, TakeBack
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import Board, PatienceEnding
from dormie_rules.race_events import HoleTimeUp, RaceFinished, RaceMoved, TookBack
from dormie_rules.race_path import DRAW, next_card, step_letter, walk
from dormie_rules.race_state import (
    NO_BOARD,
    HoleState,
    Progress,
    RacePlay,
    RacePocket,
    RaceSecret,
    Shown,
)
from dormie_rules.tuples import put
from dormie_rules.values import replace

AWAY = Progress("away")


def deal_hole(rules: PatienceRules, playing: Sequence[bool], deal: Deal) -> Step[HoleState]:
    """The hole before its first move; *playing* says of each seat whether it plays it.

    Where nothing fits and nothing can be drawn it is over for everybody as soon as it is dealt.
    """
    position = lay_out(rules, deal.pack)
    board = board_of(rules, position)
    progress = _progress(rules, board)
    pocket = RacePocket(board)
    state = State(
        RacePlay("play", tuple(progress if on else AWAY for on in playing), deal.attempt),
        tuple(pocket if on else NO_BOARD for on in playing),
        RaceSecret(position, ("",) * len(playing), deal.luck),
    )
    if board.ending is None:
        return Step(state)
    return Step(_over(state), tuple(_finished(seat, board, progress) for seat in _on(playing)))


def _on(playing: Sequence[bool]) -> Iterator[int]:
    return (seat for seat, on in enumerate(playing) if on)


def laid_out(state: HoleState) -> tuple[tuple[int, LaidOut], ...]:
    """What each seat that plays the hole is told of the deal; spectators see it when the hole is over."""
    return tuple(
        (seat, LaidOut(board.foundation, board.stock))
        for seat, pocket in enumerate(state.pockets)
        if (board := pocket.board) is not None
    )


def running(play: RacePlay) -> tuple[int, ...]:
    """The seats that have not finished; none when the hole is over, however it came to that."""
    if play.stage == "over":
        return ()
    return tuple(seat for seat, its in enumerate(play.progress) if its.state == "playing")


def move_in_hole(
    rules: PatienceRules, state: HoleState, seat: int, move: PatienceMove | TakeBack
) -> Step[HoleState]:
    """The step that a legal *move* makes. It touches the seat's own board, and its line of progress."""
    pocket, secret = state.pockets[seat], state.secret
    before = pocket.board
    assert before is not None, "whoever moves has a board"
    if isinstance(move, TakeBack):
        return _take_back(rules, state, seat)
    deal = secret.deal
    board = board_after(rules, before, move, next_card(deal, before), deal.columns)
    paths = put(secret.paths, seat, secret.paths[seat] + step_letter(move))
    told = _own(seat, move, before, board)
    return _with(rules, state, seat, replace(pocket, board=board), paths, told)


def time_is_up(rules: PatienceRules, state: HoleState) -> Step[HoleState]:
    """The end of the hole's time: every board that is still played ends as it lies."""
    late = running(state.public)
    events: tuple[AnyEvent, ...] = (tell(HoleTimeUp(late)),)
    for seat in late:
        step = _stop(rules, state, seat, "time_up")
        state, events = step.state, (*events, *step.events)
    return Step(state, events)


def leave_hole(state: HoleState, seat: int) -> Step[HoleState]:
    """*seat* leaves the hole, whether or not it has finished it."""
    pocket = state.pockets[seat]
    if pocket.board is None:
        return Step(state)
    pocket = replace(pocket, board=replace(pocket.board, ending="left"))
    play = replace(state.public, progress=put(state.public.progress, seat, AWAY))
    state = State(play, put(state.pockets, seat, pocket), state.secret)
    return Step(_over_if_done(state))


def end_void(state: HoleState) -> HoleState:
    """The hole ended without a result."""
    return _over(replace(state, public=replace(state.public, void=True)))


def position_of(deal: Position, board: Board) -> Position:
    """A *board* of the hole that began with *deal*, as a solver wants it: with its stock, and nothing face-down.

    For the server and for study, never for a rival.
    """
    columns = tuple(
        deal.columns[at] if at in board.down else its for at, its in enumerate(board.columns)
    )
    return Position(columns, board.foundation, deal.stock[len(deal.stock) - board.stock :])


def _take_back(rules: PatienceRules, state: HoleState, seat: int) -> Step[HoleState]:
    pocket, secret = state.pockets[seat], state.secret
    before, path = pocket.board, secret.paths[seat]
    assert before is not None, "whoever moves has a board"
    assert before.foundation is not None, "there is a card to take back"
    board = walk(rules, secret.deal, path[:-1])
    peeked = path[-1] == DRAW
    column = None if peeked else _where(before, board)
    pocket = RacePocket(board, pocket.undone + 1, pocket.peeked + peeked)
    told = (TookBack(seat, before.foundation, column, board.stock),)
    return _with(rules, state, seat, pocket, put(secret.paths, seat, path[:-1]), told)


def _where(before: Board, after: Board) -> int:
    """The column that a card went back to."""
    pairs = zip(before.columns, after.columns, strict=True)
    return next(at for at, (less, more) in enumerate(pairs) if len(less) < len(more))


def _stop(
    rules: PatienceRules, state: HoleState, seat: int, ending: PatienceEnding
) -> Step[HoleState]:
    pocket = state.pockets[seat]
    assert pocket.board is not None, "the seat plays this hole"
    pocket = replace(pocket, board=replace(pocket.board, ending=ending))
    return _with(rules, state, seat, pocket, state.secret.paths, ())


def _with(  # noqa: PLR0913 - a seat, and what is new of it
    rules: PatienceRules,
    state: HoleState,
    seat: int,
    pocket: RacePocket,
    paths: tuple[str, ...],
    told: tuple[object, ...],
) -> Step[HoleState]:
    """The hole with something new at one seat, and what everybody and the seat hear of it."""
    board, play = pocket.board, state.public
    assert board is not None, "the seat plays this hole"
    progress = _progress(rules, board)
    if progress != play.progress[seat]:
        play = replace(play, progress=put(play.progress, seat, progress))
    events = tuple(tell(RaceMoved(seat, progress.left), (seat, part)) for part in told)
    if board.ending is not None:
        events = (*events, _finished(seat, board, progress))
    pockets = put(state.pockets, seat, pocket)
    state = State(play, pockets, replace(state.secret, paths=paths))
    return Step(_over_if_done(state), events)


def _finished(seat: int, board: Board, progress: Progress) -> AnyEvent:
    assert board.ending is not None, "it has ended"
    ended = HoleEnded(seat, board.ending, board.score, board.longest_run)
    return tell(RaceFinished(seat, progress.left), (seat, ended))


def _progress(rules: PatienceRules, board: Board) -> Progress:
    left = board.left if rules.opponent_view == "cards_left" else None
    return Progress("finished" if board.ending else "playing", left)


def _own(seat: int, move: PatienceMove, before: Board, board: Board) -> tuple[object, ...]:
    """What the seat itself hears of its move."""
    card: Card | None = board.foundation
    if isinstance(move, GiveUp) or card is None:
        return ()
    if isinstance(move, Play):
        return (Played(seat, move.column, card, board.left, turned_up(before, board)),)
    assert isinstance(move, Draw), "there is no other move"
    return (TurnedUp(seat, card, board.stock),)


def _over_if_done(state: HoleState) -> HoleState:
    return state if running(state.public) else _over(state)


def _over(state: HoleState) -> HoleState:
    """The hole is over for everybody: now all of it is shown."""
    shown = Shown(
        state.secret.deal,
        tuple(pocket.board for pocket in state.pockets),
        state.secret.paths,
        tuple(pocket.peeked for pocket in state.pockets),
    )
    play = replace(state.public, stage="over", shown=shown)
    return replace(state, public=play)
