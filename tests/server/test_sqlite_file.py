"""What a store keeps in its file: what it refuses to open, through faults, restarts and deaths."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from dormie_server.sqlite_file import SqliteFile
from dormie_server.sqlite_store import SqliteStore
from dormie_server.sqlite_writes import Drop, Put
from dormie_server.store import Conflict, Document, StoreUnavailable
from tests.contracts.stores import Clock, body, clock, hear_all, note, outcome, write

__all__ = ["clock"]  # a fixture


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


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


# ----------------------------------------------------------------- opening


def test_a_second_store_is_told_that_the_file_is_in_use(path: Path) -> None:
    first = SqliteFile(str(path), "FULL")

    with pytest.raises(StoreUnavailable, match=r"^.*store\.db is in use by another server$"):
        SqliteFile(str(path), "NORMAL")

    first.close()
    SqliteFile(str(path), "NORMAL").close()


def test_a_file_of_a_newer_server_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 7")
    before = path.read_bytes()

    with pytest.raises(StoreUnavailable, match="has format 7; this server reads 1 at most"):
        SqliteFile(str(path), "FULL")

    assert before == path.read_bytes()


def test_a_database_of_something_else_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE recipe (cake TEXT)")
    before = path.read_bytes()

    with pytest.raises(StoreUnavailable, match="a database, but not of this server"):
        SqliteFile(str(path), "FULL")

    assert before == path.read_bytes()


def test_what_is_no_database_is_refused(path: Path) -> None:
    path.write_text("Dear diary," * 1000)

    with pytest.raises(StoreUnavailable, match="file is not a database"):
        SqliteFile(str(path), "FULL")


def test_a_place_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="No such file or directory"):
        SqliteFile(str(tmp_path / "nowhere" / "store.db"), "FULL")


def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))

    with pytest.raises(StoreUnavailable, match="too old"):
        SqliteFile(str(path), "FULL")


@pytest.mark.parametrize(("synchronous", "level"), [("NORMAL", 1), ("FULL", 2)])
def test_the_writer_is_as_safe_as_was_asked(
    path: Path, synchronous: Literal["FULL", "NORMAL"], level: int
) -> None:
    file = SqliteFile(str(path), synchronous)

    assert [(level,)] == file.writer.execute("PRAGMA synchronous").fetchall()
    assert [("wal",)] == file.writer.execute("PRAGMA journal_mode").fetchall()

    file.close()


# ------------------------------------------------------------------ faults


async def test_a_full_disk_refuses_and_recovers(store: SqliteStore) -> None:
    await write(store, "table:1", 1)
    most(store, pages=4)
    full = [await outcome(store.put("table:1", b"x" * 100_000, 1, note=b"")) for _ in range(2)]

    assert [StoreUnavailable] * 2 == [type(result) for result in full]
    assert (Document(1, body(1)), [note(1)]) == (
        await store.get("table:1"),
        await store.notes("table:1"),
    )

    most(store, pages=10_000)

    assert 2 == await store.put("table:1", b"x" * 100_000, 1, note=b"")


async def test_who_fits_on_a_nearly_full_disk_is_kept(store: SqliteStore) -> None:
    most(store, pages=4)
    puts = [store.put("a", b"", 0), store.put("b", b"x" * 100_000, 0), store.put("c", b"", 0)]
    outcomes = await asyncio.gather(*map(outcome, puts))

    assert [1, StoreUnavailable, 1] == [r if r == 1 else type(r) for r in outcomes]


def most(store: SqliteStore, pages: int) -> None:
    """Make the disk so small: that many pages more than now."""
    ((now,),) = store.file.writer.execute("PRAGMA page_count")
    store.file.writer.execute(f"PRAGMA max_page_count = {now + pages}").fetchall()


async def test_a_commit_that_fails_acknowledges_nothing(store: SqliteStore) -> None:
    ear = asyncio.create_task(hear_all(store.follow("a", 0)))
    await asyncio.sleep(0)
    refuse_commits(store, refuse=True)
    puts = [store.put(key, b"", 0, note=b"lost", alarm=0.0) for key in ("a", "b")]
    outcomes = await asyncio.gather(*map(outcome, puts))

    assert [StoreUnavailable] * 2 == [type(result) for result in outcomes]
    assert (None, []) == (await store.get("a"), await store.due(1))

    refuse_commits(store, refuse=False)
    await write(store, "a", 1)
    await store.close()

    assert [note(1)] == await ear


def refuse_commits(store: SqliteStore, *, refuse: bool) -> None:
    def judge(action: int, what: str | None, *_: object) -> int:
        commit = action == sqlite3.SQLITE_TRANSACTION and what == "COMMIT"
        return sqlite3.SQLITE_DENY if refuse and commit else sqlite3.SQLITE_OK

    store.file.writer.set_authorizer(judge)


# ---------------------------------------------------------------- restarts


async def test_everything_is_there_after_a_restart(path: Path, clock: Clock) -> None:
    store = SqliteStore(path, clock=clock)
    await store.put("t", b"1", 0, note=b"n1", alarm=clock() + 5, shelves={"lobby": b"c"})
    await store.put("ends", b"", 0, lifetime=10)
    await store.close()
    store = SqliteStore(path, clock=clock)

    assert (Document(1, b"1"), {"t": b"c"}) == (await store.get("t"), await store.on("lobby"))
    assert clock() + 5 == await store.next_due()

    clock.advance(10)

    assert (["t"], None) == (await store.due(hold=60), await store.get("ends"))

    await store.close()
    store = SqliteStore(path, clock=clock)

    with closing(sqlite3.connect(path)) as file:
        assert [("t",)] == file.execute("SELECT key FROM document").fetchall()
    assert ["t"] == await store.due(hold=60), "who held it died with the process"
    assert 2 == await store.put("t", b"2", 1, note=b"n2")
    assert [b"n1", b"n2"] == [note.body for note in await store.notes("t")]

    await store.close()


async def test_what_has_ended_leaves_no_trace_in_the_file(path: Path, clock: Clock) -> None:
    store = SqliteStore(path, clock=clock)
    for n in range(20):
        await store.put(f"t{n}", b"", 0, note=b"", shelves={"lobby": b""}, lifetime=n + 1)
    clock.advance(20)
    await store.due(hold=1)
    await store.close()

    with closing(sqlite3.connect(path)) as file:
        for table in ("document", "note", "card"):
            assert [] == file.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - our own


def test_a_life_that_was_undone_is_not_written_into_again() -> None:
    file = SqliteFile(":memory:", "NORMAL")
    broken: bytes = object()  # type: ignore[assignment]  # what no file can hold
    (failure,) = file.commit([Put("lost", b"lost 1", 0, broken, None, {}, 0.0, 9.0)])
    (life,) = file.commit([Put("other", b"other 1", 0, None, None, {}, 0.0, 9.0)])
    (answer,) = file.commit([Put("lost", b"lost 2", 1, None, None, {}, 0.0, 9.0)])

    assert isinstance(failure, sqlite3.Error)
    assert 1 == life, "the number that the lost document would have had"
    assert isinstance(answer, Conflict)
    assert Document(1, b"other 1") == file.get("other", 0.0)
    file.close()


def test_what_was_given_more_time_is_not_swept(path: Path) -> None:
    file = SqliteFile(str(path), "FULL")
    file.commit([Put("t", b"", 0, None, None, {}, now=0.0, expires=20.0)])

    assert [None] == file.commit([Drop("t", by=10.0)])
    assert Document(1, b"") == file.get("t", now=10.0)

    file.close()


KEYS = 8
PLAYER = """
import asyncio, os, sys
from dormie_server.sqlite_store import SqliteStore

