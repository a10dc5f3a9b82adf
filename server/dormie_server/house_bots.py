"""The bots of the house: they see what their seat sees, and nothing else."""

from collections.abc import Sequence
from typing import Any

import structlog

from dormie_bots import find_bot, find_patience_bot
from dormie_protocol.games import Move
from dormie_rules.drawers import look
from dormie_rules.grid_rules import GridRules
from dormie_rules.patience_board import board_moves
from dormie_rules.patience_moves import PatienceMove
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_sight import Sight, sight_in
from dormie_rules.race_state import RacePocket, RaceSecret
from dormie_server.luck_source import LuckSource
from dormie_server.table.clock import level_of, waiting_bot
from dormie_server.table.commands import BotMove
from dormie_server.table.state import Table, course_of, match_of
from dormie_server.worker import Worker

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
    view: Any = look(match_of(table), seat)  # the drawers of either game
    moves = course.moves(view)
    move: Move | None = None
    try:
        if isinstance(rules := table.about.rules, GridRules):
            move = find_bot(level, rules)(view, moves, luck.draw()).move
        else:
            sight = _sight(table, seat)
            move = choose(level, rules, sight, board_moves(rules, sight.board), luck.draw())
    except Exception:
        log.exception("bot_failed", table=table.about.table, level=level)
    if move is None or move not in moves:
        move = course.default(view)
    return BotMove(seat, who.count + 1, move)


async def patience_move(table: Table, luck: LuckSource, worker: Worker) -> BotMove | None:
    """The same at a table of Golf Patience, where a strong bot thinks in a process beside the server."""
    seat = waiting_bot(table)
    level = level_of(table, seat) if seat is not None else None
    if seat is None or level is None or level in _QUICK:
        return bot_move(table, luck)
    who, rules = table.public.seats[seat], table.about.rules
    assert who is not None, "whoever is waited for sits there"
    assert isinstance(rules, PatienceRules), "asked only where Golf Patience is played"
    sight = _sight(table, seat)
    moves = board_moves(rules, sight.board)
    try:
        move: Move = await worker.run(
            choose, level, rules, sight, moves, luck.draw(), within=_WITHIN
        )
    except Exception:
        log.exception("bot_failed", table=table.about.table, level=level)
        move = moves[0]
    return BotMove(seat, who.count + 1, move if move in moves else moves[0])


def choose(
    level: str, rules: PatienceRules, sight: Sight, moves: Sequence[PatienceMove], luck: bytes
) -> PatienceMove:
    """What a bot of Golf Patience does; a plain function, so that another process can be asked."""
    return find_patience_bot(level, rules)(sight, moves, luck).move


_QUICK = ("easy",)
"""Levels that think for less time than it takes to ask elsewhere."""
_WITHIN = 15.0
"""Seconds after which a bot that does not answer makes the default move."""


def _sight(table: Table, seat: int) -> Sight:
    """What somebody in *seat* may know: the board, and the cards that have lain open on it."""
    pocket, hole = table.state.pockets[seat], table.secret.hole
    assert isinstance(hole, RaceSecret), "a hole of Golf Patience is played"
    assert isinstance(pocket, RacePocket), "and so are its pockets"
    assert pocket.board is not None, "whoever is waited for has a board"
    return sight_in(hole.deal, pocket.board)
