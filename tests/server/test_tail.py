"""Following over bells that may be lost, late, doubled or out of order."""

import asyncio
from random import Random

import pytest

from dormie_server.store import Note, WentBack
from dormie_server.tail import CHECK_SECONDS, Ear, Hint, Kept, Read, Tail
from tests.simulator.loop import VirtualLoop

LIFE = "life 1"


class Log:
    """A key with notes, which remembers how often it was read."""

    def __init__(self, *notes: int) -> None:
        self.life: str | None = LIFE
        self.version = max(notes, default=0)
        self.notes = [note(version) for version in notes]
        self.reads = 0
        self.at_once = 1000

    async def read(self, after: int) -> Kept | None:
        self.reads += 1
        if self.life is None:
            return None
        notes = [one for one in self.notes if one.version > after]
        some = tuple(notes[: self.at_once])
        return Kept(self.life, self.version, some, more=len(notes) > len(some))

    def put(self, *, noted: bool = True) -> Hint:
        """Another version; returns the bell for it."""
        self.version += 1
        if noted:
            self.notes.append(note(self.version))
        return Hint(LIFE, self.version, note(self.version).body if noted else None)


def note(version: int) -> Note:
    return Note(version, b"note %d" % version)


class Reader:
    """Somebody who follows a log and writes down when they heard what."""

    def __init__(self, log: Log, ear: Ear, after: int = 0, life: str | None = None) -> None:
        self.heard: list[int] = []
        self.at: list[float] = []
        self.tail = Tail(log.read, ear, after, life)
        self.task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for heard in self.tail.notes():
            self.heard.append(heard.version)
            self.at.append(asyncio.get_running_loop().time())

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


def test_what_is_kept_comes_first_and_then_what_the_bells_bring() -> None:
    async def story() -> tuple[list[int], int]:
        log, ear = Log(1, 2), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        for _ in range(3):
            ear.hear(log.put())
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard, log.reads

    assert ([1, 2, 3, 4, 5], 1) == VirtualLoop.begin().run(story())


def test_a_gap_is_read_at_once() -> None:
    async def story() -> tuple[list[int], list[float]]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        log.put()
        ear.hear(log.put())
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard, reader.at

    heard, at = VirtualLoop.begin().run(story())

    assert ([1, 2, 3], 0.1) == (heard, at[-1])


def test_a_lost_last_bell_is_made_up_for_within_the_time_of_a_check() -> None:
    async def story() -> tuple[list[int], list[float]]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.5)
        log.put()
        await asyncio.sleep(5)
        await reader.stop()
        return reader.heard, reader.at

    heard, at = VirtualLoop.begin().run(story())

    assert [1, 2] == heard
    assert at[1] - 0.5 <= CHECK_SECONDS


def test_old_bells_do_not_put_the_check_off() -> None:
    """They say nothing new, however many there are."""

    async def story() -> list[float]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        log.put()
        for _ in range(50):
            ear.hear(Hint(LIFE, 1, note(1).body))
            await asyncio.sleep(0.1)
        await reader.stop()
        return reader.at

    assert VirtualLoop.begin().run(story())[1] <= 0.1 + CHECK_SECONDS


def test_a_bell_that_carries_no_note_is_read() -> None:
    async def story() -> list[int]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        ear.hear(Hint(LIFE, log.put().version, bare=True))
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard

    assert [1, 2] == VirtualLoop.begin().run(story())


def test_a_put_without_a_note_is_no_gap() -> None:
    async def story() -> tuple[list[int], int]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        ear.hear(log.put(noted=False))
        ear.hear(log.put())
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard, log.reads

    assert ([1, 3], 1) == VirtualLoop.begin().run(story())


def test_what_was_put_before_the_reader_came_without_a_note_is_no_gap_either() -> None:
    async def story() -> tuple[list[int], int]:
        log, ear = Log(1), Ear()
        log.put(noted=False)
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        ear.hear(log.put())
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard, log.reads

    assert ([1, 3], 1) == VirtualLoop.begin().run(story())


def test_a_long_past_is_read_in_pieces() -> None:
    async def story() -> tuple[list[int], int]:
        log, ear = Log(*range(1, 101)), Ear()
        log.at_once = 30
        reader = Reader(log, ear, after=10)
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard, log.reads

    assert (list(range(11, 101)), 3) == VirtualLoop.begin().run(story())


def test_a_slow_reader_loses_bells_and_no_notes() -> None:
    """However many bells ring, only so many are remembered."""

    async def story() -> tuple[int, list[int]]:
        log, ear = Log(1), Ear(longest=4)
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        for _ in range(1000):
            ear.hear(log.put())
        kept = len(ear)
        await asyncio.sleep(0.1)
        await reader.stop()
        return kept, reader.heard

    assert (4, list(range(1, 1002))) == VirtualLoop.begin().run(story())


