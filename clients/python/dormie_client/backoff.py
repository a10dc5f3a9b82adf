"""When to try again, and how fast to talk.

After a server has gone, everybody who sat there comes back. Each waits for a while that luck
decides between nothing and a ceiling (full jitter), so that they come one after the other; the
ceiling grows by half while nobody answers, and nobody ever gives up. Were it to double, whoever knocks
on the door of a server that starts within a second or two would often wait far longer than that.
"""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

FIRST, MOST = 1.5, 15.0
"""The ceilings of the first wait and of all late ones, in seconds."""
GROWTH = 1.5
LONGEST = 600.0
"""A server may ask for more patience than this, and does not get it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """A session's clocks and its luck; the usual ones are the real ones."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    luck: Callable[[], float] = random.random
    """A number from 0 to 1 for the next wait."""
    clock: Callable[[], float] = time.time
    """The time of day, to compare with the server's."""
    a_second: float = 16.0
    """How many messages a session sends in the long run; a server allows a little more."""
    at_once: int = 32
    """How many it sends in one go."""
    answer: float = 10.0
    """How long a server may take to answer hello."""


def delay(tries: int, luck: float, *, asked: float | None = None, slow: bool = False) -> float:
    """How long to wait after *tries* connections in a row on which nobody answered.

    *asked* is what the server wished for; *slow* is for a server that said this client overdoes it.

    >>> [delay(tries, luck=1.0) for tries in range(6)]
    [1.5, 2.25, 3.375, 5.0625, 7.59375, 11.390625]
    >>> delay(0, luck=0.5, asked=20.0), delay(0, luck=0.5, slow=True)
    (20.75, 11.25)
    """
    if asked is not None and math.isfinite(asked):
        return min(max(asked, 0.0), LONGEST) + luck * FIRST
    if slow:
        return MOST / 2 + luck * MOST / 2
    return luck * min(MOST, FIRST * GROWTH ** min(tries, 10))


class Allowance:
    """How fast one connection may talk: so many messages at once, so many a second in the long run.

    >>> allowance = Allowance(a_second=2.0, at_once=2)
    >>> [allowance.spend(now=0.0), allowance.spend(now=0.0), allowance.spend(now=0.0)]
    [0.0, 0.5, 1.0]
    """

    def __init__(self, a_second: float, at_once: int) -> None:
        self._step = 1.0 / a_second
        self._slack = at_once * self._step
        self._paid_until = -math.inf

    def spend(self, now: float) -> float:
        """Send a message now, and wait so long before the next one."""
        self._paid_until = max(self._paid_until, now) + self._step
        return max(0.0, self._paid_until + self._step - self._slack - now)
