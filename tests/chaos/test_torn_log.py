"""SQLite's log is torn anywhere in its last transaction, and its index is lost: all of it, or nothing."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dormie_server.sqlite_store import SqliteStore

PUTS = 6
WRITER = """
import asyncio, os, signal, sys
from dormie_server.sqlite_store import SqliteStore
from tests.chaos.test_torn_log import put

async def main():
    store = SqliteStore(sys.argv[1])
    for version in range(int(sys.argv[2])):
        await put(store, version)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def put(store: SqliteStore, was: int) -> None:
    """A put of everything there is; its document fills several pages of the log."""
    body = Random(was).randbytes(9000)
    shelves = {"lobby": b"%d" % (was + 1)}
    await store.put("table:A", body, was, note=b"%d" % was, alarm=1e10 + was, shelves=shelves)


def state(data: Path) -> Any:  # a value to compare with others of its kind
    """Everything a store says of the one table in it."""

    async def look() -> Any:
        store = SqliteStore(data)
        try:
            document, notes = await store.get("table:A"), await store.notes("table:A")
            return document, notes, await store.on("lobby"), await store.next_due()
        finally:
            await store.close()

    return asyncio.run(look())


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose writer was killed after its last commit: file and log, and who was when."""
    folder = tmp_path_factory.mktemp("torn")
    for puts in (PUTS - 1, PUTS):
        data = str(folder / f"{puts}.db")
        command = [sys.executable, "-c", WRITER, data, str(puts)]
        done = subprocess.run(command, env=_environment(), check=False)
        assert done.returncode == -signal.SIGKILL
    return folder


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def torn(killed: Path, folder: Path, log: bytes | None) -> Path:
    """The store as if the log had been *log* when the power failed."""
    data = folder / "copy.db"
    for old in folder.glob("copy.db*"):
        old.unlink()
    shutil.copyfile(killed / f"{PUTS}.db", data)
    if log is not None:
        Path(f"{data}-wal").write_bytes(log)
    return data


def test_nasty_C17_a_log_cut_anywhere_in_its_last_commit_holds_all_of_it_or_nothing(
    killed: Path, tmp_path: Path
) -> None:
    whole = (killed / f"{PUTS}.db-wal").read_bytes()
    shorter = len((killed / f"{PUTS - 1}.db-wal").read_bytes())
    before, after = state(killed / f"{PUTS - 1}.db"), state(torn(killed, tmp_path, whole))
    assert before != after
    luck = Random(17)
    ends = {*range(len(whole) - 100, len(whole)), *luck.sample(range(shorter, len(whole)), 60)}

    for end in sorted(ends):
        assert state(torn(killed, tmp_path, whole[:end])) == before, end
    for _ in range(40):  # the length is right, and something inside is not what was written
        at = luck.randrange(shorter + 24, len(whole))
        garbled = whole[:at] + bytes([whole[at] ^ (1 << luck.randrange(8))]) + whole[at + 1 :]
        assert state(torn(killed, tmp_path, garbled)) == before, at


def test_nasty_C17_an_index_of_the_log_that_is_lost_cut_or_rubbish_changes_nothing(
    killed: Path, tmp_path: Path
) -> None:
    whole = (killed / f"{PUTS}.db-wal").read_bytes()
    index = (killed / f"{PUTS}.db-shm").read_bytes()
    after = state(torn(killed, tmp_path, whole))
    luck = Random(17)
    cuts = [index[: luck.randrange(len(index))] for _ in range(10)]
    for left in (b"", index, luck.randbytes(len(index)), *cuts):
        data = torn(killed, tmp_path, whole)
        Path(f"{data}-shm").write_bytes(left)

        assert state(data) == after


def test_nasty_C17_a_log_that_is_gone_takes_back_what_was_only_in_it(
    killed: Path, tmp_path: Path
) -> None:
    """Nothing else can be hoped for; but it opens, and is sound."""
    assert state(torn(killed, tmp_path, None)) == (None, [], {}, None)
