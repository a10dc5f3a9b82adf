"""Who is listening, and the bell that wakes them; and the alarms, in the order they go off.

A store hands each follower its new notes, so that nobody has to look them up. The road has one
difficult place, where what was kept ends and what is new begins. A follower passes it like this: it
opens its ear *before* it reads what is kept, and lets go by what it has read already. A follower
too slow for its queue loses the queue, not the notes: it reads on from what is kept.
"""

import asyncio
import heapq
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from dormie_server.store import NOTHING_KNOWN, Note

LONGEST_QUEUE = 256
STALE_MOMENTS = 64


class Follower:
    """The ear of one reader, on one life of a key: from its first put to its drop.

    `life` is None as long as the key does not exist. While `behind`, the reader has to read what
    is kept before it may trust the queue.
    """

    __slots__ = ("_known", "_queue", "_rung", "_sleeper", "behind", "ended", "life")

    def __init__(self, life: int | None, known: Callable[[], int] = NOTHING_KNOWN) -> None:
        self.life = life
        self._known = known
        self.behind = True
        self.ended = False
        self._queue: list[Note] = []
        self._rung = False
        self._sleeper: asyncio.Future[None] | None = None

    def open(self) -> None:
        """From now on hear every note; read what is kept before anything else runs."""
        self._queue = []
        self.behind = False

    def hear(self, life: int, note: Note | None) -> None:
        if life == self.life and note is not None and not self.behind:
            if note.version <= self._known():
                return  # nobody needs to be woken for what was told already
            self._queue.append(note)
            if len(self._queue) > LONGEST_QUEUE:
                self._queue = []
                self.behind = True
        self._ring()

    def end(self) -> None:
        self.ended = True
        self._ring()

    def take(self) -> list[Note]:
        """The notes heard since the last time."""
        heard, self._queue = self._queue, []
        return heard

    async def woken(self) -> None:
        """Return when there may be something to take or to read."""
        if not self._rung:
            self._sleeper = asyncio.get_running_loop().create_future()
            try:
                await self._sleeper
            finally:
                self._sleeper = None
        self._rung = False

    def _ring(self) -> None:
        self._rung = True
        if self._sleeper is not None and not self._sleeper.done():
            self._sleeper.set_result(None)


class Bells:
    """The followers of every key. Rung in the order of the puts, from one thread."""

    def __init__(self) -> None:
        self._followers: dict[str, list[Follower]] = {}
        self._silent = False

    @contextmanager
    def heard_by(self, key: str, follower: Follower) -> Iterator[None]:
        if self._silent:
            follower.end()
        self._followers.setdefault(key, []).append(follower)
        try:
            yield
        finally:
            self._followers[key].remove(follower)
            if not self._followers[key]:
                del self._followers[key]

    def ring(self, key: str, life: int, note: Note | None) -> None:
        """A put happened; without a note it only tells those who wait for the key."""
        for follower in self._followers.get(key, ()):
            follower.hear(life, note)

    def toll(self, key: str, life: int) -> None:
        """A life of a key is over, and with it the reading of those who followed it."""
        for follower in self._followers.get(key, ()):
            if follower.life in (None, life):
                follower.end()

    def silence(self) -> None:
        """End everybody's reading, and that of those still to come."""
        self._silent = True
        for followers in self._followers.values():
            for follower in followers:
                follower.end()


class Moments:
    """Keys and the moment each is due, in order.

    >>> moments = Moments([("tea", 17.0), ("lunch", 12.5)])
    >>> moments.first(), moments.passed(now=13.0)
    (12.5, ['lunch'])
    >>> moments.set("lunch", None)
    >>> moments.first(), moments.passed(now=13.0)
    (17.0, [])
    """

    def __init__(self, at: Iterable[tuple[str, float]] = ()) -> None:
        self._at = dict(at)
        self._order = [(moment, key) for key, moment in self._at.items()]
        heapq.heapify(self._order)

    def set(self, key: str, at: float | None) -> None:
        """Move a key to another moment; None takes it out. The old moment stays behind, stale."""
        if at is None:
            self._at.pop(key, None)
        elif self._at.get(key) != at:
            self._at[key] = at
            heapq.heappush(self._order, (at, key))
        if len(self._order) > 2 * len(self._at) + STALE_MOMENTS:
            self._order = [(moment, key) for key, moment in self._at.items()]
            heapq.heapify(self._order)

    def first(self) -> float | None:
        while self._order and self._stale(*self._order[0]):
            heapq.heappop(self._order)
        return self._order[0][0] if self._order else None

    def passed(self, now: float) -> list[str]:
        """The keys whose moment has come, earliest first. They stay until they are set."""
        keys: dict[str, None] = {}  # a key that went to and fro is in the order twice
        while (first := self.first()) is not None and first <= now:
            keys[heapq.heappop(self._order)[1]] = None
        for key in keys:
            heapq.heappush(self._order, (self._at[key], key))
        return list(keys)

    def _stale(self, moment: float, key: str) -> bool:
        return self._at.get(key) != moment
