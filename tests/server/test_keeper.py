"""The keeper: nothing is acknowledged before it is kept, and of two who are quick one wins."""

import asyncio
from dataclasses import replace

import pytest

from dormie_protocol.table_view import Dropped
from dormie_server.keeper import _TRIES, table_key
from dormie_server.table.commands import End, Join, Leave
from dormie_server.table_shelves import OPEN_TABLES, player_shelf
from tests.server.backstage import CODE, PATIENT, Backstage, backstage, opening_of
from tests.server.moody_store import MoodyStore
from tests.server.turns import (
    TWO,
    memory,
    word_of,
)
from tests.waiting import until


@pytest.fixture
def moody() -> MoodyStore:
    return MoodyStore(memory())


async def told_of(house: Backstage) -> int:
    """How many changes were told of. The newest is in the store a moment before that."""
    newest = (await house.table()).version
    await until(lambda: house.kept[-1].table.version == newest)
    return len(house.kept)


# ---------------------------------------------------------- safely, or not at all


async def test_a_put_that_is_slow_is_not_acknowledged_before_it_is_done(moody: MoodyStore) -> None:
    async with backstage(moody) as house:
        await house.begin(*TWO)
        move, told = await house.flip("p-ada", 1), await told_of(house)
        moody.open.clear()
        asked = asyncio.create_task(house.keeper.do(CODE, move))
        await until(lambda: moody.waiting == 1)

        assert not asked.done()
        assert told == len(house.kept), "nobody was told"
        moody.open.set()
        assert (await asked).version == (await house.table()).version


async def test_while_a_put_is_running_the_next_command_waits_for_it(moody: MoodyStore) -> None:
    async with backstage(moody) as house:
        await house.begin(*TWO)
        move = await house.flip("p-ada", 1)
        moody.open.clear()
        both = [asyncio.create_task(house.keeper.do(CODE, move)) for _ in range(2)]
        await until(lambda: moody.waiting == 1)
        moody.open.set()
        first, again = await asyncio.gather(*both)

        assert first.version == again.version
        assert "dormie_conflicts_total 0.0" in house.metrics.render().decode()


@pytest.mark.parametrize("mood", ["away", "refusing_puts"])
async def test_what_cannot_be_kept_is_refused_and_has_changed_nothing(
    moody: MoodyStore, mood: str
) -> None:
    async with backstage(moody) as house:
        await house.begin(*TWO)
        move, before = await house.flip("p-ada", 1), await house.table()
        told = await told_of(house)
        setattr(moody, mood, True)

        assert "store_unavailable" == await word_of(house.keeper.do(CODE, move))
        setattr(moody, mood, False)
        assert (before, told) == (await house.table(), len(house.kept))
        assert before.version + 1 == (await house.keeper.do(CODE, move)).version


async def test_a_table_that_cannot_be_kept_is_not_open(moody: MoodyStore) -> None:
    async with backstage(moody) as house:
        moody.refusing_puts = True
        opening = opening_of("p-ada", CODE, 2)

        assert "store_unavailable" == await word_of(house.keeper.open(opening, PATIENT))
        assert None is await house.keeper.table(CODE)
        moody.refusing_puts = False
        assert "done" == await word_of(house.keeper.open(opening, PATIENT))


async def test_a_move_whose_sender_has_gone_is_made_once(moody: MoodyStore) -> None:
    """A put whose caller was cancelled may have happened: only the store knows."""
    async with backstage(moody) as house:
        await house.begin(*TWO)
        move = await house.flip("p-ada", 1)
        moody.open.clear()
        asked = asyncio.create_task(house.keeper.do(CODE, move))
        await until(lambda: moody.waiting == 1)
        asked.cancel()
        await asyncio.wait([asked])
        moody.open.set()
        await house.keeper.do(CODE, move)

        assert 1 == sum(line.startswith("move ") for line in await house.lines())


# ------------------------------------------------------------- somebody was faster


async def test_whoever_was_too_late_tries_again(moody: MoodyStore) -> None:
    async with backstage(moody) as house:
        await house.begin(*TWO)
        move, before = await house.flip("p-ada", 1), await house.table()
        moody.late = 5

        assert before.version + 1 == (await house.keeper.do(CODE, move)).version
        assert "dormie_conflicts_total 5.0" in house.metrics.render().decode()


