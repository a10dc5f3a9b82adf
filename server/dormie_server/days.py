"""The hole of the day: who may play it, what is told of it and when, and how a day ends.

Until a day is closed nobody is told anything but its promise and how many play; when it is, everything.
Closing it takes two steps, so that whoever dies in between leaves nothing half shown: first no try begins
any more, then the last ones are counted as they stand, and only then the secret and the results are there
for everybody. Any server may do it, and each step may be done again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import structlog

from dormie_protocol import day_messages as d
from dormie_protocol.spectators import Spectators
from dormie_protocol.table_view import Given
from dormie_rules.values import replace
from dormie_server import ids
from dormie_server.day_book import DayBook, HouseDay, HouseTry, before, day_key
from dormie_server.day_pages import DayPage, DayPages
from dormie_server.day_tables import attempt_at, keep_try
from dormie_server.keeper import Keeper
from dormie_server.luck_source import LuckSource
from dormie_server.person import Player
from dormie_server.store import Store, StoreUnavailable
from dormie_server.table import commands as c
from dormie_server.table.draft import Change
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy
from dormie_server.worker import Busy, Worker

VARIANT = "golf_patience_queen"
OPTIONS = {"holes": 1, "deal_policy": "clearable", "undo": "off", "hole_seconds": 86_400}
"""The table's own way to say ``DAY_RULES``; its time is that of the day."""
RECORD = "day-"
"""How the name of a day's record begins."""
_NEWEST = 1 << 60
_DAY_SECONDS = 86_400.0

log = structlog.get_logger(__name__)

MayOpen = Callable[[str], Awaitable[None]]


