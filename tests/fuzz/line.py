"""Lines to a house: through memory, as fast as they go, or through real sockets.

Whoever sits at this end hears bytes through an `Ear`. The other end is the server's own connection,
with everything that belongs to it; only the network between is left out.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from tests.wire import CLOSE, PING, PONG, TEXT, framed

Heard = Callable[[int, bytes], None]


class Broken(Exception):
    """The server has said something that no server may say."""


class Ear:
    """What is heard on one line, taken apart into a head and frames, each checked."""

    def __init__(self) -> None:
        self.head: bytes | None = None
        """The answer to the handshake, once it is whole."""
        self.texts: list[bytes] = []
        self.code: int | None = None
        """With which the server closed."""
        self.over = False
        self.taps: list[Heard] = []
        self.size = 0
        """Bytes heard so far."""
        self.broken: str | None = None
        self._bytes = bytearray()
        self._waiting: asyncio.Future[None] | None = None

    @property
    def rest(self) -> bytes:
        """What was heard and is neither head nor frame (yet)."""
        return bytes(self._bytes)

    @property
    def open(self) -> bool:
        return not self.over and self.code is None

    def hear(self, data: bytes) -> None:
        """Take in what has come."""
        self.size += len(data)
        self._bytes += data
        if self.head is None and b"\r\n\r\n" in self._bytes:
            head, _, rest = bytes(self._bytes).partition(b"\r\n\r\n")
            self.head, self._bytes = head, bytearray(rest)
        try:
            while self.head is not None and self.head.startswith(b"HTTP/1.1 101") and self._frame():
                pass
        except Broken as broken:
            self.broken = self.broken or str(broken)
        self._wake()

    def end(self) -> None:
        self.over = True
        self._wake()

    async def until(self, true: Callable[[], bool]) -> None:
        """Return as soon as *true* is, or when nothing will be heard any more."""
        while not (true() or self.over or self.broken):
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _frame(self) -> bool:
        """Take one frame off; whether there was a whole one."""
        heard = self._bytes
        if len(heard) < 2:
            return False
        size, start = heard[1] & 0x7F, 2
        if size == 126:
            size, start = int.from_bytes(heard[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(heard[2:10], "big"), 10
        if len(heard) < start + size:
            return False
        first, masked = heard[0], heard[1] & 0x80
        payload = bytes(heard[start : start + size])
        del heard[: start + size]
        if masked or first & 0xF0 != 0x80 or first & 0x0F not in (TEXT, CLOSE, PING, PONG):
            raise Broken(f"a frame that begins with {first:#x}")
        if self.code is not None and first & 0x0F in (TEXT, CLOSE):
            raise Broken(f"more after the goodbye {self.code}: {payload[:80]!r}")
        self._take(first & 0x0F, payload)
        return True

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            self.texts.append(payload)
        elif opcode == CLOSE:
            self.code = int.from_bytes(payload[:2], "big") if payload else 1005
        for tap in self.taps:
            tap(opcode, payload)


class Line(Protocol):
    """This end of a connection."""

    ear: Ear

    def say(self, data: bytes) -> None:
        """Send bytes, just as they are, in one piece."""

    def hang_up(self) -> None:
        """End the connection."""


class OpenLoop(asyncio.SelectorEventLoop):
    """A loop that remembers what the newest server makes connections of."""

    factory: Callable[[], asyncio.Protocol]

    async def create_server(
        self, protocol_factory: Any, *args: Any, **named: Any
    ) -> Any:  # as asyncio has it
        self.factory = protocol_factory
        return await super().create_server(protocol_factory, *args, **named)

    def timers(self) -> list[asyncio.TimerHandle]:
        """The timers that wait and are not cancelled."""
        waiting: list[asyncio.TimerHandle] = getattr(self, "_scheduled")  # noqa: B009 - unknown to typing
        return [timer for timer in waiting if not timer.cancelled()]


class MemoryLine(asyncio.Transport):
    """A line without a network: what is said on one side is heard on the other in the next round.

    One that is *deaf* takes nothing in, as a peer that never reads.
    """

    def __init__(
        self, factory: Callable[[], asyncio.Protocol], address: str, *, deaf: bool = False
    ) -> None:
        super().__init__({"peername": (address, 40000), "sockname": ("127.0.0.1", 1)})
        self.ear = Ear()
        self._deaf = deaf
        self._unread = 0
        self._high = 65536
        self._closing = False
        self._reading = True
        self._coming: deque[bytes | None] = deque()
        self._scheduled = False
        self._loop = asyncio.get_running_loop()
        self.theirs = factory()
        """The server's end: its connection."""
        self.theirs.connection_made(self)

    # this end

    def say(self, data: bytes) -> None:
        if data:
            self._arrive(data)

    def hang_up(self) -> None:
        self._deaf = False  # what comes now is refused by the system, and so the other side is told
        self._arrive(None)

    def _arrive(self, data: bytes | None) -> None:
        self._coming.append(data)
        self._schedule()

    def _schedule(self) -> None:
        if self._coming and self._reading and not self._scheduled and not self._closing:
            self._scheduled = True
            self._loop.call_soon(self._deliver)

    def _deliver(self) -> None:
        """Hand over one piece; what this raises is told to the loop, as by a real transport."""
        self._scheduled = False
        if self._closing or not self._reading or not self._coming:
            return
        data = self._coming.popleft()
        try:
            if data is not None:
                self.theirs.data_received(data)
            elif not self.theirs.eof_received():
                self.close()
        finally:
            self._schedule()

    # the server's end

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing:
            return
        if not self._deaf:
            self.ear.hear(bytes(data))
            return
        before, self._unread = self._unread, self._unread + len(data)
        if before <= self._high < self._unread:
            self.theirs.pause_writing()

    def get_write_buffer_size(self) -> int:
        return self._unread

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:  # noqa: ARG002 - a deaf line never gets so low
        self._high = 65536 if high is None else high

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if not self._deaf:
            self.ear.end()
            self.hang_up()  # as every system does for a program that has nothing more to say

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True
        self._schedule()

    def is_reading(self) -> bool:
        return self._reading

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if self._deaf and self._unread:
            return  # what was written has to be taken first
        self.abort()

    def abort(self) -> None:
        if not self._closing:
            self._closing = True
            self._coming.clear()
            self._loop.call_soon(self._lost)

    def _lost(self) -> None:
        self.theirs.connection_lost(None)
        self.ear.end()


class SocketLine(asyncio.Protocol):
    """A line through the real network."""

    def __init__(self) -> None:
        self.ear = Ear()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, port: int) -> "SocketLine":
        loop = asyncio.get_running_loop()
        _, line = await loop.create_connection(cls, "127.0.0.1", port)
        return line

    def say(self, data: bytes) -> None:
        assert self._transport is not None, "the line was opened"
        if not self._transport.is_closing():
            self._transport.write(data)

    def hang_up(self) -> None:
        assert self._transport is not None, "the line was opened"
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport), "TCP is a stream"
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self.ear.hear(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - however it ended
        self.ear.end()


def polite(line: Line) -> None:
    """Answer pings and goodbyes on *line*, as a client does by itself."""

    def answer(opcode: int, payload: bytes) -> None:
        if opcode == PING:
            line.say(framed(PONG, payload))
        elif opcode == CLOSE:
            line.say(framed(CLOSE, payload[:2]))
            line.hang_up()

    line.ear.taps.append(answer)
