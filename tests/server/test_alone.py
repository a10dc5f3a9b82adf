"""One server to a file, whichever way the first one ends."""

import subprocess
import sys
from pathlib import Path

import pytest

from dormie_server.alone import alone_with
from dormie_server.store import StoreUnavailable

HOLDER = """
import sys
from dormie_server.alone import alone_with
lock = alone_with(sys.argv[1])
print("mine", flush=True)
sys.stdin.read()
"""


def test_the_second_is_told_and_the_third_may_come_when_the_first_has_gone(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    first = alone_with(path)

    with pytest.raises(StoreUnavailable, match="in use by another server"):
        alone_with(path)

    first.close()
    alone_with(path).close()


def test_a_process_that_is_killed_lets_go(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    command = [sys.executable, "-c", HOLDER, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert b"mine\n" == holder.stdout.readline()

        with pytest.raises(StoreUnavailable, match="in use"):
            alone_with(path)

        holder.kill()
    alone_with(path).close()
