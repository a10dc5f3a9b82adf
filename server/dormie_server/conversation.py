"""Talk at a table: what is said is kept first, and reaches everybody who watches by one road.

The document of the chat is the truth and its notes are bells: whoever is woken reads what is new and
leaves out the words of those its listener does not want to hear. So another server's players hear it
just the same, and a table's own document is never touched.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial

import structlog

from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_protocol.codec import write
from dormie_protocol.emotes import emote_line
from dormie_protocol.spectators import Spectators
from dormie_server.chat import Chat, Chats, Line, chat_key, old_enough, shown
from dormie_server.hub import Hub
from dormie_server.keeper import Keeper
from dormie_server.limits import Limits, Remembered, Tally
from dormie_server.names import distinct
from dormie_server.person import Caller
from dormie_server.players import Players
from dormie_server.store import Store, StoreUnavailable, WentBack
from dormie_server.table.permissions import may_talk
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from dormie_server.watching import Peer, Room, Watching

log = structlog.get_logger(__name__)

_AGAIN = 0.5
_SAME_SECONDS = 60.0
"""For so long nobody says the same thing twice in a row."""


class Conversation:
    """The talk at all tables, as far as this process serves them."""

    def __init__(
        self, store: Store, keeper: Keeper, hub: Hub, players: Players, limits: Limits
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._hub = hub
        self._players = players
        self._chats = Chats(store)
        self._telling = set[asyncio.Task[None]]()
        self._spoken = Remembered(
            lambda: Tally(limits.chat_lines, limits.chat_seconds),
            limits.remembered,
            limits.chat_seconds,
        )

    async def answer(self, message: p.Say | p.Emote | p.Chat, caller: Caller, now: float) -> m.Done:
        """Say something, or send what was said. Raises No. *now* is only for counting."""
        code, seat = message.table, None
        match message:
            case p.Say():
                seat = await self._say(message, shown(message.text), None, caller, now)
            case p.Emote(emote=word):
                seat = await self._say(message, emote_line(word), word, caller, now)
            case p.Chat():
                await self._table(code)
                if self._hub.watching(caller.peer, code) is None:
                    raise No("wrong_time")
                await self.listen(caller.peer, code, message.after)
        return m.Done(re=message.id, table=code, seat=seat)

    async def listen(self, peer: Peer, code: str, after: int | None) -> None:
        """Let somebody who watches hear what is said, from number *after* on; None: from now on. Raises No."""
        watching = self._hub.watching(peer, code)
        room = self._hub.room(code)
        table = await self._table(code)
        if watching is None or room is None or table.about.chat == "off":
            return
        self._follow(code, room)
        # First the place, then the look: what is said in between is in one or told by the other.
        if after is None:
            chat = await self._chats.read(code)
            late = not watching.generation and table.about.spectators.delay
            after = old_enough(chat, await self._hub.now() - late) if late else chat.newest
        watching.heard = after
        chat = await self._chats.read(code)
        if watching.heard > chat.newest:
            watching.heard = 0
        await self._tell(watching, code, chat)

    async def _say(
        self, message: p.Say | p.Emote, text: str, emote: str | None, caller: Caller, now: float
    ) -> int | None:
        table, alone = await self._table(message.table), not self._store.shared
        watches = self._hub.watching(caller.peer, message.table) is not None
        seat = may_talk(table, caller.player.id, quick=emote is not None, watches=watches)
        name, apart = _speaker(table, seat, caller.player.name)
        among = seat is not None and table.about.spectators.chat == "off"
        said = Line(0, caller.player.id, message.id, seat, name, text, emote, 0.0, apart, among)
        tally = self._spoken.about(caller.player.id, now)

        def make(chat: Chat, when: float) -> Line | None:
            if alone and not chat.newest:
                self._begin_again(message.table)
            if _is_said_already(chat, said):
                return None
            if tally.full(now):
                raise No("too_fast")
            last = chat.last_of(said.player)
            if (
                last
                and (last.text, last.emote) == (text, emote)
                and when - last.when < _SAME_SECONDS
            ):
                raise No("repeated")
            return replace(said, when=when)

        before = await self._chats.read(message.table)
        if not _is_said_already(before, said):
            await self._chats.add(message.table, make)
            tally.add(now)
            if alone:
                self._tell_soon(message.table)
        return seat

    async def _table(self, code: str) -> Table:
        kept = await self._keeper.table(code)
        if kept is None:
            raise No("no_table")
        return kept.table

    def _follow(self, code: str, room: Room) -> None:
        """Hear the bells of a table's chat for as long as somebody here watches it, if others may ring them."""
        if self._store.shared and (room.talk is None or room.talk.done()):
            room.talk = asyncio.get_running_loop().create_task(self._run(code, room))

    async def _run(self, code: str, room: Room) -> None:
        version = 0
        while True:
            try:
                async for note in self._store.follow(chat_key(code), version):
                    version = note.version
                    await self._tell_all(code, room)
            except WentBack:
                version = 0
                await self._hear_again(code, room)
            except (StoreUnavailable, No):
                log.debug("listeners_wait_for_the_store", table=code)  # the alarms say it once
            except Exception:
                log.exception("listeners_wait", table=code)
            else:
                version = 0
                self._begin_again(code)
            await asyncio.sleep(_AGAIN)

    async def _tell_all(self, code: str, room: Room) -> None:
        chat = await self._chats.read(code)
        for watching in list(room.watchers.values()):
            if watching.heard is not None and watching.heard < chat.newest:
                await self._tell(watching, code, chat)

    async def _tell(self, watching: Watching, code: str, chat: Chat) -> None:
        """Send what a watcher has not heard yet, but for the words of those it does not want to hear."""
        before = watching.heard
        if before is None or before >= chat.newest:
            return
        hidden = await self._players.hidden(watching.peer.player)
        switches, now = (await self._table(code)).about.spectators, await self._hub.now()
        # From here on nothing is waited for, so that no line is sent twice.
        heard, room = watching.heard, self._hub.room(code)
        if heard is None or room is None or room.watchers.get(watching.peer) is not watching:
            return  # it is gone, or has begun anew: then it hears by that
        for line in chat.lines:
            if line.number <= heard:
                continue
            if not watching.generation and line.when > now - switches.delay:
                wait = line.when + switches.delay - now
                room.soon("talk", wait, partial(self._tell_soon, code))
                watching.heard = max(heard, line.number - 1)
                return
            if line.player not in hidden and _is_for(line, watching, switches):
                watching.peer.push(write(_said(code, line)).encode())
        watching.heard = max(heard, chat.newest)

    async def _hear_again(self, code: str, room: Room) -> None:
        """The store has gone back: what is said next gets numbers that were heard already."""
        with suppress(No):
            chat = await self._chats.read(code)
            for watching in room.watchers.values():
                watching.heard = (
                    None if watching.heard is None else min(watching.heard, chat.newest)
                )

    def _begin_again(self, code: str) -> None:
        """Nobody has said anything for a day: the numbers of what is said begin again."""
        room = self._hub.room(code)
        for watching in room.watchers.values() if room else ():
            watching.heard = None if watching.heard is None else 0

    def _tell_soon(self, code: str) -> None:
        """Tell whoever watches what they may hear by now, as soon as the store lets us."""
        if (room := self._hub.room(code)) is None:
            return

        async def tell() -> None:
            try:
                await self._tell_all(code, room)
            except No:
                room.soon("talk", _AGAIN, partial(self._tell_soon, code))
            except Exception:
                log.exception("listeners_wait", table=code)

        task = asyncio.get_running_loop().create_task(tell())
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)


def _is_said_already(chat: Chat, said: Line) -> bool:
    """Whether the same request was done before. Raises No when the id was something else."""
    for line in chat.lines:
        if (line.player, line.ask) == (said.player, said.ask):
            if (line.text, line.emote) != (said.text, said.emote):
                raise No("id_conflict", field="id")
            return True
    return False


def _speaker(table: Table, seat: int | None, name: str) -> tuple[str, bool]:
    """What whoever speaks is called at the table, and whether only spectators hear it."""
    if seat is None:
        taken = [who.name for who in table.public.seats if who]
        return distinct(name, taken), table.about.spectators.chat == "apart"
    who = table.public.seats[seat]
    assert who is not None, "whoever speaks sits there"
    return who.name, False


def _is_for(line: Line, watching: Watching, switches: Spectators) -> bool:
    """Whether a line is for the ears of a watcher at all."""
    if watching.generation:
        return not line.apart
    return switches.chat != "off" and not line.among


def _said(code: str, line: Line) -> p.Said:
    return p.Said(
        table=code,
        number=line.number,
        seat=line.seat,
        name=line.name,
        text=line.text,
        emote=line.emote,
        when=line.when,
    )
