"""Evenings by the thousand: a table is opened, a few moves are made, somebody looks on, and it is closed.

The people stay and go from table to table. Of every ten tables one seats a bot, one loses a player's
line in the middle of a match, and one has a player who has never been here before.
"""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from bench.endurance.line import ENTROPY, Line, Message

BOT, DROP = 3, 6
"""Which of ten tables they are."""
_CLOSED = "closed"


@dataclass
class Desk:
    """Three people who spend evening after evening at one table after the other."""

    port: int
    number: int
    host: Line
    friend: Line
    watcher: Line
    tidy: bool = True
    """Whether they say that they watch no longer when a table is closed."""
    moves: int = 4
    guests: bool = False
    """Whether the friend is somebody new at every table."""
    played: int = 0
    _token: str = field(default="", repr=False)

    @classmethod
    async def open(cls, port: int, number: int) -> Self:
        host, friend, watcher = [
            await (await Line.open(port, _address(number), keeps_views=True)).hello(name)
            for name in ("Ada", "Bob", "Cleo")
        ]
        return cls(port, number, host, friend, watcher, _token=friend.welcome["token"])

    @property
    def lines(self) -> tuple[Line, Line, Line]:
        return self.host, self.friend, self.watcher

    async def evening(self) -> None:
        """One table, from its opening to the moment when everybody knows that it is closed."""
        kind, bots = self.played % 10, []
        self.played += 1
        if kind == BOT:
            bots = ["random"]
        if self.guests:
            await self._somebody_new()
        opened = await self.host.ask("create", size=3, options={"holes": 1}, bots=bots)
        table: str = opened["table"]
        await self.host.ask("watch", table=table)
        await self.friend.ask("join", table=table)
        for line in (self.friend, self.watcher):
            await line.ask("watch", table=table)
        for line in (self.host, self.friend):
            await line.ask("ready", table=table, entropy=ENTROPY)
        if not bots:
            await self.host.ask("start", table=table)
        await self._play(table)
        if kind == DROP:
            await self._drop(table)
        await self.host.ask("end", table=table)
        for line in self.lines:
            await self._rise(line, table)

    async def _play(self, table: str) -> None:
        """A few moves, by whoever's turn it is."""
        players = (self.host, self.friend)
        for line in players:
            await line.see(table, lambda seen: seen["view"]["phase"] == "playing")
        for _ in range(self.moves):
            line = await self._turn(table)
            seen = line.views[table]
            count = seen["view"]["seats"][seen["seat"]]["count"] + 1
            done = await line.ask("play", table=table, count=count, move=seen["moves"][0])
            for one in players:
                await one.see(table, _at_least(done["version"]))

    async def _turn(self, table: str) -> Line:
        for tries in itertools.count():
            for line in (self.host, self.friend):
                if line.views[table]["moves"]:
                    return line
            assert tries < 1000, "somebody has a turn"
            await asyncio.sleep(0.005)
        raise AssertionError("counting has no end")

    async def _drop(self, table: str) -> None:
        """The friend's line breaks; the table is told after a moment, and the friend is back at once."""
        await self.friend.leave()
        self.friend = await Line.open(self.port, _address(self.number), keeps_views=True)
        await self.friend.hello(token=self._token)
        await self.friend.ask("watch", table=table)

    async def _somebody_new(self) -> None:
        await self.friend.leave()
        self.friend = await Line.open(self.port, _address(self.number), keeps_views=True)
        await self.friend.hello("Newcomer")
        self._token = self.friend.welcome["token"]

    async def _rise(self, line: Line, table: str) -> None:
        await line.see(table, lambda seen: seen["view"]["phase"] == _CLOSED)
        del line.views[table]
        if self.tidy:
            await line.ask("unwatch", table=table)

    async def leave(self) -> None:
        for line in self.lines:
            await line.leave()


def _at_least(version: int) -> Callable[[Message], bool]:
    return lambda seen: bool(seen["version"] >= version)


def _address(number: int) -> str:
    return f"127.8.0.{number + 1}"
