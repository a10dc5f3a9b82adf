"""The loop of the simulator: time jumps, machines freeze and die, and mistakes are told."""

import asyncio

import pytest

from tests.simulator.loop import Stuck, VirtualLoop
from tests.simulator.machine import Machine


def test_an_hour_of_waiting_takes_no_time() -> None:
    loop = VirtualLoop.begin()
    loop.run(asyncio.sleep(3600))

    assert 3600.0 == loop.time()


def test_timers_go_off_in_order_and_those_of_one_moment_in_the_order_they_were_set() -> None:
    loop, heard = VirtualLoop.begin(), list[str]()

    async def story() -> None:
        for name, after in (("tea", 2.0), ("lunch", 1.0), ("cake", 2.0)):
            loop.call_later(after, heard.append, name)
        loop.call_later(1.5, heard.append, "never").cancel()
        await asyncio.sleep(3)

    loop.run(story())

    assert ["lunch", "tea", "cake"] == heard


def test_a_time_limit_is_one_of_virtual_time() -> None:
    async def story() -> None:
        async with asyncio.timeout(10):
            await asyncio.Event().wait()

    loop = VirtualLoop.begin()
    with pytest.raises(TimeoutError):
        loop.run(story())

    assert 10.0 == loop.time()


def test_a_job_for_a_thread_is_done_here() -> None:
    assert 42 == VirtualLoop.begin().run(asyncio.to_thread(lambda: 42))


def test_whoever_waits_for_nothing_is_stuck() -> None:
    with pytest.raises(Stuck):
        VirtualLoop.begin().run(asyncio.Event().wait())


def test_an_exception_that_nobody_caught_is_told() -> None:
    loop = VirtualLoop.begin()

    async def story() -> None:
        loop.call_soon(lambda: 1 // 0)
        await asyncio.sleep(1)

    with pytest.raises(ZeroDivisionError):
        loop.run(story())


# ------------------------------------------------------------------- machines


async def clockwork(ticks: list[float]) -> None:
    while True:
        await asyncio.sleep(1)
        ticks.append(asyncio.get_running_loop().time())


def test_a_dead_machine_does_nothing_more_not_even_tidy_up() -> None:
    loop, machine = VirtualLoop.begin(), Machine("one")
    ticks, while_dead = list[float](), list[float]()

    async def tidy() -> None:
        try:
            await clockwork(ticks)
        finally:
            ticks.append(-1)

    async def story() -> None:
        working = machine.do(lambda: loop.create_task(tidy()))
        await asyncio.sleep(2.5)
        machine.state = "dead"
        working.cancel()
        await asyncio.sleep(5)
        while_dead.extend(ticks)
        await loop.bury(machine)

    loop.run(story())

    assert [1.0, 2.0] == while_dead
    assert [1.0, 2.0, -1] == ticks, "what it would have done is done in its grave"


def test_a_frozen_machine_goes_on_where_it_stopped() -> None:
    loop, machine, ticks = VirtualLoop.begin(), Machine("one"), list[float]()

    async def story() -> None:
        working = machine.do(lambda: loop.create_task(clockwork(ticks)))
        await asyncio.sleep(2.5)
        machine.state = "frozen"
        await asyncio.sleep(5)
        loop.thaw(machine)
        await asyncio.sleep(2)
        working.cancel()
        await asyncio.sleep(0)

    loop.run(story())

    assert [1.0, 2.0, 7.5, 8.5] == ticks
