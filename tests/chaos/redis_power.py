"""Power cuts for a Redis: what it appends lies on a disk that forgets what was never synced.

Many writers put documents as fast as they may, and keep in mind what was acknowledged and when. After the
cut a new Redis starts on what is left, and everything acknowledged is looked up.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dormie_server.redis_store import RedisStore
from dormie_server.store import StoreUnavailable
from tests.chaos.power import Cut, Disk
from tests.redis_server import RedisServer, running_redis
from tests.waiting import until

LOG = "appendonlydir/appendonly.aof"
"""The beginning of the names of all files of an append-only log, as Redis calls them."""
SHELF = "lobby"


@contextmanager
def powered_redis(
    folder: Path, library: Path, fsync: str, sync_seconds: float = 0.004
) -> Iterator[tuple[RedisServer, Disk]]:
    """A Redis whose power can be cut, as `cut_power` does."""
    (folder / "shadow").mkdir()
    # It writes its log anew by ways that the disk does not see: so it never does.
    settings = ("--appendonly", "yes", "--appendfsync", fsync, "--auto-aof-rewrite-percentage", "0")
    with running_redis(*settings) as redis:
        redis.kill()  # its first files are there, and safe
        disk = Disk(
            redis.folder / LOG,
            library,
            folder / "shadow",
            sync_seconds=sync_seconds,
            known_as=LOG,
        )
        disk.settle()
        redis.environment = disk.environment
        redis.start()
        yield redis, disk


def cut_power(redis: RedisServer, disk: Disk, luck: Random | None) -> Cut:
    """The power fails and comes back. With *luck* there may be more than was synced, torn anywhere."""
    redis.kill()
    cut = disk.cut(luck, in_order=True)
    redis.start()
    return cut


@dataclass
class Writer:
    """One who puts the next version as soon as the last one was acknowledged."""

    key: str
    tried: int = 0
    found: int = 0
    """What was there when it was last looked at; that must never be lost again."""
    acknowledged: list[tuple[int, float]] = field(default_factory=list)
    """Which version, and when it was; of this life of Redis."""

    async def write(self, store: RedisStore) -> None:
        """Go on until the store does not answer any more."""
        while True:
            version = self.tried + 1
            self.tried = version
            body = b"%d %b" % (version, b"x" * 500)
            try:
                await store.put(
                    self.key,
                    body,
                    version - 1,
                    note=b"note %d" % version,
                    shelves={SHELF: b"%d" % version},
                )
            except StoreUnavailable:
                return
            self.acknowledged.append((version, time.monotonic()))

    async def look(self, store: RedisStore, killed: float) -> "Loss":
        """What is left of it; then it goes on from there."""
        found, notes = await store.get(self.key), await store.notes(self.key)
        cards = await store.on(SHELF)
        version = 0 if found is None else found.version
        last = self.acknowledged[-1][0] if self.acknowledged else self.found
        whole = (
            (b"" if found is None else found.body[: len(b"%d " % version)])
            == (b"%d " % version if version else b"")
            and (notes[-1].version if notes else 0) == version
            and int(cards.get(self.key, b"0")) == version
            and version <= self.tried
        )
        lost = [killed - when for number, when in self.acknowledged if number > version]
        self.tried = self.found = version
        self.acknowledged = []
        return Loss(max(0, last - version), max(lost, default=0.0), whole)


@dataclass(frozen=True)
class Loss:
    """What a power cut took of what was acknowledged."""

    versions: int
    seconds: float
    """So long before the cut the oldest of them was acknowledged."""
    whole: bool
    """Whether document, notes and card are of one version, and of one that was asked for."""


def said(writers: list[Writer], enough: int) -> Callable[[], bool]:
    """Whether so much was acknowledged to all of them."""
    return lambda: sum(len(writer.acknowledged) for writer in writers) >= enough


async def one_cut(
    redis: RedisServer,
    disk: Disk,
    writers: list[Writer],
    over: Callable[[], bool],
    luck: Random | None,
) -> tuple[list[Loss], int, Cut]:
    """Let all write until it is *over*, cut the power, look. Returns losses and how much it was."""
    store = RedisStore(redis.url)
    try:
        writing = [asyncio.create_task(writer.write(store)) for writer in writers]
        await until(over, within=60)
        killed = time.monotonic()
        redis.kill()  # what is acknowledged from now on, in the same moment, was sent before
        await asyncio.gather(*writing)
    finally:
        await store.close()
    acknowledged = sum(len(writer.acknowledged) for writer in writers)
    cut = await asyncio.to_thread(cut_power, redis, disk, luck)
    store = RedisStore(redis.url)
    try:
        losses = [await writer.look(store, killed) for writer in writers]
    finally:
        await store.close()
    return losses, acknowledged, cut
