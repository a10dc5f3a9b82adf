"""Telling everybody who watches a table from this process: of every change, by one road, in order.

A change that was made here is told as soon as it is kept. For each table one follower reads the notes, and
tells what nobody here knew. If what comes next does not follow from what was told, the store has gone back to an
earlier state meanwhile: then everybody begins anew.
"""

import asyncio

import structlog

from dormie_server import documents
from dormie_server.documents import Kept
from dormie_server.keeper import Herald, Keeper, News, table_key
from dormie_server.past import Past
from dormie_server.seen import Look, Page, Span, anew, since
from dormie_server.spectating import Spectating
from dormie_server.store import Note, Store, StoreUnavailable
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from dormie_server.watching import Room

log = structlog.get_logger(__name__)

NEWEST = 1 << 60
_AGAIN = 0.5
"""After a failure watchers are told what they have missed, so many seconds later."""


class Telling(Spectating):
    """Rooms in which everybody hears of everything."""

    def __init__(self, store: Store, keeper: Keeper) -> None:
        super().__init__()
        self._store = store
        self._keeper = keeper
        self._past = Past(store, keeper)
        keeper.herald = Herald(self.tell, self.went_back)

    async def now(self) -> float:
        """The store's time, which every deadline is told in. Raises No."""
        try:
            return await self._store.now()
        except StoreUnavailable:
            raise No("store_unavailable") from None

    def tell(self, news: News) -> None:
        """Tell everybody here of a change that was kept just now, unless something before it is still untold."""
        code, version = news.kept.table.about.table, news.kept.table.version
        room = self._rooms.get(code)
        if room is None or room.follower is None:
            return  # there is nobody
        if (room.told, room.chain) != (version - 1, news.was):
            return  # the follower is at it
        span = Span(code, version - 1, version, news.kept.chain, news.now, news.events)
        try:
            page = Page(span, news.kept)
            self._tell_all(code, room, page, news.kept.table, whole=anew(news.change.events))
        except Exception:  # it was kept all the same: the follower will tell whoever was left out
            log.exception("watchers_wait", table=code)
        else:
            room.told, room.chain = version, span.chain

    def went_back(self, kept: Kept, now: float) -> None:
        """Whoever was told here of more than the store has, or of something else, begins anew."""
        code, version = kept.table.about.table, kept.table.version
        room = self._rooms.get(code)
        if room is None or room.follower is None or room.told < version:
            return  # the follower sees whether what comes next follows from what was told
        if (room.told, room.chain) != (version, kept.chain):
            self._begin_anew(code, room, kept, now)

    def _follow(self, code: str, room: Room, table: Table, page: Page) -> None:
        """Start the room's follower if there is none; a watcher further on skips what it has seen."""
        if self._rooms.get(code) is not room:
            return  # everything was stopped while somebody was just coming in
        if room.follower is None or room.follower.done():
            room.told, room.chain = page.version, page.chain
            self._begin_gallery(code, table, page)
            room.follower = asyncio.get_running_loop().create_task(self._tell(code, room))

    async def _tell(self, code: str, room: Room) -> None:
        """For as long as anybody watches: every note to everybody, late if need be."""
        key, sure = table_key(code), True
        while True:
            try:
                if sure or await self._look_back(code, room):
                    sure = True
                    async for note in self._store.follow(key, room.told, lambda: room.told):
                        await self._tell_one(code, room, note)
            except (StoreUnavailable, No):
                sure = False  # another one may have taken its place
                # That it is away is said once for the house, by the alarms.
                log.debug("watchers_wait_for_the_store", table=code)
            except Exception:
                log.exception("watchers_wait", table=code)
            else:  # the table is gone, or the store is closed
                for watching in list(room.watchers.values()):
                    self._forget(code, room, watching)
                return
            await asyncio.sleep(_AGAIN)

    async def _look_back(self, code: str, room: Room) -> bool:
        """Make sure that the store still has what was told here last; False if there is no table. Raises No."""
        told, chain = room.told, room.chain
        kept = await self._keeper.table(code, NEWEST)
        if kept is None or await self._past.remembers(code, told, chain):
            return kept is not None
        now = await self.now()
        if (room.told, room.chain) == (told, chain):  # nobody was faster
            self._begin_anew(code, room, kept, now)
        return True

    async def _tell_one(self, code: str, room: Room, note: Note) -> None:
        """Tell everybody here of a note, unless they have heard of it meanwhile."""
        kept = self._keeper.heard(code, note) or await self._keeper.table(code, note.version)
        now = await self.now()
        if note.version <= room.told:
            return
        read = documents.read_note(note.body)
        current = kept if kept and kept.table.version == note.version else None
        texts = documents.write_events(read.events)
        if not documents.follows(room.chain, texts, read.chain) and kept is not None:
            # Words that were erased change no chain, and are no other past.
            if not await self._past.remembers(code, room.told, room.chain):
                self._begin_anew(code, room, kept, now)
            if note.version <= room.told:
                return
        span = Span(code, note.version - 1, note.version, read.chain, now, texts)
        newest = kept.table if kept else None
        self._tell_all(code, room, Page(span, current), newest, whole=anew(read.events))
        room.told, room.chain = note.version, read.chain

    def _begin_anew(self, code: str, room: Room, kept: Kept, now: float) -> None:
        """The store has gone back behind what was told here: everybody begins with what there is."""
        version = kept.table.version
        log.warning("store_went_back", table=code, told=room.told, version=version)
        page = Page(Span(code, version, version, kept.chain, now, ()), kept)
        self._begin_gallery(code, kept.table, page, lost=True)
        late = self.gallery(code) is not None
        for watching in list(room.watchers.values()):
            if watching.sent is None:
                continue
            seat = self._seat(code, room, watching, kept.table)
            if seat is None:
                self._see_out(code, room, watching, kept.table)
            if watching.peer not in room.watchers:
                continue
            if late and not watching.generation:  # who sees everything later is told by the gallery
                watching.sent = min(watching.sent, version - 1)
                continue
            came_since = room.told < watching.sent <= version
            if not came_since or watching.sent < version:
                look = Look(seat, rolled_back=not came_since, whole=True)
                watching.peer.push(page.text(look))
                watching.sent = version
        if (gallery := self.gallery(code)) is not None:
            self._show_later(code, room, gallery)
        behind, room.told, room.chain = version < room.told, version, kept.chain
        if behind and room.follower is not None:  # it waits for what comes after all that was told
            room.follower.cancel()
            room.follower = asyncio.get_running_loop().create_task(self._tell(code, room))

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
