"""Who looks for what a power cut took from a Redis is found out when they overlook it."""

from dormie_server.redis_store import RedisStore
from tests.chaos.redis_power import Loss, Writer
from tests.redis_server import RedisServer


async def test_what_an_earlier_life_has_kept_is_missed_though_nothing_was_written_since(
    redis: RedisServer,
) -> None:
    store, writer = RedisStore(redis.url), Writer("table:1")
    try:
        for version in (1, 2):
            body, note = b"%d " % version, b"note %d" % version
            await store.put(
                "table:1", body, version - 1, note=note, shelves={"lobby": b"%d" % version}
            )
        writer.tried, writer.acknowledged = 2, [(2, 9.0)]
        kept = await writer.look(store, 10.0)
        redis.empty()
        gone = await writer.look(store, 10.0)
    finally:
        await store.close()

    assert Loss(0, 0.0, whole=True) == kept
    assert 2 == gone.versions
