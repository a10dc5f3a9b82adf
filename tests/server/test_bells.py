"""Followers and their bells, and moments in their order, without any store."""

import asyncio
import random

import pytest

from dormie_server.bells import LONGEST_QUEUE, Bells, Follower, Moments
from dormie_server.store import Note


def follower(life: int | None = 1) -> Follower:
    made = Follower(life)
    made.open()
    return made


def note(version: int) -> Note:
    return Note(version, b"")


def test_who_follows_a_key_hears_its_notes_and_no_others() -> None:
    bells, ear = Bells(), follower()
    with bells.heard_by("table:1", ear):
        bells.ring("table:1", 1, note(1))
        bells.ring("table:2", 1, note(2))
        bells.ring("table:1", 1, None)
        bells.ring("table:1", 1, note(3))
    bells.ring("table:1", 1, note(4))

    assert [note(1), note(3)] == ear.take()
    assert [] == ear.take()


async def test_nobody_is_woken_for_what_is_known() -> None:
    bells, ear = Bells(), Follower(1, lambda: 2)
    ear.open()
    with bells.heard_by("table:1", ear):
        waking = asyncio.create_task(ear.woken())
        bells.ring("table:1", 1, note(1))
        bells.ring("table:1", 1, note(2))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waking.done()
        bells.ring("table:1", 1, note(3))
        await waking

    assert [note(3)] == ear.take()


def test_notes_of_another_life_are_not_heard() -> None:
    bells, ear = Bells(), follower(life=2)
    with bells.heard_by("table:1", ear):
        bells.ring("table:1", 1, note(9))
        bells.toll("table:1", 1)
        bells.ring("table:1", 2, note(1))

    assert ([note(1)], False) == (ear.take(), ear.ended)


@pytest.mark.parametrize("life", [None, 2])
def test_the_end_of_a_life_ends_those_who_follow_it_or_wait(life: int | None) -> None:
    bells, ear = Bells(), follower(life)
    with bells.heard_by("table:1", ear):
        bells.toll("table:1", 2)

    assert ear.ended


def test_a_queue_has_an_end_and_its_follower_reads_again() -> None:
    ear = follower()
    for version in range(LONGEST_QUEUE):
        ear.hear(1, note(version))

    assert not ear.behind

    for version in range(1000):
        ear.hear(1, note(version))

    assert (True, []) == (ear.behind, ear.take())


def test_who_begins_after_the_silence_ends_at_once() -> None:
    bells, before, after = Bells(), follower(), follower()
    with bells.heard_by("table:1", before):
        bells.silence()
    with bells.heard_by("table:1", after):
        pass

    assert (True, True) == (before.ended, after.ended)


async def test_a_bell_rung_early_is_not_missed() -> None:
    ear = follower()
    ear.hear(1, note(1))
    await ear.woken()

    assert [note(1)] == ear.take()


@pytest.mark.parametrize("seed", range(20))
def test_moments_come_in_order_wherever_they_were_moved(seed: int) -> None:
    luck = random.Random(seed)
    moments, plain = Moments(), dict[str, float]()
    for _ in range(500):
        key, at = f"key {luck.randrange(20)}", luck.choice([None, *map(float, range(30))])
        moments.set(key, at)
        plain.pop(key, None)
        if at is not None:
            plain[key] = at
        now = luck.randrange(30)
        passed = moments.passed(now)

        assert min(plain.values(), default=None) == moments.first()
        assert {key for key, at in plain.items() if at <= now} == set(passed)
        assert sorted(plain[key] for key in passed) == [plain[key] for key in passed]


def test_a_moment_moved_often_takes_no_room() -> None:
    moments = Moments()
    for at in range(10_000):
        moments.set("table:1", float(at))

    assert 100 > len(moments._order)  # noqa: SLF001 - what is measured is inside
