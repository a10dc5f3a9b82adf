"""The hub when everything happens at once, and when nothing works."""

import asyncio
from contextlib import suppress
from random import Random

import pytest

from dormie_protocol.messages import Replaced
from dormie_server import telling as telling_module
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import End, SetSpectators
from dormie_server.table.refusal import No
from tests.contracts.stores import Clock
from tests.diary import diary
from tests.server.backstage import (
    CODE,
    Backstage,
    Ear,
    backstage,
    caught_up,
)
from tests.server.moody_store import MoodyStore
from tests.server.turns import (
    TWO,
    assert_no_hole,
    chains,
    play,
    settled,
)
from tests.waiting import until

# ------------------------------------------------------------------------- in a hurry


@pytest.mark.parametrize("seed", range(30))
async def test_whoever_joins_while_moves_are_made_misses_nothing_and_hears_nothing_twice(
    seed: int,
) -> None:
    luck = Random(seed)
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    store.dawdles = luck
    async with backstage(store) as house:
        await house.begin(*TWO)
        ears = [Ear(luck.choice(("p-ada", "p-eve", f"p-{n}"))) for n in range(25)]
        coming = [asyncio.create_task(_come(house, ear, luck)) for ear in ears]
        await play(house, 25)
        await asyncio.gather(*coming)
        await play(house, 2)
        await settled(house)
        table = await house.table()
        for ear in ears:
            if Replaced(table=CODE) in ear.heard:
                continue
            await caught_up(ear, table.version)

            assert_no_hole(ear.seen)
            assert (table.public, table.version) == (ear.seen[-1].view, ear.seen[-1].version)
    await store.close()


async def _come(house: Backstage, ear: Ear, luck: Random) -> None:
    """Watch at any moment, from the present or from something seen before."""
    for _ in range(luck.randrange(60)):
        await asyncio.sleep(0)
    after = luck.choice((0, 0, 1, 3))
    known = await chains(house)
    with suppress(No):  # another connection of the same player was faster
        await house.hub.watch(ear, CODE, after, known[after])


@pytest.mark.parametrize("seed", range(40))
async def test_of_two_connections_of_one_player_that_watch_at_once_one_plays(seed: int) -> None:
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.open(*TWO)
        store.dawdles = Random(seed)
        before = asyncio.all_tasks()
        ears = [Ear("p-ada"), Ear("p-ada")]
        results = await asyncio.gather(
            *(house.hub.watch(ear, CODE, 0, "") for ear in ears), return_exceptions=True
        )
        await until(lambda: sum(Replaced(table=CODE) in ear.heard for ear in ears) == 1)
        sitter = (await house.table()).secret.sitters[0]
        assert sitter is not None

        assert [0, sitter.generation] == sorted(house.hub.generation(ear, CODE) for ear in ears)
        for ear, result in zip(ears, results, strict=True):
            assert not isinstance(result, BaseException) or "another connection" in str(result)
            assert Replaced(table=CODE) not in ear.heard[:-1], "it is the last that is heard"
        for ear in ears:
            house.hub.leave_all(ear)
        await until(lambda: asyncio.all_tasks() <= before)
    await store.close()


# ------------------------------------------------------------------ when things go wrong


@pytest.mark.parametrize("others", [0, 1])
async def test_whoever_watches_while_the_store_is_away_is_told_afterwards(others: int) -> None:
    """Another server goes on playing meanwhile; a newcomer must not make a hole for the others."""
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house, backstage(store.inner, "server-2") as other:
        await house.begin(*TWO)
        ear = Ear("p-eve")
        await house.hub.watch(ear, CODE, 0, "")
        store.away = True
        await play(other, 3)
        store.away = False
        for number in range(others):
            await house.hub.watch(Ear(f"p-{number}"), CODE, 0, "")
        await caught_up(ear, await play(other, 1))

        assert_no_hole(ear.seen)
    await store.close()


async def test_while_the_store_is_away_the_diary_does_not_grow_with_the_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand tables would write thousands of lines a second, for as long as Redis is away."""
    monkeypatch.setattr(telling_module, "_AGAIN", 0.001)
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    with diary() as pages:
        async with backstage(store) as house, backstage(store.inner, "server-2") as other:
            await house.begin(*TWO)
            await house.hub.watch(Ear("p-eve"), CODE, 0, "")
            store.away = True
            await play(other, 1)
            await until(lambda: store.refused > 20)
            store.away = False
    await store.close()

    assert CODE not in pages.getvalue()


async def test_scenario_E13_a_note_that_cannot_be_told_keeps_nobody_in_the_dark_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telling_module, "_AGAIN", 0.01)
    async with backstage() as house:
        await house.begin(*TWO)
        ear = Ear("p-eve")
        await house.hub.watch(ear, CODE, 0, "")
        with monkeypatch.context() as broken:
            broken.setattr(telling_module, "Page", None)
            await play(house, 2)
            await until(lambda: len(house.kept) > 2)
        await caught_up(ear, await play(house, 1))

        assert_no_hole(ear.seen)


async def test_whoever_could_not_watch_is_not_said_to_be_there_for_ever() -> None:
    """The seat was taken over, and then the store was away: when the line ends, somebody must say so."""
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.open(*TWO)
        ear = Ear("p-ada")
        await house.hub.watch(ear, CODE, 0, "")
        store.refusing_puts = True
        with pytest.raises(No):
            await house.hub.watch(ear, CODE, 0, "")
        store.refusing_puts = False
        held = house.hub.leave_all(ear)
        for code, generation in held:
            await house.hub.drop("p-ada", code, generation)

        seat = (await house.table()).public.seats[0]
        assert seat is not None
        assert not seat.here
    await store.close()


async def test_scenario_F1_when_everybody_has_gone_nothing_is_left_of_a_room() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        before = asyncio.all_tasks()
        ears = [Ear(f"p-{number}") for number in range(5)]
        for ear in ears:
            await house.hub.watch(ear, CODE, 0, "")
        await house.ask("p-ada", End())
        for ear in ears:
            await caught_up(ear, (await house.table()).version)
            assert [] == house.hub.leave_all(ear)
        await until(lambda: asyncio.all_tasks() <= before)

        assert {} == house.hub._rooms  # noqa: SLF001 - the very thing


@pytest.mark.parametrize("late", [False, True])
async def test_whoever_is_just_coming_in_when_all_is_stopped_is_followed_by_nobody(
    *, late: bool
) -> None:
    """A follower that began after the end would meet a closed store and rooms that are gone."""
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.open(*TWO)
        if late:
            await house.ask("p-ada", SetSpectators(delay=5))
        before = asyncio.all_tasks()
        store.open.clear()
        coming = asyncio.create_task(house.hub.watch(Ear("p-ada"), CODE, 0, ""))
        await until(lambda: store.waiting == 1)
        await house.hub.stop()
        store.open.set()
        await coming
        assert asyncio.all_tasks() <= before

        store.open.clear()
        coming = asyncio.create_task(house.hub.watch(Ear("p-ada"), CODE, 0, ""))
        await until(lambda: store.waiting == 1)
        await house.hub.stop()
        store.away = True
        store.open.set()
        with pytest.raises(No):
            await coming
        store.away = False
    await store.close()
