"""A client that speaks in bytes: it can say what no library would, and hears everything."""

import select
import socket
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

TEXT, BINARY, CONT, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
PATIENCE = 10.0
HELLO = b'{"type":"hello","id":"h1","name":"Ada"}'


@dataclass(frozen=True)
class Place:
    """Where a server listens, and what it calls itself."""

    host: str
    port: int
    name: str = "game.example"


def framed(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """One frame as a client sends it; its mask is made of zeros."""
    head = bytes([(0x80 if fin else 0) | opcode])
    size = len(payload)
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + struct.pack("!H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack("!Q", size)
    return head + bytes(4) + payload


def request(place: Place, path: str = "/ws", lines: str = "", method: str = "GET") -> bytes:
    """The first bytes of a handshake; *lines* are more header lines."""
    return (
        f"{method} {path} HTTP/1.1\r\n"
        f"Host: {place.name}\r\n"
        "Connection: Upgrade\r\n"
        "Upgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Protocol: dormie.1\r\n"
        f"{lines}\r\n"
    ).encode("latin-1")


class Wire:
    """One connection. Reading it never waits longer than `PATIENCE`."""

    def __init__(self, place: Place, *, small: bool = False) -> None:
        self.line = socket.socket()
        if small:  # a peer that does not read fills up soon
            self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.line.settimeout(PATIENCE)
        self.line.connect((place.host, place.port))
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.place = place
        self.heard = b""
        self.over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.line.close()

    def say(self, data: bytes) -> None:
        self.line.sendall(data)

    def greet(self, lines: str = "", more: bytes = b"") -> str:
        """Do the handshake, with *more* in the same segment; return the head of the answer."""
        self.say(request(self.place, lines=lines) + more)
        return self.head()

    def head(self) -> str:
        """The head of an HTTP answer, without its body; "" if there is none."""
        while b"\r\n\r\n" not in self.heard and self.listen():
            pass
        head, _, self.heard = self.heard.partition(b"\r\n\r\n")
        return head.decode("latin-1")

    def listen(self, within: float = PATIENCE) -> bool:
        """Hear a little more. False when the other side has ended, or says nothing."""
        self.line.settimeout(max(within, 0.001))
        try:
            data = self.line.recv(65536)
        except TimeoutError:
            return False
        except OSError:
            data = b""
        self.heard += data
        self.over = self.over or not data
        return bool(data)

    def frames(self, within: float = PATIENCE) -> Iterator[tuple[int, bytes]]:
        """The frames the server sends, until it ends or is silent for so long."""
        end = time.monotonic() + within
        while True:
            while (one := self._frame()) is not None:
                yield one
            if self.over or not self.listen(end - time.monotonic()):
                return

    def _frame(self) -> tuple[int, bytes] | None:
        if len(self.heard) < 2:
            return None
        size, start = self.heard[1] & 0x7F, 2
        if size == 126:
            size, start = int.from_bytes(self.heard[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(self.heard[2:10], "big"), 10
        if len(self.heard) < start + size:
            return None
        opcode, payload = self.heard[0] & 0x0F, self.heard[start : start + size]
        self.heard = self.heard[start + size :]
        return opcode, payload

    def close_code(self, within: float = PATIENCE) -> int | None:
        """The code with which the server closes; None if it never says one."""
        for opcode, payload in self.frames(within):
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big") if payload else 1005
        return None

    def ended(self, within: float = PATIENCE) -> bool:
        """Whether the server ends the connection."""
        for _ in self.frames(within):
            pass
        return self.over

    def dropped(self, within: float = PATIENCE) -> bool:
        """Whether the server drops the connection; nothing is read meanwhile."""
        look = select.poll()
        look.register(self.line, select.POLLERR | select.POLLHUP)
        return bool(look.poll(within * 1000))
