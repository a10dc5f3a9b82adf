"""What comes from a table of Golf Patience, in the order in which it comes: what is seen, said, and the line."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dormie_client.table import Table
from dormie_protocol.messages import Seen
from dormie_protocol.people_messages import Said

Thing: TypeAlias = Seen | Said | str | None
"""A change of the table, something that is said, the state of the connection, or None for the end of it."""


@dataclass
class News:
    """What one evening has not taken in yet."""

    table: Table
    things: deque[Thing] = field(default_factory=deque)
    bell: asyncio.Event = field(default_factory=asyncio.Event)
    """Rings when there is something new."""

    def put(self, thing: Thing) -> None:
        """Something has come."""
        self.things.append(thing)
        self.bell.set()

    def listen(self) -> list[asyncio.Task[None]]:
        """Begin to follow the table; whoever does cancels these."""
        return [asyncio.create_task(self._follow()), asyncio.create_task(self._overhear())]

    async def wait(self, reading: asyncio.Future[Any] | None, within: float | None) -> None:
        """Return when something has come or was typed, or so many seconds have gone by."""
        bell = asyncio.create_task(self.bell.wait())
        waiting: set[asyncio.Future[Any]] = {bell} if reading is None else {bell, reading}
        try:
            await asyncio.wait(waiting, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        finally:
            bell.cancel()

    async def _follow(self) -> None:
        async for seen in self.table.updates():
            self.put(seen)
        self.put(None)

    async def _overhear(self) -> None:
        async for said in self.table.talk():
            self.put(said)