# --------------------------------------------------------------------------- lives


def test_a_key_that_is_not_there_is_waited_for() -> None:
    async def story() -> list[int]:
        log, ear = Log(), Ear()
        log.life = None
        reader = Reader(log, ear)
        await asyncio.sleep(10)
        log.life = LIFE
        ear.hear(log.put())
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard

    assert [1] == VirtualLoop.begin().run(story())


@pytest.mark.parametrize("told", [True, False])
def test_the_end_of_a_life_is_the_end(*, told: bool) -> None:
    """Also when the bell for it is lost."""

    async def story() -> list[int]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        log.life = None
        if told:
            ear.hear(Hint(LIFE, 1, ended=True))
        async with asyncio.timeout(CHECK_SECONDS + 0.1):
            await reader.task
        return reader.heard

    assert [1] == VirtualLoop.begin().run(story())


def test_another_life_is_another_story() -> None:
    async def story() -> list[int]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        log.life = "life 2"
        ear.hear(Hint("life 2", 2, b"another"))
        async with asyncio.timeout(0.1):
            await reader.task
        return reader.heard

    assert [1] == VirtualLoop.begin().run(story())


def test_a_bell_of_an_earlier_life_changes_nothing() -> None:
    async def story() -> list[int]:
        log, ear = Log(1), Ear()
        reader = Reader(log, ear, life=LIFE)
        await asyncio.sleep(0.1)
        ear.hear(Hint("life 0", 2, b"long past"))
        ear.hear(Hint("life 0", 9, ended=True))
        ear.hear(log.put())
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard

    assert [1, 2] == VirtualLoop.begin().run(story())


def test_when_there_will_be_no_more_bells_it_ends() -> None:
    async def story() -> None:
        ear = Ear()
        reader = Reader(Log(1), ear)
        await asyncio.sleep(0.1)
        ear.end()
        async with asyncio.timeout(0.1):
            await reader.task

    VirtualLoop.begin().run(story())


def test_what_reading_raises_is_the_readers_to_know() -> None:
    async def broken(_after: int) -> Kept | None:
        raise OSError

    async def story() -> None:
        async for _ in Tail(broken, Ear(), 0).notes():
            pass

    with pytest.raises(OSError):  # noqa: PT011 - any will do
        VirtualLoop.begin().run(story())


def test_whoever_heard_of_more_than_there_is_says_so() -> None:
    """A copy took the store's place, and lacks what came last."""

    async def story() -> list[int]:
        log, ear = Log(1, 2), Ear()
        reader = Reader(log, ear)
        await asyncio.sleep(0.1)
        ear.hear(log.put())
        await asyncio.sleep(0.1)
        log.version, log.notes = 2, log.notes[:2]
        with pytest.raises(WentBack, match="version 3 is gone"):
            await asyncio.wait_for(reader.task, 2 * CHECK_SECONDS)
        return reader.heard

    assert [1, 2, 3] == VirtualLoop.begin().run(story())


def test_whoever_wants_to_hear_of_what_is_still_to_come_waits_for_it() -> None:
    """A number that somebody only names says nothing about the store."""

    async def story() -> list[int]:
        log, ear = Log(1, 2), Ear()
        reader = Reader(log, ear, after=3)
        await asyncio.sleep(2 * CHECK_SECONDS)
        for _ in range(2):
            ear.hear(log.put())
        await asyncio.sleep(0.1)
        await reader.stop()
        return reader.heard

    assert [4] == VirtualLoop.begin().run(story())


# ------------------------------------------------------------------------ in any weather


@pytest.mark.parametrize("seed", range(30))
def test_whatever_happens_to_the_bells_every_note_is_heard_once_in_order_and_in_time(
    seed: int,
) -> None:
    luck = Random(seed)

    async def slowly(read: Read, after: int) -> Kept | None:
        await asyncio.sleep(luck.random() * 0.1)
        kept = await read(after)
        await asyncio.sleep(luck.random() * 0.1)
        return kept

    async def story() -> tuple[Reader, list[float]]:
        loop, log, ear, put_at = asyncio.get_running_loop(), Log(), Ear(longest=5), list[float]()
        read = log.read
        log.read = lambda after: slowly(read, after)  # type: ignore[method-assign]  # from afar
        reader = Reader(log, ear)
        for _ in range(100):
            await asyncio.sleep(luck.choice((0.0, 0.01, 0.3, 2.5)))
            hint = log.put()
            put_at.append(loop.time())
            for _ in range(luck.choice((0, 1, 1, 2))):
                loop.call_later(luck.random() * 0.3, ear.hear, hint)
        await asyncio.sleep(5)
        await reader.stop()
        return reader, put_at

    reader, put_at = VirtualLoop.begin().run(story())

    assert list(range(1, 101)) == reader.heard
    assert max(heard - put for heard, put in zip(reader.at, put_at, strict=True)) <= 1.5
