"""The bots of the house: they see what their seat sees, and nothing else."""

import structlog

from dormie_bots import find_bot
from dormie_rules.drawers import look
from dormie_server.luck_source import LuckSource
from dormie_server.table.clock import level_of, waiting_bot
from dormie_server.table.commands import BotMove
from dormie_server.table.state import Table, course_of, match_of

log = structlog.get_logger(__name__)


def bot_move(table: Table, luck: LuckSource) -> BotMove | None:
    """The move of the bot that *table* waits for, or None when it waits for none.

    It may be one that sits in for a person; it is told no more than that seat may know.

    A bot that fails makes the default move: nobody waits for a program's mistake.
    """
    seat = waiting_bot(table)
    who = table.public.seats[seat] if seat is not None else None
    if seat is None or who is None or (level := level_of(table, seat)) is None:
        return None
    course = course_of(table)
    view = look(match_of(table), seat)
    moves = course.moves(view)
    try:
        move = find_bot(level, table.about.rules)(view, moves, luck.draw()).move
    except Exception:
        log.exception("bot_failed", level=level)
        move = course.default(view)
    return BotMove(seat, who.count + 1, move if move in moves else course.default(view))
