"""The way to the simulated store; that it keeps a store's promises is seen to in tests/contracts."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from dormie_server.store import Conflict, Document, StoreUnavailable
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore, Way
from tests.simulator.loop import VirtualLoop
from tests.simulator.machine import Machine

KEY = "table:1"
Story = Callable[[Cupboard, FarStore], Coroutine[Any, Any, None]]


def told(story: Story, **how: float) -> Cupboard:
    """What is in the cupboard after a story; *how* is the way to it."""
    loop = VirtualLoop.begin(1000.0)
    cupboard = Cupboard(loop.time)

    async def whole() -> None:
        way = Way(Random(1))
        for name, value in how.items():
            setattr(way, name, value)
        await story(cupboard, FarStore(cupboard, way))

    loop.run(whole())
    return cupboard


def test_asking_takes_time() -> None:
    async def story(_: Cupboard, store: FarStore) -> None:
        began = asyncio.get_running_loop().time()
        await store.put(KEY, b"", 0)
        assert 0 < asyncio.get_running_loop().time() - began <= 0.1

    assert Document(1, b"") == told(story, latency=0.1).get(KEY)


def test_when_the_answer_is_lost_it_has_happened() -> None:
    async def story(_: Cupboard, store: FarStore) -> None:
        with pytest.raises(StoreUnavailable):
            await store.put(KEY, b"", 0)

    assert Document(1, b"") == told(story, latency=0.1, forgetting=1.0).get(KEY)


def test_when_the_question_is_lost_it_has_not() -> None:
    async def story(_: Cupboard, store: FarStore) -> None:
        with pytest.raises(StoreUnavailable):
            await store.put(KEY, b"", 0)

    assert told(story, latency=0.1, failing=1.0).get(KEY) is None


def test_what_nobody_has_answered_may_be_done_when_nobody_waits_any_longer() -> None:
    async def story(cupboard: Cupboard, store: FarStore) -> None:
        with pytest.raises(StoreUnavailable):
            await store.put(KEY, b"late", 0)
        assert cupboard.get(KEY) is None
        store.way.failing = 0.0
        assert 1 == await store.put(KEY, b"again", 0)
        with pytest.raises(Conflict):
            await store.put(KEY, b"", 0)
        store.way.away = True
        with pytest.raises(StoreUnavailable):
            await store.put("other", b"late", 0)
        await asyncio.sleep(store.way.latest)

    cupboard = told(story, latency=0.1, failing=1.0, late=1.0)
    assert [Document(1, b"again"), Document(1, b"late")] == [
        cupboard.get(KEY),
        cupboard.get("other"),
    ]


def test_a_store_that_is_away_answers_nothing() -> None:
    async def story(_: Cupboard, store: FarStore) -> None:
        store.way.away = True
        with pytest.raises(StoreUnavailable):
            await store.get(KEY)

    told(story)


def test_of_two_servers_the_one_that_comes_later_is_told() -> None:
    async def story(cupboard: Cupboard, store: FarStore) -> None:
        other = FarStore(cupboard, store.way)
        outcomes = await asyncio.gather(
            store.put(KEY, b"", 0), other.put(KEY, b"", 0), return_exceptions=True
        )
        assert [1, Conflict] == sorted((o if o == 1 else type(o) for o in outcomes), key=str)

    told(story, latency=0.1)


def test_what_a_machine_has_sent_happens_even_if_it_dies() -> None:
    async def story(cupboard: Cupboard, _: FarStore) -> None:
        loop, machine = asyncio.get_running_loop(), Machine("server")
        assert isinstance(loop, VirtualLoop)
        store = machine.do(lambda: FarStore(cupboard, Way(Random(1), latency=0.1)))
        putting = machine.do(lambda: loop.create_task(store.put(KEY, b"", 0)))
        await asyncio.sleep(0)
        machine.state = "dead"
        await asyncio.sleep(1)
        assert not putting.done()
        await loop.bury(machine)

    assert Document(1, b"") == told(story).get(KEY)


def test_nasty_P11_a_server_hears_of_everything_however_few_bells_it_hears() -> None:
    """Also of the last thing, whose bell is lost for certain, and after which nothing comes."""

    async def story(cupboard: Cupboard, store: FarStore) -> None:
        loop, heard, put_at = asyncio.get_running_loop(), list[float](), list[float]()
        other = FarStore(cupboard, Way(Random(2)))

        async def listen() -> None:
            async for _ in store.follow(KEY, 0):
                heard.append(loop.time())

        listening = loop.create_task(listen())
        for version in range(50):
            if version == 49:
                store.way.bell_loss = 1.0
            await other.put(KEY, b"", version, note=b"note")
            put_at.append(loop.time())
            await asyncio.sleep(0.4)
        await asyncio.sleep(2)
        listening.cancel()

        assert 50 == len(heard)
        assert max(late - at for late, at in zip(heard, put_at, strict=True)) <= 1.5

    told(story, latency=0.01, bell_loss=0.7, bell_echo=0.5, bell_delay=0.2, bare=0.2)
