"""The matches one has played: one card for each, laid down with the record, whatever happens meanwhile."""

from collections.abc import AsyncIterator
from dataclasses import asdict

import pytest
from pydantic import TypeAdapter

from dormie_protocol.lobby_messages import HISTORY_KEPT
from dormie_protocol.lobby_view import Played
from dormie_protocol.messages import History, HistorySeen
from dormie_server.app import App
from dormie_server.own import history
from dormie_server.records import find_record, history_shelf, keep_record, record_id, record_key
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Leave
from tests.contracts.stores import Clock
from tests.server.backstage import CODE, Backstage, backstage
from tests.server.guest import Guest, guests, play_alone
from tests.server.moody_store import MoodyStore
from tests.serving import serving
from tests.waiting import until

RECORD = record_id(CODE, 1)


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def ask(guest: Guest, **page: object) -> HistorySeen:
    done = await guest.do("history", **page)
    return next(s for s in guest.heard if isinstance(s, HistorySeen) and s.re == done.re)


async def kept(house: App, guest: Guest) -> tuple[Played, ...]:
    """What a player has played, once the records are kept."""
    while any(
        place.kept and place.kept.table.secret.owes_record
        for place in house.keeper._places.values()  # noqa: SLF001 - there is no other way to see it
    ):
        await guest.do("mine")
    return (await ask(guest)).matches


async def play(house: Backstage) -> None:
    while (move := await house.next_move()) is not None:
        await house.keeper.do(CODE, move)


async def played(house: Backstage, player: str) -> tuple[Played, ...]:
    return (await history(house.store, player, History(id="h"))).matches


async def test_scenario_R39_the_history_of_a_match_of_one_hole_says_one(house: App) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(options={"holes": 1}, bots=["random"])
        await play_alone(ada, code)
        (one,) = await kept(house, ada)
        view = ada.last(code).view
        assert view is not None
        assert view.match is not None

        assert (1, f"{code}-1", "six_card", ("holes 1",)) == (
            one.holes,
            one.record,
            one.variant,
            one.options,
        )
        assert ("Ada", view.match.totals, view.match.places, 0) == (
            one.names[0],
            one.totals,
            one.places,
            one.seat,
        )
        assert (None, "random") == one.bots
        assert () == (await ask(eve)).matches, "nobody is told what others have played"


async def test_everybody_who_played_has_it_with_their_own_seat() -> None:
    async with backstage() as house:
        await house.begin("p-ada", "p-bob", bots=1)
        await play(house)
        await house.until(lambda table: table.secret.owes_record is None)
        ada, bob = await played(house, "p-ada"), await played(house, "p-bob")

        assert [0, 2] == [ada[0].seat, bob[0].seat]
        assert ada[0].names == bob[0].names == ("P-Ada", "Bogey", "P-Bob")


async def test_whoever_left_in_mid_match_has_played_it_too() -> None:
    async with backstage() as house:
        await house.begin("p-ada", "p-bob", "p-cleo")
        await house.ask("p-bob", Leave())
        await play(house)
        await house.until(lambda table: table.secret.owes_record is None)

        assert [(1, 3)] == [(one.seat, one.places[1]) for one in await played(house, "p-bob")]
        assert 1 == len(await played(house, "p-cleo"))


async def test_whoever_takes_a_seat_after_the_match_has_not_played_it() -> None:
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.begin("p-ada", "p-bob")
        store.slow = "record:"
        store.open.clear()
        await play(house)
        await until(lambda: store.waiting == 1)
        await house.ask("p-bob", Leave())
        store.open.set()
        await house.until(lambda table: table.secret.owes_record is None)

        assert ["P-Ada", "P-Bob"] == list((await played(house, "p-bob"))[0].names)
        assert () == await played(house, "p-cleo")
    await store.close()


async def test_a_record_that_is_delivered_again_is_one_match() -> None:
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.begin("p-ada", bots=1)
        store.slow = "record:"
        store.open.clear()
        await play(house)
        await until(lambda: store.waiting == 1)
        owing = await house.table()
        store.open.set()
        await house.until(lambda table: table.secret.owes_record is None)
        before = await played(house, "p-ada")
        for _ in range(3):
            await keep_record(store, owing)

        assert before == await played(house, "p-ada")
        assert 1 == len(before)
    await store.close()


async def many(store: SqliteStore, clock: Clock, count: int) -> None:
    """So many matches of Ada's, a second apart."""
    for number in range(count):
        name, own = f"{CODE}-{number + 1}", ((None,), (1,), (1,), 0)
        one = Played(name, clock(), "six_card", (), 1, ("Ada",), *own)
        card = TypeAdapter(Played).dump_json(one)
        shelves: dict[str, bytes | None] = {history_shelf("p-ada"): card}
        await store.put(record_key(one.record), b"record", 0, shelves=shelves, lifetime=30 * 86400)
        clock.advance(1)


async def test_pages_follow_each_other_without_a_hole() -> None:
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)
    await many(store, clock, 23)
    found, before = list[str](), None
    while True:
        page = await history(store, "p-ada", History(id="h", before=before, limit=10))
        found += [one.record for one in page.matches]
        if not page.more:
            break
        before = found[-1]
    past = await history(store, "p-ada", History(id="h", before=f"{CODE}-99"))

    assert [f"{CODE}-{number}" for number in range(23, 0, -1)] == found
    assert ((), False) == (past.matches, past.more), "before what is forgotten there is nothing"
    await store.close()


async def test_only_the_newest_are_remembered_and_the_records_stay() -> None:
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)
    await many(store, clock, HISTORY_KEPT + 2)
    async with backstage(store) as house:
        await house.begin("p-ada", bots=1)
        for number in range(2):  # a record of this name would be there already
            await store.drop(record_key(f"{CODE}-{number + 1}"))
        await play(house)
        await house.until(lambda table: table.secret.owes_record is None)
    shelf = await store.on(history_shelf("p-ada"))
    page = await history(store, "p-ada", History(id="h", limit=50))

    assert HISTORY_KEPT == len(shelf)
    assert RECORD == page.matches[0].record
    assert "record" == await find_record(store, f"{CODE}-3"), "its card is gone, and it is not"
    await store.close()


async def test_a_history_lives_as_long_as_its_records() -> None:
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)
    await many(store, clock, 2)
    clock.advance(30 * 86400 - 1.5)
    page = await history(store, "p-ada", History(id="h"))

    assert [f"{CODE}-2"] == [one.record for one in page.matches]
    await store.close()


async def test_scenario_B7_a_history_names_nobody_by_an_id_and_no_card(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create(bots=["random"])
        await play_alone(ada, code)
        (one,) = await kept(house, ada)
        text = str(asdict(one))

        assert [] == [secret for secret in (ada.player, bob.player, ada.token) if secret in text]
