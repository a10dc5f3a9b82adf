"""Bad weather between clients and a server: a TCP proxy that delays, throttles, cuts and swallows.

It knows nothing of what it carries, so it cuts wherever luck says: between two messages, inside of
one, inside of a handshake.
"""

import asyncio
import socket
import struct
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Literal

PIECE = 4096
QUEUE = 64
"""Pieces on their way in one direction; more wait where they come from."""
RESET_AT_ONCE = struct.pack("ii", 1, 0)
"""For SO_LINGER: the other side is told with a reset, and what was not sent is lost."""


@dataclass(frozen=True)
class Weather:
    """How a line behaves; the default is a fine day."""

    delay: float = 0.0
    """Seconds that each piece is on its way..."""
    jitter: float = 0.0
    """...and by how many more or fewer, at random; the order stays."""
    bytes_per_second: float | None = None
    """In one direction of one connection."""
    resets: float = 0.0
    """How likely a piece is the last one, cut somewhere in the middle."""


ROUGH = Weather(delay=0.2, jitter=0.1, bytes_per_second=8000, resets=0.01)
"""A train in the mountains: 200 ms ± 100, 64 kbit/s, and one piece in a hundred breaks the line."""

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """Listens on a port of its own and carries everything to another one."""

    def __init__(self, port: int, weather: Weather, luck: Random, come_from: str = "") -> None:
        """*come_from* is the address, 127.something, that the server sees."""
        self.weather = weather
        self.done: Counter[str] = Counter()
        """How often the line was cut, and how."""
        self._target = port
        self._luck = luck
        self._from = (come_from, 0) if come_from else None
        self._lines: set[_Line] = set()
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Where clients connect to."""
        assert self._server is not None, "it was opened"
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/ws"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0, limit=PIECE)

    async def close(self) -> None:
        """Listen no more, and reset what is open."""
        assert self._server is not None, "it was opened"
        self._server.close()
        self._open.set()
        self.cut(share=1.0)
        await self._server.wait_closed()

    def cut(self, share: float = 0.5) -> None:
        """Reset that share of the connections, now; one at least, if there is one."""
        for line in self._some(share):
            line.reset()
            self.done["reset"] += 1

    def half_close(self, share: float = 0.5) -> None:
        """End one direction of some connections, one at least; the other one goes on."""
        for line in self._some(share):
            line.half_close(self._luck.choice(("client", "server")))
            self.done["half-closed"] += 1

    def _some(self, share: float) -> "list[_Line]":
        lines = list(self._lines)
        return self._luck.sample(lines, min(len(lines), max(1, round(share * len(lines)))))

    async def swallow(self, seconds: float) -> None:
        """For a while nothing comes through, and nobody is told; then all of it does."""
        self.done["black hole"] += 1
        self._open.clear()
        await asyncio.sleep(seconds)
        self._open.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(
            asyncio.CancelledError
        ):  # the evening is over, and nobody asks what became of it
            await self._connect(reader, writer)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        try:
            far = await asyncio.open_connection(
                "127.0.0.1", self._target, limit=PIECE, local_addr=self._from
            )
        except OSError:
            writer.transport.abort()
            return
        line = _Line((reader, writer), far)
        self._lines.add(line)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(line, reader, far[1]))
                group.create_task(self._pump(line, far[0], writer))
        except* OSError:
            pass
        finally:
            self._lines.discard(line)
            line.reset()

    async def _pump(
        self, line: "_Line", reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Carry one direction, each piece no earlier than its time and after the one before."""
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(QUEUE)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._take_in(reader, on_the_way))
            group.create_task(self._hand_out(line, writer, on_the_way))

    async def _take_in(
        self, reader: asyncio.StreamReader, on_the_way: asyncio.Queue[tuple[float, bytes]]
    ) -> None:
        loop, free, last = asyncio.get_running_loop(), 0.0, 0.0
        while True:
            piece = await reader.read(PIECE)
            weather = self.weather
            free = max(free, loop.time())
            if weather.bytes_per_second is not None:
                free += len(piece) / weather.bytes_per_second
            late = weather.delay + self._luck.uniform(-weather.jitter, weather.jitter)
            last = max(last, free + late)
            await on_the_way.put((last, piece))
            if not piece:
                return

    async def _hand_out(
        self,
        line: "_Line",
        writer: asyncio.StreamWriter,
        on_the_way: asyncio.Queue[tuple[float, bytes]],
    ) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due, piece = await on_the_way.get()
            await asyncio.sleep(max(0.0, due - loop.time()))
            await self._open.wait()
            if not piece:
                line.end(writer)
                return
            if line.half_closed(writer):
                continue  # nobody hears it
            last = self._luck.random() < self.weather.resets
            with suppress(RuntimeError):  # uvloop's word for a line that is closed already
                writer.write(piece[: self._luck.randrange(len(piece))] if last else piece)
            if last:
                self.done["reset"] += 1
                raise ConnectionResetError
            await writer.drain()


class _Line:
    """One connection through the proxy: both of its ends."""

    def __init__(self, near: Stream, far: Stream) -> None:
        self._near = near[1]
        self._far = far[1]
        self._ended: set[asyncio.StreamWriter] = set()

    def reset(self) -> None:
        for writer in (self._near, self._far):
            end: socket.socket | None = writer.get_extra_info("socket")
            with suppress(OSError, ValueError):  # it is closed already
                if end is not None:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_AT_ONCE)
            writer.transport.abort()

    def half_close(self, end: Literal["client", "server"]) -> None:
        self.end(self._near if end == "client" else self._far)

    def end(self, writer: asyncio.StreamWriter) -> None:
        """Nothing more is said in this direction."""
        if writer not in self._ended:
            self._ended.add(writer)
            with suppress(OSError, RuntimeError):  # it is closed already
                writer.write_eof()

    def half_closed(self, writer: asyncio.StreamWriter) -> bool:
        return writer in self._ended
