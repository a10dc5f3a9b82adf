"""One end of a line: a transport that looks to its protocol like a socket's."""

import asyncio
from collections import deque
from contextvars import Context
from typing import TYPE_CHECKING, Any

from tests.simulator.machine import HERE, Machine

if TYPE_CHECKING:
    from tests.simulator.network import Line

Address = tuple[str, int]
HIGH = 65536
END_OF_FILE = b""
"""What arrives when the other end has said that it will send no more."""


class End(asyncio.Transport):
    """A transport."""

    far: "End"

    def __init__(self, line: "Line", context: Context, peer: Address, own: Address) -> None:
        super().__init__({"peername": peer, "sockname": own})
        self.line = line
        self.context = context
        self.machine: Machine | None = context.get(HERE)
        self.gone = False
        """Whether the protocol was told that it is over, or has died."""
        self._loop = line.network.loop
        self._protocol: asyncio.Protocol | None = None
        self._waiting = bytearray()
        self._under_way = 0
        self._last_arrival = 0.0
        self._closing = False
        self._eof_wanted = False
        self._eof_sent = False
        self._reading = True
        self._unread: deque[bytes] = deque()
        self._high, self._low = HIGH, HIGH // 4
        self._paused = False

    # what the protocol asks of its transport

    def write(self, data: Any) -> None:  # bytes of any kind
        if self._closing or self.gone or not data:
            return
        if self._eof_wanted:
            raise RuntimeError("nothing can be written after the end of file")
        written = bytes(data)
        self.line.network.witness.written(self.line, written, by_server=self is self.line.server)
        self._waiting += written
        self._flow()
        if not self._paused and len(self._waiting) > self._high:
            self._paused = True
            self._tell().pause_writing()

    def get_write_buffer_size(self) -> int:
        return len(self._waiting)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._high = HIGH if high is None else high
        self._low = self._high // 4 if low is None else low

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        if self._reading or self._closing:
            return
        self._reading = True
        self._loop.call_soon(self._catch_up, context=self.context)

    def is_reading(self) -> bool:
        return self._reading

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if not self._closing:
            self._eof_wanted = True
            self._flow()

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if self._closing or self.gone:
            return
        self._closing = True
        self._eof_wanted = True
        self._flow()

    def abort(self) -> None:
        if not self.gone:
            self._closing = True
            self._waiting.clear()
            self._loop.call_soon(self.lost, None, context=self.context)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        assert isinstance(protocol, asyncio.Protocol), "it reads streams"
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._tell()

    # what the network does

    def made(self, protocol: asyncio.Protocol) -> None:
        """There is a protocol now; what came before it arrives after it."""
        self._protocol = protocol
        protocol.connection_made(self)
        self._catch_up()

    def arrive(self, data: bytes) -> None:
        """Something has come down the line."""
        if self.line.silent:
            return
        if self.gone or self._closing:
            self._tell_far_that_nobody_is_here()
            return
        self._unread.append(data)
        self._catch_up()

    def reset(self) -> None:
        """The line is broken, and this end will hear of it."""
        self._loop.call_soon(self.lost, ConnectionResetError(104, "reset"), context=self.context)

    def lost(self, error: Exception | None) -> None:
        """It is over for this end; the other one hears of it if the line still carries anything."""
        if self.gone:
            return
        self.gone = self._closing = True
        self._waiting.clear()
        if self._protocol is not None:
            self._protocol.connection_lost(error)
        self.leave(reset=not self._eof_sent)

    def leave(self, *, reset: bool) -> None:
        """This end is no more. The other one is told, if the line still carries anything."""
        if reset and not self.far.gone and not self.line.silent:
            delay = self.line.manner.latency
            self._loop.call_later(delay, self.far.reset, context=self.far.context)
        self.line.network.forget(self.line)

    # within

    def _tell(self) -> asyncio.Protocol:
        assert self._protocol is not None, "whoever uses a transport was told of it"
        return self._protocol

    def _flow(self) -> None:
        """Let the line take what it can, and say so when there is room again."""
        manner = self.line.manner
        while self._waiting and self._under_way < manner.window:
            size = min(len(self._waiting), manner.piece, manner.window - self._under_way)
            piece = bytes(self._waiting[:size])
            del self._waiting[:size]
            self._under_way += size
            self._send(piece)
        if self._paused and len(self._waiting) <= self._low:
            self._paused = False
            if not self.gone:
                self._tell().resume_writing()
        if self._eof_wanted and not self._waiting and not self._eof_sent:
            self._eof_sent = True
            self._send(END_OF_FILE)
        if self._closing and self._eof_sent:  # perhaps sent long before, by `write_eof`
            self._loop.call_soon(self.lost, None, context=self.context)

    def _send(self, piece: bytes) -> None:
        manner, now = self.line.manner, self._loop.time()
        at = now + manner.latency + self.line.luck.random() * manner.jitter
        at = max(at, self._last_arrival, self.line.stuck_until)
        if manner.rate is not None:
            at += len(piece) / manner.rate
        self._last_arrival = at
        self._loop.call_at(at, self.far.arrive, piece, context=self.far.context)

    def _catch_up(self) -> None:
        """Hand on what has arrived, as long as the protocol wants to read."""
        while self._unread and self._reading and self._protocol and not self.gone:
            piece = self._unread.popleft()
            self.far.taken(len(piece))
            if piece is END_OF_FILE:
                if not self._protocol.eof_received():
                    self.close()
            elif not self._closing:
                self._protocol.data_received(piece)

    def taken(self, size: int) -> None:
        """The other end has read so many bytes: there is room for more."""
        self._under_way -= size
        if self._waiting or self._paused:
            self._loop.call_soon(self._flow, context=self.context)

    def _tell_far_that_nobody_is_here(self) -> None:
        if not self.far.gone:
            delay = self.line.manner.latency
            self._loop.call_later(delay, self.far.reset, context=self.far.context)
