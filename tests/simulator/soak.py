"""A long time in one world: evening after evening on the same servers, and nothing may be left of them."""

import asyncio
import gc
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.simulator.plan import Plan, plan_of
from tests.simulator.simulation import World, play
from tests.simulator.trace import Trace
from tests.simulator.weather import Sky

EVENINGS_AN_HOUR = 2
QUIET = 900.0
"""Seconds without anybody, after which a server has forgotten the tables that were closed."""
LONGEST_TURN = 15
"""A lobby is open for as long as a turn may take: with days for it, tables would be left."""
WARM = 2
"""So many evenings come before the first look: what is made once is there then."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is of everything, when nobody is there."""

    tasks: int
    timers: int
    objects: int
    documents: int
    tables: int
    """That the server which never died still knows."""


@dataclass(frozen=True, slots=True)
class Soaked:
    """What came of it."""

    trace: Trace
    hours: float
    evenings: int
    moves: int
    first: Size
    last: Size


class Endless(World):
    """A world with many evenings. Its first server is never killed."""

    def __init__(self, seed: int, hours: float, servers: int, tell: Callable[[str], None]) -> None:
        super().__init__(_plan(seed, servers))
        self.tick = 1.0
        self.trace.kept = 2_000
        self.sizes: list[Size] = []
        self.moves = 0
        self._first_seed = seed
        self._evenings = max(WARM + 1, round(hours * EVENINGS_AN_HOUR))
        self._every = hours * 3600.0 / self._evenings
        self._tell = tell

    async def many_evenings(self) -> None:
        await self.open()
        for number in range(self._evenings):
            began = self.passed()
            self.plan = _plan(self._first_seed + number, self.plan.servers)
            self.weather = Sky(self)
            self.weather.spared = frozenset({0})
            await self.evening()
            await asyncio.sleep(max(QUIET, self._every - (self.passed() - began)))
            await self._forget()
            self.sizes.append(self._size())
            self._tell(f"{self.passed() / 3600:6.1f} h  {self.moves:6d} moves  {self.sizes[-1]}")
        for server in self.servers:
            await server.stop()

    async def _forget(self) -> None:
        """Let the simulation itself forget what is over, so that only the servers' memory counts."""
        for machine in self.dead:
            await self.loop.bury(machine)
        self.dead.clear()
        referee = self.referee
        self.moves += sum(len(c.made) for s in referee.stories.values() for c in s.chapters)
        referee.forget()
        self.parties, self.echoes = [], []
        self.cupboard.forget("player:", "device:", "record:", "report:", "chat:")

    def _size(self) -> Size:
        gc.collect()
        app = self.servers[0].app
        assert app is not None, "the first server is never killed"
        return Size(
            tasks=len(asyncio.all_tasks()),
            timers=self.loop.pending(),
            objects=len(gc.get_objects()),
            documents=len(self.cupboard),
            tables=app.keeper.count(),
        )


def _plan(seed: int, servers: int) -> Plan:
    plan = plan_of(seed)
    known = tuple(
        replace(e, stranger=False, oversleeps=False, turn_seconds=min(e.turn_seconds, LONGEST_TURN))
        for e in plan.evenings
    )
    return replace(plan, servers=servers, sqlite=False, evenings=known)  # whose tables all end


def soak(
    hours: float, *, seed: int = 0, servers: int = 1, tell: Callable[[str], None] = lambda _: None
) -> Soaked:
    """So many hours of virtual time, with an evening every half hour; *tell* hears of each."""
    world = Endless(seed, hours, servers, tell)
    play(world, world.many_evenings())
    nothing = Size(0, 0, 0, 0, 0)
    sizes = [*world.sizes, nothing][: len(world.sizes) or 1]
    first = sizes[min(WARM, len(sizes)) - 1]
    return Soaked(
        world.trace, world.passed() / 3600, len(world.sizes), world.moves, first, sizes[-1]
    )
