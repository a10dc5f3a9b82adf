"""The disk that forgets: what was synced is there after a power cut, and nothing else need be."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from dormie_server.sqlite_store import SqliteStore
from tests.chaos.power import SECTORS, Disk, torn
from tests.chaos.test_torn_log import state

PROGRAM = """
import os, sys
folder = sys.argv[1]
def sync_folder():
    at = os.open(folder, os.O_RDONLY)
    os.fsync(at)
    os.close(at)
def file(name):
    return os.open(f"{folder}/dormie.db{name}", os.O_RDWR | os.O_CREAT)
old, new, brief = file(""), file("-new"), file("-brief")
os.write(old, b"one")
os.pwrite(new, b"two" * 4000, 100)
os.fsync(old)
os.fdatasync(new)
sync_folder()
os.pwrite(old, b"xxx", 1)
os.ftruncate(new, 5000)
late = file("-late")
os.write(late, b"late")
os.fsync(late)
os.unlink(f"{folder}/dormie.db-brief")
{more}
os.kill(os.getpid(), 9)
"""
SYNCED_NEW = bytes(100) + b"two" * 4000


def run(disk: Disk, folder: Path, more: str = "", program: str = PROGRAM) -> None:
    program = program.replace("{more}", more)
    disk.settle()
    subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        env={**os.environ, **disk.environment},
        check=False,  # it ends itself
    )


@pytest.fixture
def disk(tmp_path: Path, power: Path) -> Disk:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "dormie.db").write_bytes(b"012345")
    return Disk(folder / "dormie.db", power, tmp_path / "shadow")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name.removeprefix("dormie.db"): path.read_bytes() for path in folder.iterdir()}


def test_what_was_synced_is_there_and_what_was_not_is_not(disk: Disk, tmp_path: Path) -> None:
    """A new file is there under its name once its folder was synced, and is gone no sooner."""
    run(disk, tmp_path / "data")
    cut = disk.cut()

    assert {"": b"one345", "-new": SYNCED_NEW, "-brief": b""} == files(tmp_path / "data")
    assert cut.unsynced > 0
    assert cut.kept == 0


def test_what_was_synced_later_is_there_too(disk: Disk, tmp_path: Path) -> None:
    run(disk, tmp_path / "data", "os.fsync(old); os.fsync(new); sync_folder()")
    cut = disk.cut()

    assert {
        "": b"oxxx45",
        "-new": SYNCED_NEW[:5000],
        "-late": b"late",
    } == files(tmp_path / "data")
    assert cut.unsynced == 0


def test_of_what_was_not_synced_luck_leaves_some(disk: Disk, tmp_path: Path) -> None:
    found = set()
    for seed in range(12):
        for path in (tmp_path / "data").iterdir():
            path.unlink()
        (tmp_path / "data" / "dormie.db").write_bytes(b"012345")
        run(disk, tmp_path / "data")
        disk.cut(Random(seed))
        found.add(files(tmp_path / "data")[""])

    assert {b"one345", b"oxxx45"} == found


def test_a_file_whose_inode_is_used_again_is_another_file(disk: Disk, tmp_path: Path) -> None:
    run(disk, tmp_path / "data", 'brief2 = file("-again"); os.fsync(brief2); sync_folder()')
    disk.cut()

    assert {"", "-new", "-late", "-again"} == files(tmp_path / "data").keys()


def test_torn_means_that_every_sector_is_the_old_or_the_new_one() -> None:
    was, wrote = b"o" * 20_000, b"n" * 30_000
    lengths = set()
    for seed in range(50):
        left = torn(was, wrote, Random(seed))
        lengths.add(len(left))
        pieces = [left[at : at + min(SECTORS)] for at in range(0, len(left), min(SECTORS))]

        assert all(set(piece) <= {*b"o\0"} or set(piece) == {*b"n"} for piece in pieces)
    assert {20_000, 30_000} < lengths


NORMAL = """
import asyncio, os, signal, sys
from dormie_server.sqlite_store import SqliteStore
from tests.chaos.test_torn_log import put

async def main():
    store = SqliteStore(sys.argv[1] + "/dormie.db", synchronous="NORMAL")
    loop, real, synced = asyncio.get_running_loop(), store.file.sync, asyncio.Event()

    def sync():
        real()
        loop.call_soon_threadsafe(synced.set)

    store.file.sync = sync
    for version in range(5):
        await put(store, version)
    async with asyncio.timeout(20):
        await synced.wait()
    await put(store, 5)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.parametrize("again", [False, True], ids=["a new file", "an old file"])
def test_at_NORMAL_a_power_cut_takes_only_what_came_after_the_last_sync(
    disk: Disk, tmp_path: Path, *, again: bool
) -> None:
    """And the last sync is about a second ago."""
    data = tmp_path / "data" / "dormie.db"
    data.unlink()
    if again:
        SqliteStore(data).file.close()
    run(disk, tmp_path / "data", program=NORMAL)
    cut = disk.cut()

    assert cut.unsynced > 0
    assert (5, 5) == versions(data)


def versions(data: Path) -> tuple[int, int]:
    """Of the one table in a store: of the document, and of its last note."""
    document, notes, *_ = state(data)
    return document.version, notes[-1].version