async def test_whoever_is_always_too_late_gives_up_in_the_end(moody: MoodyStore) -> None:
    async with backstage(moody) as house:
        await house.begin(*TWO)
        move = await house.flip("p-ada", 1)
        moody.late = _TRIES

        assert "store_unavailable" == await word_of(house.keeper.do(CODE, move))
        assert "done" == await word_of(house.keeper.do(CODE, move))


# --------------------------------------------------------------- asked once more


async def test_what_is_wrong_is_refused_however_often_it_is_looked_up() -> None:
    async with backstage() as house:
        await house.begin(*TWO)

        assert "stale" == await word_of(house.keeper.do(CODE, await house.flip("p-ada", 2)))
        assert "no_table" == await word_of(
            house.keeper.do("NQSVCHTE", await house.flip("p-ada", 1))
        )


# ------------------------------------------------------------------------- opening


async def test_a_table_asked_for_twice_is_one_table() -> None:
    async with backstage() as house:
        opening = opening_of("p-ada", CODE, 2)
        first = await house.keeper.open(opening, PATIENT)
        await house.ask("p-bob", Join("Bob"))
        again = await house.keeper.open(replace(opening, master="cd" * 32), PATIENT)

        assert (1, 0) == (first.version, first.seat) == (again.version, again.seat)
        assert opening.master == (await house.table()).secret.master


async def test_nasty_P02_an_id_that_opened_another_table_is_refused() -> None:
    async with backstage() as house:
        opening = opening_of("p-ada", CODE, 2)
        await house.keeper.open(opening, PATIENT)
        other = replace(opening, options={"holes": 2})

        assert "id_conflict" == await word_of(house.keeper.open(other, PATIENT))
        assert {"holes": 1} == (await house.table()).about.options


async def test_tables_that_were_refused_are_not_remembered() -> None:
    """Whoever asks for a thousand impossible tables costs nothing in the end."""
    async with backstage() as house:
        bad = opening_of("p-ada", CODE, 2, options={"holes": 0})

        assert "bad_option" == await word_of(house.keeper.open(bad, PATIENT))
        assert {} == house.keeper._places  # noqa: SLF001 - the very thing


async def test_scenario_F1_a_table_that_is_closed_is_forgotten() -> None:
    async with backstage() as house:
        await house.open(*TWO)
        assert {"lobby": 1} == house.keeper.phases()
        await house.ask("p-ada", End())
        opening = opening_of("p-ada", CODE, 2)
        await house.keeper.open(opening, PATIENT)  # the request that opened it, sent again
        kept = await house.keeper.table(CODE)

        assert kept is not None, "the store remembers it for a while"
        assert "closed" == kept.table.public.phase
        assert {} == house.keeper._places  # noqa: SLF001 - the very thing


async def test_the_shelves_say_where_players_sit() -> None:
    async with backstage() as house:
        await house.open("p-ada", "p-bob", "p-cleo")
        assert [table_key(CODE)] == list(await house.store.on(player_shelf("p-bob")))
        await house.ask("p-bob", Leave())
        assert {} == await house.store.on(player_shelf("p-bob"))
        assert [table_key(CODE)] == list(await house.store.on(OPEN_TABLES))
        await house.ask("p-ada", End())

        assert [{}, {}] == [
            await house.store.on(player_shelf("p-ada")),
            await house.store.on(OPEN_TABLES),
        ]


# ------------------------------------------------------------------------ coming back


async def test_whoever_a_dead_server_served_has_dropped() -> None:
    store = memory()
    async with backstage(store) as before:
        await before.begin(*TWO)
    async with backstage(store, "server-2") as after:
        assert 1 == await after.keeper.recover("server-2")
        told = [event.public for change in after.kept for event in change.events]

        assert [Dropped(0), Dropped(1)] == [event for event in told if isinstance(event, Dropped)]
        assert [False, False] == [seat and seat.here for seat in (await after.table()).public.seats]
    await store.close()


async def test_scenario_E13_a_damaged_table_does_not_keep_the_house_shut(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = memory()
    async with backstage(store) as before:
        await before.begin(*TWO)
        await before.open("p-cleo", "p-dan", code="DAMAGEDT")
        version = (await before.table("DAMAGEDT")).version
        await store.put(table_key("DAMAGEDT"), b'{"format":1}', version, shelves={OPEN_TABLES: b""})
    async with backstage(store, "server-2") as after:
        await after.keeper.recover("server-2")

        assert [False, False] == [seat and seat.here for seat in (await after.table()).public.seats]
    await store.close()
