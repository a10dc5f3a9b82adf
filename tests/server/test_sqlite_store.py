"""How the store in a file writes: in groups, in a thread where the disk is waited for, in a log.

What it shares with every store is in `tests/contracts`.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from dormie_server import sqlite_file, sqlite_store
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Conflict, Document
from tests.contracts.stores import Clock, body, clock, hear, note, outcome, turns, write
from tests.waiting import until

__all__ = ["clock"]  # a fixture


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
async def safe(path: Path, clock: Clock) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path, synchronous="FULL", clock=clock)
    yield store
    await store.close()


@pytest.fixture(params=["FULL", "NORMAL", "memory"])
async def store(
    request: pytest.FixtureRequest, path: Path, clock: Clock
) -> AsyncIterator[SqliteStore]:
    if request.param == "memory":
        opened = SqliteStore(":memory:", clock=clock)
    else:
        opened = SqliteStore(path, synchronous=request.param, clock=clock)
    yield opened
    await opened.close()


def transactions(store: SqliteStore) -> list[str]:
    """From now on, one entry per transaction begun."""
    begun: list[str] = []
    store.file.writer.set_trace_callback(
        lambda sql: begun.append(sql) if sql.startswith("BEGIN") else None
    )
    return begun


class Gate:
    """A job of the store's thread that waits there until it is let through."""

    def __init__(self, store: SqliteStore, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self._job: Callable[..., object] = getattr(store.file, job)
        self._loop = asyncio.get_running_loop()
        self._way = threading.Event()
        self.reached = asyncio.Event()
        monkeypatch.setattr(store.file, job, self._wait)

    def open(self) -> None:
        self._way.set()

    def _wait(self, *asked: object) -> object:
        self._loop.call_soon_threadsafe(self.reached.set)
        assert self._way.wait(5), "nobody came to open: the loop stood still"
        return self._job(*asked)


# ------------------------------------------------------------------ groups


async def test_puts_of_one_moment_share_a_transaction(store: SqliteStore) -> None:
    begun = transactions(store)
    await asyncio.gather(*(store.put(f"table:{n}", b"", 0, note=b"") for n in range(20)))

    assert 1 == len(begun)


async def test_a_crowd_is_let_in_by_groups(store: SqliteStore) -> None:
    begun = transactions(store)
    crowd = 2 * sqlite_store.LARGEST_GROUP + 1
    versions = await asyncio.gather(*(store.put(f"table:{n}", b"", 0) for n in range(crowd)))

    assert ([1] * crowd, 3) == (versions, len(begun))


async def test_what_was_dropped_is_not_swept(store: SqliteStore, clock: Clock) -> None:
    await store.put("table:1", b"", 0, lifetime=10)
    await store.drop("table:1")
    begun = transactions(store)
    clock.advance(10)
    await store.due(hold=5)
    await turns(10)

    assert [] == begun


async def test_puts_that_come_during_a_commit_share_the_next(
    safe: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, gate = transactions(safe), Gate(safe, "commit", monkeypatch)
    first = asyncio.create_task(safe.put("table:1", b"", 0))
    await gate.reached.wait()
    others = [asyncio.create_task(safe.put(f"other:{n}", b"", 0)) for n in range(20)]
    await asyncio.sleep(0)
    gate.open()

    assert [1] * 21 == await asyncio.gather(first, *others)
    assert 2 == len(begun)


async def test_a_conflict_in_a_group_hurts_nobody(store: SqliteStore) -> None:
    begun = transactions(store)
    keys = ["a", "b", "a", "c"]
    outcomes = await asyncio.gather(*(outcome(store.put(key, b"", 0)) for key in keys))

    assert [1, 1, Conflict, 1] == [r if r == 1 else type(r) for r in outcomes]
    assert 1 == len(begun)


async def test_a_put_that_cannot_be_hurts_nobody_in_its_group(store: SqliteStore) -> None:
    """A key that is no text must not cost the others their moves."""
    puts = [store.put(key, b"new", 0, note=b"") for key in ("a", "\ud800", "b")]
    outcomes = await asyncio.gather(*map(outcome, puts))

    assert [1, UnicodeEncodeError, 1] == [r if r == 1 else type(r) for r in outcomes]
    assert Document(1, b"new") == await store.get("b")


async def test_the_loop_goes_on_while_the_disk_is_slow(
    safe: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await write(safe, "table:1", 1)
    gate = Gate(safe, "commit", monkeypatch)
    put = asyncio.create_task(safe.put("table:1", body(2), 1, alarm=0.0))
    await gate.reached.wait()

    assert Document(1, body(1)) == await safe.get("table:1"), "not committed, so not to be seen"
    assert ([], {}, []) == (await safe.notes("t"), await safe.on("lobby"), await safe.due(1))

    gate.open()

    assert 2 == await put


async def test_nothing_is_acknowledged_or_heard_before_its_commit(
    safe: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(safe, "commit", monkeypatch)
    ear = asyncio.create_task(hear(safe.follow("table:1", 0), 1))
    put = asyncio.create_task(safe.put("table:1", b"", 0, note=note(1).body))
    await gate.reached.wait()
    await turns(10)

    assert (False, False) == (put.done(), ear.done())

    gate.open()

    assert (1, [note(1)]) == (await put, await ear)


# --------------------------------------------------------------------- log


async def test_the_log_begins_again_though_the_house_is_busy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "LONGEST_LOG", 50)
    store = SqliteStore(path, synchronous="NORMAL")
    busy = asyncio.gather(*(write(store, f"table:{n}", 1000) for n in range(4)))
    begun_again = 0
    while begun_again < 5 and not busy.done():
        await asyncio.sleep(0)
        begun_again = int.from_bytes(path.with_name("store.db-wal").read_bytes()[12:16])
    await busy
    await store.close()

    assert 5 == begun_again


async def test_puts_go_on_beside_the_moving_of_the_log_and_rest_for_its_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of it costs nobody anything; but a log that somebody writes to never begins again."""
    monkeypatch.setattr(sqlite_store, "LONGEST_LOG", 4)
    store = SqliteStore(path, synchronous="NORMAL")
    most = Gate(store, "checkpoint", monkeypatch)
    await write(store, "table:1", 4)
    await most.reached.wait()
    await write(store, "table:1", 4, was=4)  # beside

    last = Gate(store, "checkpoint", monkeypatch)
    most.open()
    resting = asyncio.create_task(last.reached.wait())
    puts: list[asyncio.Task[int]] = []
    while not resting.done():
        puts.append(asyncio.create_task(store.put(f"table:{len(puts) + 2}", b"", 0)))
        await asyncio.wait([puts[-1], resting], return_when=asyncio.FIRST_COMPLETED)
    puts.append(asyncio.create_task(store.put("while resting", b"", 0)))
    await turns(10)

    assert not puts[-1].done()

    last.open()

    assert [1] * len(puts) == await asyncio.gather(*puts)

    await store.close()


# -------------------------------------------------------------------- sync


async def test_at_NORMAL_what_was_written_is_synced_soon_while_the_loop_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "SYNC_AFTER", 0.01)
    store = SqliteStore(path, synchronous="NORMAL")
    gate = Gate(store, "sync", monkeypatch)
    await write(store, "table:1", 3)
    await gate.reached.wait()
    await write(store, "table:1", 3, was=3)
    again = Gate(store, "sync", monkeypatch)
    gate.open()
    await again.reached.wait()  # for what was written meanwhile
    again.open()
    await store.close()


async def test_where_nothing_was_written_nothing_is_synced(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "SYNC_AFTER", 0.0)
    synced: list[Path] = []
    monkeypatch.setattr(sqlite_file, "sync_file", synced.append)
    store = SqliteStore(path, synchronous="NORMAL")
    await asyncio.sleep(0.05)

    assert [] == synced

    await write(store, "table:1", 1)
    await until(lambda: bool(synced))
    await asyncio.sleep(0.05)
    await store.close()

    assert [path.with_name("store.db-wal")] == synced


async def test_a_disk_that_would_not_sync_is_asked_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "SYNC_AFTER", 0.0)
    asked: list[Path] = []

    def full(log: Path) -> None:
        asked.append(log)
        if len(asked) < 3:
            raise OSError("the disk is full")

    monkeypatch.setattr(sqlite_file, "sync_file", full)
    store = SqliteStore(path, synchronous="NORMAL")
    await write(store, "table:1", 1)
    await until(lambda: len(asked) == 3)
    await store.close()
