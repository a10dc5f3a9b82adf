"""The stopwatch gives every moment to one stage, through calls, exceptions and waiting."""

import asyncio
from collections import Counter
from time import perf_counter_ns

import pytest

from bench.load import stopwatch
from bench.load.stopwatch import OUTSIDE, Account, Stopwatch, cost

A_WHILE = 1000


class Clock:
    """Time that passes when somebody is busy, and at no other moment."""

    now = 0

    def __call__(self) -> int:
        return Clock.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "perf_counter_ns", Clock())


def busy() -> None:
    Clock.now += A_WHILE


class Work:
    def outer(self) -> str:
        busy()
        return self.inner()

    def inner(self) -> str:
        busy()
        return "done"

    def broken(self) -> None:
        raise ValueError("broken")

    async def slow(self) -> str:
        await asyncio.sleep(0)
        busy()
        return "late"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> type[Work]:
    """A class of its own for each test: its methods are replaced."""
    return type("Fresh", (Work,), {})


def test_a_stage_has_what_it_took_without_the_stages_within(work: type[Work]) -> None:
    watch = Stopwatch()
    watch.watch(("around", work, "outer"))
    watch.watch(("within", work, "inner"))

    assert "done" == work().outer()
    assert 1 == watch.counted.entered["within"] == watch.counted.left["around"]
    assert A_WHILE == watch.counted.spent["around"] == watch.counted.spent["within"]


def test_a_closed_stage_keeps_what_it_calls(work: type[Work]) -> None:
    watch = Stopwatch(closed={"around"})
    watch.watch(("around", work, "outer"))
    watch.watch(("within", work, "inner"))
    work().outer()

    assert 0 == watch.counted.spent["within"]
    assert 2 * A_WHILE == watch.counted.spent["around"]


def test_an_exception_ends_a_stage(work: type[Work]) -> None:
    watch = Stopwatch()
    watch.watch(("broken", work, "broken"))
    with pytest.raises(ValueError, match="broken"):
        work().broken()
    busy()

    assert 0 == watch.counted.spent["broken"]
    assert A_WHILE == watch.counted.spent[OUTSIDE]


async def test_waiting_is_nobodys(work: type[Work]) -> None:
    watch = Stopwatch()
    watch.watch(("slow", work, "slow"))

    asyncio.get_running_loop().call_soon(busy)
    assert "late" == await work().slow()
    assert 2 == watch.counted.entered["slow"]
    assert A_WHILE == watch.counted.spent["slow"] == watch.counted.spent[OUTSIDE]


async def test_a_watched_coroutine_may_be_a_task_and_be_cancelled(work: type[Work]) -> None:
    watch = Stopwatch()
    watch.watch(("slow", work, "slow"))
    task = asyncio.create_task(work().slow())
    await asyncio.sleep(0)
    task.cancel()

    (end,) = await asyncio.gather(task, return_exceptions=True)
    assert isinstance(end, asyncio.CancelledError)


def test_what_the_stopwatch_takes_is_taken_off() -> None:
    inner, outer = 15.0, 25.0
    counted = Account(Counter(a=10_000), Counter(a=2), Counter(a=3))

    assert {"a": 10_000 - 2 * inner - 3 * outer} == counted.without(inner, outer)


def test_the_stopwatch_knows_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "perf_counter_ns", perf_counter_ns)

    assert all(0 < part < 1e6 for part in cost(1000, 5))


def test_an_account_is_read_from_one_moment_to_another() -> None:
    one = Account(Counter(a=5, b=1), Counter(a=2), Counter(a=1))
    two = Account(Counter(a=7, b=1, c=4), Counter(a=3), Counter(a=1))

    assert Account(Counter(a=2, c=4), Counter(a=1), Counter()) == two - one
