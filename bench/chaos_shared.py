"""Chaos with several servers on one Redis: `python -m bench chaos --servers 2` ends up here.

Besides what happens to a single server, Redis itself dies and stands still, and the wires between it and
each server are reset or swallow everything for a while.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.chaos_kept import holes_in, keep, notes_of
from dormie_server.redis_store import RedisStore
from tests.chaos.house import OPEN_DOORS, Outage
from tests.chaos.houses import SAFE, Houses, open_houses
from tests.chaos.ledger import Ledger
from tests.chaos.plan import Plan
from tests.chaos.reckoning import Reckoning, reckon
from tests.chaos.worker import Workers

DOORS = OPEN_DOORS | {
    "DORMIE_LIMITS__CODE_MISSES_PER_ADDRESS": "100000",
    "DORMIE_LIMITS__CODE_MISSES": "100000",
}
"""No strangers come here, but a hundred tables do, all from one address.

With spectators whose password has changed, people who were sent away and codes that were used up, more go
wrong in a minute than anybody may guess, and then nobody from there without a seat is told of any table.
"""
STALLED = 90.0
FREEZES, REDIS_FREEZE = (6.5, 6.5, 20.0), 4.0
"""A server is frozen past every deadline, and now and then until the others give it up."""
HOLES = (1.0, 3.0, 8.0)
NAMES = {
    "kill": "SIGKILL of a server",
    "stop": "SIGTERM of a server",
    "freeze": "SIGSTOP of a server",
    "redis": "SIGKILL of Redis",
    "still": f"SIGSTOP of Redis for {REDIS_FREEZE} s",
    "wire": "wires to Redis reset",
    "hole": "wires to Redis that swallow everything",
}


@dataclass
class SharedEvening:
    """One evening."""

    asked: argparse.Namespace
    houses: Houses
    workers: Workers
    luck: Random
    done: Counter[str]

    async def play(self) -> Ledger:
        """Do all faults in an order that luck chooses, let the matches end; returns the ledger."""
        await self.workers.start()
        await self._until(lambda: self.workers.all_seated, "everybody has a seat")
        faults = self._faults()
        for number, fault in enumerate(faults, 1):
            goal = self.workers.acknowledged + self.luck.randint(1, 10 * self.asked.tables)
            await self._until(lambda goal=goal: self.workers.acknowledged >= goal, "moves are made")
            say(f"{number}/{len(faults)} {fault}, {self.workers.acknowledged:,} moves")
            await self._do(fault)
            self.done[NAMES.get(fault, fault)] += 1
        await self.workers.tell("finish")
        say("the last matches end")
        await self._until(lambda: self.workers.finished, "the last matches end")
        return await self.workers.ledger()

    def counts(self) -> Counter[str]:
        """Every fault that was done, and how often."""
        names = ("cut", "half")
        done = Counter({name: number for name, number in self.done.items() if name not in names})
        done.update({f"lines {name}": number for name, number in self.workers.broken.items()})
        return done

    def _faults(self) -> list[str]:
        kills = self.asked.kills
        fifth = -(-kills // 5)
        faults = ["kill"] * kills + ["redis"] * fifth + ["stop"] * -(-kills // 10)
        faults += ["freeze"] * (2 * fifth - fifth // 2) + ["still"] * (fifth // 2)
        faults += ["wire"] * fifth + ["hole"] * fifth + ["cut", "half"] * fifth
        self.luck.shuffle(faults)
        return faults

    async def _do(self, fault: str) -> None:
        number = self.luck.randrange(len(self.houses.servers))
        server = self.houses.servers[number]
        doing: dict[str, Coroutine[Any, Any, None]] = {}
        match fault:
            case "kill":
                doing[fault] = server.die()
            case "stop":
                doing[fault] = server.restart()
            case "freeze":
                doing[fault] = server.freeze(FREEZES[self.done[NAMES[fault]] % len(FREEZES)])
            case "redis":
                doing[fault] = self.houses.redis_dies()
            case "still":
                doing[fault] = self.houses.redis_freezes(REDIS_FREEZE)
            case "wire":
                self.houses.cut(number)
            case "hole":
                seconds = HOLES[self.done[NAMES[fault]] % len(HOLES)]
                doing[fault] = self.houses.hole(number, seconds)
            case line:
                doing[fault] = self.workers.tell(line)
        for one in doing.values():
            await one

    async def _until(self, true: Any, what: str) -> None:  # a function that says whether
        last, moved = self.workers.acknowledged, time.monotonic()
        while not true():
            await asyncio.sleep(0.02)
            if self.workers.acknowledged != last:
                last, moved = self.workers.acknowledged, time.monotonic()
            if time.monotonic() - moved > STALLED:
                await self.workers.tell("why")
                await asyncio.sleep(2)
                raise TimeoutError(f"waited {STALLED:.0f} s in vain until {what}")


@dataclass
class Told:
    """What is to be printed at the end."""

    seconds: float
    ledger: Ledger
    result: Reckoning
    outages: Sequence[Outage]
    counts: Counter[str]


async def evening(asked: argparse.Namespace, folder: Path, plans: list[Plan]) -> Told:
    """Play one."""
    settings = SAFE if asked.appendfsync == "always" else (*SAFE[:-1], asked.appendfsync)
    async with open_houses(folder, DOORS, asked.servers, settings) as houses:
        workers = Workers(houses.port, plans, folder, asked.processes)
        chaos = SharedEvening(asked, houses, workers, Random(asked.seed), Counter())
        began = time.monotonic()
        try:
            ledger = await chaos.play()
            seconds = time.monotonic() - began
            records = await houses.records(ledger.matches)
            result = reckon(ledger, records)
        finally:
            await workers.stop()
        result.wrong += houses.faults()
        store = RedisStore(houses.redis.url)
        result.wrong += await holes_in(store, ledger.cards)
        notes = await notes_of(store, result.wrong) if asked.keep else {}
        await store.close()
        if asked.keep and result.wrong:
            keep(asked.keep, ledger, records, result.wrong, notes)
        return Told(seconds, ledger, result, houses.outages, chaos.counts())


def say(what: str) -> None:
    """To whoever waits for the end."""
    print(what, file=sys.stderr, flush=True)
