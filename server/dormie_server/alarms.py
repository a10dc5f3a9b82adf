"""Alarms: a table says when it wants to be woken, and somebody must do it, whoever has died meanwhile.

Ringing twice does no harm, so every server may ring; the one that set an alarm also keeps a timer, so
that nothing waits for the round that looks for forgotten ones.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import structlog

from dormie_rules.patience_rules import PatienceRules
from dormie_server.certified import certified_deal, needs_a_look
from dormie_server.day_book import DayBook
from dormie_server.day_tables import deal_of_day, keep_try
from dormie_server.house_bots import bot_move, patience_move
from dormie_server.keeper import Keeper, table_key
from dormie_server.luck_source import LuckSource
from dormie_server.metrics import Metrics
from dormie_server.records import keep_record
from dormie_server.store import Store, StoreUnavailable
from dormie_server.table import fair
from dormie_server.table.clock import waiting_bot
from dormie_server.table.commands import BotMove, Command, DealHole, GiveUp, RecordKept, Wake
from dormie_server.table.draft import Change
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, course_of, day_of, match_of
from dormie_server.worker import Worker

log = structlog.get_logger(__name__)

_HOLD = 10.0
"""For so long an alarm that this process has taken is hidden from the others."""
_ROUND = 1.0
_TOLERANCE = 0.005
"""Two clocks never agree to the millisecond; a timer is not set anew for less."""
_QUICK_CELLS = 6
_AGAIN = 5.0
"""After a failure the alarm is rung again, so many seconds later."""
_TRIES = 5
"""After so many failures in a row by a mistake of ours, a table is closed."""


class Alarms:
    """The alarms of all tables, as far as this process sees to them."""

    def __init__(
        self,
        store: Store,
        luck: LuckSource,
        metrics: Metrics,
        deal: Callable[[Table], DealHole] = fair.next_deal,
    ) -> None:
        """*deal* says what the next hole of a table is dealt from; tests bring packs of their own."""
        self._store = store
        self._luck = luck
        self._book = DayBook(store, luck)
        self._metrics = metrics
        self._deal = deal
        self.elsewhere: Callable[[str], object] = _nobody
        """Who is told of alarms that are not a table's."""
        self._keeper: Keeper | None = None
        self._timers: dict[str, tuple[float, asyncio.Handle]] = {}
        """For each table when its timer rings, on the loop's clock, and the timer."""
        self._ringing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._failures: dict[str, int] = {}
        self._stopping = False
        self.worker = Worker()
        """Where whatever takes long is thought about."""

    def changed(self, change: Change, now: float) -> None:
        """A table was kept: see to it that somebody looks when it wants to be woken.

        A timer that rings too early is left alone: nearly every move puts the alarm off, and whoever
        comes too early only looks and waits again.
        """
        code, alarm = change.table.about.table, change.table.secret.alarm
        timer = self._timers.get(code)
        if alarm is None or self._stopping:
            self._set(code, None)
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + max(0.0, alarm - now)
        if timer is None or at < timer[0] - _TOLERANCE:
            self._set(code, at)

    def _set(self, code: str, at: float | None) -> None:
        """Let the table have one timer, at *at* on the loop's clock, or none."""
        old = self._timers.pop(code, None)
        if old is not None:
            old[1].cancel()
        if at is not None:
            self._timers[code] = at, asyncio.get_running_loop().call_at(at, self.ring, code)

    def ring(self, code: str) -> None:
        """See to a table whose alarm has gone off, unless somebody here is at it already."""
        self._set(code, None)
        if self._stopping:
            return
        if code in self._ringing:
            self._again.add(code)
            return
        task = asyncio.get_running_loop().create_task(self._answer(code))
        self._ringing[code] = task
        task.add_done_callback(lambda _: self._answered(code))

    async def run(self, keeper: Keeper) -> None:
        """Until it is stopped: look for alarms that nobody has seen to."""
        self._keeper = keeper
        while not self._stopping:
            try:
                for key in await self._store.due(_HOLD):
                    code = key.partition(":")[2]
                    if key == table_key(code):
                        self.ring(code)
                    else:
                        self.elsewhere(key)
            except StoreUnavailable:
                self._store_answers(answers=False)
            else:
                self._store_answers(answers=True)
            await asyncio.sleep(_ROUND)

    def _store_answers(self, *, answers: bool) -> None:
        """Write down that the store went away or is back: once, however many rounds it is away."""
        before = self._metrics.store_answers.value
        self._metrics.store_answers.value = int(answers)
        if before and not answers:
            log.warning("alarms_wait_for_the_store")
        elif answers and not before:
            log.info("the_store_is_back")

    async def stop(self) -> None:
        """Set no timer and ring no more."""
        self._stopping = True
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self.worker.stop()
        tasks = list(self._ringing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _answered(self, code: str) -> None:
        del self._ringing[code]
        if code in self._again:  # it rang while the last look was being taken
            self._again.remove(code)
            self.ring(code)

    async def _answer(self, code: str) -> None:
        """Do what is due at a table, one thing after the other, until nothing is."""
        try:
            while await self._one_thing(code):
                pass
        except No as no:
            if no.why != "no_table":
                self._try_again(code)
        except StoreUnavailable:
            log.warning("alarm_waits_for_the_store", table=code)
            self._try_again(code)
        except Exception:
            # A mistake at one table is that table's: it is said, tried again, and harms no other.
            log.exception("alarm_failed", table=code)
            await self._failed(code)
        else:
            self._failures.pop(code, None)

    async def _failed(self, code: str) -> None:
        """Try again, but not for ever: nobody should wait at a table where nothing works any more."""
        failures = self._failures[code] = self._failures.get(code, 0) + 1
        if failures < _TRIES or self._keeper is None:
            self._try_again(code)
            return
        try:
            await self._keeper.do(code, GiveUp())
        except Exception:  # it cannot even be closed: perhaps its document is damaged
            log.exception("table_not_closed", table=code)
            self._try_again(code)
        else:
            self._failures.pop(code, None)

    async def _one_thing(self, code: str) -> bool:
        keeper = self._keeper
        kept = await keeper.table(code) if keeper else None
        now = await self._store.now()
        if keeper and kept and now < (kept.table.secret.alarm or now):  # as far as is known here
            kept = await keeper.table(code, kept.table.version + 1)
        alarm = kept.table.secret.alarm if kept else None
        if keeper is None or kept is None or alarm is None:
            return False
        if now < alarm:
            self.changed(Change(kept.table), now)
            return False
        self._metrics.late_seconds.observe(now - alarm)
        change = await keeper.do(code, await self._due(kept.table, now))
        if change.table.version == kept.table.version:
            self._try_again(code)
            return False
        return True

    async def _due(self, table: Table, now: float) -> Command:
        """What a table whose alarm has gone off needs."""
        if table.secret.owes_record:
            if day_of(table):
                await keep_try(self._book, table)
            else:
                await keep_record(self._store, table)
            return RecordKept(table.secret.owes_record[0])
        match = table.public.match
        if match is not None and table.public.phase in ("playing", "between"):
            if course_of(table).wants_deal(match_of(table)):
                if day_of(table):
                    return await deal_of_day(self._book, table, self.worker)
                if needs_a_look(table):
                    return await certified_deal(table, self.worker)
                return self._deal(table)
            if waiting_bot(table) is not None and now >= (table.secret.bot_at or now):
                return await self._think(table) or Wake()
        return Wake()

    async def _think(self, table: Table) -> BotMove | None:
        """A bot's move; on a large grid it takes milliseconds, which a thread spares all the others."""
        rules = table.about.rules
        if isinstance(rules, PatienceRules):
            return await patience_move(table, self._luck, self.worker)
        if rules.cells > _QUICK_CELLS:
            return await asyncio.to_thread(bot_move, table, self._luck)
        return bot_move(table, self._luck)

    def _try_again(self, code: str) -> None:
        if self._stopping or code in self._timers:  # a newer change has set one already
            return
        with suppress(RuntimeError):  # the loop may be closing
            self._set(code, asyncio.get_running_loop().time() + _AGAIN)


def _nobody(_key: str) -> None:
    """Only tables have alarms."""
