"""The line to Redis: what is asked in one moment goes there together, and the answers come back in order.

While one group is on its way, whatever else is asked waits and goes with the next: nobody waits for
company. Nothing is asked twice by itself. When no answer comes in time the line is given up, everybody
who waits is told that the store is not available, and the next one to ask has a new line made; not
too often, so that a Redis that is just coming up is not stormed.
"""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dormie_server.redis_scripts import ALL, Script
from dormie_server.redis_wire import (
    LOST,
    PATIENCE,
    Address,
    Answer,
    NoScriptError,
    ReadOnlyError,
    ResponseError,
    Wire,
    hang_up,
    packed,
    send,
)
from dormie_server.store import StoreUnavailable

LARGEST_GROUP: Final = 256
FIRST_REST, LONGEST_REST = 0.05, 0.5
"""Seconds in which no new line is tried after one was lost."""

Words = tuple[bytes | str | int | float, ...]


@dataclass(slots=True)
class _Call:
    words: Words
    script: Script | None
    answer: asyncio.Future[Answer]


class Line:
    """One connection for everything that is answered; bells have their own."""

    def __init__(self, where: Address, patience: float = PATIENCE) -> None:
        self.where = where
        self.groups = 0
        """How many groups have travelled."""
        self.lost = 0
        """How often the line was lost."""
        self.closed = False
        self._patience = patience
        self._wire: Wire | None = None
        self._waiting: list[_Call] = []
        self._worker: asyncio.Task[None] | None = None
        self._rest, self._rests_until = 0.0, 0.0

    def ask(
        self, *words: bytes | str | float, script: Script | None = None
    ) -> asyncio.Future[Answer]:
        """Have something done; with a *script*, *words* are its home and its arguments.

        The future may raise StoreUnavailable: then nobody knows whether it was done.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        if self.closed:
            answer.set_exception(StoreUnavailable("the store is closed"))
        elif loop.time() < self._rests_until:
            answer.set_exception(StoreUnavailable("Redis cannot be reached"))
        else:
            self._waiting.append(_Call(words, script, answer))
            if self._worker is None:
                self._worker = loop.create_task(self._work())
        return answer

    async def close(self) -> None:
        """Finish what was asked, and hang up. Fine to call twice."""
        self.closed = True
        if self._worker is not None:
            await asyncio.gather(self._worker, return_exceptions=True)
        await self._hang_up()

    async def _work(self) -> None:
        """For as long as anything is asked."""
        try:
            while self._waiting:
                group = self._waiting[:LARGEST_GROUP]
                del self._waiting[:LARGEST_GROUP]
                await self._together(group)
        finally:
            self._worker = None

    async def _together(self, group: Sequence[_Call]) -> None:
        because = "Redis does not answer"
        try:
            async with asyncio.timeout(self._patience):
                wire = self._wire = self._wire or await _connected(self.where)
                await send(wire, *map(_packed, group))
                for call in group:
                    await self._hear(wire, call)
            self._rest = 0.0
            self.groups += 1
        except LOST as error:
            because = _in_short(error)
            await self._give_up(group, because)
        except BaseException:  # also when this task is cancelled nobody may wait for ever
            await self._give_up(group, because)
            raise

    async def _hear(self, wire: Wire, call: _Call) -> None:
        try:
            said = await wire.read_response()
        except NoScriptError:  # somebody has emptied Redis of scripts
            await self._say_whole(call)
        except ReadOnlyError:  # no longer the master: another one is
            raise
        except ResponseError as error:
            _settle(call.answer, StoreUnavailable(f"Redis says: {error}"))
        else:
            _settle(call.answer, said)

    async def _say_whole(self, call: _Call) -> None:
        """Ask again, with all of the script, behind those who wait."""
        assert call.script is not None, "only scripts are unknown"
        words = ("EVAL", call.script.text, 1, *call.words)
        self._waiting.append(_Call(words, None, call.answer))

    async def _give_up(self, group: Sequence[_Call], because: str) -> None:
        self.lost += 1
        self._rest = min(max(FIRST_REST, 2 * self._rest), LONGEST_REST)
        now = asyncio.get_running_loop().time()
        spread = (512 + secrets.randbelow(512)) / 1024  # so that not all servers come at once
        self._rests_until = now + self._rest * spread
        everybody = [*group, *self._waiting]
        self._waiting.clear()
        for call in everybody:
            _settle(call.answer, StoreUnavailable(because))
        await self._hang_up()

    async def _hang_up(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            await hang_up(wire)


async def _connected(where: Address) -> Wire:
    """A connection that knows our scripts."""
    wire = await where.dial()
    try:
        await wire.connect()
        await send(wire, *(packed("SCRIPT", "LOAD", one.text) for one in ALL))
        for _ in ALL:
            await wire.read_response()
    except BaseException:
        await hang_up(wire)
        raise
    return wire


def _packed(call: _Call) -> bytes:
    if call.script is None:
        return packed(*call.words)
    return packed("EVALSHA", call.script.name, 1, *call.words)


def _settle(answer: "asyncio.Future[Answer]", outcome: Answer) -> None:
    if answer.done():  # whoever asked has gone away
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)


def _in_short(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "Redis does not answer"
    return f"Redis cannot be used: {str(error).strip() or type(error).__name__}"[:200]
