"""A new folder is safe before anything is put into it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dormie_server.folders import make_folder
from tests.serving import serving

Synced = Callable[[Path], bool]


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> Synced:
    """Whether a folder was synced since the test began."""
    seen: list[os.stat_result] = []
    real = os.fsync

    def fsync(at: int) -> None:
        seen.append(os.fstat(at))
        real(at)

    monkeypatch.setattr(os, "fsync", fsync)
    return lambda folder: any(os.path.samestat(one, folder.stat()) for one in seen)


def test_the_parent_of_every_new_folder_is_synced(tmp_path: Path, synced: Synced) -> None:
    (tmp_path / "old").mkdir()
    make_folder(tmp_path / "old" / "house" / "data")

    assert synced(tmp_path / "old")
    assert synced(tmp_path / "old" / "house")
    assert not synced(tmp_path)


async def test_a_house_that_makes_its_folder_makes_it_safe(tmp_path: Path, synced: Synced) -> None:
    async with serving(data=str(tmp_path / "data" / "dormie.db")):
        assert synced(tmp_path)


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path, synced: Synced) -> None:
    make_folder(tmp_path)

    assert not synced(tmp_path.parent)
