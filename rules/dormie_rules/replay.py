"""Playing a recorded match again, to see whether every line of its record is what it must be.

The deals follow from the links and from what every seat added to luck, the scores from the deals
and the moves; so most lines can be right in one way only: they are written again and compared.
"""

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from dormie_rules.drawers import look
from dormie_rules.game import Deal, IllegalMove, Step, act
from dormie_rules.grid_undo import Before
from dormie_rules.luck import earlier, hole_luck, hole_seed
from dormie_rules.patience_deals import MOST_ATTEMPTS
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_solution import Verdict as Clearable
from dormie_rules.race_record import time_line
from dormie_rules.record import (
    END,
    hole_line,
    leave_line,
    link_line,
    pack_line,
    places_line,
    undo_line,
)
from dormie_rules.record_difference import difference
from dormie_rules.record_reader import BadLine, Line, Record, read, read_attempt, read_link
from dormie_rules.recorded import AnyState

RIGHT = "every deal, move and score is right"
NO_HOLE = "no hole is being played"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a record is right; if not, its first wrong *line* and why.

    The line is None when no single one is to blame. *holes* and *moves* are those that were played
    again.
    """

    ok: bool
    line: int | None
    because: str
    holes: int
    moves: int


@dataclass(frozen=True, slots=True)
class _At:
    """How far the match was played again."""

    state: AnyState
    chain: tuple[bytes, ...]
    """The promise of the match's hash chain, and every link that was shown since."""
    moves: int = 0
    past: tuple[Before, ...] = ()
    """What can be taken back."""
    luck: tuple[str, ...] = ()
    """The lines that tell the luck of this hole when it is over."""
    due: tuple[str, ...] = ()
    """The lines that must come now, one after the other."""


def verify(text: str) -> Verdict:
    """Play the match of a record again and compare every deal, move, score and place.

    >>> verify("dormie-record 2")
    Verdict(ok=False, line=1, because='only format 1 of records can be read', holes=0, moves=0)
    """
    try:
        record = read(text)
    except BadLine as bad:
        return Verdict(ok=False, line=bad.line, because=bad.because, holes=0, moves=0)
    at = _At(record.course.start(record.head.dealer), (record.commitment,))
    try:
        for here in range(len(record.lines)):
            at = _follow(record, at, here)
        _check_end(record, at)
    except BadLine as bad:
        return _verdict(at, bad)
    return _verdict(at, None)


def _verdict(at: _At, bad: BadLine | None) -> Verdict:
    holes, moves = at.state.public.hole, at.moves
    if bad is None:
        return Verdict(ok=True, line=None, because=RIGHT, holes=holes, moves=moves)
    return Verdict(ok=False, line=bad.line, because=bad.because, holes=holes, moves=moves)


def _check_end(record: Record, at: _At) -> None:
    if at.due or not at.state.public.places:
        last = record.lines[-1].number if record.lines else None
        raise BadLine(last, "the record breaks off before the match is over")


def _follow(record: Record, at: _At, here: int) -> _At:
    """Do what the line *here* says, if it may stand there."""
    line = record.lines[here]
    if at.due:
        _compare(line, at.due[0])
        return replace(at, due=at.due[1:])
    if at.state.public.places:
        raise BadLine(line.number, f'nothing comes after "{END}"')
    match line.word:
        case "move" | "auto":
            return _move(record, at, line)
        case "leave":
            return _leave(record, at, line)
        case "time" if record.game.time_is_up is not None:
            return _time_is_up(record, at, line)
        case "undo" if record.game.after_move is not None:
            return _undo(record, at, line)
        case "hole":
            return _deal(record, at, here)
        case _:
            between = record.course.wants_deal(at.state)
            here_is = '"move", "auto"' if record.game.time_is_up is None else '"move", "time"'
            words = '"hole" or "leave"' if between else f'{here_is} or "leave"'
            raise BadLine(line.number, f"a line with {words} is needed here")


def _move(record: Record, at: _At, line: Line) -> _At:
    course, auto = record.course, line.word == "auto"
    seat, move = _read_move(record, line)
    between = course.wants_deal(at.state)
    try:
        step = act(course, at.state, seat, move)
    except IllegalMove as no:
        because = f"the rules say no: {no.word.replace('_', ' ')}"
        raise BadLine(line.number, NO_HOLE if between else because) from None
    if auto and seat not in course.waiting_for(at.state):  # nobody's clock concedes a match
        because = f"nobody waits for seat {seat + 1} here"
        raise BadLine(line.number, NO_HOLE if between else because)
    if auto and move != (usual := course.default(look(at.state, seat))):
        raise BadLine(line.number, f'when time is up the move is "{record.game.write_move(usual)}"')
    past: tuple[Before, ...] = ()
    if record.game.after_move is not None and not auto:
        past = record.game.after_move(at.past, at.state, seat, move, step.state)
    return _after(record, replace(at, moves=at.moves + 1, past=past), step)


