"""Where the hole of the day is kept: a document a day, and one for every player's try at it.

The secret of a day is made by whoever first asks for the day, and kept before its promise is told to
anybody: a promise that nobody can keep was never made. Of several servers one is first, and the others read
what it kept. A try is a document of its own, so that thousands can play without waiting for each other, and
lies on the shelf of its day.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

from pydantic import ConfigDict, TypeAdapter

from dormie_protocol.day_messages import DayState
from dormie_rules.patience_day import MAX_TRIES, day_promise
from dormie_rules.values import replace
from dormie_server.luck_source import LuckSource
from dormie_server.store import NO_CARDS, Conflict, Store, StoreUnavailable
from dormie_server.traces import traces_shelf

KEPT: Final = 30 * 86400.0
"""A day is kept for thirty days after it is over, like the record of a match."""
AGAIN: Final = 30.0
"""If whoever closes a day dies over it, another one goes on so many seconds later."""
_TRIES: Final = 100


@dataclass(frozen=True, slots=True)
class HouseDay:
    """A day, as the house knows it."""

    __pydantic_config__ = ConfigDict(hide_input_in_errors=True)
    date: str
    secret: str = field(repr=False)
    """256 random bits in hexadecimal, which nobody is told before the day is closed."""
    opens: float
    closes: float
    state: DayState = "open"
    begun: int = 0
    """How many tries have begun."""
    attempt: int | None = None
    """Which deal was let through, as soon as somebody has looked."""
    format: Literal[1] = 1

    @property
    def promise(self) -> str:
        """What is published when the day begins, in hexadecimal."""
        return day_promise(self.date, bytes.fromhex(self.secret)).hex()


@dataclass(frozen=True, slots=True)
class HouseTry:
    """The one try of a player at a day that counts."""

    __pydantic_config__ = ConfigDict(hide_input_in_errors=True)
    date: str
    player: str
    name: str
    """How the player was called when the try began."""
    number: int
    """They are numbered in the order in which they began; a number may be missing."""
    table: str
    over: bool = False
    score: int | None = None
    """None while it is played, and when no card was ever dealt."""
    path: str = ""
    """The moves, as the record writes them."""
    format: Literal[1] = 1


_DAY: TypeAdapter[HouseDay] = TypeAdapter(HouseDay)
_TRY: TypeAdapter[HouseTry] = TypeAdapter(HouseTry)


def day_key(day: str) -> str:
    """The store's key of a day."""
    return f"day:{day}"


def try_key(day: str, player: str) -> str:
    """The store's key of a try.

    >>> try_key("2026-11-30", "p1")
    'try:2026-11-30:p1'
    """
    return f"try:{day}:{player}"


def tries_shelf(day: str) -> str:
    """The shelf of all tries at a day; each card is the whole try."""
    return f"tries:{day}"


def date_at(now: float) -> str:
    """The day of UTC at a moment.

    >>> date_at(86399.9), date_at(86400.0)
    ('1970-01-01', '1970-01-02')
    """
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def before(day: str) -> str:
    """The day before.

    >>> before("2026-03-01")
    '2026-02-28'
    """
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


