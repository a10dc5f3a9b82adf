"""A connection that looks after itself: whoever does not listen, or shouts, is cut off.

The library waits for a slow peer without end, in `close` and in its keepalive too, and it answers
every ping at once, into a buffer that grows when nobody reads. Here there is a most for what may
wait on a line and a longest time for taking nothing of it, so that one bad line costs the others
nothing. Whoever was cut off comes back and resumes.
"""

import asyncio
import contextlib
import socket
import sys
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Literal, Protocol, cast

from websockets.asyncio.server import Server, ServerConnection
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from dormie_server.addresses import Network, among, shared_by
from dormie_server.inbox import Inbox
from dormie_server.limits import Bucket, Limits, Sockets
from dormie_server.pulse import Pulse

PIECE: Final = 4096
"""Bytes read before anything is looked at again: what a flood can do unnoticed."""


class Counters(Protocol):
    """Who is told that a line was cut, and why."""

    def cut(self, reason: str) -> None: ...


def frame(data: bytes) -> bytes:
    r"""Return one text message as it travels; the same bytes serve every connection.

    >>> frame(b"hi") == Frame(Opcode.TEXT, b"hi").serialize(mask=False)
    True
    """
    size = len(data)
    if size < _SHORT:
        return b"\x81%c%b" % (size, data)
    if size < _MEDIUM:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), data)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), data)


_SHORT, _MEDIUM = 126, 1 << 16
"""Where the length of a frame takes two bytes more, and eight (RFC 6455, section 5.2)."""
_PING: Final = b"\x89\x00"
"""A ping that says nothing: any pong is an answer."""


