"""The keeper reads a table, lets it think, and writes it back.

One queue for each table and process keeps the order; compare-and-set in the store decides between
processes. A change is acknowledged only after it was kept.
"""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog

from dormie_server import documents
from dormie_server.documents import EventText, Kept
from dormie_server.luck_source import LuckSource
from dormie_server.metrics import Metrics
from dormie_server.pen import Pen
from dormie_server.store import Conflict, Document, Mark, Note, Store, StoreUnavailable
from dormie_server.table.commands import Command, Opening, OthersGone
from dormie_server.table.draft import Change
from dormie_server.table.handle import handle
from dormie_server.table.opening import open_table
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy, people
from dormie_server.table_shelves import OPEN_TABLES, cards_of

log = structlog.get_logger(__name__)

_LIVES = 7 * 86400.0
_LIVES_CLOSED = 600.0
_TRIES = 20


def table_key(code: str) -> str:
    """The store's key of a table."""
    return f"table:{code}"


@dataclass(slots=True)
class _Place:
    """What this process knows of one table."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    kept: Kept | None = None
    pen: Pen = field(default_factory=Pen)


class News(NamedTuple):
    """A change that was kept here, with what is needed to tell it; *was* is the chain before it."""

    kept: Kept
    change: Change
    events: tuple[EventText, ...]
    now: float
    was: str


@dataclass(slots=True)
class Herald:
    """Who tells the watchers here; elsewhere, and if it fails, they hear by the store."""

    tell: Callable[[News], None] = lambda _news: None
    """Told of every change at once."""
    went_back: Callable[[Kept, float], None] = lambda _kept, _now: None
    """Told of a table that the store has, and that is not what was known here; and the store's time."""


