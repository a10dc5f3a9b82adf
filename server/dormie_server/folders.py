"""Folders that are still there after a power cut: a new one is only safe once its parent is synced."""

import os
from contextlib import suppress
from pathlib import Path


def make_folder(folder: Path) -> None:
    """Make *folder*, with the ones above it if need be, so that a power cut leaves them. Raises OSError."""
    above = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(above):
        one.mkdir(exist_ok=True)
        _sync(one.parent)


def _sync(folder: Path) -> None:
    # Windows opens no folders, and some systems of files do not sync them: then it is up to them.
    with suppress(OSError):
        at = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(at)
        finally:
            os.close(at)
