"""A Redis of the tests' own: a process with a folder and a port, started here and stopped here."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.serving import free_port

NONE = "there is no redis-server on this machine: apt install redis-server (only the tests need it)"
WITHIN = 15.0


def redis_program() -> str:
    """Where redis-server is. Without one a test is skipped in words, but where CI is set it fails."""
    found = shutil.which("redis-server")
    if found is None and os.environ.get("CI"):
        pytest.fail(NONE)
    if found is None:
        pytest.skip(NONE)
    return found


class RedisServer:
    """One Redis, through all its deaths, on one folder and one port."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        program = redis_program()
        places = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder))
        self.largest_file: int | None = None
        """A file may not grow beyond so many blocks of 512 bytes: how a full disk looks to it."""
        self.environment: Mapping[str, str] = {}
        """What it is started with beside our own."""
        self._command = [program, *places, "--daemonize", "no", "--save", "", *settings]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and return when it answers."""
        command = self._command
        if self.largest_file is not None:
            command = ["sh", "-c", f'ulimit -f {self.largest_file}; exec "$0" "$@"', *command]
        with (self.folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, **self.environment},
            )
        until = time.monotonic() + WITHIN
        while not self.say("PING").startswith((b"+PONG", b"-NOAUTH")):
            said = (self.folder / "redis.log").read_text()[-2000:]
            assert self._process.poll() is None, said
            assert time.monotonic() < until, said
            time.sleep(0.01)

    def say(self, *words: str) -> bytes:
        """Say something to it on a line of its own; returns the beginning of what it says."""
        text = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as line:
                line.sendall(text.encode())
                return line.recv(1 << 16)
        except OSError:
            return b""

    def signal(self, number: signal.Signals) -> None:
        """Freeze or thaw it."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """SIGKILL; fine if it is dead."""
        self.signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait(timeout=WITHIN)

    def empty(self) -> None:
        """Forget everything."""
        assert self.say("FLUSHALL") == b"+OK\r\n"


@contextmanager
def running_redis(*settings: str) -> Iterator[RedisServer]:
    """A Redis with these settings, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="dormie-redis-") as folder:
        server = RedisServer(Path(folder), *settings)
        try:
            server.start()
            yield server
        finally:
            server.kill()
