"""Who stands at the door of one server: keeps out who is banned, and sees off whose time is over.

What other servers do is heard through the notices of the house, so that who was erased, banned, or
whose device was forgotten elsewhere is gone from here, too, at once.
"""

import asyncio
from collections.abc import Iterable
from typing import Final

import structlog

from dormie_server.bans import Barred
from dormie_server.goodbye import close_all
from dormie_server.guard import GuardedConnection
from dormie_server.lines import Lines
from dormie_server.notices import Notice, follow, mark_of
from dormie_server.store import Store

POLICY: Final = 1008
GOODBYE: Final = 2.0
"""Seconds; who has not even been greeted by then is cut off."""

log = structlog.get_logger(__name__)


class Porter:
    """The porter of one server, on all of its lines."""

    def __init__(self, store: Store, lines: Lines, alive: Iterable[GuardedConnection]) -> None:
        """*alive* are all connections, greeted or not."""
        self.barred = Barred(store)
        self._store = store
        self._lines = lines
        self._alive = alive
        self._listening: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Know the bans, and hear of everything new. Raises StoreUnavailable."""
        await self.barred.look()
        self._listening = asyncio.get_running_loop().create_task(follow(self._store, self._heard))

    async def stop(self) -> None:
        """Hear nothing more."""
        tasks = [*self._closing, *([self._listening] if self._listening else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _heard(self, notice: Notice) -> None:
        match notice.what:
            case "player":
                for player in self._lines.players():
                    if mark_of(player) == notice.mark:
                        spared = self._lines.spared.get(player)
                        self._lines.cut(player, "this player was erased", but=spared)
            case "device":
                self._cut_device(notice.mark)
            case "bans":
                await self.barred.look()
                await self._see_off()

    def _cut_device(self, mark: str) -> None:
        for player in self._lines.players():
            for device in self._lines.devices(player):
                if mark_of(device) == mark:
                    self._lines.cut(player, "this device was forgotten", device)

    async def _see_off(self) -> None:
        """Close the lines of all who are not let in any more."""
        for player in self._lines.players():
            if await self.barred.player(player):
                self._lines.refuse(player, "banned")
        banned = [one for one in tuple(self._alive) if await self.barred.address(one.address)]
        if banned:
            goodbye = close_all(banned, POLICY, "banned", GOODBYE)
            task = asyncio.get_running_loop().create_task(goodbye)
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
