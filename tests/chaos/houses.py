"""Several servers on one Redis, and everything that may happen to any of them and to the way between."""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Protocol

from tests.chaos.door import Door
from tests.chaos.house import House, Outage
from tests.chaos.proxy import Proxy, Weather
from tests.redis_server import RedisServer, running_redis

SAFE = ("--appendonly", "yes", "--appendfsync", "always")


class HasPort(Protocol):
    """What stands in front of the servers."""

    @property
    def port(self) -> int:
        """Where clients connect to."""


class Houses:
    """Servers in processes of their own behind one door, each with a wire of its own to Redis."""

    def __init__(self, redis: RedisServer, wires: list[Proxy], servers: list[House]) -> None:
        self.redis = redis
        self.servers = servers
        self.done: Counter[str] = Counter()
        self._wires = wires
        self._redis_outages: list[Outage] = []
        self.door: HasPort = Door([one.port for one in servers])

    @property
    def port(self) -> int:
        """Where clients connect to."""
        return self.door.port

    @property
    def url(self) -> str:
        """Where clients connect to."""
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def outages(self) -> list[Outage]:
        """Every time without something that clients may have missed."""
        own = [outage for server in self.servers for outage in server.outages]
        return sorted([*own, *self._redis_outages], key=lambda outage: outage.began)

    async def redis_dies(self) -> None:
        """SIGKILL, and a new process on the same file."""
        began = time.monotonic()
        self.redis.kill()
        await asyncio.to_thread(self.redis.start)
        self._redis_outages.append(Outage("killed", began, time.monotonic()))

    async def redis_freezes(self, seconds: float) -> None:
        """SIGSTOP and, after a while, SIGCONT."""
        began = time.monotonic()
        self.redis.signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.redis.signal(signal.SIGCONT)
        self._redis_outages.append(Outage("frozen", began, time.monotonic()))

    def cut(self, number: int) -> None:
        """Reset all that a server has open to Redis."""
        self._wires[number].cut(share=1.0)

    async def hole(self, number: int, seconds: float) -> None:
        """For a while nothing passes between a server and Redis, and nobody is told."""
        began = time.monotonic()
        await self._wires[number].swallow(seconds)
        self._redis_outages.append(Outage("frozen", began, time.monotonic()))

    async def records(self, matches: Mapping[str, int]) -> dict[str, list[str]]:
        """The records, as any of the servers has them."""
        return await self.servers[0].records(matches)

    def faults(self) -> list[str]:
        """Lines of the diaries that no outage explains."""
        return [line for server in self.servers for line in server.faults()]


@asynccontextmanager
async def open_houses(
    folder: Path, environment: Mapping[str, str], servers: int = 2, settings: tuple[str, ...] = SAFE
) -> AsyncIterator[Houses]:
    """Servers on a Redis of their own; nothing is left of any of it, whatever happens."""
    async with AsyncExitStack() as stack:
        redis = await asyncio.to_thread(stack.enter_context, running_redis(*settings))
        wires, opened = list[Proxy](), list[House]()
        for number in range(servers):
            wire = Proxy(redis.port, Weather(), Random(number))
            await wire.open()
            stack.push_async_callback(wire.close)
            place = wire.url.removeprefix("ws://").removesuffix("/ws")
            house = House(
                folder / f"server-{number}.db", environment, "--store", f"redis://{place}"
            )
            stack.push_async_callback(house.kill)
            await house.open()
            wires.append(wire)
            opened.append(house)
        houses = Houses(redis, wires, opened)
        houses.door = door = Door([one.port for one in opened])
        await door.open()
        stack.push_async_callback(door.close)
        yield houses
