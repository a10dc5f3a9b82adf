"""Whole matches over real sockets: bots of the house and bots from outside, in every variant."""

import asyncio
import os

import pytest

from dormie_bots import LEVELS, find_bot
from dormie_client import Dormie, Pace, RefusedError, Table
from dormie_rules.replay import verify
from dormie_rules.variants import names
from tests.grid_only import grid_move, grid_rules, grid_view
from tests.serving import fetch, serving, url_of

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
"""The house of these tests lets anybody send as much as they like."""


async def play(table: Table, level: str) -> None:
    """Play like a bot of *level* that nobody at the server knows, until the match is over."""
    bot = find_bot(level, grid_rules(table.about.rules))
    async for _ in table.updates():
        seat = table.view.seats[table.seat] if table.seat is not None else None
        if table.view.phase == "over":
            return
        if seat and not seat.ready and table.view.phase in ("lobby", "between"):
            await table.ready()
        if table.my_turn() and table.view.match is not None:
            moves = [grid_move(move) for move in table.moves]
            await table.play(bot(grid_view(table), moves, os.urandom(32)).move)


async def record_of(port: int, code: str) -> str:
    """The record is kept a moment after the last move."""
    async with asyncio.timeout(10):
        while True:
            try:
                return await fetch(port, f"/record/{code}-1")
            except OSError:
                await asyncio.sleep(0.02)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("variant", names())
async def test_a_whole_match_of_mixed_bots_ends_and_its_record_is_right(
    variant: str, seats: int
) -> None:
    levels = [LEVELS[seat % len(LEVELS)] for seat in range(seats)]
    outside = (seats + 1) // 2
    async with serving() as app:
        sessions = [
            await Dormie.connect(url_of(app), name=f"P{n}", pace=FAST) for n in range(outside)
        ]
        host = await sessions[0].create(variant, size=seats, bots=levels[outside:])
        tables = [host, *[await session.join(host.code) for session in sessions[1:]]]
        async with asyncio.timeout(90), asyncio.TaskGroup() as group:
            for table, level in zip(tables, levels, strict=False):
                group.create_task(play(table, level))
        record = await record_of(app.port, host.code)
        for session in sessions:
            await session.close()

    verdict = verify(record)
    assert verdict.ok, verdict
    assert seats == sum(line.startswith("seat ") for line in record.splitlines())


async def test_two_play_grid_golf_hole_against_hole_until_one_cannot_be_caught() -> None:
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        options = {"match_play": True, "tied_match": "extend"}
        table = await ada.create("six_card", size=2, bots=["random"], options=options)
        async with asyncio.timeout(90):
            await play(table, "medium")
        match = table.view.match
        record = await record_of(app.port, table.code)

        assert match is not None
        (pair,) = match.matches
        assert pair.standing.ending in ("up", "extra", "strokes", "last_hole", "lot")
        assert (1, 2) == tuple(sorted(match.places))
        assert verify(record).ok, verify(record)
        with pytest.raises(RefusedError) as refused:
            await ada.create("six_card", size=3, options={**options, "limit": 50})
        assert ("bad_option", "limit") == (refused.value.word, refused.value.field)