def _read_move(record: Record, line: Line) -> tuple[int, Any]:  # a move of the match's game
    word, _, text = line.text.partition(" ")
    number, _, said = text.partition(" ")
    seat = _seat(line, number, record.course.seats)
    try:
        move = record.game.read_move(said)
    except ValueError as error:
        raise BadLine(line.number, str(error)) from None
    _compare(line, f"{word} {seat + 1} {record.game.write_move(move)}")
    return seat, move


def _time_is_up(record: Record, at: _At, line: Line) -> _At:
    assert record.game.time_is_up is not None, "asked only of a game whose holes have a time"
    if record.course.wants_deal(at.state):
        raise BadLine(line.number, NO_HOLE)
    _compare(line, time_line(at.state.public.hole))
    return _after(record, at, record.game.time_is_up(at.state))


def _seat(line: Line, number: str, seats: int) -> int:
    if number not in map(str, range(1, seats + 1)):
        raise BadLine(line.number, f"the seats are numbered from 1 to {seats}")
    return int(number) - 1


def _leave(record: Record, at: _At, line: Line) -> _At:
    seat = _seat(line, line.values(1)[0], record.course.seats)
    _compare(line, leave_line(seat))
    if seat in at.state.public.withdrawn:
        raise BadLine(line.number, f"seat {seat + 1} had left the match already")
    return _after(record, replace(at, past=()), record.course.withdraw(at.state, seat))


def _undo(record: Record, at: _At, line: Line) -> _At:
    """Only the last move is taken back, and only if it has shown no card."""
    seat = _seat(line, line.values(1)[0], record.course.seats)
    _compare(line, undo_line(seat))
    if not at.past or at.past[-1].seat != seat:
        raise BadLine(line.number, f"there is no move that seat {seat + 1} could take back here")
    return replace(at, state=at.past[-1].state, past=at.past[:-1])


def _after(record: Record, at: _At, step: Step[Any], *, dealt: bool = False) -> _At:
    """Where the match is after a step, and the lines that must follow if it ended something.

    A hole that was *dealt* just now may be over at once.
    """
    was_on, public = dealt or not record.course.wants_deal(at.state), step.state.public
    is_on = not public.places and not record.course.wants_deal(step.state)
    due: tuple[str, ...] = ()
    if was_on and not is_on:
        due = (*at.luck, *record.game.results(public))
    if public.places:
        due = (*due, places_line(public.places), record.seal, END)
    return replace(at, state=step.state, due=due)


def _deal(record: Record, at: _At, here: int) -> _At:
    line, course, hole = record.lines[here], record.course, at.state.public.hole + 1
    assert course.wants_deal(at.state), (
        "no hole begins before the link of the one before it was due"
    )
    _compare(line, hole_line(hole))
    shown = _ahead(record, here, "link")
    if shown is None:
        raise BadLine(line.number, "this hole has no link, so nobody can check its deal")
    link = read_link(shown, hole)
    chain = _next(at.chain, link, shown)
    seed = hole_seed(link, record.contributions, hole)
    attempt = _attempt(record, here, hole, seed)
    pack = record.game.pack(at.state, seed, attempt)
    luck = (link_line(hole, link), pack_line(hole, pack))
    told = _ahead(record, here, "pack")
    if told is not None:  # a wrong pack explains what is wrong before it
        _compare(told, luck[1])
    step = course.deal(at.state, Deal(pack, hole_luck(seed), attempt))
    return _after(record, replace(at, chain=chain, luck=luck, past=()), step, dealt=True)


def _attempt(record: Record, here: int, hole: int, seed: bytes) -> int:
    """Which attempt at a deal the hole is: those before it must be such that its policy turns them down."""
    why_not = record.game.why_not_dealt
    if why_not is None:
        return 0
    told = _ahead(record, here, "attempt")
    if told is None:
        raise BadLine(
            record.lines[here].number, "this hole does not say which attempt at a deal it is"
        )
    attempt = read_attempt(told, hole, MOST_ATTEMPTS)
    if wrong := why_not(seed, attempt, _clearable):
        raise BadLine(told.number, wrong)
    return attempt


def _clearable(rules: PatienceRules, position: Position) -> Clearable:
    from dormie_rules.solver import solve  # noqa: PLC0415 - numpy is loaded when it is needed

    return solve(rules, position).verdict


def _ahead(record: Record, here: int, word: str) -> Line | None:
    """The first line with *word* in the hole that begins *here*."""
    rest = (record.lines[at] for at in range(here + 1, len(record.lines)))
    in_hole = takewhile(lambda line: line.word != "hole", rest)
    return next((line for line in in_hole if line.word == word), None)


def _next(chain: tuple[bytes, ...], link: bytes, line: Line) -> tuple[bytes, ...]:
    if link in chain:
        raise BadLine(line.number, "this link was shown before, so the deal could be foreseen")
    if earlier(link, 1) != chain[-1]:
        raise BadLine(line.number, "this link does not hash to the one before it")
    return (*chain, link)


def _compare(line: Line, right: str) -> None:
    if line.text != right:
        raise BadLine(line.number, difference(right, line.text))
