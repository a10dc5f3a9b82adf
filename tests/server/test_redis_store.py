"""What `RedisStore` promises beyond the contract: several servers, a Redis that goes away, and tidiness."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator

import pytest

from dormie_server import redis_bells, tail
from dormie_server.redis_store import RedisStore
from dormie_server.redis_wire import PATIENCE, Answer
from dormie_server.store import Conflict, Document, Note, StoreUnavailable
from tests.contracts.stores import hear, note, outcome, write
from tests.redis_server import RedisServer, running_redis
from tests.waiting import until

RedisStores = tuple[RedisStore, RedisStore]


@pytest.fixture
async def both(redis: RedisServer) -> AsyncIterator[RedisStores]:
    """Two servers' ways to one Redis."""
    one, two = RedisStore(redis.url), RedisStore(redis.url)
    yield one, two
    await one.close()
    await two.close()


async def keys(store: RedisStore) -> dict[str, float]:
    """Every key there is, with the seconds after which Redis forgets it by itself."""
    names = await store.line.ask("KEYS", "*")
    lives = await asyncio.gather(*(store.line.ask("PTTL", name) for name in names))
    return {name.decode(): left / 1000 for name, left in zip(names, lives, strict=True)}


# ----------------------------------------------------------------------- several servers


async def test_what_one_server_puts_another_hears_at_once(both: RedisStores) -> None:
    one, two = both
    await write(one, "table:1", 1)
    notes = two.follow("table:1", 0)
    first = await hear(notes, 1)
    next_one = asyncio.create_task(hear(notes, 3))
    await until(lambda: two.bells.hears("table:1"))
    await write(one, "table:1", 3, was=1)

    assert [note(n) for n in range(1, 5)] == first + await next_one
    assert two.line.lost == 0


async def test_nobody_rings_a_bell_that_only_the_ringer_would_hear(both: RedisStores) -> None:
    """A table whose players are all on one server costs no bells."""
    one, two = both
    await one.line.ask("CONFIG", "RESETSTAT")
    ear = asyncio.create_task(hear(one.follow("table:1", 0), 5))
    await until(lambda: one.bells.hears("table:1"))
    await write(one, "table:1", 5)
    await ear
    alone = await rung(one)
    other = asyncio.create_task(hear(two.follow("table:1", 5), 2))
    await until(lambda: two.bells.hears("table:1"))
    await write(one, "table:1", 2, was=5)
    await other

    assert (0, 2) == (alone, await rung(one))


async def rung(store: RedisStore) -> int:
    """How many bells Redis has rung."""
    said = (await store.line.ask("INFO", "commandstats")).decode()
    rows = [row for row in said.splitlines() if row.startswith("cmdstat_publish:")]
    return int(rows[0].partition("calls=")[2].partition(",")[0]) if rows else 0


