"""Rounds of attacks on one house, and after each a look at everything that should be as it was.

While attackers come and go, honest people play on; after a round they play to the end, and what the
record says of it must be right. Between two rounds the house has as many tasks, timers and lines as
before.
"""

import asyncio
import gc
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from time import perf_counter, process_time

from dormie_rules.variants import names
from tests.fuzz.attack import Attack
from tests.fuzz.honest import Harm, Person
from tests.fuzz.house import OPEN_HANDED, PHASES, STRICT, House, attacked, step
from tests.fuzz.judge import Judge
from tests.fuzz.line import OpenLoop
from tests.fuzz.outcome import Outcome, Weight
from tests.fuzz.tables import Watched

AT_ONCE = 12
MIXED = 6
STRICTLY = 0.04
"""The part of the frames that goes to a house with the usual limits."""


@dataclass(frozen=True)
class Plan:
    """What a campaign does."""

    seed: str = "1"
    frames: int = 20_000
    only: int | None = None
    """One attack alone, by its number."""
    first: int = 0
    """The number of the first attack: several processes share a seed."""
    every: int = 1
    """And so far apart are the numbers of this one."""
    strict: bool = False
    """Only in a house with the usual limits."""
    between: int = 20_000
    """Frames between two looks at the whole house."""

    @property
    def how(self) -> str:
        """What makes an attack of this campaign happen again, but for its number."""
        return f"--seed {self.seed}{' --strict' if self.strict else ''}"


Told = Callable[[Outcome], None]


def fuzz(plan: Plan, told: Told = lambda _: None) -> Outcome:
    """Do what *plan* says in this process. *told* hears how far it is."""
    outcome = Outcome()
    began, cpu = perf_counter(), process_time()
    with asyncio.Runner(loop_factory=OpenLoop) as runner:
        runner.run(_campaign(plan, outcome, told))
    outcome.seconds, outcome.cpu = perf_counter() - began, process_time() - cpu
    return outcome


async def _campaign(plan: Plan, outcome: Outcome, told: Told) -> None:
    numbers = iter([plan.only]) if plan.only is not None else count(plan.first, plan.every)
    strictly = int(plan.frames * STRICTLY) if plan.only is None else 0
    if strictly or plan.strict:
        async with attacked(plan.seed, STRICT, ("lobby", "turn")) as house:
            strict = replace(plan, strict=True)
            await Siege(house, strict, outcome, numbers, told).run(strictly or plan.frames)
    if not plan.strict:
        async with attacked(plan.seed, OPEN_HANDED, PHASES) as house:
            await Siege(house, plan, outcome, numbers, told).run(plan.frames)