class Keeper:
    """Tables in a store."""

    def __init__(
        self,
        store: Store,
        luck: LuckSource,
        kept: Callable[[Change, float], None],
        metrics: Metrics,
    ) -> None:
        """*kept* is told of every change after it was kept, with the store's time."""
        self.herald = Herald()
        self._store = store
        self._metrics = metrics
        self._luck = luck
        self._tell = kept
        self._places: dict[str, _Place] = {}
        self._news = 0
        """How often anything may have changed that a census counts."""
        self._census: tuple[tuple[int, int], Counter[str], int] = ((-1, 0), Counter(), 0)

    async def open(self, opening: Opening, policy: Policy) -> Change:
        """Open a table, or find the one that the same request opened before. Raises No."""
        place = self._places.get(opening.code) or _Place()
        async with place.lock:
            if await self._newest(opening.code, place) is None:
                now = await self._now()
                change = open_table(opening, policy, now)
                with suppress(Conflict):
                    return await self._keep(opening.code, place, None, change, now)
                place.kept = None
            before = await self._newest(opening.code, place)
            if before is None:
                raise No("store_unavailable")
            if before.table.secret.wish != opening.wish:
                raise No("id_conflict", field="id")
            return Change(before.table, version=1, seat=0)

    async def do(self, code: str, command: Command) -> Change:
        """Do *command* at a table. Raises No; ``no_table`` when there is none."""
        place = self._places.get(code) or _Place()
        async with place.lock:
            for attempt in range(_TRIES):
                remembered = place.kept is not None
                before = place.kept or await self._newest(code, place)
                if before is None:
                    raise No("no_table")
                if before.table.public.phase != "closed":
                    self._places.setdefault(code, place)
                now = await self._now()
                try:
                    change = handle(before.table, command, now)
                except No:
                    if remembered and await self._was_left_behind(code, place, before):
                        continue
                    raise
                if change.table is before.table:
                    if remembered and await self._was_left_behind(code, place, before):
                        continue  # nothing to do for the table that it was, perhaps there is now
                    return change
                try:
                    return await self._keep(code, place, before, change, now)
                except Conflict:
                    self._metrics.conflicts.inc()
                    await asyncio.sleep(0.002 * attempt * self._luck.draw(1)[0] / 255)
                    await self._was_left_behind(code, place, before)
        raise No("store_unavailable")

    async def table(self, code: str, at_least: int = 0) -> Kept | None:
        """The newest table known, at version *at_least* or newer; None when there is none. Raises No."""
        place = self._places.get(code) or _Place()
        if place.kept is not None and place.kept.table.version >= at_least:
            return place.kept
        async with place.lock:
            if place.kept is not None and place.kept.table.version < at_least:
                await self._was_left_behind(code, place, place.kept)
            kept = await self._newest(code, place)
            if kept is not None and kept.table.public.phase != "closed":
                self._places.setdefault(code, place)
            return kept

    def heard(self, code: str, note: Note) -> Kept | None:
        """The newest table known, if a note of another server brought it along; it need not be read then."""
        place = self._places.get(code)
        if place is None or note.document is None:
            return None
        self._take_in(code, place, Document(note.version, note.document))
        return place.kept

    def count(self) -> int:
        """How many open tables this process knows."""
        return len(self._places)

    def phases(self) -> dict[str, int]:
        """How many tables this process knows in each phase."""
        return dict(self.census()[0])

    def census(self) -> tuple[Counter[str], int]:
        """How many tables this process knows in each phase, and how many seats there are persons'."""
        mark = self._news, len(self._places)
        if self._census[0] != mark:
            known = [place.kept.table for place in self._places.values() if place.kept]
            phases = Counter(str(table.public.phase) for table in known)
            self._census = mark, phases, sum(len(people(table)) for table in known)
        return self._census[1:]

    async def recover(self, server: str) -> int:
        """Before *server*, alone here, opens: who was served has dropped. Returns how many tables live on."""
        codes = [key.partition(":")[2] for key in await self._store.on(OPEN_TABLES)]
        await asyncio.gather(*(self._recover_one(code, server) for code in codes))
        return len(codes)

    async def _recover_one(self, code: str, server: str) -> None:
        try:
            change = await self.do(code, OthersGone(server))
            self._tell(Change(change.table), await self._now())
        except No as no:
            log.warning("table_not_recovered", table=code, why=no.why)
        except Exception:  # a damaged table is its own misfortune, and keeps nobody else waiting
            log.exception("table_not_recovered", table=code)

    async def _now(self) -> float:
        try:
            return await self._store.now()
        except StoreUnavailable:
            raise No("store_unavailable") from None

    async def _newest(self, code: str, place: _Place) -> Kept | None:
        """The newest document known: a stale one does no harm, compare-and-set finds it out."""
        if place.kept is None:
            self._take_in(code, place, await self._get(code))
        return place.kept

    def _take_in(self, code: str, place: _Place, document: Document | None) -> None:
        """Know a table as it was kept, perhaps by another server; whoever was waited for may know it better."""
        if document is None:  # another server closed it so long ago that it is gone
            if self._places.get(code) is place:
                del self._places[code]
        elif place.kept is None or place.kept.table.version < document.version:
            place.kept = place.pen.read(document.body)
            self._news += 1
            if place.kept.table.secret.alarm is None:  # closed
                self._places.pop(code, None)

    async def _was_left_behind(self, code: str, place: _Place, before: Kept) -> bool:
        """Whether another server has taken the table on from *before*: then that settles nothing."""
        now, document = await self._now(), await self._get(code)
        newest = place.pen.read(document.body) if document else None
        if newest and (newest.table.version, newest.mark) == (before.table.version, before.mark):
            return False
        if place.kept is before:
            place.kept = None
        self._take_in(code, place, document)
        if newest and newest.table.version <= before.table.version:
            self.herald.went_back(newest, now)
        return True

    async def _was_kept(self, code: str, version: int, body: bytes) -> bool:
        """Whether a change was kept although the store's answer was lost. Raises No if nobody can say."""
        return await self._get(code) == Document(version, body)

    async def _get(self, code: str) -> Document | None:
        try:
            return await self._store.get(table_key(code))
        except StoreUnavailable:
            raise No("store_unavailable") from None

    async def _keep(
        self, code: str, place: _Place, before: Kept | None, change: Change, now: float
    ) -> Change:
        """Write a change. Raises Conflict when somebody was faster; then nothing has happened."""
        events = documents.write_events(change.events)
        was, mark = (before.chain, before.mark) if before else (documents.NO_CHAIN, "")
        chain, note = documents.write_note(was, events, change.lines)
        kept = Kept(change.table, chain, mark=secrets.token_hex(6))
        alarm, body = change.table.secret.alarm, place.pen.write(kept)
        shelves = cards_of(before.table if before else None, change.table)
        began = time.perf_counter()
        try:
            await self._store.put(
                table_key(code),
                body,
                change.table.version - 1,
                note=note,
                alarm=alarm,
                shelves=shelves,
                mark=Mark(mark, kept.mark),
                lifetime=_LIVES_CLOSED if alarm is None else max(alarm - now, 0.0) + _LIVES,
            )
        except StoreUnavailable:
            place.kept = None
            if not await self._was_kept(code, kept.table.version, body):
                raise No("store_unavailable") from None
        self._metrics.commit_seconds.observe(time.perf_counter() - began)
        if shelves or before is None or before.table.public.phase != change.table.public.phase:
            self._news += 1
        if place.kept is None or place.kept.table.version <= kept.table.version:
            place.kept = kept  # else a bell was faster than the store's answer
            if alarm is None:  # closed: nothing to remember but what the store has
                self._places.pop(code, None)
            else:
                self._places.setdefault(code, place)
        self._tell(change, now)
        self.herald.tell(News(kept, change, events, now, was))
        return change._replace(chain=chain)
