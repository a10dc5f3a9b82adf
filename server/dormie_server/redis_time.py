"""The clock of Redis, which all servers of a house go by."""

import asyncio
from typing import Any, Final

from dormie_server.redis_line import Line

LOOK_AT_CLOCK_AFTER: Final = 10.0
"""Seconds after which the clock of Redis is looked at again; between two looks ours goes on."""


class RedisTime:
    """The clock of Redis, without asking for it every time.

    How far it is from ours is only known up to the time an answer took, so the quickest answer counts;
    an answer that cannot be true with what was believed says that a clock was set.
    """

    def __init__(self, line: Line) -> None:
        self._line = line
        self._ahead: float | None = None
        self._within = 0.0
        self._looked = 0.0

    async def now(self) -> float:
        here = asyncio.get_running_loop().time()
        if self._ahead is None:
            await self._look()
        elif here - self._looked > LOOK_AT_CLOCK_AFTER:
            self._looked = here
            looking = asyncio.get_running_loop().create_task(self._look())
            looking.add_done_callback(_look_away)
        assert self._ahead is not None, "it was just looked at"
        return self._ahead + asyncio.get_running_loop().time()

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        asked = loop.time()
        seconds, micro = await self._line.ask("TIME")
        self._looked = loop.time()
        within = (self._looked - asked) / 2
        ahead = int(seconds) + int(micro) / 1e6 - (asked + within)
        if self._ahead is None or within < self._within or abs(ahead - self._ahead) > self._within:
            self._ahead, self._within = ahead, within


def _look_away(looking: "asyncio.Task[Any]") -> None:
    """If it could not be looked at, the old answer does for a while longer."""
    if not looking.cancelled():
        looking.exception()
