"""A person with one connection, who speaks the protocol word by word and remembers every frame.

It knows nothing that a client would do by itself: no retries, no resuming, no rules.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from pydantic_core import to_json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from dormie_protocol.codec import read_server
from dormie_protocol.games import Move
from dormie_protocol.messages import SUBPROTOCOL, Done, Refused, Seen, ServerMessage, Welcome

PATIENCE = 60.0
ENTROPY = "ab" * 16
_NUMBERS = itertools.count(1)
"""For ids: a player's two devices must not call two requests alike."""

M = TypeVar("M", bound=ServerMessage)
T = TypeVar("T")


class Guest:
    """One connection. Every wait is bounded and fails loudly."""

    welcome: Welcome

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self._heard: list[ServerMessage] = []
        self._next = 0
        self._bell = asyncio.Event()
        self._ear = asyncio.create_task(self._listen())

    @classmethod
    async def connect(cls, port: int) -> "Guest":
        """A connection that has not said hello."""
        url = f"ws://127.0.0.1:{port}/ws"
        return cls(await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None))

    @classmethod
    async def come(cls, port: int, name: str = "Ada", token: str | None = None) -> "Guest":
        """Connect and say hello, as somebody new or as the player *token* belongs to."""
        guest = await cls.connect(port)
        known = {"name": name} if token is None else {"token": token}
        await guest.say({"type": "hello", "id": "hello", **known})
        guest.welcome = await guest.hear(Welcome)
        return guest

    @property
    def token(self) -> str:
        """Only a new guest is sent one."""
        assert self.welcome.token is not None, "a new guest is sent a token"
        return self.welcome.token

    @property
    def player(self) -> str:
        return self.welcome.player

    @property
    def heard(self) -> list[ServerMessage]:
        """Every message so far, read as a client would read it."""
        self._heard += [read_server(text) for text in self.frames[len(self._heard) :]]
        return self._heard

    @property
    def address(self) -> object:
        """Where the server sees this connection come from."""
        return self.socket.local_address

    # speaking

    async def say(self, what: object) -> None:
        """Send text as it is, and anything else as JSON."""
        await self.socket.send(what if isinstance(what, str) else to_json(what).decode())

    async def ask(self, kind: str, **fields: object) -> Done | Refused:
        """Send a request, under a new id unless one is given, and wait for its answer."""
        number = fields.setdefault("id", f"r{next(_NUMBERS)}")
        start = len(self.frames)
        await self.say({"type": kind, **fields})

        def answer() -> Done | Refused | None:
            answers = (one for one in self.heard[start:] if isinstance(one, Done | Refused))
            return next((one for one in answers if one.re == number), None)

        return await self.wait(answer)

    async def do(self, kind: str, **fields: object) -> Done:
        """Ask for something that is done."""
        answer = await self.ask(kind, **fields)
        assert isinstance(answer, Done), answer
        return answer

    async def refused(self, kind: str, **fields: object) -> str:
        """Ask for something that is refused; returns the word."""
        answer = await self.ask(kind, **fields)
        assert isinstance(answer, Refused), answer
        return answer.word

    async def create(self, **fields: object) -> str:
        """Open a table and watch it; returns its code."""
        done = await self.do("create", **{"options": {"holes": 1}, "size": 2, **fields})
        assert done.table is not None, "a table that was opened has a code"
        await self.do("watch", table=done.table)
        return done.table

    async def join(self, table: str, **fields: object) -> Done:
        """Take a seat and watch."""
        await self.do("join", table=table, **fields)
        return await self.do("watch", table=table)

    async def play(self, table: str, move: Move, **fields: object) -> Done | Refused:
        """Make a move, numbered after what was seen last."""
        seen = self.last(table)
        assert seen.view is not None, "whoever plays has seen the table"
        assert seen.seat is not None, "and has a seat"
        seat = seen.view.seats[seen.seat]
        count = seat.count + 1 if seat else 1
        return await self.ask("play", **{"table": table, "count": count, "move": move, **fields})

    # hearing

    async def hear(self, kind: type[M], when: Callable[[M], bool] = lambda _: True) -> M:
        """The next message of a kind, from where the last call has stopped; others are skipped."""

        def found() -> M | None:
            for at, one in enumerate(self.heard[self._next :], self._next):
                if isinstance(one, kind) and when(one):
                    self._next = at + 1
                    return one
            return None

        return await self.wait(found)

    async def see(self, table: str, when: Callable[[Seen], bool] = lambda _: True) -> Seen:
        """The next view of a table that fits."""
        return await self.hear(Seen, lambda s: s.table == table and s.view is not None and when(s))

    async def phase(self, table: str, *phases: str) -> Seen:
        """Wait until a table is, or has been since the last call, in one of *phases*."""
        return await self.see(table, lambda s: s.view is not None and s.view.phase in phases)

    def of(self, table: str) -> list[Seen]:
        """Everything seen of a table so far."""
        return [one for one in self.heard if isinstance(one, Seen) and one.table == table]

    def last(self, table: str) -> Seen:
        """The newest view of a table."""
        return next(seen for seen in reversed(self.of(table)) if seen.view is not None)

    async def wait(self, found: Callable[[], T | None]) -> T:
        """Return what *found* finds, as soon as it is there; fail when no more can come."""
        async with asyncio.timeout(PATIENCE):
            while (result := found()) is None:
                assert not self._ear.done(), f"closed with {self.socket.close_code}: {self.tail()}"
                self._bell.clear()
                await self._bell.wait()
        return result

    async def closed(self) -> int | None:
        """Wait for the end of the connection; returns the close code."""
        async with asyncio.timeout(PATIENCE):
            await self._ear
        return self.socket.close_code

    def tail(self) -> list[str]:
        return [text[:200] for text in self.frames[-5:]]

    # leaving

    async def leave(self) -> None:
        """Close the connection as people do."""
        await self.socket.close()
        await self._ear

    async def vanish(self) -> None:
        """Lose the connection without a word."""
        self.socket.transport.abort()
        await self._ear

    async def _listen(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                text = await self.socket.recv()
                assert isinstance(text, str), "the house sends text"
                self.frames.append(text)
                self._bell.set()
        self._bell.set()


async def play_alone(guest: Guest, code: str) -> None:
    """Be ready, and play the first legal move until the match is over."""
    await guest.do("ready", table=code, entropy=ENTROPY)
    seen = guest.last(code)
    while seen.view is None or seen.view.phase != "over":
        if seen.moves and isinstance(await guest.play(code, seen.moves[0]), Refused):
            seen = guest.last(code)
        seen = await guest.see(code)


@asynccontextmanager
async def guests(port: int, *names: str) -> AsyncIterator[list[Guest]]:
    """Some people, who go in the end."""
    there = [await Guest.come(port, name) for name in names]
    try:
        yield there
    finally:
        for guest in there:
            await guest.leave()
