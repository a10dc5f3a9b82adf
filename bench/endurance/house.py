"""A house in a process of its own, that can be weighed, asked for its figures, and told to stop."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.serving import fetch

PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024
PATIENCE = 60.0
COUNT = signal.SIGUSR1
"""Asks a `counted` house to count."""
COUNTED, COUNTED_IN = "counted.json", "COUNTED_IN"
"""The file it writes to, and the name in its environment that says where that is."""

BUSY = {
    "LIMITS__MESSAGES_PER_SECOND": "100000",
    "LIMITS__MESSAGES_AT_ONCE": "100000",
    "LIMITS__CREATIONS_PER_MINUTE": "100000",
    "LIMITS__CREATIONS_AT_ONCE": "100000",
    "PAUSE_SECONDS": "0.01",
    "BOT_SECONDS": "0",
}
"""The settings of a house whose players are programs; all that is about lines stays as it is."""


@dataclass(frozen=True, slots=True)
class Alive:
    """What a process holds once the collector has been through."""

    objects: int
    """As far as the collector knows them."""
    blocks: int
    """Pieces of memory that Python has given out, of any size."""
    used_kib: int
    """What libraries in C have asked the system's allocator for."""
    free_kib: int
    """What was given back to that allocator, and it has kept."""
    kinds: dict[str, int] = field(repr=False)
    """How many objects there are of each class, the most frequent ones."""


@dataclass
class House:
    """``dormie-server`` as people run it."""

    process: asyncio.subprocess.Process
    port: int
    folder: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def weight(self) -> int:
        """KiB of memory that the process holds."""
        return weight_of(self.pid)

    def lines(self) -> int:
        """How many sockets the process holds."""
        return sum(is_socket(one) for one in Path(f"/proc/{self.pid}/fd").iterdir())

    async def figures(self) -> dict[str, float]:
        """What the house counts, by name and labels."""
        rows = (row for row in (await fetch(self.port, "/metrics")).splitlines() if row[0] != "#")
        return {name: float(value) for name, _, value in (row.rpartition(" ") for row in rows)}

    async def alive(self) -> Alive:
        """Let the house collect and count what it holds; it must have been `opened` to be counted."""
        path = self.folder / COUNTED
        path.unlink(missing_ok=True)
        self.process.send_signal(COUNT)
        await self.figures()  # wakes it up
        await until(path.exists)
        return Alive(**json.loads(path.read_text("utf-8")))

    async def empties(self, to: int = 0) -> None:
        """Wait until no more than *to* connections are open."""
        async with asyncio.timeout(PATIENCE):
            while (await self.figures())["dormie_connections"] > to:  # noqa: ASYNC110 - it rings no bell
                await asyncio.sleep(0.1)

    async def stop(self) -> tuple[float, int]:
        """SIGTERM; returns the seconds until the end, and the exit status."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            status = await self.process.wait()
        return time.monotonic() - began, status


def is_socket(number: Path) -> bool:
    """Whether a file of a process, as the system lists them, is a socket; one just closed is none."""
    try:
        return str(number.readlink()).startswith("socket:")
    except OSError:
        return False


def weight_of(pid: int) -> int:
    """KiB of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * PAGE_KIB


@asynccontextmanager
async def opened(
    settings: Mapping[str, str], program: str = "dormie_server"
) -> AsyncIterator[House]:
    """Open a house on a file of its own; it is gone afterwards, however that went.

    With `counted` as its *program* it can be asked what is `House.alive` in it.
    """
    ours = {f"DORMIE_{name}": value for name, value in settings.items()}
    rest = {name: value for name, value in os.environ.items() if not name.startswith("DORMIE_")}
    command = [sys.executable, "-m", program, "--host", "127.0.0.1", "--port", "0"]
    rest["PYTHONPATH"] = str(Path(__file__).parents[2])
    with TemporaryDirectory() as folder:
        ours[COUNTED_IN] = f"{folder}/{COUNTED}"
        process = await asyncio.create_subprocess_exec(
            *(*command, "--data", f"{folder}/dormie.db", "--log-level", "warning"),
            stdout=asyncio.subprocess.PIPE,
            env=rest | ours,
            cwd=folder,  # no .env of ours
        )
        try:
            yield House(process, await _port(process), Path(folder))
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _port(process: asyncio.subprocess.Process) -> int:
    assert process.stdout is not None, "it is a pipe"
    async with asyncio.timeout(PATIENCE):
        first = (await process.stdout.readline()).decode()
    assert first.startswith("Dormie is ready"), "the house did not open; it has said why"
    return int(first.strip().rstrip("/").rpartition(":")[2])


async def until(true: Callable[[], bool], within: float = PATIENCE) -> float:
    """Wait until something is so; returns the seconds it took. Raises TimeoutError."""
    began = time.monotonic()
    async with asyncio.timeout(within):
        while not true():  # noqa: ASYNC110 - the system rings no bell for this
            await asyncio.sleep(0.01)
    return time.monotonic() - began
