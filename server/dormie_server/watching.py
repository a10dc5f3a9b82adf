"""Who watches a table from this process, and how far each of them has been told."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


class Peer(Protocol):
    """A connection, as far as the hub needs it."""

    player: str
    device: str
    """The hash of the token that the connection was opened with."""

    def push(self, text: bytes) -> None:
        """Send a message without waiting; a peer that cannot keep up is cut off, and resumes later."""

    async def drained(self) -> None:
        """Let others go first, and the line take what was pushed."""


@dataclass(slots=True, eq=False)
class Watching:
    """One connection that watches one table."""

    peer: Peer
    generation: int
    """The generation of the seat this connection plays; 0 for a spectator."""
    seat: int | None = None
    """Where that seat was when somebody last looked."""
    sent: int | None = None
    """The version this watcher has been told of; None while its first view is being put together."""
    heard: int | None = None
    """The number of the last line of the chat it was told; None for one that does not listen."""
    proven: bool = True
    """Whether it knew the table's password when it came, or there was none."""
    counted: int = 0
    """How many spectators it was told of."""


@dataclass(slots=True)
class Room:
    watchers: dict[Peer, Watching] = field(default_factory=dict)
    told: int = 0
    """The version all of them have been told of."""
    chain: str = ""
    """The chain up to there."""
    follower: asyncio.Task[None] | None = None
    talk: asyncio.Task[None] | None = None
    """Who hears the bells of the chat, where other servers may ring them."""
    timers: dict[str, tuple[float, asyncio.Handle]] = field(default_factory=dict)
    """What is to be done here in a while, each thing once; and when, on the clock of the loop."""

    def spectators(self) -> int:
        """How many connections watch here without a seat."""
        return sum(not one.generation for one in self.watchers.values())

    def soon(self, what: str, seconds: float, do: Callable[[], object]) -> None:
        """Do something in so many seconds, unless the same is to be done sooner anyway."""
        loop = asyncio.get_running_loop()
        at = loop.time() + max(0.0, seconds)
        if (rings := self.timers.get(what)) is not None:
            when, timer = rings  # uvloop's timers do not say when they ring if that is at once
            if when <= at:
                return
            timer.cancel()

        def ring() -> None:
            self.timers.pop(what, None)
            do()

        self.timers[what] = at, loop.call_at(at, ring)

    def end(self) -> list[asyncio.Task[None]]:
        """Do nothing here any more; returns the tasks that are about to end."""
        for _, timer in self.timers.values():
            timer.cancel()
        self.timers.clear()
        tasks = [task for task in (self.follower, self.talk) if task is not None]
        for task in tasks:
            task.cancel()
        return tasks


class Rooms:
    """All rooms of this process: who watches what."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}
        self._where: dict[Peer, tuple[str, ...]] = {}
        """The tables that each peer watches: nearly always one."""

    def spectators(self) -> int:
        """How many connections watch a table without a seat there, one for each table."""
        return sum(room.spectators() for room in self._rooms.values())

    def room(self, code: str) -> Room | None:
        """Who watches a table here."""
        return self._rooms.get(code)

    def watching(self, peer: Peer, code: str) -> Watching | None:
        """How *peer* watches a table, or None."""
        room = self._rooms.get(code)
        return room.watchers.get(peer) if room else None

    def generation(self, peer: Peer, code: str) -> int:
        """The generation of the seat that *peer* plays at a table; 0 when it plays none."""
        watching = self.watching(peer, code)
        return watching.generation if watching else 0

    def unwatch(self, peer: Peer, code: str) -> int:
        """Let *peer* follow a table no longer; returns the generation it held."""
        room = self._rooms.get(code)
        watching = room.watchers.get(peer) if room else None
        if room is None or watching is None:
            return 0
        self._forget(code, room, watching)
        return watching.generation

    def leave_all(self, peer: Peer) -> list[tuple[str, int]]:
        """Let *peer* follow nothing any more; returns the tables and generations of the seats it played."""
        codes = self._where.get(peer, ())
        held = [(code, self.unwatch(peer, code)) for code in codes]
        return [(code, generation) for code, generation in held if generation]

    async def stop(self) -> None:
        """End everything that is going on in any room."""
        tasks = [task for room in self._rooms.values() for task in room.end()]
        await asyncio.gather(*tasks, return_exceptions=True)
        self._rooms.clear()
        self._where.clear()

    def _enter(self, code: str, peer: Peer) -> tuple[Room, Watching]:
        watching = Watching(peer, self.generation(peer, code))
        room = self._rooms.setdefault(code, Room())
        room.watchers[peer] = watching
        if code not in (where := self._where.get(peer, ())):
            self._where[peer] = (*where, code)
        return room, watching

    def _forget(self, code: str, room: Room, watching: Watching) -> None:
        if room.watchers.get(watching.peer) is watching:
            del room.watchers[watching.peer]
            self._leave(watching.peer, code)
        if not room.watchers and self._rooms.get(code) is room:
            del self._rooms[code]
            room.end()

    def _leave(self, peer: Peer, code: str) -> None:
        left = tuple(other for other in self._where.pop(peer, ()) if other != code)
        if left:
            self._where[peer] = left
