"""The pages of days that are over: read once for everybody, beside the loop, and again when somebody vanishes."""

import asyncio
import threading

import pytest

from dormie_protocol import day_messages as d
from dormie_rules.day_record import write_dealt_day
from dormie_rules.values import replace
from dormie_server import day_pages
from dormie_server.day_book import DayBook, HouseDay, HouseTry, forget_try, try_key
from dormie_server.day_pages import REMEMBERED, DayPages
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import StoreUnavailable
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.day_house import DATE, clock, store

__all__ = ["clock", "store"]  # fixtures


@pytest.fixture
def book(store: SqliteStore) -> DayBook:
    return DayBook(store, CountingLuck())


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the threads that have read a page."""
    names = list[str]()

    def listening(*given: object) -> str:
        names.append(threading.current_thread().name)
        return write_dealt_day(*given)  # type: ignore[arg-type]  # whatever it was given

    monkeypatch.setattr(day_pages, "write_dealt_day", listening)
    return names


async def closed_day(book: DayBook, scores: dict[str, int | None]) -> HouseDay:
    """Today, closed with these results."""
    day = await book.today()
    for number, (name, score) in enumerate(scores.items(), 1):
        one = HouseTry(day.date, f"p-{name}", name, number, f"T{number}", over=True, score=score)
        await book.begin(one, day.closes)
    known = await book.change(day.date, lambda one: replace(one, state="closed", attempt=0))
    assert known is not None
    return known


async def test_a_page_is_read_once_for_all_who_ask_at_once_and_beside_the_loop(
    book: DayBook, readers: list[str]
) -> None:
    await closed_day(book, {"ada": 3, "ben": None, "eve": -2})
    pages = DayPages(book)
    seen = await asyncio.gather(*(pages.of(DATE) for _ in range(20)))
    pages.stop()

    assert 1 == len({id(page) for page in seen})
    assert ["day-pages_0"] == readers
    page = seen[0]
    assert page is not None
    assert ("eve", "ada") == tuple(line.name for line in page.lines(0, 100))
    assert d.DayLine(place=2, name="ada", score=3, cleared=False) == page.own("p-ada")
    assert page.own("p-ben") is None


async def test_a_page_is_read_again_when_somebody_has_vanished(
    book: DayBook, store: SqliteStore, readers: list[str]
) -> None:
    await closed_day(book, {"ada": 3, "eve": -2})
    pages = DayPages(book)
    before = await pages.of(DATE)
    await forget_try(store, try_key(DATE, "p-eve"))
    after = await pages.of(DATE)
    pages.stop()

    assert before is not None
    assert after is not None
    assert (2, 1, 2) == (len(before.results), len(after.results), len(readers))
    assert "eve" not in repr(after)


async def test_the_page_that_was_asked_for_last_is_kept_longest(
    book: DayBook, clock: Clock, readers: list[str]
) -> None:
    dates = list[str]()
    pages = DayPages(book)
    for _ in range(REMEMBERED + 1):
        dates.append((await closed_day(book, {"ada": 3})).date)
        clock.time += 86_400.0
        await pages.of(dates[-1])
        await pages.of(dates[0])
    known = len(readers)
    await pages.of(dates[0])
    assert known == len(readers)
    await pages.of(dates[1])
    pages.stop()

    assert known + 1 == len(readers)


async def test_a_house_that_stops_reads_no_more_pages(book: DayBook) -> None:
    await closed_day(book, {"ada": 3})
    pages = DayPages(book)
    pages.stop()

    with pytest.raises(StoreUnavailable):
        await pages.of(DATE)


async def test_a_day_that_is_open_or_unknown_has_no_page(book: DayBook) -> None:
    await book.today()
    pages = DayPages(book)

    assert [None, None] == [await pages.of(DATE), await pages.of("2024-01-01")]
    pages.stop()
