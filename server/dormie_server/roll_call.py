"""Which servers are alive, where several share a store: whoever a dead one served has dropped.

Every server keeps a document with an alarm and puts the alarm off as long as it lives. When one goes off,
whoever is given the key writes that this server is gone, marks the seats it served, and forgets it. A
server that was only held up finds that written; it takes another name and sends its connections away, so
that they come back and take their seats again. Nobody owns a table, so nothing else has to be taken over.

When the store itself was away nobody could put anything off. So nobody is called gone by a server that
has not been well itself for a while.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from dormie_server import documents
from dormie_server.ids import new_player_id
from dormie_server.keeper import Keeper, table_key
from dormie_server.store import Conflict, Store, StoreUnavailable
from dormie_server.table.commands import ServerGone
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from dormie_server.table_shelves import OPEN_TABLES

BEAT: Final = 3.0
"""Seconds between two signs of life, and AGAIN after one that failed."""
AGAIN: Final = 0.5
LAPSE: Final = 15.0
"""So many seconds after its last sign of life a server is gone."""
LEAVING: Final = 5.0
"""And so many after it was asked to stop, which is how long its players have to come back elsewhere."""
WELL: Final = 2 * BEAT + 1.0
"""So long a server has to have been well before it may call another one gone."""
RETRY: Final = 30.0
"""If whoever marks the seats dies over it, another one goes on so many seconds later."""
_LIVES: Final = 30 * 86400.0
_TOGETHER: Final = 64
_GONE: Final = b"gone"

log = structlog.get_logger(__name__)


def server_key(name: str) -> str:
    """The store's key of a server."""
    return f"server:{name}"


class RollCall:
    """One server among the others."""

    def __init__(
        self, store: Store, keeper: Keeper, name: str, called_gone: Callable[[str], None]
    ) -> None:
        """*called_gone* is told the new name after others had given this server up."""
        self.name = name
        self._store = store
        self._keeper = keeper
        self._called_gone = called_gone
        self._version = 0
        self._until = 0.0
        """When our own alarm goes off, on the store's clock."""
        self._well_since: float | None = None
        self._beating: asyncio.Task[None] | None = None
        self._marking: dict[str, asyncio.Task[None]] = {}

    async def begin(self) -> None:
        """Say that this server is there, and go on saying it. Raises StoreUnavailable."""
        await self._beat(LAPSE)
        self._beating = asyncio.get_running_loop().create_task(self._beat_on())

    async def stop(self) -> None:
        """Say that this server leaves; if the store does not hear it, the alarm says it later."""
        tasks = [*self._marking.values(), *([self._beating] if self._beating else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._beating is None:
            return
        self._beating = None
        try:
            found = await self._store.get(server_key(self.name))
            if found is not None and found.body != _GONE:
                self._version = found.version  # the last sign of life may have been cut short
                await self._beat(LEAVING)
        except (StoreUnavailable, Conflict):
            log.warning("left_without_a_word")

    def ring(self, key: str) -> None:
        """The alarm of *key* has gone off: if it is a server's, see to it."""
        name = key.partition(":")[2]
        if key != server_key(name) or name == self.name or key in self._marking:
            return
        task = asyncio.get_running_loop().create_task(self._lapsed(key, name))
        self._marking[key] = task
        task.add_done_callback(lambda _: self._marking.pop(key))

    # ------------------------------------------------------------------ our own sign of life

    async def _beat_on(self) -> None:
        wait = BEAT
        while True:
            await asyncio.sleep(wait)
            wait = AGAIN
            try:
                await self._beat(LAPSE)
                wait = BEAT
            except StoreUnavailable:
                self._well_since = None
            except Conflict:
                await self._find_out()
            except Exception:
                log.exception("no_sign_of_life")

    async def _beat(self, lapse: float) -> None:
        now = await self._store.now()
        if self._version and now >= self._until:
            self._well_since = None  # we were held up, and perhaps everybody was
        until = now + lapse
        body = b"here %f" % until
        key = server_key(self.name)
        self._version = await self._store.put(
            key, body, self._version, alarm=until, lifetime=lapse + _LIVES
        )
        self._until = until
        if self._well_since is None:
            self._well_since = asyncio.get_running_loop().time()

    async def _find_out(self) -> None:
        """Something else is written than we believe: an answer was lost, or we were given up."""
        self._well_since = None
        try:
            found = await self._store.get(server_key(self.name))
        except StoreUnavailable:
            return
        if found is not None and found.body != _GONE:
            self._version = found.version
            return
        log.warning("called_gone", server=self.name)
        self.name, self._version = new_player_id(), 0
        self._called_gone(self.name)

    # --------------------------------------------------------------------- somebody else's

    def _is_well(self, now: float) -> bool:
        since = self._well_since
        healthy = since is not None and asyncio.get_running_loop().time() - since >= WELL
        return healthy and now < self._until

    async def _lapsed(self, key: str, name: str) -> None:
        """Unless it has said something since: write that it is gone, then mark whom it served."""
        try:
            now, found = await self._store.now(), await self._store.get(key)
            if found is None or not self._is_well(now) or _until(found.body) > now:
                return
            await self._store.put(
                key, _GONE, found.version, alarm=now + RETRY, lifetime=RETRY + _LIVES
            )
            marked = await self._mark(name)
            await self._store.drop(key)
            log.info("server_gone", server=name, tables=marked)
        except Conflict:
            pass  # it is alive after all, or another one is at it
        except (StoreUnavailable, No) as because:
            log.warning("server_gone_later", server=name, because=str(because))
        except Exception:
            log.exception("server_gone_later", server=name)

    async def _mark(self, name: str) -> int:
        """Mark the seats that a server served; returns at how many tables there were any."""
        codes = [key.partition(":")[2] for key in await self._store.on(OPEN_TABLES)]
        marked = 0
        for at in range(0, len(codes), _TOGETHER):
            some = codes[at : at + _TOGETHER]
            marked += sum(await asyncio.gather(*(self._mark_one(code, name) for code in some)))
        return marked

    async def _mark_one(self, code: str, name: str) -> bool:
        found = await self._store.get(table_key(code))
        try:
            if found is None or not _served(documents.read_table(found.body).table, name):
                return False
            await self._keeper.table(code, found.version)  # it may remember an older one
            await self._keeper.do(code, ServerGone(name))
        except No as no:
            if no.why == "store_unavailable":
                raise
        except StoreUnavailable:
            raise
        except Exception:  # a damaged table is its own misfortune
            log.exception("table_not_marked", table=code)
        return True


def _served(table: Table, name: str) -> bool:
    return any(sitter is not None and sitter.server == name for sitter in table.secret.sitters)


def _until(body: bytes) -> float:
    """Until when a server wanted to be believed alive; of one that is gone, not at all."""
    return 0.0 if body == _GONE else float(body.partition(b" ")[2])
