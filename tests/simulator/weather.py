"""What goes wrong, when, and to whom; and that it stops some time."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import TYPE_CHECKING

from tests.simulator.far_store import Way
from tests.simulator.network import Line, Manner

if TYPE_CHECKING:
    from tests.simulator.people import Person
    from tests.simulator.servers import Server
    from tests.simulator.simulation import World

CALM = 0.002
"""Seconds that things take when all is well."""


class Sky:
    """The weather of one simulation."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.plan = world.plan.weather
        self.luck = Random(f"{world.seed} weather")
        self.over = False
        self.spared: frozenset[int] = frozenset()
        """Servers that are never killed."""
        self._began = world.passed()
        self._deaths = Random(f"{world.seed} deaths")
        self._restarts: list[asyncio.Task[None]] = []
        world.network.manner = self.manner
        world.network.unreachable = self.plan.unreachable

    def _age(self) -> float:
        return self.world.passed() - self._began

    def manner(self) -> Manner:
        """How the next line is."""
        if self.over:
            return Manner(CALM, CALM)
        latency = self.plan.latency * self.luck.random()
        return Manner(latency, latency, self.plan.pieces)

    def set_way(self, way: Way) -> None:
        """How a server's way to the store is now."""
        calm, plan = self.over, self.plan
        way.latency = CALM
        way.failing = 0.0 if calm else plan.failing
        way.forgetting = 0.0 if calm else plan.forgetting
        way.late = 0.0 if calm else 0.3
        # Bells may be lost on a fine day, too: whoever hears nothing has to look.
        way.bell_loss = plan.bell_loss
        way.bell_echo = plan.bell_echo
        way.bell_delay = plan.bell_delay
        way.bare = plan.bare
        way.away = False

    async def run(self) -> None:
        """Until it is over."""
        if self.plan.deaths:
            self._die_later()
        while True:
            pause = self.luck.expovariate(1.0 / self.plan.every)
            if self._age() + pause > self.plan.until:
                break
            await asyncio.sleep(pause)
            self._strike()
        await asyncio.sleep(max(0.0, self.plan.until - self._age()))
        await self.clear_up()

    async def clear_up(self) -> None:
        """From now on nothing goes wrong any more."""
        world = self.world
        self.over = True
        world.cupboard.dies_at_next_move = world.cupboard.dead = False
        world.network.unreachable = 0.0
        for server in world.servers:
            server.thaw()
        await asyncio.gather(*self._restarts)
        for server in world.servers:
            self.set_way(server.way)
            if server.app is None:
                await server.start()
        for line in list(world.network.lines.values()):
            if line.manner.rate is not None or line.silent:
                line.break_off()
            line.manner = Manner(CALM, CALM)
        world.referee.store_troubled = world.loop.time()
        world.trace.note("calm")

    def _strike(self) -> None:
        strokes = [self._hit_line] * 6 + [self._hit_person] * 3
        if not self.world.plan.sqlite:
            strokes += [self._kill, self._kill, self._freeze, self._freeze, self._close_store]
        else:
            strokes += [self._freeze]
        self.luck.choice(strokes)()

    # lines

    def _hit_line(self) -> None:
        lines = [line for line in self.world.network.lines.values() if line.whole]
        if not lines:
            return
        line = self.luck.choice(lines)
        what = self.luck.choice(("break", "silence", "stall", "half-close", "slow"))
        self.world.trace.note("fault", f"{what} {line}")
        self.world.trace.counts[what] += 1
        self._break(line, what)

    def _break(self, line: Line, what: str) -> None:
        match what:
            case "break":
                line.break_off()
            case "silence":
                line.fall_silent()
            case "stall":
                line.stall(self.luck.uniform(0.2, 15.0))
            case "half-close":
                end = self.luck.choice((line.client, line.server))
                self.world.loop.call_soon(line.half_close, end, context=end.context)
            case _:
                line.slow_down(self.luck.choice((100.0, 1000.0, 5000.0)))

    # people

    def _hit_person(self) -> None:
        there = [person for person in self.world.people() if person.devices]
        if not there:
            return
        person = self.luck.choice(there)
        if self.luck.random() < 0.6:
            device = self.luck.choice(list(person.devices))
            person.lose(device, quietly=self.luck.random() < 0.5)
            self.world.trace.counts["device lost"] += 1
            self._later(self.luck.uniform(0.1, 10.0), lambda: self._return(person))
        elif person.keys:  # with another device beside the first
            self.world.trace.counts["takeover"] += 1
            person.come()

    async def _return(self, person: "Person") -> None:
        if not person.devices:
            person.come()

    # servers and the store

    def _server(self) -> "Server | None":
        up = [server for server in self.world.servers if server.up]
        return self.luck.choice(up) if up else None

    def _kill(self) -> None:
        server = self._server()
        if server is not None and server.number not in self.spared:
            self.world.trace.counts["kill"] += 1
            server.kill(quietly=self.luck.random() < 0.3)
            self._later(self.luck.uniform(0.2, 8.0), server.start)

    def _freeze(self) -> None:
        server = self._server()
        if server is not None:
            self.world.trace.counts["freeze"] += 1
            server.freeze()
            self.world.loop.call_later(self.luck.choice((0.5, 3.0, 12.0, 25.0)), server.thaw)

    def _close_store(self) -> None:
        """Nobody reaches the store for a while."""
        self.world.trace.note("fault", "store away")
        self.world.trace.counts["outage"] += 1
        for server in self.world.servers:
            server.way.away = True
        end = self.world.loop.time() + self.luck.uniform(0.2, 6.0)
        self.world.referee.store_troubled = end + 1.0
        self.world.loop.call_at(end, self._open_store)

    def _open_store(self) -> None:
        self.world.trace.note("fault", "store back")
        for server in self.world.servers:
            self.set_way(server.way)

    def _die_later(self) -> None:
        self.world.loop.call_later(self._deaths.expovariate(1.0 / self.plan.deaths), self._die)

    def _die(self) -> None:
        """The store dies with the next move: bells have rung, and nothing is written down."""
        if not self.over:
            self.world.cupboard.dies_at_next_move = True
            self.world.cupboard.died = self._died

    def _died(self) -> None:
        """It is away for longer than anybody who follows a table goes without looking."""
        end = self.world.loop.time() + self._deaths.uniform(2.0, 5.0)
        self.world.referee.store_troubled = end + 1.0
        self.world.loop.call_at(end, self._is_back)
        self._die_later()

    def _is_back(self) -> None:
        self.world.trace.note("fault", "store back, without the last move")
        self.world.cupboard.dead = False

    def _later(self, delay: float, what: Callable[[], Awaitable[None]]) -> None:
        async def wait() -> None:
            await asyncio.sleep(delay)
            await what()

        self._restarts.append(self.world.loop.create_task(wait()))
