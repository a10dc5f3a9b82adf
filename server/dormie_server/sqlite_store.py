"""The store for a house with one server: a single file, or memory.

A put is answered after its commit. Puts that arrive while a commit is running share the next one,
and nobody waits for company: an idle store commits at the end of the loop's turn. Alarms are kept
in the file and looked up in memory, because there is only one process (`SqliteFile` sees to that).
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, TypeVar

import structlog

from dormie_server.bells import Bells, Follower, Moments
from dormie_server.sqlite_file import Outcome, SqliteFile
from dormie_server.sqlite_follow import follow
from dormie_server.sqlite_writes import Drop, Put, Rewrite, Write
from dormie_server.store import NO_CARDS, NOTHING_KNOWN, Document, Mark, Note, StoreUnavailable

LARGEST_GROUP = 256
LONGEST_LOG = 1000
SYNC_AFTER = 1.0
"""With NORMAL the log is synced so many seconds after something was written, and a power cut takes no more."""
SWEEP_AGAIN_AFTER = 1.0

log = structlog.get_logger(__name__)

Result = TypeVar("Result")
Waiting = tuple[Write, asyncio.Future[int] | None]


class SqliteStore:
    """`Store` in one SQLite file, with *path* ":memory:" in none.

    *synchronous* says how safe an acknowledged put is: with FULL it outlives a power cut, with
    NORMAL the death of the process at once and a power cut after about a second, at a fraction of
    the price. Not *alone*, it may stand beside a running server, for reading and for what no server
    remembers. Made and used on one event loop; opening reads the disk. Raises `StoreUnavailable`
    if the file cannot be used.
    """

    shared = False

    def __init__(
        self,
        path: str | Path,
        *,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
        clock: Callable[[], float] = time.time,
        alone: bool = True,
    ) -> None:
        self.file = SqliteFile(str(path), synchronous, alone=alone)
        self._clock = clock
        self._bells = Bells()
        self._thread = ThreadPoolExecutor(1, "store")
        self._waiting: list[Waiting] = []
        self._committing = False
        self._log = 0
        self._moving: Literal["no", "beside", "nearly"] = "no"
        self._sync_at: asyncio.TimerHandle | None = None
        self._settled: asyncio.Future[None] | None = None
        self._scrubbing: list[asyncio.Future[None]] = []
        self._closed = False
        times = list(self.file.times())
        self._alarms = Moments((key, alarm) for key, alarm, _ in times if alarm is not None)
        self._ends = Moments((key, end) for key, _, end in times if end < math.inf)

    async def get(self, key: str) -> Document | None:
        return self._opened().get(key, self._clock())

    async def put(  # noqa: PLR0913 - all of it happens together or not at all
        self,
        key: str,
        body: bytes,
        was: int,
        *,
        note: bytes | None = None,
        alarm: float | None = None,
        shelves: Mapping[str, bytes | None] = NO_CARDS,
        lifetime: float | None = None,
        mark: Mark | None = None,  # noqa: ARG002 - nobody outlives this store and knows another past
    ) -> int:
        now = self._clock()
        end = math.inf if lifetime is None else now + lifetime
        if end <= (now if alarm is None else max(now, alarm)):
            raise ValueError(f"{key} would not outlive its alarm")
        if was == 0:
            self._sweep(now)
        await self._do(Put(key, body, was, note, alarm, dict(shelves), now, end))
        return was + 1

    def follow(
        self, key: str, after: int, known: Callable[[], int] = NOTHING_KNOWN
    ) -> AsyncIterator[Note]:
        life = None if self._closed else self.file.life(key, self._clock())
        return follow(self.file, self._bells, self._clock, (key, after), Follower(life, known))

    async def notes(self, key: str, after: int = 0) -> list[Note]:
        return self._opened().notes(key, after, self._clock())

    async def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None] = NO_CARDS
    ) -> None:
        await self._do(Rewrite(key, dict(notes), dict(shelves), self._clock()))

    async def scrub(self) -> None:
        self._opened()
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._scrubbing.append(done)
        if not self._committing:
            self._committing = True
            self._go_on()
        await done

    async def drop(self, key: str) -> None:
        await self._do(Drop(key))

    async def due(self, hold: float) -> list[str]:
        self._opened()
        now = self._clock()
        self._sweep(now)
        keys = self._alarms.passed(now)
        for key in keys:  # in memory only: if this process dies, so does whoever holds the key
            self._alarms.set(key, now + hold)
        return keys

    async def keys(self, kind: str) -> list[str]:
        """Every key that begins with *kind*, for those who look after the house."""
        return self._opened().keys(kind, self._clock())

    async def next_due(self) -> float | None:
        self._opened()
        return self._alarms.first()

    async def on(self, shelf: str) -> dict[str, bytes]:
        return self._opened().on(shelf, self._clock())

    async def now(self) -> float:
        return self._clock()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._committing:
            self._settled = asyncio.get_running_loop().create_future()
            await self._settled
        self._bells.silence()
        if self._sync_at is not None:
            self._sync_at.cancel()
        await self._beside(self.file.close)
        self._thread.shutdown()

    def _opened(self) -> SqliteFile:
        if self._closed:
            raise StoreUnavailable("the store is closed")
        return self.file

    # ---------------------------------------------------------------- writing

    async def _do(self, write: Write) -> int:
        self._opened()
        asker: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._queue(write, asker)
        return await asker

    def _sweep(self, now: float) -> None:
        """Ask for the end of all that has outlived its lifetime; nobody waits for it."""
        for key in self._ends.passed(now):
            self._alarms.set(key, None)
            self._ends.set(key, now + SWEEP_AGAIN_AFTER)
            self._queue(Drop(key, by=now), None)

    def _queue(self, write: Write, asker: asyncio.Future[int] | None) -> None:
        self._waiting.append((write, asker))
        if not self._committing:
            self._committing = True
            asyncio.get_running_loop().call_soon(self._commit)

    def _commit(self) -> None:
        """Commit what has come together; if nothing has, rest."""
        group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
        if not group and self._scrubbing:
            self._go_on()
            return
        if not group:
            self._committing = False
            if self._settled is not None:
                self._settled.set_result(None)
            return
        writes = [write for write, _ in group]
        if self.file.writes_beside:
            job = self._beside(lambda: self.file.commit(writes))
            job.add_done_callback(lambda job: self._committed(group, job.result()))
        else:
            self._committed(group, self.file.commit(writes))

    def _committed(self, group: Sequence[Waiting], outcomes: Sequence[Outcome]) -> None:
        """Tell the askers and then the followers; then the next group, with those just told in it."""
        happened: list[tuple[Write, int | None]] = []
        for (write, asker), outcome in zip(group, outcomes, strict=True):
            if not isinstance(outcome, Exception):
                self._remember(write, outcome)
                happened.append((write, outcome))
            if asker is None or asker.done():  # a sweep, or a caller who has gone away
                continue
            if isinstance(outcome, Exception):
                asker.set_exception(outcome)
            else:
                asker.set_result(outcome or 0)
        self._log += len(group)
        self._sync_later()
        # After the askers have gone on: what they tell of their own changes need not be told again.
        asyncio.get_running_loop().call_soon(self._announce, happened)
        self._go_on()

    def _go_on(self) -> None:
        """See to the next group, and now and then move the log into the file.

        Most of the log is moved beside the commits, the last of it while they rest: a log that is
        never empty never begins again, and would grow as long as the house is busy.
        """
        if self._scrubbing:
            askers, self._scrubbing = self._scrubbing, []
            self._beside(self.file.scrub).add_done_callback(lambda job: self._scrubbed(askers, job))
            return
        if self._moving == "nearly":
            self._beside(self.file.checkpoint).add_done_callback(self._moved)
            return
        if self.file.needs_checkpoints and self._moving == "no" and self._log >= LONGEST_LOG:
            self._moving = "beside"
            self._beside(self.file.checkpoint).add_done_callback(self._nearly_moved)
        asyncio.get_running_loop().call_soon(self._commit)

    def _nearly_moved(self, _job: asyncio.Future[None]) -> None:
        self._moving = "nearly"

    def _scrubbed(self, askers: Sequence[asyncio.Future[None]], job: asyncio.Future[None]) -> None:
        self._log, error = 0, job.exception()
        for asker in askers:
            if asker.done():  # whoever asked has gone away
                continue
            if error is None:
                asker.set_result(None)
            else:
                asker.set_exception(error)
        self._go_on()

    def _moved(self, _job: asyncio.Future[None]) -> None:
        self._moving, self._log = "no", 0
        self._commit()

    def _sync_later(self) -> None:
        """Have what was written synced by and by, unless that is going to happen anyway."""
        if self.file.needs_checkpoints and self._sync_at is None:
            self._sync_at = asyncio.get_running_loop().call_later(SYNC_AFTER, self._sync)

    def _sync(self) -> None:
        self._sync_at = None
        if not self._closed:
            self._beside(self.file.sync).add_done_callback(self._synced)

    def _synced(self, job: asyncio.Future[None]) -> None:
        """If the disk would not, that is said, and tried again."""
        if (error := job.exception()) is not None:
            log.error("not_synced", because=str(error))
            self._sync_later()

    def _beside(self, job: Callable[[], Result]) -> asyncio.Future[Result]:
        return asyncio.get_running_loop().run_in_executor(self._thread, job)

    def _remember(self, write: Write, life: int | None) -> None:
        """Keep in mind when a key wants to be woken, and when it ends."""
        if isinstance(write, Put):
            self._alarms.set(write.key, write.alarm)
            self._ends.set(write.key, write.expires if write.expires < math.inf else None)
        elif isinstance(write, Drop) and life is not None:
            self._alarms.set(write.key, None)
            self._ends.set(write.key, None)

    def _announce(self, happened: Sequence[tuple[Write, int | None]]) -> None:
        for write, life in happened:
            if life is None:
                continue
            match write:
                case Put():
                    note = None if write.note is None else Note(write.was + 1, write.note)
                    self._bells.ring(write.key, life, note)
                case Drop(key):
                    self._bells.toll(key, life)
                case Rewrite():
                    pass  # nobody is told
