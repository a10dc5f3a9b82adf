"""Bots for tests: asking one at a hole that is told move by move, and seating them at any table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from dormie_bots import Bot, Choice, find_bot, say_why
from dormie_rules.course_state import CoursePublic, CourseState, CourseView
from dormie_rules.drawers import View, look
from dormie_rules.game import act
from dormie_rules.grid_moves import GridMove, write_move
from dormie_rules.grid_state import GridView
from tests.rules.playing import Hole, Table


def course_view(view: GridView) -> CourseView:
    """The view of a hole as part of a match that has only begun."""
    seats = len(view.public.grids)
    public = CoursePublic(
        hole=1, dealer=None, first=0, totals=(0,) * seats, out=(None,) * seats, play=view.public
    )
    return View(view.seat, public, view.pocket)


def ask(level: str, hole: Hole, luck: bytes = b"luck") -> Choice:
    """What a bot would do for the seat whose turn it is."""
    view = hole.view()
    return find_bot(level, hole.game.rules)(course_view(view), hole.game.moves(view), luck)


def told(level: str, hole: Hole, luck: bytes = b"luck") -> tuple[str, str]:
    """The same as people would tell it: the move, and why."""
    choice = ask(level, hole, luck)
    return write_move(choice.move), say_why(choice.why)


@dataclass(frozen=True)
class Asked:
    """A bot was asked: what it could see, what it could do, and what it did."""

    level: str
    bot: Bot
    view: CourseView
    moves: tuple[GridMove, ...]
    luck: bytes
    choice: Choice
    before: CourseState
    after: CourseState


def watch(
    table: Table, levels: Sequence[str], luck: Random, most: int = 150, leaving: float = 0.005
) -> Iterator[Asked]:
    """Bots of these *levels* play a match, or its first *most* moves; now and then one leaves."""
    course, state = table.course, table.course.start()
    for _ in range(most):
        if state.public.places:
            return
        if course.wants_deal(state):
            state = course.deal(state, table.deal(luck.randbytes(8))).state
            continue
        if luck.random() < leaving:
            state = course.withdraw(state, luck.randrange(table.seats)).state
            continue
        seat = luck.choice(course.waiting_for(state))
        level = levels[seat % len(levels)]
        bot, view, stream = find_bot(level, table.rules), look(state, seat), luck.randbytes(8)
        moves = course.moves(view)
        choice = bot(view, moves, stream)
        after = act(course, state, seat, choice.move).state
        yield Asked(level, bot, view, moves, stream, choice, state, after)
        state = after
