"""What is shown of the days that are closed: their results, line by line, and their records.

A day may have fifty thousand tries. They are read beside the loop, one day at a time however many ask, and
kept for as long as nobody vanishes from them; whoever waits keeps nobody else waiting.
"""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from dormie_protocol import day_messages as d
from dormie_rules.day_record import write_dealt_day
from dormie_rules.patience_day import DayResult, DayTable, Try, day_attempt, day_results
from dormie_server.day_book import DayBook, HouseDay, HouseTry
from dormie_server.store import StoreUnavailable

REMEMBERED: Final = 4


@dataclass(frozen=True, slots=True)
class DayPage:
    """The results of a day that is closed, and its record."""

    version: int
    results: tuple[DayResult[str], ...]
    """By player, best first."""
    names: Mapping[str, str]
    where: Mapping[str, int]
    """The place of each player among the results."""
    record: str

    def own(self, player: str) -> d.DayLine | None:
        """The line of a player, if there is one."""
        at = self.where.get(player)
        return None if at is None else self.lines(at, 1)[0]

    def lines(self, after: int, limit: int) -> tuple[d.DayLine, ...]:
        """So many lines at most, *after* so many others."""
        return tuple(
            d.DayLine(
                place=one.place,
                name=self.names[one.player],
                score=one.score,
                cleared=one.cleared,
            )
            for one in self.results[after : after + limit]
        )


class DayPages:
    """The pages that were lately asked for."""

    def __init__(self, book: DayBook) -> None:
        self._book = book
        self._pages: dict[str, DayPage] = {}
        self._reading = asyncio.Lock()
        # Whoever goes while a page is read leaves its reading behind: there is never a second one beside it.
        self._reader = ThreadPoolExecutor(1, "day-pages")
        self._stopped = False

    async def of(self, date: str) -> DayPage | None:
        """What is shown of a day that is closed; of another, None. Raises StoreUnavailable."""
        day, version = await self._book.versioned(date)
        if day is None or day.state != "closed":
            return None
        page = self._known(date, version)
        if page is not None:
            return page
        async with self._reading:
            return self._known(date, version) or await self._read(day, version)

    def stop(self) -> None:
        """Read no more pages."""
        self._stopped = True
        self._reader.shutdown(wait=False)

    def _known(self, date: str, version: int) -> DayPage | None:
        """The page as it was read; None when it was not, or somebody is forgotten since."""
        page = self._pages.get(date)
        if page is None or page.version != version:
            return None
        self._pages[date] = self._pages.pop(date)  # the last that was asked for stays longest
        return page

    async def _read(self, day: HouseDay, version: int) -> DayPage:
        tries = await self._book.tries(day.date)
        if self._stopped:
            raise StoreUnavailable("the house stops")
        loop = asyncio.get_running_loop()
        page = await loop.run_in_executor(self._reader, _page, day, version, tries)
        self._pages[day.date] = page
        for oldest in list(self._pages)[:-REMEMBERED]:
            del self._pages[oldest]
        return page


def _page(day: HouseDay, version: int, tries: Sequence[HouseTry]) -> DayPage:
    """Everything that is shown of a closed day."""
    done = tuple(Try(one.player, one.score, one.path) for one in tries if one.score is not None)
    promise, secret = bytes.fromhex(day.promise), bytes.fromhex(day.secret)
    table = DayTable(day.date, promise, done, closed=True)
    results = day_results(table)
    return DayPage(
        version,
        results,
        {one.player: one.name for one in tries},
        {result.player: at for at, result in enumerate(results)},
        write_dealt_day(table, secret, day_attempt(day.date, secret, day.attempt or 0)),
    )
