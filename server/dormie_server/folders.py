"""What is still there after a power cut: a file that was synced, in a folder that was synced."""

import os
from contextlib import suppress
from pathlib import Path


def make_folder(folder: Path) -> None:
    """Make *folder*, with the ones above it if need be, so that a power cut leaves them. Raises OSError."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        _sync_folder(one.parent)


def sync_file(path: Path) -> None:
    """Make what is in a file safe, and its name too. Raises OSError."""
    _sync(path, os.O_RDWR)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    # Windows opens no folders, and some file systems do not sync them: then it is up to them.
    with suppress(OSError):
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, how: int) -> None:
    at = os.open(path, how)
    try:
        os.fsync(at)
    finally:
        os.close(at)