async def test_scenario_E10_a_bell_that_nobody_heard_is_made_good_within_a_second_and_a_half(
    both: RedisStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way is deaf, and nothing says so: only looking again every second can find what was missed."""
    one, two = both
    await write(one, "table:1", 1)
    notes = two.follow("table:1", 1)
    heard = asyncio.create_task(hear(notes, 2))
    await until(lambda: two.bells.hears("table:1"))
    monkeypatch.setattr(redis_bells.RedisBells, "_hear", lambda *_: None)
    await write(one, "table:1", 2, was=1)

    assert [note(2), note(3)] == await heard


async def test_a_server_from_before_is_heard_while_a_house_is_upgraded(
    both: RedisStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It rang with the note alone. Nothing is missed by that, and the listener goes on listening."""
    monkeypatch.setattr(tail, "CHECK_SECONDS", 60.0)
    hear_it = redis_bells.RedisBells._hear  # noqa: SLF001 - where bells come in

    def as_before(bells: redis_bells.RedisBells, said: list[Answer]) -> None:
        if said[0] == b"message":
            life, version, *_ = said[2].split(b" ")
            said[2] = b'%s %s note {"format":1}' % (life, version)
        hear_it(bells, said)

    monkeypatch.setattr(redis_bells.RedisBells, "_hear", as_before)
    one, two = both
    heard = asyncio.create_task(hear(two.follow("table:1", 0), 3))
    await until(lambda: two.bells.hears("table:1"))
    for was in range(3):
        await write(one, "table:1", 1, was=was)

    assert [note(n) for n in (1, 2, 3)] == await heard


async def test_nasty_L10_and_nasty_P10_a_listener_that_was_cut_off_listens_again_and_misses_nothing(
    both: RedisStores,
) -> None:
    one, two = both
    await write(one, "table:1", 1)
    heard = asyncio.create_task(hear(two.follow("table:1", 0), 31))
    await until(lambda: two.bells.hears("table:1"))
    for at in range(1, 31):
        if at % 10 == 0:
            await one.line.ask("CLIENT", "KILL", "TYPE", "pubsub")
        await write(one, "table:1", 1, was=at)

    assert [note(n) for n in range(1, 32)] == await heard
    await until(lambda: two.bells.hears("table:1"))


async def test_of_a_hundred_puts_by_two_servers_one_wins(both: RedisStores) -> None:
    await write(both[0], "table:1", 1)
    puts = [store.put("table:1", b"", 1) for _ in range(50) for store in both]
    outcomes = await asyncio.gather(*map(outcome, puts))

    assert (1, 99) == (outcomes.count(2), sum(isinstance(one, Conflict) for one in outcomes))


async def test_what_is_put_in_one_moment_travels_together(both: RedisStores) -> None:
    one = both[0]
    await one.now()
    before = one.line.groups
    await asyncio.gather(*(one.put(f"table:{n}", b"", 0) for n in range(200)))

    assert 2 >= one.line.groups - before


async def test_nasty_P15_time_is_the_time_of_redis_whatever_the_servers_think(
    both: RedisStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 0.0)
    seconds, micro = await both[0].line.ask("TIME")
    there = int(seconds) + int(micro) / 1e6
    here = [await store.now() for store in both]

    assert [there, there] == pytest.approx(here, abs=0.5)


# ------------------------------------------------------------------------------ tidiness


async def test_every_key_has_a_lifetime_that_outlasts_its_alarm(both: RedisStores) -> None:
    one = both[0]
    alarm = await one.now() + 1000
    shelves = {"tables": b"", "seats:p1": b"x"}
    for version in range(40):
        await one.put("t", b"", version, note=b"n", alarm=alarm, shelves=shelves, lifetime=2000)
    left = await keys(one)

    assert {"d:t", "n:t", "c:t", "s:tables", "s:seats:p1", "alarms", "ends"} == {
        name.partition("}:")[2] for name in left
    }
    assert all(seconds > 1000 for seconds in left.values()), left


async def test_a_shelf_lives_as_long_as_what_lies_on_it_is_renewed(both: RedisStores) -> None:
    one = both[0]
    await one.put("t", b"", 0, shelves={"tables": b""}, lifetime=2000)
    shelf = next(name for name in await keys(one) if name.endswith("s:tables"))
    await one.line.ask("PEXPIRE", shelf, 5000)
    for version in range(1, 16):
        await one.put("t", b"", version, lifetime=2000)

    assert (await keys(one))[shelf] > 2000


@pytest.mark.parametrize("how", ["dropped", "over"])
async def test_all_of_a_key_goes_together(both: RedisStores, how: str) -> None:
    one, two = both
    shelves = {"tables": b"", "seats:p1": b"x"}
    await one.put("t", b"", 0, note=b"n", shelves=shelves, lifetime=0.01)
    if how == "dropped":
        await one.drop("t")
    else:
        await asyncio.sleep(0.02)
        await two.due(5)

    assert {} == await keys(one)


async def test_ten_thousand_keys_leave_nothing_behind(both: RedisStores) -> None:
    one, two = both
    lots = [f"table:{n}" for n in range(10_000)]
    for at in range(0, len(lots), 500):
        some = lots[at : at + 500]
        await asyncio.gather(
            *(one.put(k, b"", 0, note=b"n", shelves={"s": b""}, lifetime=60) for k in some)
        )
        await asyncio.gather(*(two.drop(key) for key in some))

    assert {} == await keys(one)


@pytest.mark.parametrize("name", ["a}{b", "x:*", "a\r\nFLUSHALL", "{", "\0", " "])
async def test_nasty_S18_a_name_is_never_an_order_nor_another_key(
    both: RedisStores, name: str
) -> None:
    one, two = both
    await one.put("other", b"kept", 0, shelves={"s": b"kept"})
    await one.put(name, b"mine", 0, note=b"n", shelves={name: b"card", "s": b"mine"})

    assert (Document(1, b"mine"), [Note(1, b"n")]) == (await two.get(name), await two.notes(name))
    assert {"other": b"kept", name: b"mine"} == await two.on("s")
    assert {name: b"card"} == await two.on(name)
    await two.drop(name)

    assert Document(1, b"kept") == await one.get("other")


async def test_a_redis_that_has_forgotten_the_scripts_is_told_them_again(
    both: RedisStores,
) -> None:
    await write(both[0], "table:1", 1)
    await both[0].line.ask("SCRIPT", "FLUSH")
    await asyncio.gather(write(both[0], "table:1", 2, was=1), write(both[0], "table:2", 2))

    assert [note(1), note(2), note(3)] == await both[1].notes("table:1")


# ------------------------------------------------------------------ a Redis that goes away


async def test_nasty_C14_while_redis_is_away_everything_is_refused_soon_and_then_goes_on() -> None:
    """Dead, and then frozen: refused within two seconds, and nobody has to be told that it is back."""
    with running_redis("--appendonly", "yes", "--appendfsync", "always") as redis:
        store = RedisStore(redis.url)
        await write(store, "table:1", 1)
        ear = asyncio.create_task(hear_again(store, "table:1", 3))
        redis.kill()
        dead = [await timed(store.put("table:1", b"", 1)), await timed(store.get("table:1"))]
        redis.start()
        await until_it_answers(store)
        await write(store, "table:1", 1, was=1)
        redis.signal(signal.SIGSTOP)
        frozen = [await timed(store.get("table:1")), await timed(store.get("table:1"))]
        redis.signal(signal.SIGCONT)
        await until_it_answers(store)
        await write(store, "table:1", 1, was=2)

        assert [note(1), note(2), note(3)] == await ear
        await store.close()

    assert max(dead + frozen) < PATIENCE + 0.5


async def timed(verb: object) -> float:
    """How long it takes to be refused."""
    began = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await verb  # type: ignore[misc]  # any verb
    return time.monotonic() - began


async def until_it_answers(store: RedisStore) -> None:
    async with asyncio.timeout(5):
        while isinstance(await outcome(store.get("well?")), StoreUnavailable):
            await asyncio.sleep(0.02)


async def hear_again(store: RedisStore, key: str, count: int) -> list[Note]:
    """So many notes, beginning again whenever the store is away, as the hub does."""
    heard: list[Note] = []
    async with asyncio.timeout(15):
        while True:
            try:
                async for one in store.follow(key, heard[-1].version if heard else 0):
                    heard.append(one)
                    if len(heard) == count:
                        return heard
            except StoreUnavailable:
                await asyncio.sleep(0.05)


async def test_a_store_whose_redis_is_away_can_be_closed() -> None:
    with running_redis() as redis:
        store = RedisStore(redis.url)
        await write(store, "table:1", 1)
        asked = asyncio.create_task(outcome(hear(store.follow("table:1", 1), 1)))
        redis.kill()
        async with asyncio.timeout(5):
            await store.close()
            await asked
