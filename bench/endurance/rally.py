"""A table where two people play on and on while others watch, and how long a move takes to reach them."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Self

from bench.endurance.line import ENTROPY, PATIENCE, Line, Message

_VERSION = b'"version":'


@dataclass(eq=False)
class Rally:
    """One table; whoever's turn it is plays the first legal move."""

    players: tuple[Line, Line]
    table: str
    watchers: list[Line] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """Seconds from a move's sending to its arrival, for each watcher and move."""
    told: int = 0
    """Bytes of views that each watcher has been sent, for moves alone."""
    _version: int = 0
    _sent_at: float = 0.0
    _waiting: int = 0

    def __post_init__(self) -> None:
        self._all_saw = asyncio.Event()

    @classmethod
    async def open(cls, port: int, watchers: int) -> Self:
        """Two players and so many watchers, at a table where a match has begun."""
        first = await (await Line.open(port, keeps_views=True)).hello("Ada")
        second = await (await Line.open(port, keeps_views=True)).hello("Bob")
        opened = await first.ask("create", size=2, options={"end": "holes", "holes": 36})
        rally = cls((first, second), opened["table"])
        await second.ask("join", table=rally.table)
        for line in rally.players:
            await line.ask("watch", table=rally.table)
        for _ in range(watchers):
            line = await (await Line.open(port)).hello("Cleo")
            await line.ask("watch", table=rally.table)
            line.on_view = rally._saw
            rally.watchers.append(line)
        for line in rally.players:
            await line.ask("ready", table=rally.table, entropy=ENTROPY)
        return rally

    async def move(self) -> None:
        """Let one move be made, and wait until every watcher has seen it."""
        line, seen = await self._turn()
        count = seen["view"]["seats"][seen["seat"]]["count"] + 1
        self._version, self._waiting = seen["version"] + 1, len(self.watchers)
        self._all_saw.clear()
        self._sent_at = time.perf_counter()
        await line.ask("play", table=self.table, count=count, move=seen["moves"][0])
        async with asyncio.timeout(PATIENCE):
            await self._all_saw.wait()

    async def close(self) -> None:
        for line in (*self.players, *self.watchers):
            await line.leave()

    async def _turn(self) -> tuple[Line, Message]:
        """Whose turn it is, when both have seen that; between holes and matches both are ready to go on."""
        async with asyncio.timeout(PATIENCE):
            while True:
                views = [line.views[self.table] for line in self.players]
                if views[0]["version"] == views[1]["version"]:
                    for line, seen in zip(self.players, views, strict=True):
                        if seen["moves"]:
                            return line, seen
                    await self._go_on(views[0]["view"]["phase"])
                await asyncio.sleep(0)

    async def _go_on(self, phase: str) -> None:
        asking = {"over": "rematch", "starting": "ready"}.get(phase)
        if asking is None:
            return
        for line in self.players:
            await line.ask(asking, table=self.table)
        for line in self.players:
            await line.see(self.table, lambda seen: bool(seen["view"]["phase"] != phase))

    def _saw(self, text: bytes) -> None:
        """A watcher has been told of a version."""
        now = time.perf_counter()
        start = text.index(_VERSION) + len(_VERSION)
        if int(text[start : text.index(b",", start)]) != self._version:
            return
        self.times.append(now - self._sent_at)
        self._waiting -= 1
        if not self._waiting:
            self.told += len(text)
            self._all_saw.set()
