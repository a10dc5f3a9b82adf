"""The store for a house with several servers: one Redis that all of them share.

What is put is one script in Redis: all of it or nothing. Puts that are asked in one moment travel
together (`redis_line`); who follows a key is told by bells and, because bells get lost, looks again
every second (`redis_bells`, `tail`). Time is the time of Redis, whatever the servers' clocks say.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import structlog

from dormie_server.redis_bells import RedisBells
from dormie_server.redis_check import checked, scrubbed
from dormie_server.redis_line import Line
from dormie_server.redis_scripts import (
    DROP,
    DUE,
    GET,
    HOMES,
    LARGEST_READ,
    LARGEST_ROUND,
    LONGER,
    ON,
    PUT,
    READ,
    REWRITE,
    SHELF_LIVES,
    Script,
    home_of,
)
from dormie_server.redis_time import RedisTime
from dormie_server.redis_wire import Address, Answer, address
from dormie_server.store import (
    NO_CARDS,
    NOTHING_KNOWN,
    Conflict,
    Document,
    Mark,
    Note,
    StoreUnavailable,
)
from dormie_server.tail import Ear, Hint, Kept, Tail

EVERYTHING: Final = 2**53
NO_MARK: Final = Mark("", "")

log = structlog.get_logger(__name__)


class RedisStore:
    """`Store` in a Redis that other servers use, too.

    *url* is what `redis_wire.address` reads. Made and used on one event loop. Nothing is reached
    before it is needed; `open` checks first.
    """

    shared = True

    def __init__(
        self, url: str, password: str | None = None, *, clock: Callable[[], float] | None = None
    ) -> None:
        self.where: Address = address(url, password)
        self.line = Line(self.where)
        self.bells = RedisBells(self.where)
        self._clock = clock
        self._time = RedisTime(self.line)

    async def open(self) -> None:
        """Raise StoreUnavailable, with a sentence, if this Redis cannot be relied on; warn if it forgets."""
        for warning in await checked(self.line):
            log.warning("redis_forgets", because=warning)
        await self.now()

    async def get(self, key: str) -> Document | None:
        found = await self._do(GET, key, self._told())
        return None if found is None else Document(int(found[0]), found[1])

    async def put(  # noqa: PLR0913 - all of it happens together or not at all
        self,
        key: str,
        body: bytes,
        was: int,
        *,
        note: bytes | None = None,
        alarm: float | None = None,
        shelves: Mapping[str, bytes | None] = NO_CARDS,
        lifetime: float | None = None,
        mark: Mark | None = None,
    ) -> int:
        if lifetime is not None:
            await self._outlives(key, alarm, lifetime)
        lives = "" if lifetime is None else _text(lifetime)
        milliseconds = "" if lifetime is None else int(1000 * (lifetime + LONGER))
        life = await self._do(
            PUT,
            *(key, self._told(), was, body, lives, milliseconds),
            "" if alarm is None else _text(alarm),
            secrets.token_hex(8) if was == 0 else "",
            *(("0", b"") if note is None else ("1", note)),
            *(int(1000 * SHELF_LIVES), int(self.bells.hears(key))),
            *(mark or NO_MARK),
            *_cards(shelves),
        )
        if life is None:
            raise Conflict(key, was)
        if self.bells.ears(key):
            # After the asker has gone on: what it tells of its own change need not be told again.
            hint = Hint(life.decode(), was + 1, note)
            asyncio.get_running_loop().call_soon(self._ring, key, hint)
        return was + 1

    def follow(
        self, key: str, after: int, known: Callable[[], int] = NOTHING_KNOWN
    ) -> AsyncIterator[Note]:
        # What is asked now is answered before anything that is asked later: the life that is now.
        asked = self._ask(READ, key, self._told(), after, LARGEST_READ)
        asked.add_done_callback(_look_away)
        return self._follow(key, (after, known), asked)

    async def notes(self, key: str, after: int = 0) -> list[Note]:
        kept = _kept(await self._do(READ, key, self._told(), after, EVERYTHING))
        return [] if kept is None else list(kept.notes)

    async def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None] = NO_CARDS
    ) -> None:
        words = [part for version, text in notes.items() for part in (version, text)]
        lives = int(1000 * SHELF_LIVES)
        await self._do(REWRITE, key, self._told(), len(notes), lives, *words, *_cards(shelves))

    async def scrub(self) -> None:
        await scrubbed(self.line)

    async def drop(self, key: str) -> None:
        await self._do(DROP, key)

    async def due(self, hold: float) -> list[str]:
        found = await self._everywhere(DUE, self._told(), _text(hold), LARGEST_ROUND)
        moments = sorted((float(at), key.decode()) for key, at in found)
        return [key for _, key in moments]

    async def keys(self, kind: str) -> list[str]:
        """Every key that begins with *kind*, for those who look after the house; looks at all there is."""
        return [key for home in HOMES async for key in _scanned(self.line, f"{home}d:", kind)]

    async def next_due(self) -> float | None:
        asked = [self.line.ask("ZRANGE", f"{home}alarms", 0, 0, "WITHSCORES") for home in HOMES]
        answers = await asyncio.gather(*asked)
        return min((float(answer[1]) for answer in answers if answer), default=None)

    async def on(self, shelf: str) -> dict[str, bytes]:
        return {key.decode(): card for key, card in await self._everywhere(ON, shelf, self._told())}

    async def now(self) -> float:
        return self._clock() if self._clock else await self._time.now()

    async def close(self) -> None:
        await self.line.close()
        await self.bells.close()

    # ------------------------------------------------------------------------- asking

    def _told(self) -> str:
        """What the scripts are told of the time: nothing, for Redis knows better."""
        return _text(self._clock()) if self._clock else ""

    def _ask(self, script: Script, key: str, *words: bytes | str | int) -> asyncio.Future[Answer]:
        return self.line.ask(home_of(key), key, *words, script=script)

    async def _do(self, script: Script, key: str, *words: bytes | str | int) -> Answer:
        return await self._ask(script, key, *words)

    async def _everywhere(self, script: Script, *words: str | int) -> list[tuple[Answer, Answer]]:
        """What a script finds in all partitions, in pairs."""
        asked = [self.line.ask(home, *words, script=script) for home in HOMES]
        return [pair for found in await asyncio.gather(*asked) for pair in _pairs(found)]

    async def _outlives(self, key: str, alarm: float | None, lifetime: float) -> None:
        now = await self.now() if alarm is not None else 0.0
        if now + lifetime <= max(now, alarm or now):
            raise ValueError(f"{key} would not outlive its alarm")

    # ---------------------------------------------------------------------- following

    async def _follow(
        self, key: str, place: tuple[int, Callable[[], int]], asked: "asyncio.Future[Answer]"
    ) -> AsyncIterator[Note]:
        after, known = place
        late = asked.done()
        with self._ends_when_closed():
            first = _kept(await asked)
            if first is not None and not late:  # else it may be old: the tail reads again
                for note in first.notes:
                    after = note.version
                    yield note

            async def read(after: int) -> Kept | None:
                return _kept(await self._do(READ, key, self._told(), after, LARGEST_READ))

            ear = _Ear(known)
            ear.tail = Tail(read, ear, after, first.life if first else None)
            async with self.bells.listening(key, ear):
                async for note in ear.tail.notes():
                    yield note

    @contextmanager
    def _ends_when_closed(self) -> Iterator[None]:
        """Closing ends a follower wherever it is, also before a read that will not be answered."""
        try:
            yield
        except StoreUnavailable:
            if not self.line.closed:
                raise

    def _ring(self, key: str, hint: Hint) -> None:
        for ear in self.bells.ears(key):
            ear.hear(hint)


class _Ear(Ear):
    """The ear of a reader that hears of some notes by another road, and need not be woken for them."""

    def __init__(self, known: Callable[[], int]) -> None:
        super().__init__()
        self.tail: Tail | None = None
        self._known = known

    def hear(self, hint: Hint) -> None:
        ours = self.tail is not None and hint.life == self.tail.life and not hint.ended
        if self.tail is not None and ours and hint.version <= self._known():
            self.tail.knows(hint.version)
        else:
            super().hear(hint)


async def _scanned(line: Line, home: str, kind: str) -> AsyncIterator[str]:
    cursor: Answer = 0
    while True:
        cursor, names = await line.ask("SCAN", cursor, "MATCH", f"{home}*", "COUNT", 1000)
        for name in names:
            key = name.decode().removeprefix(home)
            if key.startswith(kind):
                yield key
        if int(cursor) == 0:
            return


def _text(seconds: float) -> str:
    return repr(float(seconds))


def _cards(shelves: Mapping[str, bytes | None]) -> Iterator[bytes | str]:
    for shelf, card in shelves.items():
        yield shelf
        yield "0" if card is None else "1"
        yield card or b""


def _pairs(found: Answer) -> Iterator[tuple[Answer, Answer]]:
    return zip(found[::2], found[1::2], strict=True)


def _kept(found: Answer) -> Kept | None:
    """What READ says."""
    if found is None:
        return None
    life, version, notes = found
    told = tuple(Note(int(name.partition(b"-")[0]), words[1]) for name, words in notes)
    return Kept(life.decode(), int(version), told, more=len(told) == LARGEST_READ)


def _look_away(asked: "asyncio.Future[Any]") -> None:
    """It is fine if nobody waits for this answer, even if it is none."""
    if not asked.cancelled():
        asked.exception()
