"""What is said of a Redis when the house opens."""

import pytest

from dormie_server.redis_check import refused, warnings
from dormie_server.redis_scripts import FORMAT_KEY
from dormie_server.redis_store import RedisStore
from dormie_server.store import StoreUnavailable
from tests.contracts.stores import write
from tests.redis_server import RedisServer, running_redis

GOOD = {"redis_version": "7.0.15", "cluster_enabled": "0", "role": "master", "aof_enabled": "1"}
SAFE = {"appendfsync": "always", "maxmemory": "0", "maxmemory-policy": "noeviction"}


def test_a_redis_that_keeps_everything_is_not_spoken_of() -> None:
    assert (None, []) == (refused(GOOD, SAFE), warnings(GOOD, SAFE))


@pytest.mark.parametrize(
    ("info", "settings", "word"),
    [
        ({"redis_version": "6.2.14"}, {}, "too old"),
        ({"cluster_enabled": "1"}, {}, "cluster"),
        ({"role": "slave"}, {}, "replica"),
        ({}, {"maxmemory": "100", "maxmemory-policy": "allkeys-lru"}, "noeviction"),
        ({}, {"maxmemory": "100", "maxmemory-policy": "volatile-ttl"}, "noeviction"),
    ],
)
def test_a_redis_that_cannot_be_relied_on_is_refused(
    info: dict[str, str], settings: dict[str, str], word: str
) -> None:
    assert word in (refused(GOOD | info, SAFE | settings) or "")


def test_a_redis_with_a_limit_that_throws_nothing_away_will_do() -> None:
    assert refused(GOOD, SAFE | {"maxmemory": "100"}) is None


@pytest.mark.parametrize(
    ("info", "settings", "word"),
    [
        ({"aof_enabled": "0"}, {}, "appendonly is off"),
        ({}, {"appendfsync": "everysec"}, "a second"),
        ({}, {"appendfsync": "no"}, "thirty seconds"),
    ],
)
def test_what_a_redis_may_lose_is_said(
    info: dict[str, str], settings: dict[str, str], word: str
) -> None:
    (said,) = warnings(GOOD | info, SAFE | settings)

    assert word in said


def test_a_redis_that_does_not_say_is_warned_of() -> None:
    assert ["CONFIG GET" in said for said in warnings(GOOD, {})] == [True]


async def test_a_real_redis_is_asked(redis: RedisServer) -> None:
    store = RedisStore(redis.url)
    await store.open()
    await store.line.ask("SET", FORMAT_KEY, 99)

    with pytest.raises(StoreUnavailable, match="newer Dormie"):
        await store.open()
    await store.close()


async def test_one_that_is_not_there_is_said_so() -> None:
    store = RedisStore("redis://127.0.0.1:1")

    with pytest.raises(StoreUnavailable, match="Redis"):
        await store.open()
    await store.close()


async def test_nasty_S17_what_was_dropped_is_in_no_file_of_redis_once_it_was_scrubbed() -> None:
    with running_redis("--appendonly", "yes", "--save", "3600 1") as redis:
        store = RedisStore(redis.url)
        await write(store, "table:1", 2)
        await store.put("p", b"Wilhelmina", 0, note=b"Wilhelmina", shelves={"s": b"Wilhelmina"})
        await store.line.ask("SAVE")
        before = found_in(redis)
        await store.rewrite("p", {1: b"-"}, {"s": b"-"})
        await store.put("p", b"-", 1)
        await store.scrub()

        assert (True, False) == (before, found_in(redis))
        assert 2 == len(await store.notes("table:1"))
        await store.close()


def found_in(redis: RedisServer) -> bool:
    """Whether the name is in any file."""
    files = [file for file in redis.folder.rglob("*") if file.is_file()]
    return any(b"Wilhelmina" in file.read_bytes() for file in files)
