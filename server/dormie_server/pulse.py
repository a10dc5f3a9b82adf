"""One pulse for all lines of a house: each is asked now and then whether somebody is still there.

The library would have a task and a timer for every connection, which weigh as much as all the rest of
a connection that only waits.
"""

import asyncio
from itertools import takewhile
from typing import Final, Protocol

_TOGETHER: Final = 1 / 200
"""Lines that are due within this part of the time between two questions are asked together."""


class Line(Protocol):
    """A connection, as far as the pulse needs it."""

    def ask(self) -> bool:
        """Ask whether somebody is there; returns whether to ask again."""


class Pulse:
    """When each line is asked: every so many seconds, the same for all of them."""

    def __init__(self) -> None:
        self._every = 0.0
        self._due: dict[Line, float] = {}
        """The line to be asked next comes first: all of them wait equally long."""
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._due)

    def begin(self, line: Line, every: float) -> None:
        """Ask *line* for the first time *every* seconds from now."""
        self._every = every
        self._due[line] = asyncio.get_running_loop().time() + every
        self._wind()

    def end(self, line: Line) -> None:
        """Ask *line* no more."""
        self._due.pop(line, None)
        if not self._due and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wind(self) -> None:
        if self._timer is None and self._due:
            first = next(iter(self._due.values()))
            at = first + self._every * _TOGETHER
            self._timer = asyncio.get_running_loop().call_at(at, self._beat)

    def _beat(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        for line, _ in list(takewhile(lambda due: due[1] <= now, self._due.items())):
            del self._due[line]
            if line.ask():
                self._due[line] = now + self._every
        self._wind()
