"""What becomes of a put when the memory or the files of Redis fail: all of it or nothing, and never a lie."""

import asyncio
import shutil
from pathlib import Path

from dormie_server.redis_store import RedisStore
from dormie_server.store import StoreUnavailable
from tests.contracts.stores import note, outcome, write
from tests.redis_server import RedisServer, running_redis

ALWAYS = ("--appendonly", "yes", "--appendfsync", "always")
OFFSETS = 24
"""So many places of some hundred are tried: each takes the start of a Redis."""


async def put(store: RedisStore, version: int) -> None:
    """A put of everything there is, in which each part says its version."""
    said = b"%d" % version
    await store.put(
        "t",
        said,
        version - 1,
        note=said,
        alarm=9e9 + version,
        shelves={"s": said, "odd" if version % 2 else "even": b""},
        lifetime=9e9,
    )


async def told(store: RedisStore) -> set[int]:
    """The versions that the parts say, which had better be one."""
    found, notes = await store.get("t"), await store.notes("t")
    cards, due = await store.on("s"), await store.next_due()
    assert found is not None
    assert due is not None
    return {found.version, int(found.body), notes[-1].version, int(cards["t"]), round(due - 9e9)}


def newest_file(folder: Path) -> Path:
    """The file to which Redis appends."""
    (found,) = (folder / "appendonlydir").glob("*.incr.aof")
    return found


async def test_nasty_C05_a_file_torn_anywhere_in_the_last_put_has_all_of_it_or_nothing(
    tmp_path: Path,
) -> None:
    with running_redis(*ALWAYS) as redis:
        store = RedisStore(redis.url)
        for version in (1, 2):
            await put(store, version)
        before = newest_file(redis.folder).stat().st_size
        await put(store, 3)
        await store.close()
        redis.kill()
        whole = newest_file(redis.folder).read_bytes()
        seen = set[int]()
        step = max(1, (len(whole) - before) // OFFSETS)
        for offset in [*range(before, len(whole), step), len(whole) - 1, len(whole)]:
            folder = tmp_path / str(offset)
            shutil.copytree(redis.folder, folder)
            newest_file(folder).write_bytes(whole[:offset])
            versions = await loaded(folder)

            assert 1 == len(versions), (offset - before, versions)
            seen |= versions

    assert {2, 3} == seen


async def loaded(folder: Path) -> set[int]:
    """What a Redis says that begins with these files."""
    server = RedisServer(folder, *ALWAYS, "--aof-load-truncated", "yes")
    try:
        server.start()
        store = RedisStore(server.url)
        versions = await told(store)
        await put(store, max(versions) + 1)  # and it goes on from there
        await store.close()
    finally:
        server.kill()
    return versions


async def test_nasty_C07_a_redis_without_memory_refuses_and_keeps_what_it_has(
    redis: RedisServer,
) -> None:
    store = RedisStore(redis.url)
    try:
        await put(store, 1)
        await store.line.ask("CONFIG", "SET", "maxmemory", 1)
        refused = await asyncio.gather(*(outcome(put(store, 2)) for _ in range(3)))
        kept = await told(store)
        await store.line.ask("CONFIG", "SET", "maxmemory", 0)
        await put(store, 2)

        assert [StoreUnavailable] * 3 == [type(one) for one in refused]
        assert ({1}, {2}) == (kept, await told(store))
    finally:
        await store.line.ask("CONFIG", "SET", "maxmemory", 0)
        await store.close()


async def test_nasty_C20_a_redis_whose_disk_is_full_acknowledges_nothing_that_it_has_not() -> None:
    """It ends itself rather than lie; with room again, everything that was acknowledged is there."""
    with running_redis(*ALWAYS) as redis:
        redis.kill()
        redis.largest_file = 128
        redis.start()
        store, done = RedisStore(redis.url), 0
        while not isinstance(await outcome(write(store, "t", 1, was=done)), StoreUnavailable):
            done += 1
            assert done < 10_000, "the disk was to be full"
        refused = await outcome(store.get("t"))
        redis.kill()
        redis.largest_file = None
        redis.start()
        async with asyncio.timeout(5):
            while isinstance(await outcome(store.get("t")), StoreUnavailable):
                await asyncio.sleep(0.02)
        notes = await store.notes("t")
        await store.close()

    assert isinstance(refused, StoreUnavailable)
    assert done > 10
    assert [note(n) for n in range(1, done + 1)] == notes[:done]
    assert len(notes) <= done + 1, "the last one may have happened, though nobody was told"
