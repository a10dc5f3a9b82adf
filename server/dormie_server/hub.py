"""The hub: whoever begins to watch a table is told what they have missed, and from then on of every change.

Whoever makes a change hears of it the same way. A watcher that is behind is never waited for.
"""

import structlog

from dormie_protocol.codec import write
from dormie_protocol.messages import Veiled
from dormie_server import documents
from dormie_server.gallery import veiled
from dormie_server.keeper import Keeper
from dormie_server.seen import Look, Page, Span, since, texts_of
from dormie_server.store import Store
from dormie_server.table import doors
from dormie_server.table.commands import Attach, Detach
from dormie_server.table.refusal import No
from dormie_server.telling import NEWEST, Telling
from dormie_server.watching import Peer, Room, Watching

log = structlog.get_logger(__name__)

_REPLAYED_AT_ONCE = 100


class Hub(Telling):
    """All rooms of this process, and who comes into them."""

    def __init__(self, store: Store, keeper: Keeper, server: str) -> None:
        super().__init__(store, keeper)
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

    async def drop(self, player: str, code: str, generation: int) -> bool:
        """Tell the table that the connection which held this generation of a seat is gone.

        Returns whether that is settled; if not, the table has to be told again.
        """
        try:
            await self._keeper.do(code, Detach(player, generation))
        except No as no:
            return no.why == "no_table"
        return True

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
            told = room.told
            kept = await self._past.table(code, told)
            notes = [] if fresh else await self._past.notes(code, after)
            if kept.table.version < told == room.told:
                self._begin_anew(code, room, kept, now)
            elif kept.table.version == room.told and kept.chain != room.chain:
                await self._look_back(code, room)  # one of the two is lost
                continue
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
        self, code: str, room: Room, watching: Watching, after: int, upto: int = NEWEST
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
