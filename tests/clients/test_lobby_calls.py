"""Finding tables through the SDK, at a real house; and what becomes of it when lines break."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from dormie_client import ClosedError, Dormie, Pace, RefusedError
from dormie_client.bot_seat import Manners, play_at
from dormie_client.reports import LobbyEar, Reports
from dormie_protocol.lobby_view import Counts, Tables
from dormie_protocol.messages import Lobby, LobbySeen, MineSeen
from dormie_server.app import App
from tests.serving import serving, url_of
from tests.waiting import until


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def come(house: App, name: str = "Ada") -> Dormie:
    return await Dormie.connect(url_of(house), name=name, pace=Pace(a_second=1000, at_once=1000))


async def test_a_listed_table_is_found_and_joined(house: App) -> None:
    async with await come(house) as ada, await come(house, "Bob") as bob:
        table = await ada.create(size=2, listed=True, options={"holes": 1})
        seen = await bob.lobby("six_card", free=True)
        joined = await bob.join(seen.tables[0].table)

        assert [table.code] == [card.table for card in seen.tables]
        assert (1, 2) == (joined.seat, seen.counts.online)
        assert [] == list((await bob.lobby(free=True)).tables)
        assert [table.code] == [own.table for own in await bob.mine()]


async def test_a_quick_match_is_played_and_remembered(house: App) -> None:
    async with await come(house) as ada, await come(house, "Bob") as bob:
        one = await ada.create(size=2, listed=True, options={"holes": 1})
        two = await bob.quick("six_card", 2)
        assert one.code == two.code
        manners = Manners(thinks=False)
        async with asyncio.TaskGroup() as group:
            players = [group.create_task(play_at(t, "random", manners)) for t in (one, two)]
            await one.until(lambda t: t.view.phase == "over", within=60)
            while not (matches := await ada.history()):
                pass
            await one.end()
            await asyncio.wait(players)

        assert [f"{one.code}-1"] == [match.record for match in matches]
        assert () == await ada.history(before=matches[0].record)
        assert (0, 1) == (matches[0].seat, (await bob.history())[0].seat)


async def test_whoever_follows_the_lobby_is_told_when_it_changes(house: App) -> None:
    async with await come(house) as ada, await come(house, "Bob") as bob:
        async with aclosing(bob.follow_lobby()) as told:
            assert () == (await anext(told)).tables
            table = await ada.create(listed=True)
            while not (seen := await anext(told)).tables:
                pass
            assert [table.code] == [card.table for card in seen.tables]
        await until(lambda: house.reception.desk.lobby.followers == 0)


async def test_following_goes_on_when_the_line_was_lost(house: App) -> None:
    lobby = house.reception.desk.lobby
    pace = Pace(luck=lambda: 0.0)
    async with (
        await come(house) as ada,
        await Dormie.connect(url_of(house), pace=pace) as bob,
        aclosing(bob.follow_lobby()) as told,
    ):
        await anext(told)
        for socket in list(house.reception.open):
            socket.transport.abort()
        await ada.create(listed=True)
        while not (await anext(told)).tables:
            pass

        await until(lambda: lobby.followers == 1)


async def test_a_second_follower_ends_the_first(house: App) -> None:
    async with await come(house) as ada:
        first, second = ada.follow_lobby(), ada.follow_lobby(free=True)
        await anext(first)
        await anext(second)

        assert [] == [seen async for seen in first]
        await ada.create(listed=True)
        assert [1] == [len((await anext(second)).tables)]
        await second.aclose()


async def test_the_end_of_the_session_ends_following(house: App) -> None:
    ada = await come(house)
    told = ada.follow_lobby()
    await anext(told)
    await ada.close()

    with pytest.raises(ClosedError):
        await anext(told)


@pytest.mark.parametrize("wish", [{"before": "not a record"}, {"limit": 51}, {"limit": 0}])
async def test_what_cannot_be_asked_is_refused_here(house: App, wish: dict[str, object]) -> None:
    async with await come(house) as ada:
        with pytest.raises(RefusedError):
            await ada.history(**wish)  # type: ignore[arg-type]  # wrong on purpose


async def test_a_variant_there_is_not_is_refused_by_the_house(house: App) -> None:
    async with await come(house) as ada:
        for asking in (ada.lobby("crazy"), ada.quick("crazy"), anext(ada.follow_lobby("crazy"))):
            with pytest.raises(RefusedError) as no:
                await asking
            assert ("bad_option", "variant") == (no.value.word, no.value.field)


# ------------------------------------------------------------------------------ by itself

QUIET = LobbySeen(re="f", tables=(), more=0, counts=Counts(Tables(), 0, 0, 0))


async def test_who_reads_slowly_gets_the_newest() -> None:
    ear = LobbyEar(Lobby(id="f", follow=True))
    ear.put(QUIET)
    ear.put(newest := QUIET.model_copy(update={"more": 7}))
    ear.end()

    assert [newest] == [seen async for seen in ear]


async def test_a_follower_that_is_refused_after_a_lost_line_is_told_why() -> None:
    reports = Reports()
    ear = reports.follow(Lobby(id="f", follow=True))
    reports.new_line()
    asked = [reports.next(), reports.next()]
    reports.refuse("another", RefusedError("too_fast", "slowly"))
    reports.refuse("f", RefusedError("store_unavailable", "not now"))

    assert [ear.wish, None] == asked
    with pytest.raises(RefusedError, match="not now"):
        await anext(ear)


def test_what_nobody_waits_for_is_not_kept() -> None:
    reports = Reports()
    reports.hear(QUIET)
    reports.expect("m")
    reports.hear(mine := MineSeen(re="m", tables=()))
    found = reports.found("m")
    reports.forget("m")

    assert (mine, None) == (found, reports.found("m"))
