"""Houses for the hole of the day: desks without sockets on one store, whose clock goes when it is told to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import TypeVar

import pytest

from dormie_protocol import day_messages as d
from dormie_protocol.codec import read_server
from dormie_rules.drawers import look
from dormie_rules.patience_moves import GiveUp
from dormie_rules.race_state import RacePublic
from dormie_server.desk import Desk
from dormie_server.limits import Misses
from dormie_server.luck_source import LuckSource
from dormie_server.openings import Openings
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Store
from dormie_server.table.commands import PlayMove
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, course_of, match_of
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.at_once import AtOnce
from tests.server.backstage import PATIENT, backstage
from tests.server.counter import PLENTY, Counter
from tests.server.moody_store import MoodyStore

NOON = 20_000 * 86_400.0 + 43_200.0
"""The middle of a day, 2024-10-04."""
DATE, NEXT = "2024-10-04", "2024-10-05"
S = TypeVar("S", d.DaySeen, d.DayResultsSeen)


@pytest.fixture
def clock() -> Clock:
    clock = Clock()
    clock.time = NOON
    return clock


@pytest.fixture
async def store(clock: Clock) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(":memory:", clock=clock)
    yield store
    await store.close()


@dataclass
class DayHouse(Counter):
    """A desk, people at it, and what they ask about a day."""

    async def told(self, who: str, message: d.MessageOfTheDay, kind: type[S]) -> S:
        """What is told in answer to a question, before it is done."""
        await self.ask(who, message)
        found = [one for one in self.caller(who).peer.frames if message.id in one.decode()]  # type: ignore[attr-defined]  # an ear keeps them
        told = read_server(found[-1])
        assert isinstance(told, kind), told
        return told

    async def day(self, who: str = "ada", date: str | None = None) -> d.DaySeen:
        return await self.told(who, d.Day(id="day", date=date), d.DaySeen)

    async def results(self, who: str = "ada", **fields: object) -> d.DayResultsSeen:
        message = d.DayResults.model_validate({"id": "results", **fields})
        return await self.told(who, message, d.DayResultsSeen)

    async def begin(self, who: str) -> str:
        """Begin the try of somebody; the code of the table, once the hole is dealt."""
        done = await self.ask(who, d.PlayDay(id="play"))
        assert done.table is not None
        await self.house.until(lambda table: table.secret.hole is not None, done.table)
        await self.house.attach(f"p-{who}", done.table)
        return done.table

    async def move(self, who: str, code: str, luck: Random) -> Table:
        """Make any move. Raises No, also when there is none."""
        table = await self.house.table(code)
        sitter, seen = table.secret.sitters[0], table.public.seats[0]
        assert sitter is not None
        assert seen is not None
        moves = course_of(table).moves(look(match_of(table), 0))
        if not moves:
            raise No("hole_over")
        move = luck.choice([one for one in moves if not isinstance(one, GiveUp)] or moves)
        command = PlayMove(f"p-{who}", sitter.generation, seen.count + 1, move)
        return (await self.house.keeper.do(code, command)).table

    async def play(self, who: str, seed: int = 1) -> int:
        """Play the whole of a try at random; its score, once it is kept."""
        code, luck = await self.begin(who), Random(seed)
        table = await self.house.table(code)
        while table.public.phase == "playing":
            table = await self.move(who, code, luck)
        match = table.public.match
        assert isinstance(match, RacePublic)
        await self.house.until(lambda table: table.secret.owes_record is None, code)
        return match.totals[0]


@asynccontextmanager
async def day_house(
    store: Store | None = None, name: str = "server-1", luck: LuckSource | None = None
) -> AsyncIterator[DayHouse]:
    """One server. A store that is given outlives it; else there is one at noon."""
    clock = Clock()
    clock.time = NOON
    kept = MoodyStore(store or SqliteStore(":memory:", clock=clock))
    async with backstage(kept, name) as house:
        misses = Misses(1000, 1000, 1000)
        openings = Openings(PATIENT, 60.0, 100, 1000)
        desk = Desk(
            kept, house.keeper, house.hub, luck or CountingLuck(name), openings, PLENTY, misses
        )
        desk.worker = desk.days.worker = house.alarms.worker = AtOnce()
        house.alarms.elsewhere = desk.days.ring
        yield DayHouse(house, desk, kept)
        await desk.days.stop()
    if store is None:
        await kept.close()