@dataclass
class Siege:
    """The attacks on one house."""

    house: House
    plan: Plan
    outcome: Outcome
    numbers: Iterator[int]
    told: Told

    async def run(self, until_frames: int) -> None:
        """Round after round, until so many frames have been sent in all."""
        house = self.house
        self.judge = Judge(house.scan, self.outcome.findings)
        for table in house.standing:
            await table.freeze(house.app.store)
        rounds = 0
        while True:
            try:
                goal = min(until_frames, self.outcome.frames + self.plan.between)
                await self._round(rounds, goal)
            except Harm as harm:
                self.outcome.harmed.append(f"honest people cannot go on: {harm}")
                return
            rounds += 1
            alone = self.plan.only is not None
            if alone or self.outcome.enough or self.outcome.frames >= until_frames:
                break
        for table in () if self.plan.strict else house.standing:
            await self._finish(table)

    async def _round(self, number: int, until_frames: int) -> None:
        house = self.house
        for n in range(MIXED):
            await house.mix(names()[(number + n) % len(names())])
        house.lobby = await house.seat(names()[number % len(names())], 1, size=4)
        before = await self._quiet()
        await self._attacks(until_frames)
        await self._back_to(before)
        for table in [*house.standing, *house.mixed, house.lobby]:
            self.outcome.harmed += await table.check(house.app.store)
        for table in house.mixed:
            await (self._go(table) if self.plan.strict else self._finish(table))
        await self._go(house.lobby)
        await house.dismiss()
        house.shelve()
        self.outcome.exceptions += house.faults()
        self._weigh()
        self.told(self.outcome)

    async def _attacks(self, until_frames: int) -> None:
        """Attackers come, some at a time, while honest people play on."""

        async def some() -> None:
            while self.outcome.frames < until_frames and not self.outcome.enough:
                number = next(self.numbers, None)
                if number is None:
                    return
                most = until_frames - self.outcome.frames
                plan = self.plan
                await Attack(self.house, self.judge, plan.seed, number, plan.how, most).run()
                self.outcome.attacks += 1
                await self._play_on()

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(some())

    async def _play_on(self) -> None:
        """Now and then somebody honest makes a move."""
        if self.outcome.attacks % (20 if self.plan.strict else 2) == 0:
            table = self.house.mixed[(self.outcome.attacks // 2) % MIXED]
            try:
                await step(table)
            except Harm as harm:
                self.outcome.harmed.append(f"{table.code}: {harm}")

    # what must be as it was

    async def _quiet(self) -> tuple[int, int, int]:
        """Tasks, timers and lines, once nobody is leaving any more."""
        last = (-1, -1, -1)
        while last != (last := self._count()):
            await asyncio.sleep(self.house.app.reception.drop_grace + 0.02)
        return last

    async def _back_to(self, before: tuple[int, int, int]) -> None:
        for _ in range(200):
            if all(now <= then for now, then in zip(self._count(), before, strict=True)):
                return
            await asyncio.sleep(0.01)  # a timeout around this would be one timer more
        tasks = Counter(repr(task.get_coro()).partition(" at ")[0] for task in asyncio.all_tasks())
        timers = Counter(_name(timer) for timer in self.house.loop.timers())
        found = f"{before} became {self._count()}: {dict(tasks)}, {dict(timers)}"
        self.outcome.left_over.append(f"tasks, timers, lines: {found}")

    def _count(self) -> tuple[int, int, int]:
        house = self.house
        timers = (
            len(house.loop.timers()) - house.app.keeper.count()
        )  # every open table has an alarm
        return len(asyncio.all_tasks()), timers, len(house.app.reception.line.alive)

    async def _finish(self, table: Watched) -> None:
        """Play a table to the end, in the attacker's place too, and check the record."""
        table.frozen = None
        try:
            others = await self._in_place_of_the_attacker(table)
            await _play_to_the_end(table, others)
            for one in others:
                one.line.hang_up()
            self.outcome.harmed += [
                *await table.check(self.house.app.store),
                *(table.check_record() if table.lines else ()),
            ]
            self.outcome.records += bool(table.lines)
        except (Harm, TimeoutError) as harm:
            self.outcome.harmed.append(f"{table.code} cannot be played to the end: {harm!r}")
        await self._go(table)

    async def _in_place_of_the_attacker(self, table: Watched) -> tuple[Person, ...]:
        token = self.house.attackers.get(table.code)
        if token is None:
            return ()
        person = await self.house.person(token=token)
        with suppress(Harm):  # the table may be closed, if it was the attacker's own
            await person.do("watch", table=table.code)
        return (person,) if table.code in person.last else ()

    async def _go(self, table: Watched) -> None:
        """Let the honest people close their table and leave."""
        with suppress(Harm):
            await table.honest[0].ask("end", table=table.code)
        for person in table.honest:
            person.line.hang_up()

    def _weigh(self) -> None:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        self.outcome.weights.append(Weight(self.outcome.frames, pages * 4, len(gc.get_objects())))


async def _play_to_the_end(table: Watched, others: tuple[Person, ...]) -> None:
    host, code = table.honest[0], table.code
    async with asyncio.timeout(60):
        while (phase := host.phase(code)) not in ("over", "closed"):
            if phase in ("lobby", "starting"):
                for person in table.honest:
                    await person.ready(code)
                while host.phase(code) in ("lobby", "starting"):
                    await host.hears(code)
            elif not await step(table, others):
                await asyncio.sleep(0.002)


def _name(timer: asyncio.TimerHandle) -> str:
    """What a timer is for, without what differs from one to the next."""
    return re.sub(r"when=[\d.]+ |\('.*?'\)|<Future.*?>\]>", "", repr(timer))
