"""Whole days on two servers whose store dawdles and conflicts: each player has one try that counts."""

import asyncio
from collections.abc import Iterable
from random import Random

import pytest

from dormie_protocol import day_messages as d
from dormie_rules.day_record import check_day
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_solution import Verdict
from dormie_rules.solver import solve
from dormie_server.day_book import DayBook
from dormie_server.erasing import Eraser
from dormie_server.players import Players
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import StoreUnavailable
from dormie_server.table.commands import Asked, Leave
from dormie_server.table.refusal import No
from dormie_server.worker import Busy
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.day_house import DATE, NOON, DayHouse, day_house

PLAYERS = ("ada", "ben", "cleo", "dan", "eve")
OVER = frozenset(
    {"day_over", "day_played", "wrong_time", "hole_over", "stale", "store_unavailable"}
)


def judge(rules: PatienceRules, position: Position) -> Verdict:
    return solve(rules, position).verdict


async def evening(houses: tuple[DayHouse, DayHouse], who: str, luck: Random) -> None:
    """Some of a try, now at one server and now at the other; perhaps left for good, perhaps not finished."""
    last, code = luck.choice((3, 12, 99)), ""
    try:
        for made in range(last):
            house = luck.choice(houses)
            code = (await house.ask(who, d.PlayDay(id=f"play-{made}"))).table or ""
            await house.house.until(lambda table: table.secret.hole is not None, code)
            await house.house.attach(f"p-{who}", code)
            await house.move(who, code, luck)
        if last == 12:
            house = luck.choice(houses)
            await house.house.keeper.do(code, Asked(f"p-{who}", "leave", Leave()))
    except No as no:
        assert no.why in OVER, (who, no.why)


async def strike(clock: Clock, after: int) -> None:
    """Midnight, after so many turns of the loop."""
    for _ in range(after):
        await asyncio.sleep(0)
    clock.time = NOON + 43_200.0


async def closed(houses: Iterable[DayHouse]) -> None:
    """Close the day from all servers at once, as often as it takes."""

    async def close(house: DayHouse) -> None:
        while (await DayBook(house.store.inner, CountingLuck()).day(DATE)).state != "closed":  # type: ignore[union-attr]  # it was begun
            try:
                await house.desk.days.close(DATE)
            except (No, Busy, StoreUnavailable):
                await asyncio.sleep(0)

    async with asyncio.timeout(120):
        await asyncio.gather(*map(close, houses))


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_each_player_has_one_try_that_counts(seed: int) -> None:
    luck, clock = Random(f"day {seed}"), Clock()
    clock.time = NOON
    store = SqliteStore(":memory:", clock=clock)
    async with day_house(store, "server-1") as one, day_house(store, "server-2") as two:
        for house in (one, two):
            house.store.dawdles, house.store.late = Random(luck.random()), luck.randrange(6)
        promises = await asyncio.gather(one.day("ada"), two.day("ben"))
        await asyncio.gather(
            strike(clock, luck.randrange(200, 6000)),
            *(evening((one, two), who, Random(f"{seed} {who}")) for who in PLAYERS),
        )
        await strike(clock, 0)
        await closed((one, two))
        if seed % 2:
            await Eraser(store, one.house.keeper, Players(store, luck_of(seed))).erase("p-cleo")
        pages = [await house.results("ada", date=DATE) for house in (one, two)]
        records = [await house.desk.days.record(DATE) for house in (one, two)]
        tries = await DayBook(store, luck_of(seed)).tries(DATE)

        assert 1 == len({seen.promise for seen in promises})
        assert pages[0] == pages[1]
        assert records[0] == records[1]
        assert records[0] is not None
        check_day(records[0], judge)
        assert len(tries) == len({one_try.player for one_try in tries})
        assert len(tries) == len({one_try.number for one_try in tries})
        assert all(one_try.over for one_try in tries)
        assert pages[0].of == sum(one_try.score is not None for one_try in tries)
        assert pages[0].of == records[0].count("\ntry ")
        assert "Cleo" not in {line.name for line in pages[0].lines} or seed % 2 == 0
    await store.close()


def luck_of(seed: int) -> CountingLuck:
    return CountingLuck(f"storm {seed}")
