"""A client that costs next to nothing: it speaks WebSocket by hand, and thousands fit into one process.

It answers pings, counts what it hears and keeps the newest view of each table it is told to keep. Told
to, it stops reading, as a phone does that has gone to sleep with the line open.
"""

import asyncio
import itertools
import json
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self, cast

from tests.wire import CLOSE, PING, PONG, TEXT, Place, framed, request

PATIENCE = 30.0
HERE = "127.0.0.1"
SMALL = 4096
"""Bytes that a stuck client's system takes for it."""
ETHERNET = 1460
"""Bytes in a segment on a real network; on loopback 65,483 would make the server's system take megabytes."""
ENTROPY = "ab" * 16
_TEXT_OF_VIEW = b'{"type":"seen"'

Message = dict[str, Any]
"""Any message of the server: JSON, whose shape the reader knows by its type."""


class Refused(Exception):
    """The server said no, or has hung up."""


@dataclass(eq=False)
class Line(asyncio.Protocol):
    """One connection. Every wait is bounded."""

    keeps_views: bool = False
    on_view: Callable[[bytes], None] | None = None
    """Told the text of every view at once."""
    welcome: Message = field(default_factory=dict)
    views: dict[str, Message] = field(default_factory=dict)
    """The newest view of each table, for who keeps them."""
    pings: int = 0
    """So many were answered."""
    _heard: bytes = b""
    _asked: dict[str, asyncio.Future[Message]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = loop.create_future()
        """Done when the connection is."""
        self.changed = asyncio.Event()
        """Set whenever a view has come that is kept."""
        self._greeted: asyncio.Future[None] = loop.create_future()
        self._numbers = itertools.count(1)

    @classmethod
    async def open(
        cls, port: int, address: str = HERE, *, small: bool = False, keeps_views: bool = False
    ) -> Self:
        """Connect from *address*; a *small* one has the buffers of a client that will be stuck."""
        line = socket.socket()
        line.settimeout(0)
        if small:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, ETHERNET)
        line.bind((address, 0))
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(PATIENCE):
            await loop.sock_connect(line, (HERE, port))
            _, made = await loop.create_connection(lambda: cls(keeps_views), sock=line)
            made.transport.write(request(Place(HERE, port)))
            await made._greeted  # noqa: SLF001 - it is this very class
        return made

    async def hello(self, name: str = "Ada", token: str | None = None) -> Self:
        """Say who this is: somebody new, or the one *token* belongs to."""
        self.welcome = await self.ask("hello", **({"token": token} if token else {"name": name}))
        return self

    async def ask(self, kind: str, **fields: object) -> Message:
        """Send a request and return its answer. Raises Refused."""
        number = f"{self.welcome.get('player', 'h')[:12]}-{next(self._numbers)}"
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self.say({"type": kind, "id": number, **fields})
        async with asyncio.timeout(PATIENCE):
            message: Message = await answer
        return message

    def say(self, message: Message) -> None:
        self.transport.write(framed(TEXT, json.dumps(message).encode()))

    async def see(self, table: str, right: Callable[[Message], bool]) -> Message:
        """Wait until the newest view of *table* is *right*. Raises Refused when no more can come."""
        async with asyncio.timeout(PATIENCE):
            while not (table in self.views and right(self.views[table])):
                if self.ended.done():
                    raise Refused(f"the line ended before {table} was as it should be")
                self.changed.clear()
                await self.changed.wait()
        return self.views[table]

    def stop_reading(self) -> None:
        """Read nothing from now on; the connection stays open."""
        self.transport.pause_reading()

    async def leave(self) -> None:
        """Hang up, and forget what was kept."""
        self.transport.abort()
        await self.ended
        self.views.clear()

    # what the loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        if not self._greeted.done():
            head, there, rest = self._heard.partition(b"\r\n\r\n")
            if not there:
                return
            self._heard = rest
            if b" 101 " in head:
                self._greeted.set_result(None)
            else:
                self._greeted.set_exception(Refused(head.decode("latin-1")))
        while (size := _size(self._heard)) is not None and size[1] <= len(self._heard):
            start, end = size
            opcode, payload = self._heard[0] & 0x0F, self._heard[start:end]
            self._heard = self._heard[end:]
            self._take(opcode, payload)

    def connection_lost(self, _error: Exception | None) -> None:
        gone = Refused("the server has hung up")
        waiting: list[asyncio.Future[Any]] = [*self._asked.values(), self._greeted]  # of any result
        for one in waiting:
            if not one.done():
                one.set_exception(gone)
                one.exception()  # whoever still waits is told; nobody else needs to be
        self._asked.clear()
        self.ended.set_result(None)
        self.changed.set()

    # within

    def _take(self, opcode: int, payload: bytes) -> None:
        match opcode:
            case int(code) if code == PING:
                self.pings += 1
                self.transport.write(framed(PONG, payload))
            case int(code) if code == CLOSE:
                self.transport.write(framed(CLOSE, payload))
            case _:
                self._read(payload)

    def _read(self, text: bytes) -> None:
        if text.startswith(_TEXT_OF_VIEW):
            if self.on_view is not None:
                self.on_view(text)
            if not self.keeps_views:
                return
        message: Message = json.loads(text)
        if message["type"] == "seen" and message["view"] is not None:
            self.views[message["table"]] = message
            self.changed.set()
        waiting = self._asked.pop(message.get("re") or "", None)
        if waiting is None or waiting.done():
            return
        if message["type"] == "refused":
            waiting.set_exception(Refused(f"{message['word']}: {message['because']}"))
        else:
            waiting.set_result(message)


def _size(heard: bytes) -> tuple[int, int] | None:
    """Where the payload of the first frame begins and ends; None while that cannot be told."""
    if len(heard) < 2:
        return None
    size, start = heard[1] & 0x7F, 2
    if size == 126 and len(heard) >= 4:
        size, start = int.from_bytes(heard[2:4], "big"), 4
    elif size == 127 and len(heard) >= 10:
        size, start = int.from_bytes(heard[2:10], "big"), 10
    elif size >= 126:
        return None
    return start, start + size
