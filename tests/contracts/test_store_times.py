"""What every store promises about alarms and lifetimes. The clock goes when it is told to."""

import asyncio

import pytest

from dormie_server.store import Conflict, Document, Store
from tests.contracts.stores import Clock, clock, hear_all, store

__all__ = ["clock", "store"]  # fixtures

# ----------------------------------------------------------------- alarms


async def test_an_alarm_goes_off_at_its_time_and_not_before(store: Store, clock: Clock) -> None:
    await store.put("table:1", b"", 0, alarm=clock() + 60)
    clock.advance(59)
    early = await store.due(hold=5)
    clock.advance(1)

    assert ([], ["table:1"]) == (early, await store.due(hold=5))


async def test_alarms_go_off_in_order(store: Store, clock: Clock) -> None:
    for key, seconds in {"b": 20, "a": 30, "c": 10, "later": 99}.items():
        await store.put(key, b"", 0, alarm=clock() + seconds)
    clock.advance(50)

    assert ["c", "b", "a"] == await store.due(hold=5)


async def test_of_two_callers_one_is_given_a_key(store: Store, clock: Clock) -> None:
    await store.put("table:1", b"", 0, alarm=clock())
    answers = await asyncio.gather(store.due(hold=5), store.due(hold=5))

    assert [[], ["table:1"]] == sorted(answers)


async def test_a_key_that_nobody_saw_to_is_due_again(store: Store, clock: Clock) -> None:
    """The server that was given the key has died."""
    await store.put("table:1", b"", 0, alarm=clock())
    await store.due(hold=5)
    clock.advance(4)
    held = await store.due(hold=5)
    clock.advance(1)

    assert ([], ["table:1"]) == (held, await store.due(hold=5))


@pytest.mark.parametrize("seconds", [0, 3, 99])
async def test_a_put_sets_the_alarm_anew(store: Store, clock: Clock, seconds: float) -> None:
    """Also while the key is held: an alarm set to now is how a table hands on what it owes."""
    await store.put("table:1", b"", 0, alarm=clock())
    await store.due(hold=50)
    await store.put("table:1", b"", 1, alarm=clock() + seconds)
    next_due = await store.next_due()
    clock.advance(seconds)

    assert clock() == next_due
    assert ["table:1"] == await store.due(hold=5)


async def test_a_put_without_an_alarm_clears_it(store: Store, clock: Clock) -> None:
    await store.put("table:1", b"", 0, alarm=clock() + 1)
    await store.put("table:1", b"", 1)
    clock.advance(2)

    assert (None, []) == (await store.next_due(), await store.due(hold=5))


async def test_the_next_alarm_is_the_earliest_that_is_not_held(store: Store, clock: Clock) -> None:
    start = clock()
    for key, seconds in {"a": 30, "b": 20, "c": 10}.items():
        await store.put(key, b"", 0, alarm=start + seconds)
    first = await store.next_due()
    clock.advance(10)
    await store.due(hold=15)

    assert (start + 10, start + 20) == (first, await store.next_due())

    clock.advance(10)
    await store.due(hold=99)

    assert start + 25 == await store.next_due(), "a held key counts when it comes back"


# -------------------------------------------------------------- lifetimes


async def test_at_the_end_of_its_lifetime_all_of_a_key_is_gone(store: Store, clock: Clock) -> None:
    await store.put("t", b"", 0, note=b"", alarm=clock() + 9, shelves={"lobby": b""}, lifetime=10)
    clock.advance(10)

    assert (None, []) == (await store.get("t"), await store.notes("t"))
    assert ({}, []) == (await store.on("lobby"), await store.due(hold=5))
    assert None is await store.next_due()


async def test_a_key_that_has_ended_cannot_go_on(store: Store, clock: Clock) -> None:
    """Also before anybody has had the leisure to sweep it away."""
    await store.put("t", b"", 0, note=b"", lifetime=10)
    notes = store.follow("t", after=0)
    clock.advance(10)

    with pytest.raises(Conflict):
        await store.put("t", b"", 1)
    assert [] == await hear_all(notes)


async def test_a_key_that_has_ended_begins_again_with_nothing(store: Store, clock: Clock) -> None:
    await store.put("t", b"", 0, note=b"old", shelves={"lobby": b""}, lifetime=10)
    clock.advance(10)
    await store.put("t", b"new", 0)

    assert (Document(1, b"new"), []) == (await store.get("t"), await store.notes("t"))
    assert {} == await store.on("lobby")


async def test_the_newest_put_decides_about_the_lifetime(store: Store, clock: Clock) -> None:
    for key, lifetime in {"longer": 20, "for ever": None, "shorter": 5}.items():
        await store.put(key, b"", 0, lifetime=10)
        await store.put(key, b"", 1, lifetime=lifetime)
    clock.advance(10)
    await store.due(hold=5)

    assert [True, True, False] == [
        await store.get(key) is not None for key in ("longer", "for ever", "shorter")
    ]


@pytest.mark.parametrize(("alarm", "lifetime"), [(10, 10), (10, 5), (None, 0), (-5, -1)])
async def test_nothing_may_end_before_its_alarm(
    store: Store, clock: Clock, alarm: float | None, lifetime: float
) -> None:
    with pytest.raises(ValueError, match="outlive"):
        await store.put("table:1", b"", 0, alarm=alarm and clock() + alarm, lifetime=lifetime)

    assert None is await store.get("table:1")
