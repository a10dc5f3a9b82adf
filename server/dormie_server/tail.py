"""Following a key over bells that may be late, missing, doubled or out of order.

A store of several servers rings a bell for every put, and the bell is only a *hint*: the way it takes
loses things. What is kept is the truth. So a follower trusts a hint only as the very next thing after
what it has; anything further on is a gap, and it reads what is missing. The last hint may be the one
that was lost, and then no later one shows the gap: so a follower that has heard nothing for a while
asks where the key is. Between the two nothing stays unheard for longer than that while.
"""

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Protocol

from dormie_server.store import Note, WentBack

CHECK_SECONDS: Final = 1.0
LONGEST_QUEUE: Final = 256
"""More hints than this are not kept for a slow follower: it reads instead."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a bell says: a life of the key has come to a version, by a put with this note."""

    life: str
    """From a key's first put to its end; never used twice."""
    version: int
    note: bytes | None = None
    """None for a put without a note, and for a bell that does not carry it (``bare``)."""
    document: bytes | None = None
    """The document that was put, where the bell carries it; only ever beside a note."""
    bare: bool = False
    """Whether there may be a note that this bell does not carry."""
    ended: bool = False
    """Whether that life is over."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the store has: a life, the version it is at, and notes after the one that was asked for."""

    life: str
    version: int
    notes: tuple[Note, ...] = ()
    more: bool = False
    """Whether there are more notes than these."""


Read = Callable[[int], Coroutine[Any, Any, Kept | None]]
"""Read the notes numbered above one, oldest first, or only the first of many; None when the key is not there."""


class Hints(Protocol):
    """Where hints come from."""

    ended: bool
    """Whether there will be none any more, of any life: the store is closed."""
    lost: bool
    """Whether some were lost since it was opened."""

    def open(self) -> None:
        """Forget what was heard; whatever comes from here on is kept."""

    async def next(self, within: float) -> Hint | None:
        """The next hint; None when there was none within so many seconds, or when some were lost."""


class Ear:
    """Hints that were heard and not looked at yet; a most of them, so that nothing grows."""

    def __init__(self, longest: int = LONGEST_QUEUE) -> None:
        self.ended = False
        self._longest = longest
        self._heard: deque[Hint] = deque()
        self.lost = False
        self._bell = asyncio.Event()

    def __len__(self) -> int:
        """How many hints are waiting."""
        return len(self._heard)

    def open(self) -> None:
        """Forget what was heard; whatever comes from here on is kept."""
        self._heard.clear()
        self.lost = False

    def hear(self, hint: Hint) -> None:
        """Take a hint in, from the same event loop."""
        if len(self._heard) < self._longest:
            self._heard.append(hint)
        else:
            self.lost = True
        self._bell.set()

    def lose(self) -> None:
        """Some hints may have been lost on the way."""
        self.lost = True
        self._bell.set()

    def end(self) -> None:
        """There will be no more hints."""
        self.ended = True
        self._bell.set()

    async def next(self, within: float) -> Hint | None:
        """The next hint; None when there was none within so many seconds, or when some were lost."""
        if within <= 0:
            return None
        if not self._heard and not self.lost and not self.ended:
            self._bell.clear()
            try:
                async with asyncio.timeout(within):
                    await self._bell.wait()
            except TimeoutError:
                return None
        return None if self.lost or not self._heard else self._heard.popleft()


class Tail:
    """One follower's place: the life it reads, how far it has come, and whether something is missing."""

    def __init__(self, read: Read, hints: Hints, after: int, life: str | None = None) -> None:
        """*life* is the one to follow; None waits for the key to begin, and follows that life."""
        self.life = life
        self.check_seconds = CHECK_SECONDS
        self._read = read
        self._hints = hints
        self._told = after
        self._at = after
        """The version of the key that is known here; it may be ahead, by puts without a note."""
        self._heard_of = 0
        """The newest version of this life that there was, as far as is known here."""
        self._sure = -math.inf
        """When it was last made sure that nothing was missing."""
        self._behind = True

    async def notes(self) -> AsyncIterator[Note]:
        """Every note in order, each once: first the kept ones, then as they come.

        Ends when the life is over, and when the hints are. Raises whatever reading raises; then begin
        again after the last note. Raises `WentBack` when what was heard of is not there any more.
        """
        while not self._hints.ended:
            found = await (self._catch_up() if self._behind else self._listen())
            if found is None:
                return
            for note in found:
                if note.version > self._told:
                    self._told = note.version
                    yield note

    async def _catch_up(self) -> tuple[Note, ...] | None:
        """Read what is missing. The ear is open before: what comes meanwhile is not lost."""
        self._hints.open()
        there_was = self._heard_of
        kept = await self._read(self._told)
        if kept is None:
            self._behind = False
            self._move_on_to(0)
            return () if self.life is None else None
        if self.life not in (None, kept.life):
            return None
        if kept.version < there_was:
            raise WentBack(f"version {there_was} is gone, there is {kept.version}")
        self.life = kept.life
        self._behind = kept.more
        self._move_on_to(0 if kept.more else kept.version)
        return kept.notes

    async def _listen(self) -> tuple[Note, ...] | None:
        """Wait for a hint: the next thing is taken, a gap is read, and so is silence."""
        silent_until = self._sure + self.check_seconds
        hint = await self._hints.next(silent_until - asyncio.get_running_loop().time())
        if hint is None and not self._hints.lost and self._is_sure():
            return ()  # meanwhile it was heard by another road that nothing is missing
        if hint is None or hint.life != self.life:
            self._behind = True  # of a life before ours, or after it: what is kept will say
            return ()
        if hint.ended:
            return None
        if hint.version <= self._at:
            return ()
        if hint.bare or self.is_gap(hint.version):
            self._behind = True
            return ()
        self._move_on_to(hint.version)
        return () if hint.note is None else (Note(hint.version, hint.note, hint.document),)

    def knows(self, version: int) -> None:
        """Everything up to *version*, which the key is at now, has been told by another road."""
        self._told = max(self._told, version)
        self._move_on_to(version)

    def is_gap(self, version: int) -> bool:
        """Whether something is missing before *version*."""
        return version != self._at + 1

    def _is_sure(self) -> bool:
        return asyncio.get_running_loop().time() < self._sure + self.check_seconds

    def _move_on_to(self, version: int) -> None:
        self._at = max(self._at, version)
        self._heard_of = max(self._heard_of, version)
        self._sure = asyncio.get_running_loop().time()
