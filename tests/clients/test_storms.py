"""Whole games over lines that are cut, lose, double and reorder: nothing is lost and nothing is done twice."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dormie_client import Dormie, Table
from dormie_protocol.messages import Seen
from tests.clients.fake_house import FakeHouse, Mishap
from tests.clients.fake_server import FakePace

ENOUGH = 3.0
WEATHER = st.dictionaries(
    st.integers(1, 100), st.sampled_from([m for m in Mishap if m is not Mishap.NONE]), max_size=20
)
"""What happens to which message; an evening in good weather has about ninety."""


async def take_part(table: Table, moves: int) -> None:
    """Be ready and make so many moves, each the first that is legal: two a turn, after two flips."""
    await table.ready()
    for _ in range(moves):
        await table.until(Table.my_turn)
        await table.play(table.moves[0])


async def listen(table: Table, heard: list[Seen]) -> None:
    heard += [seen async for seen in table.updates()]


async def evening(house: FakeHouse, moves: int) -> list[list[Seen]]:
    """Two play for a while; what each of them saw."""
    async with asyncio.timeout(ENOUGH):
        ada = await Dormie.connect(house.url, name="Ada", pace=FakePace().pace())
        ben = await Dormie.connect(house.url, name="Ben", pace=FakePace().pace())
        tables = [await ada.create(size=2, options={"holes": 1})]
        tables.append(await ben.join(tables[0].code))
        heard: list[list[Seen]] = [[], []]
        ears = [asyncio.create_task(listen(t, h)) for t, h in zip(tables, heard, strict=True)]
        await asyncio.gather(*[take_part(table, moves) for table in tables])
        for table in tables:
            await table.until(lambda t: t.version == house.table.version)
        await ada.close()
        await ben.close()
        await asyncio.gather(*ears)
    return heard


def check(house: FakeHouse, heard: list[list[Seen]], moves: int) -> None:
    assert {1} == set(house.done.values()), "every request is done once"
    assert 2 * moves == len(house.moves)
    for sights in heard:
        for before, seen in pairwise(sights):
            assert before.version == seen.after, "no hole and no double in the numbers"
            assert before.version <= seen.version
        told = [heard.all for seen in sights for heard in seen.events]
        notes = house.table.notes[sights[0].version :]
        assert [event.public for note in notes for event in note] == told
        assert house.table.public == sights[-1].view


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(weather=WEATHER)
def test_in_any_weather_everything_is_done_once_and_seen_in_order(
    weather: dict[int, Mishap],
) -> None:
    asyncio.run(storm(weather, moves=6))


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(weather=WEATHER)
def test_in_much_weather_everything_is_done_once_and_seen_in_order(
    weather: dict[int, Mishap],
) -> None:
    asyncio.run(storm(weather, moves=8))


async def storm(weather: dict[int, Mishap], moves: int) -> None:
    async with FakeHouse(weather) as house:
        heard = await evening(house, moves)
    check(house, heard, moves)
