"""Who watches without a seat: how many there are, who has to go, and what they see only later."""

import asyncio
from functools import partial

from dormie_protocol.codec import write
from dormie_protocol.messages import Audience, Replaced, SentAway
from dormie_server.gallery import Gallery
from dormie_server.seen import Page
from dormie_server.table import doors
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, seat_of
from dormie_server.watching import Room, Rooms, Watching

_COUNTED_AFTER = 0.25
"""Seconds: those who come and go together are told of together."""


class Spectating(Rooms):
    """Rooms whose spectators are counted, seen out, and shown everything later where the switches say so."""

    def __init__(self) -> None:
        super().__init__()
        self._galleries: dict[str, Gallery] = {}
        """Of the tables whose spectators see everything later."""

    def gallery(self, code: str) -> Gallery | None:
        """What is kept for the spectators of a table with a delay."""
        return self._galleries.get(code)

    async def stop(self) -> None:
        """End everything that is going on in any room."""
        await super().stop()
        self._galleries.clear()

    def _begin_gallery(
        self, code: str, table: Table, page: Page, *, seen: bool = False, lost: bool = False
    ) -> None:
        """From here on spectators see everything later, if the switches stand so.

        *seen* says whether spectators have seen what is on *page*, *lost* whether what they have seen so far
        may be lost. Where no match is on yet there is nothing that anybody has to wait for.
        """
        self._galleries.pop(code, None)
        if not (delay := table.about.spectators.delay):
            return
        gallery = self._galleries[code] = Gallery(delay)
        old = seen or table.public.match is None
        now = asyncio.get_running_loop().time()
        gallery.keep(page.look(), now - delay if old else now, whole=True, lost=lost)
        gallery.due(now)

    def _keep(  # noqa: PLR0913 - what happened, where, and how the switches stand now
        self,
        code: str,
        room: Room,
        gallery: Gallery,
        page: Page,
        newest: Table | None,
        *,
        whole: bool,
    ) -> Gallery | None:
        """Keep a page for later; None if from now on nobody has to wait any more."""
        delay = newest.about.spectators.delay if newest is not None else gallery.delay
        if delay != gallery.delay:
            gallery.delay = delay
            self._show(code, room)
            if not delay:
                del self._galleries[code]
                return None
        gallery.keep(page, asyncio.get_running_loop().time(), whole=whole)
        self._show_later(code, room, gallery)
        return gallery

    def _show(self, code: str, room: Room) -> None:
        """Tell spectators what is old enough by now."""
        gallery = self._galleries.get(code)
        if gallery is None:
            return
        for held in gallery.due(asyncio.get_running_loop().time()):
            for watching in list(room.watchers.values()):
                sent, version = watching.sent, held.page.version
                if watching.generation or sent is None or sent >= version:
                    continue
                watching.peer.push(held.text(sent))
                watching.sent = version
        self._show_later(code, room, gallery)

    def _show_later(self, code: str, room: Room, gallery: Gallery) -> None:
        """Ring when the next page is old enough."""
        at = gallery.next_at()
        if at is not None:
            wait = at - asyncio.get_running_loop().time()
            room.soon("show", wait, partial(self._show, code, room))

    def _seat(self, code: str, room: Room, watching: Watching, table: Table | None) -> int | None:
        """The seat a watcher plays; one whose seat was taken over is told so, and watches no longer."""
        if table is None or not watching.generation:
            return None
        seat = watching.seat = seat_of(table, watching.peer.player, watching.seat)
        sitter = table.secret.sitters[seat] if seat is not None else None
        if sitter is None:
            watching.generation = 0
            self._count(code, room)
            return None
        if sitter.generation > watching.generation:
            self._forget(code, room, watching)
            watching.peer.push(write(Replaced(table=code)).encode())
        return seat

    def _seat_now(self, code: str, room: Room, watching: Watching, table: Table) -> int | None:
        """The same for a watcher that is just coming. Raises No when it was replaced or banned meanwhile."""
        seat = self._seat(code, room, watching, table)
        player = watching.peer.player
        if seat is None and not doors.may_stay(table, player, proven=watching.proven):
            raise No("no_table")
        if watching.peer not in room.watchers:
            raise No("replaced")
        return seat

    def _see_out(self, code: str, room: Room, watching: Watching, table: Table) -> None:
        """Let a spectator who may not watch any more watch no longer, and say so."""
        player = watching.peer.player
        if doors.may_stay(table, player, proven=watching.proven):
            return
        self._forget(code, room, watching)
        banned = doors.is_banned(table, player)
        gone = SentAway(table=code, why="banned" if banned else "not_for_spectators")
        watching.peer.push(write(gone).encode())

    def _forget(self, code: str, room: Room, watching: Watching) -> None:
        super()._forget(code, room, watching)
        if code in self._rooms:
            self._count(code, room)
        else:
            self._galleries.pop(code, None)

    def _count(self, code: str, room: Room) -> None:
        """Tell everybody how many spectators there are, soon, if that is news to anybody."""
        many = room.spectators()
        if any(watching.counted != many for watching in room.watchers.values()):
            room.soon("count", _COUNTED_AFTER, partial(self._tell_count, code, room))

    def _tell_count(self, code: str, room: Room) -> None:
        many = room.spectators()
        text = write(Audience(table=code, spectators=many)).encode()
        for watching in list(room.watchers.values()):
            if watching.counted != many:
                watching.counted = many
                watching.peer.push(text)
