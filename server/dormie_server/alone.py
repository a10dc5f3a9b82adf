"""One server to a file: the second to come is told so instead of being let in."""

import sys
from pathlib import Path
from typing import IO

from dormie_server.store import StoreUnavailable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def alone_with(path: str) -> IO[str]:
    """Take the lock beside a file; close what is returned to let go of it.

    The system lets go, too, when the process dies, however it dies. The lock file itself stays:
    to remove it would let two servers hold two locks of the same name.

    Raises `StoreUnavailable` if another server has it, or if there is no place for it.
    """
    try:
        lock = Path(path + ".lock").open("a")  # noqa: SIM115 - open as long as the store is
    except OSError as error:
        raise StoreUnavailable(f"cannot open {path}: {error.strerror}") from error
    try:
        if sys.platform == "win32":
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise StoreUnavailable(f"{path} is in use by another server") from error
    return lock
