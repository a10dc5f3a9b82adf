"""A server on a real socket that says what a test tells it to say, and nothing else."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from dormie_client import Dormie, Pace, Table
from dormie_protocol.codec import read_client, write
from dormie_protocol.messages import (
    SUBPROTOCOL,
    AtTable,
    ClientMessage,
    Done,
    FromClient,
    FromServer,
    Hello,
    Join,
    Refused,
    Seen,
    Watch,
    Welcome,
)
from dormie_protocol.table_view import About, Fairness, Phase, Seat, TablePublic
from dormie_rules.grid_moves import Draw, GridMove
from dormie_rules.variants import find
from tests.waiting import until

M = TypeVar("M", bound=FromClient)
T = TypeVar("T")

TOKEN = "T" * 43
CODE = "ABCDEFGH"
SOON = 5.0
"""Everything that must happen happens within so many seconds, or the test has failed."""


async def soon(happening: Awaitable[T]) -> T:
    """What comes of something that must not take long."""
    return await asyncio.wait_for(happening, SOON)


class FakePace:
    """Waits that take no time and are written down."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    def pace(self, **changes: Any) -> Pace:
        usual: dict[str, Any] = {"sleep": self.sleep, "luck": lambda: 1.0}
        usual |= {"clock": lambda: 0.0, "a_second": 1e9}
        return Pace(**(usual | changes))


class Peer:
    """One connection of a client, as the server sees it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.heard: asyncio.Queue[ClientMessage] = asyncio.Queue()

    async def hear(self, kind: type[M]) -> M:
        """The client's next message, which must be of this kind."""
        async with asyncio.timeout(SOON):
            message = await self.heard.get()
        assert isinstance(message, kind), f"expected {kind.__name__}, heard {message!r}"
        return message

    async def hears_nothing(self) -> None:
        """Make sure that the client has nothing to say about what it heard before this."""
        for _ in range(3):  # there and back, time to think, and there and back again
            await (await self.socket.ping())
            for _ in range(20):
                await asyncio.sleep(0)
        assert self.heard.empty(), f"heard {self.heard.get_nowait()!r}"

    async def say(self, *messages: FromServer) -> None:
        for message in messages:
            await self.socket.send(write(message))

    async def welcome(self, **changes: Any) -> Hello:
        """Hear hello and answer it."""
        hello = await self.hear(Hello)
        await self.say(welcome(hello, **changes))
        return hello

    async def show(self, *sights: Seen, version: int | None = None) -> Watch:
        """Hear that a table is to be followed, show it, and then say that it is followed."""
        watch = await self.hear(Watch)
        await self.say(*sights, Done(re=watch.id, table=watch.table, version=version))
        return watch

    async def do(self, kind: type[M], *, version: int | None = None, seat: int | None = None) -> M:
        """Hear a request of this kind and say that it is done."""
        asked = await self.hear(kind)
        table = asked.table if isinstance(asked, AtTable) else CODE
        await self.say(Done(re=asked.id, table=table, seat=seat, version=version))
        return asked

    async def refuse(self, kind: type[M], word: str, because: str = "No.") -> M:
        asked = await self.hear(kind)
        await self.say(Refused(re=asked.id, word=word, because=because))
        return asked

    async def close(self, code: int = 1012) -> None:
        await self.socket.close(code)

    async def cut(self) -> None:
        """Break the connection without a word."""
        self.socket.transport.abort()
        await self.socket.wait_closed()

    async def left(self) -> int | None:
        """Wait until the client is gone, and say with which code it closed."""
        async with asyncio.timeout(SOON):
            await self.socket.wait_closed()
        return self.socket.close_code


class FakeServer:
    """The server: every connection is a peer, to be fetched in turn."""

    def __init__(self, subprotocols: Sequence[str] = (SUBPROTOCOL,)) -> None:
        self._protocols = [Subprotocol(name) for name in subprotocols] or None
        self._peers: asyncio.Queue[Peer] = asyncio.Queue()
        self._server: Server | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._meet, "127.0.0.1", 0, subprotocols=self._protocols, compression=None
        )
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}/ws"
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._server is not None, "it was entered"
        self._server.close()
        await self._server.wait_closed()

    async def peer(self) -> Peer:
        """The next connection."""
        async with asyncio.timeout(SOON):
            return await self._peers.get()

    async def _meet(self, socket: ServerConnection) -> None:
        peer = Peer(socket)
        self._peers.put_nowait(peer)
        with suppress(ConnectionClosed):
            while True:
                peer.heard.put_nowait(read_client(await socket.recv()))


async def meet(server: FakeServer, pace: Pace | None = None, **options: Any) -> tuple[Dormie, Peer]:
    """A session that has just begun, and its first connection."""
    begun = asyncio.create_task(
        Dormie.connect(server.url, pace=pace or FakePace().pace(), **options)
    )
    peer = await server.peer()
    await peer.welcome()
    async with asyncio.timeout(SOON):
        return await begun, peer


async def lose(session: Dormie, peer: Peer) -> None:
    """Break the connection, and wait until the session has noticed."""
    await peer.cut()
    await until(lambda: not session.connected, SOON)


async def seat(session: Dormie, peer: Peer, first: Seen | None = None) -> Table:
    """A table that the session has joined, at version 3 if nothing else is said."""
    joining = asyncio.create_task(session.join(CODE))
    await peer.do(Join, seat=0, version=2)
    shown = first or sight(0, 3)
    await peer.show(shown, version=shown.version)
    async with asyncio.timeout(SOON):
        return await joining


def welcome(hello: Hello, **changes: Any) -> Welcome:
    """A welcome as a server would say it."""
    token = TOKEN if hello.token is None else None
    usual = {"player": "p1", "name": hello.name or "Guest", "token": token, "now": 0.0}
    lists = {"server": "0.1.0", "variants": ("six_card",), "bots": ("easy",)}
    return Welcome(re=hello.id, **(usual | lists | changes))


SIX_CARD = find("six_card").rules
FAIRNESS = Fairness(commitment="c0")


def about(match: int = 1) -> About:
    """What does not change at the table of these tests."""
    return About(CODE, "grid", "six_card", {}, SIX_CARD, 2, 60.0, match)


def view(count: int = 0, phase: Phase = "playing") -> TablePublic:
    """How the table looks after so many moves of seat 0."""
    return TablePublic(phase, (Seat("Ada", count=count), Seat("Ben")), 0, None)


def sight(
    after: int,
    version: int,
    count: int = 0,
    phase: Phase = "playing",
    moves: Sequence[GridMove] = (Draw(),),
    **changes: Any,
) -> Seen:
    """What the player in seat 0 sees."""
    usual: dict[str, Any] = {
        "table": CODE,
        "after": after,
        "version": version,
        "chain": f"{version:04x}",
        "now": 0.0,
        "seat": 0,
        "view": view(count, phase),
        "moves": tuple(moves),
        "about": about() if after == 0 else None,
        "fairness": FAIRNESS if after == 0 else None,
    }
    return Seen(**(usual | changes))