class Days:
    """The days of one house."""

    def __init__(self, store: Store, keeper: Keeper, luck: LuckSource, worker: Worker) -> None:
        self._book = DayBook(store, luck)
        self._store = store
        self._keeper = keeper
        self._luck = luck
        self.worker = worker
        """Where the deal of a day is looked for."""
        self._pages = DayPages(self._book)
        self._closing: dict[str, asyncio.Task[None]] = {}

    # ------------------------------------------------------------ what is asked

    async def seen(self, message: d.Day, player: str) -> d.DaySeen:
        """What is known of a day. Raises No."""
        with _no_store():
            day = await self._named(message.date)
            own = await self._book.try_of(day.date, player)
            page = await self._pages.of(day.date)
            over = day.state == "open" and await self._store.now() >= day.closes
        return d.DaySeen(
            re=message.id,
            date=day.date,
            state="closing" if over else day.state,
            promise=day.promise,
            opens=day.opens,
            closes=day.closes,
            tries=day.begun,
            own=_own(own, page) if own else None,
            shown=_shown(day) if page else None,
        )

    async def results(self, message: d.DayResults, player: str) -> d.DayResultsSeen:
        """A page of the results of a day that is closed. Raises No."""
        with _no_store():
            date = message.date or before((await self._book.today()).date)
            page = await self._pages.of(date)
            if page is None:
                raise No("wrong_time" if await self._book.day(date) else "no_day", field="date")
        return d.DayResultsSeen(
            re=message.id,
            date=date,
            lines=page.lines(message.after, message.limit),
            of=len(page.results),
            own=page.own(player),
        )

    async def record(self, date: str) -> str | None:
        """The record of a day that is closed, or None. Raises StoreUnavailable."""
        page = await self._pages.of(date)
        return page.record if page else None

    async def play(self, player: Player, policy: Policy, may_open: MayOpen) -> Change:
        """The table at which *player* plays today's hole. Raises No; ``day_played`` after the one try."""
        with _no_store():
            day = await self._book.today()
            one = await self._book.try_of(day.date, player.id)
            code = ids.table_code(bytes.fromhex(player.secret), f"day {day.date}")
            if one is None:
                await may_open(code)
                one = await self._begin(day, player, code)
            if one.over:
                raise No("day_played")
        change = await self._keeper.open(self._opening(day, player, one), policy)
        if (
            change.table.public.phase == "closed"
        ):  # its result is on the way, or it could not be dealt
            raise No("busy")
        return change

    async def _begin(self, day: HouseDay, player: Player, code: str) -> HouseTry:
        number = await self._book.number(day.date)
        if number is None:
            raise No("day_full" if await self._book.is_full(day.date) else "day_over")
        new = HouseTry(day.date, player.id, player.name, number, code)
        one = await self._book.begin(new, day.closes)
        known = await self._book.day(day.date)
        if known is None or known.state != "open":  # whoever closes it may not have seen this try
            await self._book.end(day.date, player.id, None)
            raise No("day_over")
        return one

    def _opening(self, day: HouseDay, player: Player, one: HouseTry) -> c.Opening:
        return c.Opening(
            code=one.table,
            player=player.id,
            name=one.name,
            variant=VARIANT,
            options=OPTIONS,
            size=1,
            turn_seconds=_DAY_SECONDS,
            bots=(),
            master=self._luck.draw().hex(),
            chat="off",
            spectators=Spectators(allowed=False, chat="off"),
            given=Given(day=day.date, promise=day.promise, until=day.closes),
        )

    async def _named(self, date: str | None) -> HouseDay:
        """The day of that date, or today. Raises No."""
        today = await self._book.today()
        day = today if date in (None, today.date) else await self._book.day(date or "")
        if day is None:
            raise No("no_day", field="date")
        return day

    # -------------------------------------------------------------- how it ends

    def ring(self, key: str) -> bool:
        """The alarm of *key* has gone off; whether it is that of a day."""
        date = key.partition(":")[2]
        if key != day_key(date):
            return False
        if date not in self._closing:
            task = asyncio.get_running_loop().create_task(self._close(date))
            self._closing[date] = task
            task.add_done_callback(lambda _: self._closing.pop(date, None))
        return True

    async def stop(self) -> None:
        """Close no more days; another server does, or this one when it is back."""
        self._pages.stop()
        tasks = list(self._closing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _close(self, date: str) -> None:
        """Close a day, and begin the next one; what fails is tried again when the alarm rings again."""
        try:
            await self.close(date)
            # Whoever comes first tomorrow need not wait until a deal is found that can be cleared.
            await attempt_at(self._book, await self._book.today(), self.worker)
        except (No, Busy, StoreUnavailable) as why:
            log.warning("day_not_closed_yet", day=date, because=str(why))
        except Exception:  # a mistake of ours keeps nobody from playing
            log.exception("day_not_closed_yet", day=date)

    async def close(self, date: str) -> None:
        """Close a day that is over; before that, and after it, nothing happens. Raises No, Busy."""
        now = await self._store.now()

        def shut(known: HouseDay) -> HouseDay:
            over = known.state == "open" and now >= known.closes
            return replace(known, state="closing") if over else known

        day = await self._book.change(date, shut)
        if day is None or day.state != "closing":
            return
        attempt = await attempt_at(self._book, day, self.worker)
        for one in await self._book.tries(date):
            if not one.over:
                await self._end(one)
        await self._book.change(date, lambda known: replace(known, state="closed", attempt=attempt))

    async def _end(self, one: HouseTry) -> None:
        """Count a try as it stands; one that was never dealt has no result."""
        try:
            await self._keeper.table(one.table, _NEWEST)  # another server may have gone on with it
            table = (await self._keeper.do(one.table, c.Wake())).table
            await keep_try(self._book, table)
        except No as no:
            if no.why != "no_table":
                raise
        await self._book.end(one.date, one.player, None)


@contextmanager
def _no_store() -> Iterator[None]:
    """Whoever asks is told so when the store does not answer."""
    try:
        yield
    except StoreUnavailable:
        raise No("store_unavailable") from None


def _own(one: HouseTry, page: DayPage | None) -> d.OwnTry:
    line = page.own(one.player) if page else None
    table = None if one.over else one.table
    return d.OwnTry(table=table, score=one.score, place=line.place if line else None)


def _shown(day: HouseDay) -> d.DayShown:
    return d.DayShown(revealed=day.secret, attempt=day.attempt or 0, record=record_name(day.date))


def record_name(date: str) -> str:
    """The name under which the record of a day is asked for.

    >>> record_name("2026-11-30")
    'day-2026-11-30'
    """
    return f"{RECORD}{date}"
