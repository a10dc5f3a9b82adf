"""Real servers for tests: one in this process, or one in a process of its own that can be killed."""

import asyncio
import signal
import socket
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from dormie_server.app import App
from dormie_server.config import read_settings

QUICK: dict[str, object] = {
    "host": "127.0.0.1",
    "port": 0,
    "data": ":memory:",
    "bot_seconds": 0,
    "pause_seconds": 0.01,
    "limits": {
        "messages_per_second": 10_000,
        "messages_at_once": 10_000,
        "sockets_per_address": 1000,
        "creations_per_minute": 10_000,
        "creations_at_once": 10_000,
        "guests_per_minute": 10_000,
        "guests_at_once": 10_000,
    },
}
"""A house without pauses, for programs that play each other."""


ELSEWHERE: list[Callable[[], dict[str, object]]] = []
"""If there is one, houses that do not say where they keep things are told by it: the settings."""


@asynccontextmanager
async def serving(parts: dict[str, Any] | None = None, **settings: object) -> AsyncIterator[App]:
    """A server in this process. *parts* go to ``App.open``: a store, luck, or deals of one's own."""
    if ELSEWHERE and not {"data", "store"} & {*settings, *(parts or {})}:
        settings |= ELSEWHERE[0]()
    app = await App.open(read_settings({**QUICK, **settings}), **(parts or {}))
    try:
        yield app
    finally:
        await app.close()


def url_of(app: App) -> str:
    """Where to connect to."""
    return f"ws://127.0.0.1:{app.port}/ws"


async def fetch(port: int, path: str) -> str:
    """What the house answers over HTTP. Raises urllib's HTTPError."""

    def get() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            text: str = answer.read().decode()
            return text

    return await asyncio.to_thread(get)


def free_port() -> int:
    """A port that is free now, for a server that has to come back on the same one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """``dormie-server`` as people run it, which can be killed and started again on the same file."""

    def __init__(self, data: Path, *flags: str) -> None:
        self.port = free_port()
        self.log = data.with_suffix(".log")
        self._command = [
            *(sys.executable, "-m", "dormie_server", "--host", "127.0.0.1"),
            *("--port", str(self.port), "--data", str(data), "--bot-seconds", "0", *flags),
        ]
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        """Where to connect to."""
        return f"ws://127.0.0.1:{self.port}/ws"

    async def start(self, environment: dict[str, str] | None = None) -> str:
        """Start it; returns its first line once it is ready."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdout=asyncio.subprocess.PIPE, stderr=log, env=environment
            )
        assert self._process.stdout is not None, "it is a pipe"
        async with asyncio.timeout(30):
            line = await self._process.stdout.readline()
        assert line.startswith(b"Dormie is ready"), self.log.read_text()[-2000:]
        return line.decode()

    async def kill(self) -> None:
        """SIGKILL: no goodbye, no last write."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        return await self._end(signal.SIGTERM)

    async def ended(self) -> int:
        """Wait until it ends by itself; returns the exit status."""
        assert self._process is not None, "it was started"
        async with asyncio.timeout(30):
            return await self._process.wait()

    async def _end(self, number: signal.Signals) -> int:
        process = self._process
        if process is None or process.returncode is not None:
            return 0
        process.send_signal(number)
        assert process.stdout is not None, "it is a pipe"
        async with asyncio.timeout(15):
            await process.stdout.read()
            return await process.wait()