class GuardedConnection(ServerConnection):
    """One peer. Made by `guarded`, which sets what the connections of a server share."""

    limits: ClassVar[Limits]
    counters: ClassVar[Counters]
    sockets: ClassVar[Sockets]
    trusted: ClassVar[Sequence[Network]]
    alive: "ClassVar[set[GuardedConnection]]"
    """Every connection of the server, greeted or not."""
    pulse: ClassVar[Pulse]

    # The library's own attributes fill a dictionary whose keys all connections share; more would not fit.
    __slots__ = (
        *("_asked", "_counted", "_fragments", "_ignored", "_pings", "_refused", "_timers"),
        *("address", "was_cut"),
    )

    def __init__(self, protocol: ServerProtocol, server: Server, **settings: Any) -> None:
        # Any: whatever `serve` passes on
        plain = protocol.logger
        super().__init__(protocol, server, **settings)
        # Our log names no connection, and at most one task drains one: neither needs its own box.
        self.logger = protocol.logger = plain
        self.drain_waiters = []  # type: ignore[assignment]  # a list can all that is asked of it
        self.address = ""
        """The name under which limits count the peer: its address, or its /64."""
        self.was_cut: str | None = None
        """Why this side gave the connection up, if it did."""
        self._asked = False
        """Whether the last ping is not answered yet."""
        self._counted: str | None = None
        self._pings = Bucket(self.limits.pings_per_second, self.limits.pings_at_once)
        self._fragments = 0
        self._refused = False
        self._ignored = 0
        self._timers: dict[str, asyncio.TimerHandle] = {}

    # what the hub calls

    def write_text(self, data: bytes) -> bool:
        """Send one text message without waiting. False if the connection is not open."""
        return self.write_frame(frame(data))

    def write_frame(self, ready: bytes) -> bool:
        """Send what `frame` returned without waiting. False if the connection is not open."""
        if self.protocol.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(ready)
        if self.paused:
            self._weigh()
        return self.was_cut is None

    def cut(self, reason: str) -> None:
        """End the connection now and without a word, because the other side does not listen."""
        if not self.connection_lost_waiter.done():
            self._blame(reason)
            self.transport.abort()

    def comes_from(self, address: str) -> bool:
        """Count this connection for *address*. False if that has too many already."""
        self._leave()
        self.address = shared_by(address)
        if self.sockets.enter(self.address):
            self._counted = self.address
        return self._counted is not None

    # what the pulse calls

    def ask(self) -> bool:
        """Send a ping, or give the line up when the last one was not answered."""
        if self.protocol.state is not State.OPEN:
            return False
        if self._asked:
            self.protocol.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
            self.send_data()
            return False
        self._asked = True
        return self.write_frame(_PING)

    # what the library and the loop call

    def start_keepalive(self) -> None:
        """From now on it is a game: forget how it was greeted, and ask now and then who is there."""
        assert self.request is not None, "it was greeted"
        self.request.headers.clear()  # it is held by the parser, too
        self.response = None
        del self.request_rcvd
        if self.ping_interval is not None:
            self.pulse.begin(self, self.ping_interval)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.recv_messages = Inbox(self.transport)  # type: ignore[assignment]  # it can all we ask
        self.alive.add(self)
        line: socket.socket | None = transport.get_extra_info("socket")
        if line is not None and line.family in {socket.AF_INET, socket.AF_INET6}:
            _tune(line, self.limits.silent_seconds)
        peer: Any = transport.get_extra_info("peername")  # a pair, four things, or a path
        address = peer[0] if isinstance(peer, tuple) else ""
        if not among(address, self.trusted) and not self.comes_from(address):
            self.cut("crowded")

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._leave()
        self.alive.discard(self)
        self.pulse.end(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.protocol.eof_sent:
            self._shouting(len(data))
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE] if len(data) > PIECE else data)
            self._check_greeting()

    def process_event(self, event: Request | Response | Frame) -> None:
        if isinstance(event, Frame):
            if not self._bearable(event):
                return
            self._asked = self._asked and event.opcode is not Opcode.PONG
        super().process_event(event)

    def send_data(self) -> None:
        super().send_data()
        if self.paused:
            self._weigh()
        if self.protocol.state is State.CLOSING and self.protocol.eof_sent:
            self._later("lingering", self.limits.lingering_seconds)
        elif self.protocol.state is State.CLOSING:
            self._later("unanswered", self.close_timeout)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.protocol.state is not State.CONNECTING:  # a page may take its time, see `Web`
            self._later("stalled", self.limits.stalled_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        if timer := self._timers.pop("stalled", None):
            timer.cancel()

    # within

    def _bearable(self, arrived: Frame) -> bool:
        if self._refused and arrived.opcode is not Opcode.CLOSE:
            return False  # the rest of a message that was refused is no message
        match arrived.opcode:
            case Opcode.TEXT:  # nearly always
                self._fragments = 1
            case Opcode.PING | Opcode.PONG:
                if not self._pings.take(self.loop.time()):
                    return self._refuse(CloseCode.POLICY_VIOLATION, "too many control frames")
            case Opcode.BINARY:
                return self._refuse(CloseCode.UNSUPPORTED_DATA, "text messages only")
            case Opcode.CONT:
                self._fragments += 1
                if self._fragments > self.limits.fragments:
                    return self._refuse(CloseCode.MESSAGE_TOO_BIG, "too many fragments")
            case Opcode.CLOSE:
                return True
        if len(self.recv_messages.frames) > self.limits.unread_frames:
            return self._refuse(CloseCode.POLICY_VIOLATION, "too many messages")
        return True

    def _refuse(self, code: CloseCode, because: str) -> Literal[False]:
        """Close, with a word if it can still be said."""
        self._refused = True
        if self.protocol.state is State.OPEN and not self.paused:
            self._blame(because)
            self.protocol.fail(code, because)
            self.send_data()
        elif not self.protocol.eof_sent:
            self.cut(because)
        return False

    def _weigh(self) -> None:
        waiting = self.transport.get_write_buffer_size()
        if waiting > self.limits.buffered_bytes and self.protocol.state is not State.CONNECTING:
            self.cut("overflow")

    def _shouting(self, size: int) -> None:
        """Nothing that comes now is read any more: a little of it is late, much of it is a flood."""
        self._ignored += size
        if self._ignored > self.limits.buffered_bytes:
            self.cut("lingering")

    def _check_greeting(self) -> None:
        """Cut who breaks the protocol before we have greeted: no answer can be sent any more."""
        spoiled = self.protocol.state is State.CONNECTING and self.protocol.eof_sent
        if spoiled and self.request is not None and self.response is None:
            self.cut("early")

    def _blame(self, reason: str) -> None:
        if self.was_cut is None:
            self.was_cut = reason
            self.counters.cut(reason)

    def _later(self, reason: str, seconds: float | None) -> None:
        if seconds is not None and reason not in self._timers:
            self._timers[reason] = self.loop.call_later(seconds, self.cut, reason)

    def _leave(self) -> None:
        if self._counted is not None:
            self.sockets.leave(self._counted)
            self._counted = None


def guarded(
    limits: Limits,
    counters: Counters,
    sockets: Sockets | None = None,
    trusted: Sequence[Network] = (),
) -> type[GuardedConnection]:
    """Return the `create_connection` of one server. *trusted* proxies are not counted as peers."""
    if sockets is None:
        sockets = Sockets(limits.sockets_per_address, limits.sockets)
    shared = {
        "limits": limits,
        "counters": counters,
        "sockets": sockets,
        "trusted": tuple(trusted),
        "alive": set(),
        "pulse": Pulse(),
        "__slots__": (),
    }
    return cast("type[GuardedConnection]", type("Guarded", (GuardedConnection,), shared))


def _tune(line: socket.socket, silent_seconds: float) -> None:
    """Send small messages at once, and give a silent network up, where the system can."""
    with contextlib.suppress(OSError):  # the peer may be gone already
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if sys.platform == "linux":
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(silent_seconds * 1000))
