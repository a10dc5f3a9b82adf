"""The hub: everybody who watches a table hears of every change of it, by one road, in order.

A change that was made here is told as soon as it is kept. For each table and process one follower reads
the notes, and tells what nobody here knew. Whoever made a change hears of it the same way. A watcher that
is behind is never waited for.
"""

import asyncio

import structlog

from dormie_protocol.codec import write
from dormie_protocol.messages import Replaced, SentAway
from dormie_server import documents
from dormie_server.keeper import Keeper, News, table_key
from dormie_server.past import Past
from dormie_server.seen import Look, Page, Span, anew, since, texts_of
from dormie_server.store import Note, Store, StoreUnavailable
from dormie_server.table import doors
from dormie_server.table.commands import Attach, Detach
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, seat_of
from dormie_server.watching import Peer, Room, Watching

log = structlog.get_logger(__name__)

_REPLAYED_AT_ONCE = 100
_AGAIN = 0.5
"""After a failure watchers are told what they have missed, so many seconds later."""


class Hub:
    """All rooms of this process."""

    def __init__(self, store: Store, keeper: Keeper, server: str) -> None:
        self._store = store
        self._keeper = keeper
        self._past = Past(store, keeper)
        keeper.herald = self.tell
        self.server = server
        """The name of this process, under which tables know who serves a player."""
        self._rooms: dict[str, Room] = {}
        self._where: dict[Peer, tuple[str, ...]] = {}
        """The tables that each peer watches: nearly always one."""

    async def watch(  # noqa: PLR0913 - where a watcher is, and who comes back
        self,
        peer: Peer,
        code: str,
        after: int,
        chain: str,
        run: str = "",
        *,
        resume: bool = False,
        told: tuple[int, str] = (0, ""),
        proof: str | None = None,
    ) -> tuple[int | None, int]:
        """Let *peer* follow a table from version *after*; a player's connection takes the seat over.

        A *run* that says *resume* only takes it up again, unless another has taken it since. *told* is
        a newer version that an answer named. Whoever has no seat may need *proof* of the password.
        Returns the seat and the version. Raises No.
        """
        watching = Watching(peer, self.generation(peer, code))
        room = self._rooms.setdefault(code, Room())
        room.watchers[peer] = watching
        if code not in (where := self._where.get(peer, ())):
            self._where[peer] = (*where, code)
        try:
            attach = Attach(peer.player, self.server, run, resume)
            watching.generation = await self._attach(code, attach, proof)
            mine = [seen for seen in ((after, chain), told) if seen[0] > 0]
            rolled_back = not all([await self._past.remembers(code, *seen) for seen in mine])
            return await self._catch_up(code, room, watching, after, rolled_back=rolled_back)
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

    def spectators(self) -> int:
        """How many connections watch a table without a seat there, one for each table."""
        rooms = self._rooms.values()
        return sum(not one.generation for room in rooms for one in room.watchers.values())

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

    async def drop(self, player: str, code: str, generation: int) -> bool:
        """Tell the table that the connection which held this generation of a seat is gone.

        Returns whether that is settled; if not, the table has to be told again.
        """
        try:
            await self._keeper.do(code, Detach(player, generation))
        except No as no:
            return no.why == "no_table"
        return True

    def tell(self, news: News) -> None:
        """Tell everybody here of a change that was kept just now, unless something before it is still untold."""
        code, version = news.kept.table.about.table, news.kept.table.version
        room = self._rooms.get(code)
        if room is None or room.follower is None or room.told != version - 1:
            return  # there is nobody, or the follower is at it
        span = Span(code, version - 1, version, news.kept.chain, news.now, news.events)
        try:
            page = Page(span, news.kept)
            self._tell_all(code, room, page, news.kept.table, whole=anew(news.change.events))
        except Exception:  # it was kept all the same: the follower will tell whoever was left out
            log.exception("watchers_wait", table=code)
        else:
            room.told = version

    async def stop(self) -> None:
        """End all followers."""
        pairs = [(room.follower, room.talk) for room in self._rooms.values()]
        tasks = [task for pair in pairs for task in pair if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._rooms.clear()
        self._where.clear()

    async def _attach(self, code: str, attach: Attach, proof: str | None) -> int:
        """Take the seat over if the player has one; returns the generation, 0 for a spectator."""
        try:
            change = await self._keeper.do(code, attach)
        except No as no:
            if no.why != "not_seated":
                raise
            doors.let_watch((await self._past.table(code)).table, attach.player, proof)
            return 0
        return change.generation

    async def _catch_up(
        self, code: str, room: Room, watching: Watching, after: int, *, rolled_back: bool
    ) -> tuple[int | None, int]:
        """Send what happened since *after*, then the view; afterwards the follower goes on from there."""
        fresh = after == 0 or rolled_back
        if not fresh:
            after = await self._replay(code, room, watching, after)
        now = await self.now()
        while True:
            kept = await self._past.table(code, room.told)
            notes = [] if fresh else await self._past.notes(code, after)
            if room.told <= kept.table.version:  # nobody was told of more while we were reading
                break
        # From here on nothing is waited for, so that no version is told twice or never.
        version = kept.table.version
        seat = self._seat_now(code, room, watching, kept.table)
        how = Look(seat, replay=not fresh, rolled_back=rolled_back, whole=True)
        missed = [note for note in notes if note.version <= version]
        texts = texts_of(missed, since(kept.table, seat))
        span = Span(code, version if fresh else after, version, kept.chain, now, texts)
        watching.peer.push(Page(span, kept).text(how))
        watching.sent = version
        self._follow(code, room, version)
        return seat, version

    async def _replay(self, code: str, room: Room, watching: Watching, after: int) -> int:
        """Send what is long past in pieces, as fast as the line takes them; returns how far that goes."""
        notes = await self._past.notes(code, after)
        while len(notes) > _REPLAYED_AT_ONCE:
            piece, notes = notes[:_REPLAYED_AT_ONCE], notes[_REPLAYED_AT_ONCE:]
            now, table = await self.now(), (await self._past.table(code)).table
            seat = self._seat_now(code, room, watching, table)
            chain = documents.read_note(piece[-1].body).chain
            texts = texts_of(piece, since(table, seat))
            span = Span(code, after, piece[-1].version, chain, now, texts)
            watching.peer.push(Page(span, None).text(Look(seat, replay=True)))
            after = span.version
            await watching.peer.drained()
        return after

    def _follow(self, code: str, room: Room, after: int) -> None:
        """Start the room's follower if there is none; a watcher further on skips what it has seen."""
        if room.follower is None or room.follower.done():
            room.told = after
            room.follower = asyncio.get_running_loop().create_task(self._tell(code, room))

    async def _tell(self, code: str, room: Room) -> None:
        """For as long as anybody watches: every note to everybody, late if need be."""
        while True:
            try:
                key = table_key(code)
                async for note in self._store.follow(key, room.told, lambda: room.told):
                    await self._tell_one(code, room, note)
            except (StoreUnavailable, No):
                log.warning("watchers_wait_for_the_store", table=code)
            except Exception:
                log.exception("watchers_wait", table=code)
            else:  # the table is gone, or the store is closed
                for watching in list(room.watchers.values()):
                    self._forget(code, room, watching)
                return
            await asyncio.sleep(_AGAIN)

    async def _tell_one(self, code: str, room: Room, note: Note) -> None:
        """Tell everybody here of a note, unless they have heard of it meanwhile."""
        kept = await self._keeper.table(code, note.version)
        now = await self.now()
        if note.version <= room.told:
            return
        read = documents.read_note(note.body)
        current = kept if kept and kept.table.version == note.version else None
        texts = documents.write_events(read.events)
        span = Span(code, note.version - 1, note.version, read.chain, now, texts)
        newest = kept.table if kept else None
        self._tell_all(code, room, Page(span, current), newest, whole=anew(read.events))
        room.told = note.version

    def _tell_all(
        self, code: str, room: Room, page: Page, newest: Table | None, *, whole: bool
    ) -> None:
        for watching in list(room.watchers.values()):
            if watching.sent is None or watching.sent >= page.version:
                continue
            seat = self._seat(code, room, watching, newest)
            if watching.peer in room.watchers:
                hears = newest is not None and page.version > since(newest, seat)
                watching.peer.push(page.text(Look(seat, whole=whole, hears=hears)))
            watching.sent = page.version
            if newest is not None and doors.is_banned(newest, watching.peer.player):
                self._forget(code, room, watching)
                watching.peer.push(write(SentAway(table=code)).encode())

    def _seat(self, code: str, room: Room, watching: Watching, table: Table | None) -> int | None:
        """The seat a watcher plays; one whose seat was taken over is told so, and watches no longer."""
        if table is None or not watching.generation:
            return None
        seat = watching.seat = seat_of(table, watching.peer.player, watching.seat)
        sitter = table.secret.sitters[seat] if seat is not None else None
        if sitter is None:
            watching.generation = 0
            return None
        if sitter.generation > watching.generation:
            self._forget(code, room, watching)
            watching.peer.push(write(Replaced(table=code)).encode())
        return seat

    def _seat_now(self, code: str, room: Room, watching: Watching, table: Table) -> int | None:
        """The same for a watcher that is just coming. Raises No when it was replaced or banned meanwhile."""
        seat = self._seat(code, room, watching, table)
        if doors.is_banned(table, watching.peer.player):
            raise No("no_table")
        if watching.peer not in room.watchers:
            raise No("replaced")
        return seat

    def _leave(self, peer: Peer, code: str) -> None:
        self._where[peer] = tuple(other for other in self._where[peer] if other != code)
        if not self._where[peer]:
            del self._where[peer]

    def _forget(self, code: str, room: Room, watching: Watching) -> None:
        if room.watchers.get(watching.peer) is watching:
            del room.watchers[watching.peer]
            self._leave(watching.peer, code)
        if not room.watchers and self._rooms.get(code) is room:
            del self._rooms[code]
            for task in (room.follower, room.talk):
                if task is not None:
                    task.cancel()
