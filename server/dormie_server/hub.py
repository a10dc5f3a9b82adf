"""The hub: everybody who watches a table hears of every change of it, by one road, in order.

For each table and process one follower reads the notes and tells the watchers. Whoever made a change
hears of it the same way. A watcher that is behind is never waited for.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from dormie_protocol.codec import write
from dormie_protocol.messages import Replaced
from dormie_rules.game import AnyEvent
from dormie_server import documents
from dormie_server.documents import Kept
from dormie_server.keeper import Keeper, table_key
from dormie_server.seen import Look, Page, Span
from dormie_server.store import Note, Store, StoreUnavailable
from dormie_server.table.commands import Attach, Detach
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, seat_of

log = structlog.get_logger(__name__)

_REPLAYED_AT_ONCE = 100
_AGAIN = 0.5
"""After a failure watchers are told what they have missed, so many seconds later."""


class Peer(Protocol):
    """A connection, as far as the hub needs it."""

    player: str

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
    sent: int | None = None
    """The version this watcher has been told of; None while its first view is being put together."""


@dataclass(slots=True)
class _Room:
    watchers: dict[Peer, Watching] = field(default_factory=dict)
    told: int = 0
    """The version all of them have been told of."""
    follower: asyncio.Task[None] | None = None


class Hub:
    """All rooms of this process."""

    def __init__(self, store: Store, keeper: Keeper, server: str) -> None:
        self._store = store
        self._keeper = keeper
        self.server = server
        """The name of this process, under which tables know who serves a player."""
        self._rooms: dict[str, _Room] = {}

    async def watch(self, peer: Peer, code: str, after: int, chain: str) -> tuple[int | None, int]:
        """Let *peer* follow a table from version *after*; a player's connection takes the seat over.

        Returns the seat and the version. Raises No.
        """
        watching = Watching(peer, self.generation(peer, code))
        room = self._rooms.setdefault(code, _Room())
        room.watchers[peer] = watching
        try:
            watching.generation = await self._attach(peer, code)
            return await self._catch_up(code, room, watching, after, chain)
        except BaseException:
            if not watching.generation:  # whoever holds a seat has to be missed when the line ends
                self._forget(code, room, watching)
            raise

    async def now(self) -> float:
        """The store's time, which every deadline is told in. Raises No."""
        try:
            return await self._store.now()
        except StoreUnavailable:
            raise No("store_unavailable") from None

    def generation(self, peer: Peer, code: str) -> int:
        """The generation of the seat that *peer* plays at a table; 0 when it plays none."""
        room = self._rooms.get(code)
        watching = room.watchers.get(peer) if room else None
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
        codes = [code for code, room in self._rooms.items() if peer in room.watchers]
        held = [(code, self.unwatch(peer, code)) for code in codes]
        return [(code, generation) for code, generation in held if generation]

    async def drop(self, player: str, code: str, generation: int) -> bool:
        """Tell the table that the connection which held this generation of a seat is gone.

        Returns whether that is settled; if not, the table has to be told again.
        """
        try:
            await self._keeper.do(code, Detach(player, generation))
        except No as no:
            return no.why == "no_table"
        return True

    async def stop(self) -> None:
        """End all followers."""
        tasks = [room.follower for room in self._rooms.values() if room.follower]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._rooms.clear()

    async def _attach(self, peer: Peer, code: str) -> int:
        """Take the seat over if the player has one; returns the generation, 0 for a spectator."""
        try:
            change = await self._keeper.do(code, Attach(peer.player, self.server))
        except No as no:
            if no.why != "not_seated":
                raise
            return 0
        return change.generation

    async def _catch_up(
        self, code: str, room: _Room, watching: Watching, after: int, chain: str
    ) -> tuple[int | None, int]:
        """Send what happened since *after*, then the view; afterwards the follower goes on from there."""
        rolled_back = after > 0 and not await self._remembers(code, after, chain)
        fresh = after == 0 or rolled_back
        if not fresh:
            after = await self._replay(code, room, watching, after)
        now = await self.now()
        while True:
            kept = await self._known(code, room.told)
            notes = [] if fresh else await self._notes(code, after)
            if room.told <= kept.table.version:  # nobody was told of more while we were reading
                break
        # From here on nothing is waited for, so that no version is told twice or never.
        version = kept.table.version
        seat = self._seat_now(code, room, watching, kept.table)
        how = Look(seat, replay=not fresh, rolled_back=rolled_back, whole=True)
        missed = [note for note in notes if note.version <= version]
        span = Span(code, version if fresh else after, version, kept.chain, now, _events(missed))
        watching.peer.push(Page(span, kept.table).text(how))
        watching.sent = version
        self._follow(code, room, version)
        return seat, version

    async def _replay(self, code: str, room: _Room, watching: Watching, after: int) -> int:
        """Send what is long past in pieces, as fast as the line takes them; returns how far that goes."""
        notes = await self._notes(code, after)
        while len(notes) > _REPLAYED_AT_ONCE:
            piece, notes = notes[:_REPLAYED_AT_ONCE], notes[_REPLAYED_AT_ONCE:]
            seat = self._seat_now(code, room, watching, (await self._known(code)).table)
            chain = documents.read_note(piece[-1].body).chain
            span = Span(code, after, piece[-1].version, chain, await self.now(), _events(piece))
            watching.peer.push(Page(span, None).text(Look(seat, replay=True)))
            after = span.version
            await watching.peer.drained()
        return after

    async def _notes(self, code: str, after: int) -> list[Note]:
        try:
            return await self._store.notes(table_key(code), after)
        except StoreUnavailable:
            raise No("store_unavailable") from None

    async def _known(self, code: str, at_least: int = 0) -> Kept:
        kept = await self._keeper.table(code, at_least)
        if kept is None:
            raise No("no_table")
        return kept

    async def _remembers(self, code: str, after: int, chain: str) -> bool:
        """Whether the past that a client saw, up to version *after*, is ours too."""
        notes = await self._notes(code, after - 1)
        if not notes or notes[0].version != after:
            return False
        return documents.read_note(notes[0].body).chain == chain

    def _follow(self, code: str, room: _Room, after: int) -> None:
        """Start the room's follower if there is none; a watcher further on skips what it has seen."""
        if room.follower is None or room.follower.done():
            room.told = after
            room.follower = asyncio.get_running_loop().create_task(self._tell(code, room))

    async def _tell(self, code: str, room: _Room) -> None:
        """For as long as anybody watches: every note to everybody, late if need be."""
        while True:
            try:
                async for note in self._store.follow(table_key(code), room.told):
                    await self._tell_one(code, room, note)
                    room.told = note.version
            except (StoreUnavailable, No):
                log.warning("watchers_wait_for_the_store", table=code)
            except Exception:
                log.exception("watchers_wait", table=code)
            else:
                return  # the table is gone, or the store is closed
            await asyncio.sleep(_AGAIN)

    async def _tell_one(self, code: str, room: _Room, note: Note) -> None:
        kept = await self._keeper.table(code, note.version)
        read = documents.read_note(note.body)
        now = await self.now()
        table = kept.table if kept else None
        current = table if table and table.version == note.version else None
        span = Span(code, note.version - 1, note.version, read.chain, now, read.events)
        page = Page(span, current)
        whole = any(event.public.event in _ANEW for event in read.events)
        for watching in list(room.watchers.values()):
            if watching.sent is None or watching.sent >= note.version:
                continue
            watching.sent = note.version
            seat = self._seat(code, room, watching, table)
            if watching.peer in room.watchers:
                watching.peer.push(page.text(Look(seat, whole=whole)))

    def _seat(self, code: str, room: _Room, watching: Watching, table: Table | None) -> int | None:
        """The seat a watcher plays; one whose seat was taken over is told so, and watches no longer."""
        if table is None or not watching.generation:
            return None
        seat = seat_of(table, watching.peer.player)
        sitter = table.secret.sitters[seat] if seat is not None else None
        if sitter is None:
            watching.generation = 0
            return None
        if sitter.generation > watching.generation:
            self._forget(code, room, watching)
            watching.peer.push(write(Replaced(table=code)).encode())
        return seat

    def _seat_now(self, code: str, room: _Room, watching: Watching, table: Table) -> int | None:
        """The same for a watcher that is just coming. Raises No when it has been replaced meanwhile."""
        seat = self._seat(code, room, watching, table)
        if watching.peer not in room.watchers:
            raise No("replaced")
        return seat

    def _forget(self, code: str, room: _Room, watching: Watching) -> None:
        if room.watchers.get(watching.peer) is watching:
            del room.watchers[watching.peer]
        if not room.watchers and self._rooms.get(code) is room:
            del self._rooms[code]
            if room.follower is not None:
                room.follower.cancel()


_ANEW = frozenset({"starting", "match_began", "opened", "joined", "left_table"})
"""After these, what seldom changes has changed."""


def _events(notes: Sequence[Note]) -> list[AnyEvent]:
    return [event for note in notes for event in documents.read_note(note.body).events]
