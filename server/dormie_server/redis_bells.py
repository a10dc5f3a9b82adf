"""Hearing of puts that other servers make: one connection to Redis, on which bells ring.

A bell is a hint and may be lost, together with the connection. Then everybody who listens is told that
something may be missing, and reads; `tail.py` looks after the rest.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from dormie_server.redis_scripts import home_of
from dormie_server.redis_wire import LOST, Address, Answer, Wire, hang_up, packed, send
from dormie_server.tail import Ear, Hint

WAIT_AT_MOST: Final = 0.5
"""Seconds to wait for Redis to say that a bell will be heard; without it the ear hears late."""
PING_EVERY, SILENT_FOR = 2.0, 5.0
"""Seconds between two signs of life, and after which a silent connection is given up."""
REST: Final = 0.25

Words = tuple[bytes | str, ...]


class RedisBells:
    """Who listens in this process, and to which keys."""

    def __init__(self, where: Address) -> None:
        self._where = where
        self._ears: dict[str, list[Ear]] = {}
        self._wire: Wire | None = None
        self._heard: set[str] = set()
        """The keys of which Redis has said that their bells come here."""
        self._confirmed: dict[str, asyncio.Event] = {}
        self._wishes: dict[str, bool] = {}
        self._task: asyncio.Task[None] | None = None
        self._saying: asyncio.Task[None] | None = None
        self._last = 0.0
        self._closed = False

    def hears(self, key: str) -> bool:
        """Whether Redis counts this process among those who hear the bell of *key*."""
        return key in self._heard

    def ears(self, key: str) -> tuple[Ear, ...]:
        """Who listens to *key* here."""
        return tuple(self._ears.get(key, ()))

    @asynccontextmanager
    async def listening(self, key: str, ear: Ear) -> AsyncIterator[None]:
        """Let *ear* hear the bells of *key*: from now on, if Redis can be reached."""
        if self._closed:
            ear.end()
        self._ears.setdefault(key, []).append(ear)
        try:
            await self._subscribe(key)
            yield
        finally:
            self._ears[key].remove(ear)
            if not self._ears[key]:
                del self._ears[key]
                self._confirmed.pop(key, None)
                self._wish(key, heard=False)

    async def close(self) -> None:
        """Nobody hears anything any more."""
        self._closed = True
        for ears in self._ears.values():
            for ear in ears:
                ear.end()
        tasks = [task for task in (self._task, self._saying) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------- saying what we want to hear

    async def _subscribe(self, key: str) -> None:
        if key in self._heard or self._closed:
            return
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._listen_on())
        confirmed = self._confirmed.setdefault(key, asyncio.Event())
        self._wish(key, heard=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_AT_MOST):
                await confirmed.wait()

    def _wish(self, key: str, *, heard: bool) -> None:
        self._wishes[key] = heard
        if not heard:
            self._heard.discard(key)
        if self._wire is not None and self._saying is None and not self._closed:
            self._saying = asyncio.get_running_loop().create_task(self._say(self._wire))

    async def _say(self, wire: Wire) -> None:
        try:
            while self._wishes and self._wire is wire:
                wishes, self._wishes = self._wishes, {}
                on = [_channel(key) for key, heard in wishes.items() if heard]
                off = [_channel(key) for key, heard in wishes.items() if not heard]
                orders: list[Words] = [("UNSUBSCRIBE", *off)] if off else []
                orders += [("SUBSCRIBE", *on)] if on else []
                await _send(wire, *orders)
        except LOST:
            pass  # whoever reads finds out, too
        finally:
            self._saying = None

    # ------------------------------------------------------------------------- hearing

    async def _listen_on(self) -> None:
        """Until it is closed: listen, and begin again when the connection is lost."""
        while not self._closed:
            with suppress(*LOST):
                await self._listen()
            self._heard.clear()
            await asyncio.sleep(REST)

    async def _listen(self) -> None:
        wire = await self._where.dial()
        loop = asyncio.get_running_loop()
        try:
            await wire.connect()
            self._last = loop.time()
            self._wire, self._wishes = wire, dict.fromkeys(self._ears, True)
            if self._ears:
                await _send(wire, ("SUBSCRIBE", *map(_channel, self._ears)))
                self._wishes = {}
            pinging = loop.create_task(self._ping(wire))
            try:
                while True:
                    self._hear(await wire.read_response())
                    self._last = loop.time()
            finally:
                pinging.cancel()
        finally:
            self._wire = None
            await hang_up(wire)

    async def _ping(self, wire: Wire) -> None:
        """Ask now and then whether Redis is there; if not, wake whoever reads."""
        with suppress(*LOST):
            while asyncio.get_running_loop().time() - self._last < SILENT_FOR:
                await asyncio.sleep(PING_EVERY)
                await _send(wire, ("PING",))
            await hang_up(wire)

    def _hear(self, said: Answer) -> None:
        if not isinstance(said, list) or len(said) != 3:  # noqa: PLR2004 - kind, channel, what
            return
        kind, channel, what = said
        key = bytes(channel or b"").partition(b":b:")[2].decode()
        if kind == b"message":
            hint = _hint(what)
            for ear in self._ears.get(key, ()):
                ear.hear(hint)
        elif kind == b"subscribe" and key in self._ears:
            self._heard.add(key)
            self._confirmed.setdefault(key, asyncio.Event()).set()
            for ear in self._ears[key]:
                ear.lose()  # what rang before this is for others to say


def _channel(key: str) -> str:
    return f"{home_of(key)}b:{key}"


def _hint(said: bytes) -> Hint:
    """What a bell says: a life, a version, a kind, and perhaps a note and the document."""
    life, version, kind, rest = said.split(b" ", 3)
    if kind != b"note":
        return Hint(life.decode(), int(version), ended=kind == b"end")
    length, _, brought = rest.partition(b" ")
    if not length.isdigit():  # as servers rang before they brought documents along
        return Hint(life.decode(), int(version), bare=True)
    note, document = brought[: int(length)], brought[int(length) :]
    return Hint(life.decode(), int(version), note, document)


async def _send(wire: Wire, *orders: Words) -> None:
    await send(wire, *(packed(*order) for order in orders))
