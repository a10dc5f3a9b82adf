"""People who have no business here: wrong tokens, guesses at codes, hands in other people's games."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from pydantic_core import to_json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from dormie_protocol.codec import read_server
from dormie_protocol.messages import CODE_LENGTH, CODE_LETTERS, SUBPROTOCOL, Done, Refused, Welcome

TOKEN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
TOKEN_LENGTH = 43
PATIENCE = 10.0
AT_ONCE = 40
"""So many strangers at the door at a time."""


@dataclass
class Storm:
    """Some hundreds of strangers, from several addresses; `answers` says how they were met."""

    port: int
    codes: Sequence[str]
    """Tables at which others are playing."""
    luck: Random
    addresses: Sequence[str] = ("127.0.0.1", "127.1.1.1", "127.2.2.2", "127.3.3.3")
    answers: Counter[str] = field(default_factory=Counter)
    harm: list[str] = field(default_factory=list)
    """What a stranger was granted and must not be."""

    async def blow(self, strangers: int) -> None:
        """Let so many come and go."""
        room = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> None:
            async with room:
                await self._come(number)

        await asyncio.gather(*(one(number) for number in range(strangers)))

    async def _come(self, number: int) -> None:
        address = self.addresses[number % len(self.addresses)]
        try:
            async with connect(
                f"ws://127.0.0.1:{self.port}/ws",
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                local_addr=(address, 0),
            ) as socket:
                if self.luck.random() < 0.6:
                    await self._say_a_wrong_token(socket)
                else:
                    await self._guess(socket)
        except ConnectionClosed as end:
            self.answers[f"closed {end.rcvd.code if end.rcvd else None}"] += 1
        except (OSError, WebSocketException, TimeoutError):
            self.answers["not let in"] += 1

    async def _say_a_wrong_token(self, socket: ClientConnection) -> None:
        token = "".join(self.luck.choices(TOKEN_LETTERS, k=TOKEN_LENGTH))
        answer = await self._ask(socket, type="hello", token=token)
        if isinstance(answer, Welcome):
            self.harm.append("a token made up was welcome")
        # The door is closed now, and whatever else is said is said to a closed door.
        for code in self.codes:
            await self._ask(socket, type="watch", table=code, after=0, chain="")

    async def _guess(self, socket: ClientConnection) -> None:
        await self._ask(socket, type="hello", name="Guess")
        for _ in range(6):
            code = "".join(self.luck.choices(CODE_LETTERS, k=CODE_LENGTH))
            if isinstance(await self._ask(socket, type="join", table=code), Done):
                self.harm.append("a code made up was a table")
        for code in self.codes:
            for fields in (
                {"type": "join"},
                {"type": "play", "count": self.luck.randint(1, 99), "move": {"move": "draw"}},
                {"type": "leave"},
                {"type": "end"},
            ):
                answer = await self._ask(socket, table=code, **fields)
                if isinstance(answer, Done):
                    self.harm.append(f"a stranger was granted {fields['type']}")

    async def _ask(self, socket: ClientConnection, **fields: object) -> object:
        """Ask, and return the answer; other messages are of no interest."""
        await socket.send(to_json({"id": f"s{self.luck.getrandbits(60)}", **fields}).decode())
        while True:
            async with asyncio.timeout(PATIENCE):
                answer = read_server(await socket.recv())
            if isinstance(answer, Refused):
                self.answers[answer.word] += 1
            if isinstance(answer, Done | Refused | Welcome):
                return answer
