"""What the house tells besides what happens at tables, kept until whoever asked has fetched it."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeAlias

from dormie_client.errors import ClosedError, RefusedError
from dormie_protocol.day_messages import NewsOfTheDay
from dormie_protocol.messages import HintSeen, HistorySeen, Lobby, LobbySeen, MineSeen

Report: TypeAlias = LobbySeen | MineSeen | HistorySeen | HintSeen | NewsOfTheDay


class LobbyEar(AsyncIterator[LobbySeen]):
    """The lobby as it was told last, each time it has changed; what nobody fetched in time is gone."""

    def __init__(self, wish: Lobby) -> None:
        self.wish = wish
        """What is asked again on every new connection."""
        self._newest: LobbySeen | None = None
        self._over: ClosedError | RefusedError | None = None
        self._ended = False
        self._news = asyncio.Event()

    def put(self, seen: LobbySeen) -> None:
        """The lobby has changed."""
        self._newest = seen
        self._news.set()

    def end(self, error: ClosedError | RefusedError | None = None) -> None:
        """Nothing more is told, by *error* or because another has begun to follow."""
        self._ended, self._over = True, error
        self._news.set()

    async def __anext__(self) -> LobbySeen:
        while self._newest is None:
            if self._over is not None:
                raise self._over
            if self._ended:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        newest, self._newest = self._newest, None
        return newest


class Reports:
    """All that is expected, by the request that asked for it, and the one who follows the lobby."""

    def __init__(self) -> None:
        self._expected: dict[str, Report | None] = {}
        self._ear: LobbyEar | None = None
        self._again: Lobby | None = None

    def expect(self, name: str) -> None:
        """Request *name* will be answered by a report."""
        self._expected[name] = None

    def found(self, name: str) -> Report | None:
        """What was told in answer to request *name*."""
        return self._expected.get(name)

    def forget(self, name: str) -> None:
        """Nobody waits for it any more."""
        self._expected.pop(name, None)

    def follow(self, wish: Lobby) -> LobbyEar:
        """Follow the lobby; a session follows it once, and whoever did before is told no more."""
        if self._ear is not None:
            self._ear.end()
        self._ear = LobbyEar(wish)
        return self._ear

    def unfollow(self, ear: LobbyEar) -> bool:
        """Follow no longer; whether it was this ear that listened."""
        if self._ear is not ear:
            return False
        self._ear = self._again = None
        return True

    def new_line(self) -> None:
        """A new connection follows nothing yet."""
        self._again = self._ear.wish if self._ear is not None else None

    def next(self) -> Lobby | None:
        """What has to be asked again on a new connection, once."""
        again, self._again = self._again, None
        return again

    def hear(self, report: Report) -> None:
        """The house has told something."""
        if report.re in self._expected:
            self._expected[report.re] = report
        elif (
            self._ear is not None
            and report.re == self._ear.wish.id
            and isinstance(report, LobbySeen)
        ):
            self._ear.put(report)

    def refuse(self, name: str, error: RefusedError) -> None:
        """What was asked again on a new connection is refused: whoever follows is told."""
        if self._ear is not None and self._ear.wish.id == name:
            self._ear.end(error)

    def close(self, error: ClosedError) -> None:
        """Nothing will be told any more."""
        if self._ear is not None:
            self._ear.end(error)
        self._ear = self._again = None