async def play(store, key):
    found = await store.get(key)
    version = found.version if found else 0
    while True:
        said = b"%d" % (version + 1)
        version = await store.put(key, said, version, note=said, shelves={"lobby": said})
        os.write(1, f"{key} {version}\\n".encode())

async def main(path, synchronous):
    store = SqliteStore(path, synchronous=synchronous)
    await asyncio.gather(*(play(store, f"table:{n}") for n in range(KEYS)))

asyncio.run(main(*sys.argv[1:]))
""".replace("KEYS", str(KEYS))


@pytest.mark.slow
@pytest.mark.parametrize("synchronous", ["FULL", "NORMAL"])
async def test_ten_sudden_deaths_lose_nothing_that_was_acknowledged(
    path: Path, synchronous: str
) -> None:
    for death in range(10):
        acknowledged = play_and_kill(path, synchronous, after=20 + 61 * death)
        store = SqliteStore(path)
        lobby = await store.on("lobby")
        for key, version in acknowledged.items():
            found = await store.get(key)
            assert found is not None
            assert version <= found.version <= version + 1
            said = [(n, b"%d" % n) for n in range(1, found.version + 1)]
            assert said[-1][1] == found.body == lobby[key]
            assert said == [(note.version, note.body) for note in await store.notes(key)]
        await store.close()
        with closing(sqlite3.connect(path)) as file:
            assert [("ok",)] == file.execute("PRAGMA integrity_check").fetchall()


def play_and_kill(path: Path, synchronous: str, after: int) -> dict[str, int]:
    """Kill a busy process after so many acknowledged puts; return the last of each key."""
    command = [sys.executable, "-c", PLAYER, str(path), synchronous]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as player:
        assert player.stdout is not None
        lines = [player.stdout.readline() for _ in range(after)]
        player.kill()
        lines += player.stdout.readlines()
    words = [line.decode().split() for line in lines]
    return {key: int(version) for key, version in words}
