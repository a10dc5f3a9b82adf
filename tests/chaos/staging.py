"""How a small test of chaos goes: a house opens, a crowd plays, things happen, all is reckoned up."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from tests.chaos.crowd import FAST, Crowd
from tests.chaos.house import OPEN_DOORS, House
from tests.chaos.houses import Houses
from tests.chaos.plan import Plan
from tests.chaos.reckoning import Reckoning, reckon
from tests.waiting import Result, awaited

PATIENCE = 150.0
"""So many seconds nobody waits in vain, even on a machine that has much else to do."""
HASTE = replace(FAST, luck=lambda: random.random() / 8)
"""Whoever comes back in a test waits little; the benches measure how long people really do."""


@asynccontextmanager
async def open_house(
    folder: Path, *flags: str, environment: Mapping[str, str] | None = None
) -> AsyncIterator[House]:
    """A server in a process of its own; it is gone in the end, whatever happens."""
    house = House(folder / "dormie.db", OPEN_DOORS | dict(environment or {}), *flags)
    await house.open()
    try:
        yield house
    finally:
        await house.kill()


@asynccontextmanager
async def playing(
    house: House | Houses, *plans: Plan, rough_url: str = ""
) -> AsyncIterator["Evening"]:
    """People at their tables."""
    crowd = Crowd(house.url, rough_url, list(plans), HASTE)
    evening = Evening(house, crowd, asyncio.create_task(crowd.play()))
    try:
        await evening.wait(crowd.all_seated(), "everybody has a seat")
        yield evening
    finally:
        evening.task.cancel()
        going = asyncio.gather(evening.task, return_exceptions=True)
        await evening.wait(going, "everybody has gone home")


class Evening:
    """A crowd that plays in this process."""

    def __init__(self, house: House | Houses, crowd: Crowd, task: asyncio.Task[None]) -> None:
        self.house = house
        self.crowd = crowd
        self.ledger = crowd.ledger
        self.task = task

    async def moves(self, more: int) -> None:
        """Wait until so many more moves were acknowledged."""
        goal = self.ledger.acknowledged + more
        await self.until(lambda: self.ledger.acknowledged >= goal, f"{more} more moves are made")

    async def all_back(self, times: int) -> None:
        """Wait until everybody has come back so often."""
        people = sum(len(one.people) + len(one.stubborn) for one in self.crowd.tables)
        await self.until(lambda: len(self.ledger.absences) >= times * people, "everybody is back")

    async def until(self, true: Callable[[], bool], what: str) -> None:
        """Wait until *true* is, which means *what*; not if everybody has gone home."""

        async def wait() -> None:
            while not true():
                assert not self.task.done(), f"nobody is left: {self.ledger.surprises}"
                await asyncio.sleep(0.002)

        await self.wait(wait(), what)

    async def wait(self, thing: Awaitable[Result], what: str) -> Result:
        """Wait for a thing, and if it does not come, say what everybody else waits for."""
        return await awaited(thing, PATIENCE, lambda: f"{what}\n{self.crowd.waits_for()}")

    async def end(self) -> Reckoning:
        """Let the last matches end, and compare the ledger with the records."""
        self.crowd.finishing.set()
        await self.wait(self.task, "the last matches end")
        records = self.house.records(self.ledger.matches)
        return reckon(self.ledger, await self.wait(records, "the records are kept"))
