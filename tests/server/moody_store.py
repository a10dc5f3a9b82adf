"""A store with moods: slow when told to be, away when told to be, or always a moment too late."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from random import Random
from typing import Unpack

from dormie_server.store import (
    NO_CARDS,
    NOTHING_KNOWN,
    Beside,
    Conflict,
    Document,
    Note,
    Store,
    StoreUnavailable,
)


class MoodyStore:
    """Everything is done by *inner*, unless a mood says otherwise."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.away = False
        """No verb is answered."""
        self.refused = 0
        """How often somebody found it away."""
        self.refusing_puts = False
        """Disk full: everything can be read and nothing kept."""
        self.late = 0
        """So many puts come too late."""
        self.open = asyncio.Event()
        """While it is not set, puts wait before they are done."""
        self.open.set()
        self.slow = ""
        """Only puts of keys that begin like this wait."""
        self.dawdles: Random | None = None
        """Every verb lets others go first, as often as luck will have it."""
        self.waiting = 0
        """Puts that wait at the moment."""
        self.shared = inner.shared

    async def _answers(self) -> None:
        for _ in range(self.dawdles.randrange(4) if self.dawdles else 0):
            await asyncio.sleep(0)
        if self.away:
            self.refused += 1
            raise StoreUnavailable("away")

    async def _opened(self) -> None:
        self.waiting += 1
        try:
            await self.open.wait()
        finally:
            self.waiting -= 1
        await self._answers()

    async def get(self, key: str) -> Document | None:
        await self._answers()
        return await self.inner.get(key)

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        await self._answers()
        if self.refusing_puts:
            raise StoreUnavailable("full")
        if self.late:
            self.late -= 1
            raise Conflict(key, was)
        if key.startswith(self.slow):
            await self._opened()
        return await self.inner.put(key, body, was, **beside)

    async def follow(
        self, key: str, after: int, known: Callable[[], int] = NOTHING_KNOWN
    ) -> AsyncIterator[Note]:
        await self._answers()
        async for note in self.inner.follow(key, after, known):
            await self._answers()
            yield note

    async def notes(self, key: str, after: int = 0) -> list[Note]:
        await self._answers()
        return await self.inner.notes(key, after)

    async def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None] = NO_CARDS
    ) -> None:
        await self._answers()
        await self.inner.rewrite(key, notes, shelves)

    async def scrub(self) -> None:
        await self._answers()
        await self.inner.scrub()

    async def drop(self, key: str) -> None:
        await self._answers()
        await self.inner.drop(key)

    async def due(self, hold: float) -> list[str]:
        await self._answers()
        return await self.inner.due(hold)

    async def next_due(self) -> float | None:
        await self._answers()
        return await self.inner.next_due()

    async def on(self, shelf: str) -> dict[str, bytes]:
        await self._answers()
        return await self.inner.on(shelf)

    async def now(self) -> float:
        await self._answers()
        return await self.inner.now()

    async def close(self) -> None:
        await self.inner.close()
