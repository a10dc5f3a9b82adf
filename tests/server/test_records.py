"""Records of finished matches: kept once, kept whatever happens to the table, and right."""

import pytest

from dormie_rules.replay import verify
from dormie_rules.variants import names
from dormie_server.records import find_record, keep_record, record_id, record_key
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import End, Leave
from tests.contracts.stores import Clock
from tests.server.backstage import CODE, PATIENT, Backstage, backstage, opening_of
from tests.server.moody_store import MoodyStore
from tests.waiting import until

RECORD = record_id(CODE, 1)


async def play(house: Backstage) -> None:
    """Let the match be played to its end."""
    while (move := await house.next_move()) is not None:
        await house.keeper.do(CODE, move)


async def kept(house: Backstage) -> None:
    await house.until(lambda table: table.secret.owes_record is None)


@pytest.mark.parametrize("variant", names())
async def test_the_record_of_a_match_stands_up_to_anybody(variant: str) -> None:
    options = {"end": "holes", "holes": 2}
    async with backstage() as house:
        opening = opening_of("p-ada", CODE, 3, 2, variant=variant, options=options)
        await house.keeper.open(opening, PATIENT)
        await house.attach("p-ada")
        await house.start("p-ada")
        await play(house)
        await kept(house)
        record = await find_record(house.store, RECORD)

    assert record is not None
    assert verify(record).ok, verify(record)


async def test_a_record_is_kept_once() -> None:
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.begin("p-ada", bots=1)
        store.slow = "record:"
        store.open.clear()
        await play(house)
        await until(lambda: store.waiting == 1)
        owing = await house.table()
        store.open.set()
        await kept(house)
        await keep_record(store, owing)
        document = await store.get(record_key(RECORD))

        assert document is not None
        assert 1 == document.version
    await store.close()


async def test_a_record_is_kept_though_everybody_leaves_before_it_is() -> None:
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.begin("p-ada", bots=1)
        store.slow = "record:"
        store.open.clear()
        await play(house)
        await until(lambda: store.waiting == 1)
        await house.ask("p-ada", Leave())
        assert "closed" == (await house.table()).public.phase
        store.open.set()
        await kept(house)

        assert verify(await find_record(store, RECORD) or "").ok
        assert {} == house.keeper.phases()
    await store.close()


async def test_a_match_that_is_given_up_has_no_record() -> None:
    async with backstage() as house:
        await house.begin("p-ada", "p-bob")
        await house.ask("p-ada", End())
        await kept(house)

        assert None is await find_record(house.store, RECORD)
