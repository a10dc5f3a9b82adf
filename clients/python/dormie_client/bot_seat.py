"""A bot in its seat: ready whenever it is asked to be, and playing on the newest view alone."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from dormie_bots import (
    PATIENCE_LEVELS,
    Choice,
    find_bot,
    find_patience_bot,
    say_reason,
    say_why,
    think_seconds,
)
from dormie_client.errors import TRY_AGAIN, ClosedError, RefusedError
from dormie_client.table import Table
from dormie_rules.drawers import View
from dormie_rules.grid_moves import write_move
from dormie_rules.grid_rules import GridRules
from dormie_rules.patience_board import board_moves
from dormie_rules.patience_moves import write_patience_move
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_sight import Sight

PAUSE = 1.0
"""Before something is asked again that the house could not do just then."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How a bot behaves, besides how well it plays."""

    explain: Callable[[str], None] | None = None
    """Where it says why it moves as it does."""
    thinks: bool = True
    """Whether it takes as long as people can follow."""
    luck: Callable[[], bytes] = lambda: os.urandom(16)
    """The bot's own stream."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def play_at(
    table: Table,
    level: str,
    manners: Manners,
    server_time: Callable[[], float] = time.time,
) -> None:
    """Play the seat one has at *table* until the table is closed or the seat is somebody else's."""
    async for seen in table.updates():
        if table.replaced or table.seat is None:
            return
        if seen.version < table.version:
            continue  # something newer comes right behind it
        try:
            await _do_ones_part(table, level, manners, server_time)
        except RefusedError as refused:
            if manners.explain and refused.word != "stale":
                manners.explain(f"The house says no: {refused}")
        except ClosedError:
            return


async def _do_ones_part(
    table: Table, level: str, manners: Manners, server_time: Callable[[], float]
) -> None:
    """Do what the table waits for, if it waits for us; try again what the house cannot do just now."""
    while True:
        try:
            if table.view.phase == "playing":
                await _move(table, level, manners, server_time)
            elif table.awaits_ready():
                await table.ready()
            elif _others_want_more(table):
                await table.rematch()
        except RefusedError as refused:
            if refused.word not in TRY_AGAIN:
                raise
            await manners.sleep(PAUSE)
        else:
            return


def _others_want_more(table: Table) -> bool:
    """Whether a person has asked for a rematch that is not agreed to yet."""
    seats = table.view.seats
    mine = seats[table.seat] if table.seat is not None else None
    if table.view.phase != "over" or mine is None or mine.ready:
        return False
    return any(seat and seat.ready and seat.bot is None for seat in seats)


async def _move(
    table: Table, level: str, manners: Manners, server_time: Callable[[], float]
) -> None:
    """Make one move, if it is our turn: chosen on the newest view there is after a pause."""
    if manners.thinks and table.my_turn():
        left = None
        if table.view.deadline is not None:
            left = table.view.deadline - server_time()
        await manners.sleep(think_seconds(manners.luck(), len(table.moves), left))
    if not table.my_turn() or table.view.match is None:
        return
    rules, look, moves = table.about.rules, table.look(), table.moves
    if not isinstance(rules, GridRules):
        await _move_on_a_board(table, level, manners, rules)
        return
    bot: Any = find_bot(level, rules)  # what a bot of grid Golf is shown is grid Golf
    view: Any = View(table.seat, table.view.match, table.pocket)
    # A strong bot thinks for a while, and the line must be kept alive meanwhile.
    choice = await asyncio.to_thread(bot, view, moves, manners.luck())
    await table.play(choice.move, on=look)
    if manners.explain:
        manners.explain(_explained(table, choice))


async def _move_on_a_board(
    table: Table, level: str, manners: Manners, rules: PatienceRules
) -> None:
    """The same in Golf Patience; a bot outside knows the board, and does not count cards."""
    look, board = table.look(), table.board
    assert board is not None, "whoever may move has a board"
    bot = find_patience_bot(level if level in PATIENCE_LEVELS else PATIENCE_LEVELS[0], rules)
    offered = board_moves(rules, board)
    choice = await asyncio.to_thread(bot, Sight(board), offered, manners.luck())
    await table.play(choice.move, on=look)
    if manners.explain:
        manners.explain(f"{write_patience_move(choice.move)}. {say_reason(choice.why)}")


def _explained(table: Table, choice: Choice) -> str:
    mine = table.view.seats[table.seat] if table.seat is not None else None
    name = mine.name if mine else "The bot"
    return f"{name}: {write_move(choice.move)}. {say_why(choice.why)}"
