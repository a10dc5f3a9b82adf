"""A server and the load on it, each a process on a core of its own, and what they cost."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Self

from bench.load.build import build

ROOT = Path(__file__).resolve().parent.parent.parent
WITHOUT_LIMITS: Mapping[str, str] = {
    "DORMIE_PAUSE_SECONDS": "0.001",
    "DORMIE_TABLES_PER_PLAYER": "100000",
    "DORMIE_LIMITS__MESSAGES_PER_SECOND": "10000000",
    "DORMIE_LIMITS__MESSAGES_AT_ONCE": "10000000",
    "DORMIE_LIMITS__SOCKETS": "100000",
    "DORMIE_LIMITS__SOCKETS_PER_ADDRESS": "100000",
    "DORMIE_LIMITS__GUESTS_PER_MINUTE": "10000000",
    "DORMIE_LIMITS__GUESTS_AT_ONCE": "10000000",
    "DORMIE_LIMITS__CREATIONS_PER_MINUTE": "10000000",
    "DORMIE_LIMITS__CREATIONS_AT_ONCE": "10000000",
}
"""One address plays all seats here, and nobody looks at a hole that is over."""
PATIENCE = 15.0
"""Seconds for a server to end."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the load generator says of one order: numbers of the window, times of moves in µs."""

    seconds: float
    cpu: float
    """Seconds of its own processor time."""
    jobs: int
    """Connections greeted or come back, tables opened."""
    moves: int
    frames: int
    bytes_in: int
    """Text that the seats were sent; framing is not counted."""
    bytes_out: int
    p50: float
    p99: float
    most: float
    late: float
    """How late a move was sent at most, in µs: the load's own fault, not counted in the times."""
    tables: int
    moves_ever: int


class Ended(Exception):
    """A process has ended before its time, with what it wrote to standard error."""


class Process:
    """A child that is ended for certain, and may be pinned to one core."""

    def __init__(self, command: list[str], core: int | None, **environment: str) -> None:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in end
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
            cwd=ROOT,
            env={**os.environ, **environment},
        )
        if core is not None:
            os.sched_setaffinity(self.pid, {core})

    @property
    def pid(self) -> int:
        return self._child.pid

    def line(self) -> str:
        """The next line it says. Raises Ended."""
        text = _pipe(self._child.stdout).readline()
        if not text:
            self._child.wait()
            raise Ended(self.complaints())
        return text

    def complaints(self, most: int = 1500) -> str:
        """The first that was written to standard error, usually the reason for the rest."""
        if self._complaints.closed:
            return ""
        return os.pread(self._complaints.fileno(), most, 0).decode(errors="replace").rstrip()

    def tell(self, text: str) -> None:
        _pipe(self._child.stdin).write(f"{text}\n")
        _pipe(self._child.stdin).flush()

    def cpu(self) -> float:
        """Seconds of processor time of all its threads so far, those that have ended too. Raises Ended."""
        # The clock of another process, as clock_getcpuclockid makes its number: exact to a microsecond,
        # while /proc/PID/stat counts in hundredths of a second.
        try:
            return time.clock_gettime((~self.pid << 3) | 2)
        except OSError:
            raise Ended(self.complaints()) from None

    def memory(self) -> int:
        """Bytes that are resident."""
        pages = Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1]
        return int(pages) * resource.getpagesize()

    def end(self) -> None:
        """Ask it to stop; insist if it does not."""
        self._child.send_signal(signal.SIGTERM)
        try:
            self._child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.communicate()
        self._complaints.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_why: object) -> None:
        self.end()


class House(Process):
    """A server, which says first where it is."""

    def __init__(self, command: list[str], core: int | None, **environment: str) -> None:
        super().__init__(command, core, **environment)
        try:
            self.port = int(self.line().rstrip("/\n").rpartition(":")[2])
        except BaseException:
            self.end()
            raise


def dormie(data: str, synchronous: str, core: int | None, program: str = "dormie_server") -> House:
    """A Dormie house as people run it, but for the limits, on a file or the address of a Redis.

    *program* may be another that opens one.
    """
    flags = {
        "--host": "127.0.0.1",
        "--port": "0",
        **({"--store": data} if "://" in data else {"--data": data}),
        "--synchronous": synchronous,
        "--log-level": "warning",
    }
    command = [
        sys.executable,
        "-m",
        program,
        *(word for flag in flags.items() for word in flag),
    ]
    return House(command, core, **WITHOUT_LIMITS)


def yardstick(kind: str, core: int | None, size: int = 600) -> House:
    """A bare server that answers each move with so many bytes to each seat."""
    command = [sys.executable, "-m", "bench.load.yardsticks", kind, "--bytes", str(size)]
    return House(command, core)


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who plays: how many at a table, how long a match is, or how long a message without Golf is."""

    seats: int = 4
    holes: int = 9
    message: int | None = None
    """Bytes of a message to a yardstick; None plays Golf."""
    luck: int = 1
    together: bool = False
    """Of several houses one table after the other goes to the next; otherwise one seat after the other."""


class Load(Process):
    """The load generator, connected to one server, or to several that share a store."""

    def __init__(self, ports: Sequence[int], crowd: Crowd, core: int | None) -> None:
        allow_files()
        words: list[str | int] = [word for port in ports for word in ("-p", port)]
        words += ["-s", crowd.seats, "-o", crowd.holes, "-l", crowd.luck]
        words += ["-t"] if crowd.together else []
        if crowd.message is not None:
            words += ["-y", "-m", crowd.message]
        super().__init__([str(build()), *map(str, words)], core)

    def do(self, order: str) -> Report:
        """Carry an order out, and say what it took. Raises Ended when something went wrong."""
        self.tell(order)
        said = json.loads(self.line())
        return Report(**{field.name: said[field.name] for field in fields(Report)})


def allow_files() -> None:
    """Let this process and its children have as many sockets as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def cores() -> tuple[int | None, int | None]:
    """A core for the server and one for the load, when there are two."""
    free = sorted(os.sched_getaffinity(0))
    return (free[0], free[1]) if len(free) > 1 else (None, None)


def _pipe(end: IO[str] | None) -> IO[str]:
    assert end is not None, "it was asked for"
    return end
