"""A player with a bad program: it says everything twice, now and then later again, and sometimes nonsense.

It speaks the protocol by itself, without the SDK: it resends old commands on new lines under their old
ids, asks for tables from versions that never were, and reads slowly.
"""

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json, to_json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from dormie_protocol.messages import SUBPROTOCOL
from tests.simulator.machine import Machine
from tests.simulator.network import FRONT
from tests.simulator.plan import SHORTEST_DAY

if TYPE_CHECKING:
    from tests.simulator.people import Party

URL = f"ws://127.0.0.1:{FRONT}/ws"
Json = Any  # what JSON may hold


class Echo:
    """A guest who wants a seat, or watches if there is none."""

    def __init__(self, party: "Party") -> None:
        self.party = party
        self.world = party.world
        self.luck = Random(f"{party.name} echo")
        self.machine = Machine("Echo", "10.1.0.1")
        self.token: str | None = None
        self._said: list[Json] = []
        self._number = 0
        self._seen: Json = None
        self._task: asyncio.Task[None] | None = None

    def come(self) -> None:
        self._task = self.machine.do(lambda: self.world.loop.create_task(self._live()))

    async def go(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _live(self) -> None:
        await self.party.opened.wait()
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                line = connect(URL, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None)
                async with line as socket:
                    await self._talk(socket)
            await asyncio.sleep(0.5 + 2.0 * self.luck.random())

    async def _talk(self, socket: ClientConnection) -> None:
        hello = {"token": self.token} if self.token else {"name": "Echo"}
        await self._say(socket, {"type": "hello", "id": "hello", **hello})
        for message in self._said[-2:]:  # what may have been done on the line before
            await self._say(socket, message)
        key = {"password": word} if (word := self.party.evening.password) else {}
        await self._ask(socket, "join", **key)
        await self._ask(socket, "watch", after=0, **key)
        while self.luck.random() > 0.01:
            try:
                async with asyncio.timeout(3.0):
                    self._hear(from_json(await socket.recv()))
            except TimeoutError:
                if self._seen is None and self.party.evening.turn_seconds >= SHORTEST_DAY:
                    # Nobody plays for it after a while: what it has missed it has to ask for.
                    await self._ask(socket, "watch", after=0)
            await self._do_something(socket)
        await socket.close()

    def _hear(self, message: Json) -> None:
        if message["type"] == "welcome":
            self.token = message["token"] or self.token
        elif message["type"] == "seen" and message["view"] is not None:
            self._seen = message

    async def _do_something(self, socket: ClientConnection) -> None:
        luck, seen = self.luck, self._seen
        if luck.random() < 0.02:
            await socket.send(luck.choice(("{", "[]", '{"type":"play"}', '{"id":"x"}')))
        if luck.random() < 0.02 and seen is not None:
            after = luck.choice((1, seen["version"], seen["version"] + 5))
            await self._ask(socket, "watch", after=after, chain=luck.choice(("", "00ff")))
        if luck.random() < 0.05 and self._said:
            await self._say(socket, luck.choice(self._said[-6:]))
        if seen is None or seen["seat"] is None:
            return
        mine = seen["view"]["seats"][seen["seat"]]
        if seen["moves"]:
            count = mine["count"] + luck.choice((0, 1, 1, 1, 1, 1, 2))
            await self._ask(socket, "play", count=count, move=luck.choice(seen["moves"]))
            self._seen = None
        elif seen["view"]["phase"] in ("lobby", "starting", "between") and not mine["ready"]:
            await self._ask(socket, "ready", entropy=luck.randbytes(16).hex())
            self._seen = None

    async def _ask(self, socket: ClientConnection, kind: str, **fields: object) -> None:
        self._number += 1
        message = {"type": kind, "id": f"e{self._number}", "table": self.party.code, **fields}
        if kind != "watch":
            self._said = [*self._said[-20:], message]
        await self._say(socket, message)
        if self.luck.random() < 0.5:
            await self._say(socket, message)

    async def _say(self, socket: ClientConnection, message: Json) -> None:
        await socket.send(to_json(message).decode())
