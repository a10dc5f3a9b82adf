"""A server that is killed in the middle of everything: nothing acknowledged is lost, nothing happens twice."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dormie_client import Dormie, Pace, RefusedError, Table
from dormie_rules.grid_moves import write_move
from dormie_rules.replay import verify
from tests.grid_only import grid_move
from tests.serving import ServerProcess, fetch

TABLES, SEATS, KILLS = 10, 3, 10
ACKS_BETWEEN_KILLS = 120
SETTINGS = {
    "DORMIE_PAUSE_SECONDS": "0.05",
    "DORMIE_LIMITS__SOCKETS_PER_ADDRESS": "1000",
    "DORMIE_LIMITS__MESSAGES_PER_SECOND": "1000",
    "DORMIE_LIMITS__MESSAGES_AT_ONCE": "1000",
}

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
"""The house of these tests lets anybody send as much as they like."""


@dataclass
class Ledger:
    """What players were told is done, kept by the players themselves."""

    moves: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    acknowledged: int = 0
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def add(self, table: Table, count: int, move: str) -> None:
        assert table.seat is not None, "whoever moves has a seat"
        mine = self.moves.setdefault((table.code, table.seat), [])
        assert len(mine) + 1 == count, "every move is acknowledged once, in order"
        mine.append(move)
        async with self.news:
            self.acknowledged += 1
            self.news.notify_all()

    async def wait_for(self, acknowledged: int) -> None:
        async with self.news:
            await self.news.wait_for(lambda: self.acknowledged >= acknowledged)


async def play(table: Table, luck: Random, ledger: Ledger) -> None:
    """Play anything legal until the match is over; the session sees to everything else."""
    async for _ in table.updates():
        seat = table.view.seats[table.seat] if table.seat is not None else None
        if table.view.phase == "over":
            return
        if seat and not seat.ready and table.view.phase in ("lobby", "starting", "between"):
            await table.ready()
        if seat and table.my_turn():
            move = grid_move(luck.choice(table.moves))
            try:
                await table.play(move)
            except RefusedError as no:
                assert no.word in ("stale", "not_your_turn", "hole_over"), no
            else:
                await ledger.add(table, seat.count + 1, write_move(move))


async def one_table(url: str, number: int, ledger: Ledger) -> str:
    """A table of people who never give up; returns its code when the match is over."""
    sessions = [await Dormie.connect(url, name=f"P{seat}", pace=FAST) for seat in range(SEATS)]
    host = await sessions[0].create("six_card", size=SEATS, options={"holes": 4})
    tables = [host, *[await session.join(host.code) for session in sessions[1:]]]
    async with asyncio.TaskGroup() as group:
        for seat, table in enumerate(tables):
            group.create_task(play(table, Random(f"{number}/{seat}"), ledger))
    for session in sessions:
        await session.close()
    return host.code


def moves_in(record: str) -> dict[int, list[str]]:
    """The moves of every seat, as the record has them."""
    moves: dict[int, list[str]] = {}
    for line in record.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("move", "auto"):
            seat, _, move = rest.partition(" ")
            moves.setdefault(int(seat) - 1, []).append(move)
    return moves


async def test_scenario_E1_ten_kills_during_ten_tables_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path / "dormie.db")
    await server.start(SETTINGS)
    ledger = Ledger()
    games = [asyncio.create_task(one_table(server.url, n, ledger)) for n in range(TABLES)]
    luck = Random(1)
    async with asyncio.timeout(180):
        for _ in range(KILLS):
            await ledger.wait_for(ledger.acknowledged + luck.randrange(1, ACKS_BETWEEN_KILLS))
            await server.kill()
            await server.start(SETTINGS)
        codes = await asyncio.gather(*games)
    records = {code: await _record(server.port, code) for code in codes}
    await server.stop()

    for code, record in records.items():
        verdict = verify(record)
        assert verdict.ok, (code, verdict)
        for seat, moves in moves_in(record).items():
            assert ledger.moves[code, seat] == moves
    assert ledger.acknowledged == sum(map(len, ledger.moves.values()))
    assert "Traceback" not in server.log.read_text()


async def _record(port: int, code: str) -> str:
    """The record is kept a moment after the last move."""
    for _ in range(100):
        try:
            return await fetch(port, f"/record/{code}-1")
        except OSError:
            await asyncio.sleep(0.05)
    raise AssertionError("the record of a finished match is kept")