class DayBook:
    """Days and tries in a store. Everything here may raise StoreUnavailable."""

    def __init__(self, store: Store, luck: LuckSource) -> None:
        self._store = store
        self._luck = luck
        self.looking = asyncio.Lock()
        """Held by whoever looks for a deal; all who come meanwhile find what was found."""
        self.looked_for = ""
        """The day whose deal was looked for last."""

    async def today(self) -> HouseDay:
        """The day that it is on the store's clock; it begins when it is first asked for."""
        now = await self._store.now()
        day = date_at(now)
        opens = datetime.combine(date.fromisoformat(day), time(), UTC).timestamp()
        for _ in range(_TRIES):
            known = await self.day(day)
            if known is not None:
                return known
            new = HouseDay(day, self._luck.draw().hex(), opens, opens + 86400.0)
            with suppress(Conflict):  # another server was first, and its secret is the day's
                await self._put(new, 0, now)
        raise StoreUnavailable("a day could not be kept")

    async def day(self, day: str) -> HouseDay | None:
        """A day that has begun, or None."""
        return (await self.versioned(day))[0]

    async def versioned(self, day: str) -> tuple[HouseDay | None, int]:
        """A day and the version of what is known of it; tries that vanish raise the version, too."""
        document = await self._store.get(day_key(day))
        if document is None:
            return None, 0
        return _DAY.validate_json(document.body), document.version

    async def change(self, day: str, change: Callable[[HouseDay], HouseDay]) -> HouseDay | None:
        """The day after a change; None when nothing is known of it. The change may be made of a newer one."""
        for _ in range(_TRIES):
            known, version = await self.versioned(day)
            if known is None:
                return None
            after = change(known)
            if after is known:
                return known
            try:
                await self._put(after, version, await self._store.now())
            except Conflict:
                continue
            return after
        raise StoreUnavailable("others are always faster")

    async def number(self, day: str) -> int | None:
        """The number of a new try; None when the day is over or full."""
        number: int | None = None

        def take(known: HouseDay) -> HouseDay:
            nonlocal number
            more = known.state == "open" and now < known.closes and known.begun < MAX_TRIES
            number = known.begun + 1 if more else None
            return replace(known, begun=known.begun + 1) if more else known

        now = await self._store.now()
        await self.change(day, take)
        return number

    async def is_full(self, day: str) -> bool:
        """Whether as many have begun as can be counted."""
        known = await self.day(day)
        return known is not None and known.state == "open" and known.begun >= MAX_TRIES

    async def try_of(self, day: str, player: str) -> HouseTry | None:
        """The try of a player at a day, or None."""
        document = await self._store.get(try_key(day, player))
        return _TRY.validate_json(document.body) if document else None

    async def begin(self, new: HouseTry, closes: float) -> HouseTry:
        """Keep a new try, or find that the player has begun one elsewhere."""
        for _ in range(_TRIES):
            known = await self.try_of(new.date, new.player)
            if known is not None:
                return known
            with suppress(Conflict):
                await self._put_try(new, 0, closes)
        raise StoreUnavailable("a try could not be kept")

    async def end(self, day: str, player: str, score: int | None, path: str = "") -> None:
        """A try is over; done before, or forgotten, nothing changes."""
        known = await self.day(day)
        for _ in range(_TRIES):
            document = await self._store.get(try_key(day, player))
            one = _TRY.validate_json(document.body) if document else None
            if document is None or one is None or known is None or one.over:
                return
            after = replace(one, over=True, score=score, path=path)
            try:
                await self._put_try(after, document.version, known.closes)
            except Conflict:
                continue
            return
        raise StoreUnavailable("others are always faster")

    async def tries(self, day: str) -> list[HouseTry]:
        """All tries at a day, in the order in which they began."""
        cards = await self._store.on(tries_shelf(day))
        return await asyncio.to_thread(_in_order, cards.values())  # there may be tens of thousands

    async def _put(self, day: HouseDay, was: int, now: float) -> None:
        alarm = None if day.state == "closed" else day.closes
        if day.state == "closing":
            alarm = now + AGAIN
        lifetime = max(day.closes, now) + AGAIN - now + KEPT
        body = _DAY.dump_json(day)
        await self._store.put(
            day_key(day.date), body, was, alarm=alarm, shelves=NO_CARDS, lifetime=lifetime
        )

    async def _put_try(self, one: HouseTry, was: int, closes: float) -> None:
        body = _TRY.dump_json(one)
        shelves = {tries_shelf(one.date): body, traces_shelf(one.player): one.name.encode()}
        lifetime = max(1.0, closes - await self._store.now() + KEPT)
        key = try_key(one.date, one.player)
        await self._store.put(key, body, was, shelves=shelves, lifetime=lifetime)


def _in_order(cards: Iterable[bytes]) -> list[HouseTry]:
    return sorted(map(_TRY.validate_json, cards), key=lambda one: one.number)


async def forget_try(store: Store, key: str) -> None:
    """Let nobody find a try any more, also in results that are remembered."""
    day = key.split(":")[1]
    await store.drop(key)
    while (document := await store.get(day_key(day))) is not None:
        known = _DAY.validate_json(document.body)
        if known.state != "closed":  # nobody has seen a result of it
            return
        lifetime = max(1.0, known.closes + KEPT - await store.now())
        try:
            await store.put(day_key(day), document.body, document.version, lifetime=lifetime)
        except Conflict:
            continue
        return
