"""The hub: everybody who watches a table hears of every change of it, by one road, in order.

A change that was made here is told as soon as it is kept. For each table and process one follower reads
the notes, and tells what nobody here knew. Whoever made a change hears of it the same way. A watcher that
is behind is never waited for.
"""

import asyncio

import structlog

from dormie_protocol.codec import write
from dormie_protocol.messages import Veiled
from dormie_server import documents
from dormie_server.gallery import veiled
from dormie_server.keeper import Keeper, News, table_key
from dormie_server.past import Past
from dormie_server.seen import Look, Page, Span, anew, since, texts_of
from dormie_server.spectating import Spectating
from dormie_server.store import Note, Store, StoreUnavailable
from dormie_server.table import doors
from dormie_server.table.commands import Attach, Detach
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from dormie_server.watching import Peer, Room, Watching

log = structlog.get_logger(__name__)

_REPLAYED_AT_ONCE = 100
_NEWEST = 1 << 60
_AGAIN = 0.5
"""After a failure watchers are told what they have missed, so many seconds later."""


class Hub(Spectating):
    """All rooms of this process, and what is told in them."""

    def __init__(self, store: Store, keeper: Keeper, server: str) -> None:
        super().__init__()
        self._store = store
        self._keeper = keeper
        self._past = Past(store, keeper)
        keeper.herald = self.tell
        self.server = server
        """The name of this process, under which tables know who serves a player."""

    async def watch(  # noqa: PLR0913 - where a watcher is, and who comes back
        self,
        peer: Peer,
        code: str,
        after: int,
        chain: str,
        run: str = "",
        line: int = 0,
        *,
        resume: bool = False,
        told: tuple[int, str] = (0, ""),
        proof: str | None = None,
    ) -> tuple[int | None, int]:
        """Let *peer* follow a table from version *after*; a player's connection takes the seat over.

        A *run* that says *resume* only takes it up again, unless another has taken it since; an older
        *line* of the same run never does. *told* is a newer version that an answer named. Whoever has
        no seat may need *proof* of the password.
        Returns the seat and the version. Raises No.
        """
        room, watching = self._enter(code, peer)
        try:
            attach = Attach(peer.player, self.server, run, resume, line)
            watching.generation = await self._attach(code, watching, attach, proof)
            mine = [seen for seen in ((after, chain), told) if seen[0] > 0]
            if not watching.generation and await self._sees_late(code, room):
                seat, version = await self._catch_up_late(code, room, watching, after, mine)
            else:
                rolled_back = not all([await self._past.remembers(code, *seen) for seen in mine])
                seat, version = await self._catch_up(
                    code, room, watching, after, rolled_back=rolled_back
                )
        except BaseException:
            if not watching.generation:  # whoever holds a seat has to be missed when the line ends
                self._forget(code, room, watching)
            raise
        self._count(code, room)
        return seat, version

    async def now(self) -> float:
        """The store's time, which every deadline is told in. Raises No."""
        try:
            return await self._store.now()
        except StoreUnavailable:
            raise No("store_unavailable") from None

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

    async def _attach(
        self, code: str, watching: Watching, attach: Attach, proof: str | None
    ) -> int:
        """Take the seat over if the player has one; returns the generation, 0 for a spectator."""
        try:
            change = await self._keeper.do(code, attach)
        except No as no:
            if no.why != "not_seated":
                raise
            table = (await self._past.table(code)).table
            doors.let_watch(table, attach.player, proof)
            watching.proven = doors.proves(table, proof)
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
        page = Page(span, kept)
        watching.peer.push(page.text(how))
        watching.sent = version
        self._follow(code, room, kept.table, page)
        return seat, version

    async def _sees_late(self, code: str, room: Room) -> bool:
        """Whether spectators of a table see everything later; then it is kept for them from now on."""
        kept, now = await self._past.table(code, room.told), await self.now()
        if not kept.table.about.spectators.delay:
            return False
        version = kept.table.version
        page = Page(Span(code, version, version, kept.chain, now, ()), kept)
        self._follow(code, room, kept.table, page)
        if self.gallery(code) is None:
            self._begin_gallery(code, kept.table, page)
        return True

    async def _catch_up_late(
        self, code: str, room: Room, watching: Watching, after: int, mine: list[tuple[int, str]]
    ) -> tuple[int | None, int]:
        """The same for a spectator who sees everything later; *mine* are versions that were seen.

        Whether a version that spectators may not know yet is right, nobody is told.
        """
        gallery, player = self.gallery(code), watching.peer.player
        assert gallery is not None, "there is one where spectators see everything later"
        rolled_back = not all(
            [
                gallery.may_know(player, seen) and await self._past.remembers(code, seen, chain)
                for seen, chain in mine
            ]
        )
        after = 0 if rolled_back else after
        if 0 < after < gallery.version:
            after = await self._replay(code, room, watching, after, gallery.version)
        while True:
            notes = await self._past.notes(code, after) if after else []
            kept, now = await self._past.table(code, room.told), await self.now()
            newest = notes[-1].version if notes else after
            page = gallery.page(after)
            if page is None or not after or page.version <= newest:
                break
        # From here on nothing is waited for, as above.
        if self.gallery(code) is not gallery:
            return await self._catch_up(code, room, watching, after, rolled_back=rolled_back)
        self._seat_now(code, room, watching, kept.table)
        if page is None and (page := gallery.shown) is not None:
            after, rolled_back = 0, True
        if page is None:
            page = veiled(kept, now)
            watching.peer.push(page.text(Look(None, rolled_back=rolled_back, whole=True)))
            watching.peer.push(write(Veiled(table=code, seconds=gallery.delay)).encode())
        else:
            if after:
                missed = [note for note in notes if note.version <= page.version]
                page = page.told_since(after, texts_of(missed, page.version))
            how = Look(None, replay=bool(after), rolled_back=rolled_back, whole=True)
            watching.peer.push(page.text(how))
        watching.sent = page.version
        self._show_later(code, room, gallery)
        return None, page.version

    async def _replay(
        self, code: str, room: Room, watching: Watching, after: int, upto: int = _NEWEST
    ) -> int:
        """Send what is long past in pieces, as fast as the line takes them; returns how far that goes."""
        notes = [note for note in await self._past.notes(code, after) if note.version <= upto]
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

    def _follow(self, code: str, room: Room, table: Table, page: Page) -> None:
        """Start the room's follower if there is none; a watcher further on skips what it has seen."""
        if self._rooms.get(code) is not room:
            return  # everything was stopped while somebody was just coming in
        if room.follower is None or room.follower.done():
            room.told = page.version
            self._begin_gallery(code, table, page)
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
        kept = self._keeper.heard(code, note) or await self._keeper.table(code, note.version)
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
        gallery = self._galleries.get(code)
        if gallery is not None:
            gallery = self._keep(code, room, gallery, page, newest, whole=whole)
        for watching in list(room.watchers.values()):
            if watching.sent is None or watching.sent >= page.version:
                continue
            late = gallery is not None and not watching.generation
            seat = self._seat(code, room, watching, newest)
            if not late:
                if watching.peer in room.watchers:
                    hears = newest is not None and page.version > since(newest, seat)
                    watching.peer.push(page.text(Look(seat, whole=whole, hears=hears)))
                watching.sent = page.version
            if seat is None and newest is not None:
                if gallery is not None and not late:  # who stood up just now
                    gallery.let_ahead(watching.peer.player, page.version)
                self._see_out(code, room, watching, newest)
        if gallery is None and newest is not None and newest.about.spectators.delay:
            self._begin_gallery(code, newest, page, seen=True)
