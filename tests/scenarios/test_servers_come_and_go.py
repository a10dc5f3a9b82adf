"""Servers that die, stop, are held up, or are two: no table is lost, doubled, or left as a ghost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from dormie_protocol.messages import Done, LobbySeen, MineSeen, Refused
from dormie_protocol.table_view import Closed
from dormie_rules.grid_moves import Flip
from dormie_rules.replay import verify
from dormie_server import alarms as alarms_module
from dormie_server.app import App
from dormie_server.config import read_settings
from dormie_server.records import find_record
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import StoreUnavailable
from dormie_server.table import fair
from dormie_server.table.commands import DealHole
from dormie_server.table.state import Table
from dormie_server.table_shelves import OPEN_TABLES
from tests.contracts.stores import Clock
from tests.scenarios.tables import begin, reach, started, view_of
from tests.server.backstage import CODE, backstage
from tests.server.guest import ENTROPY, Guest, guests, play_alone
from tests.server.moody_store import MoodyStore
from tests.server.turns import TWO, word_of
from tests.serving import QUICK, ServerProcess, serving
from tests.waiting import until


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


# ------------------------------------------------------------------------ one after another


async def test_scenario_E2_and_scenario_E11_after_a_crash_there_are_the_tables_that_are_open(
    tmp_path: Path,
) -> None:
    """A table that was closed is not listed, and one that is listed can be played at."""
    server = ServerProcess(tmp_path / "dormie.db")
    async with started(server):
        ada = await Guest.come(server.port, "Ada")
        codes = [await ada.create(listed=True) for _ in range(3)]
        await ada.do("end", table=codes[1])
        await server.kill()
        await server.start()
        again = await Guest.come(server.port, token=ada.token)
        bob = await Guest.come(server.port, "Bob")
        await bob.do("lobby")
        await again.do("mine")
        (lobby,) = [seen for seen in bob.heard if isinstance(seen, LobbySeen)]
        (mine,) = [seen for seen in again.heard if isinstance(seen, MineSeen)]

        assert sorted((codes[0], codes[2])) == sorted(again.welcome.tables)
        assert sorted(again.welcome.tables) == sorted(card.table for card in lobby.tables)
        assert sorted(again.welcome.tables) == sorted(own.table for own in mine.tables)
        assert (2, 2) == (lobby.counts.tables.lobby, lobby.counts.online)
        assert {0} == {card.here for card in lobby.tables}, "nobody is there after a crash"
        for code in again.welcome.tables:
            assert 0 == (await again.do("watch", table=code)).seat
            assert 1 == (await bob.join(code)).seat
        assert "no_table" == await bob.refused("join", table=codes[1])
        for guest in (again, bob):
            await guest.leave()
        await server.stop()


async def test_scenario_E9_after_a_crash_no_seat_is_taken_for_ever(tmp_path: Path) -> None:
    """Whoever comes back has the own seat, and whoever does not is seen to be away."""
    server = ServerProcess(tmp_path / "dormie.db")
    async with started(server):
        ada, bob = [await Guest.come(server.port, name) for name in ("Ada", "Bob")]
        code = await ada.create(size=3)
        await bob.join(code)
        await server.kill()
        await server.start()
        again = await Guest.come(server.port, token=ada.token)
        assert 0 == (await again.do("watch", table=code)).seat
        here = [seat.here for seat in view_of(again.last(code)).seats if seat]

        assert [True, False] == here
        await again.leave()
        await server.stop()


async def test_scenario_E9_a_second_server_on_the_same_file_is_refused_and_disturbs_nobody(
    tmp_path: Path,
) -> None:
    """Which servers may share a store, and how, comes with the store for several servers."""
    data = str(tmp_path / "dormie.db")
    async with serving(data=data) as app, guests(app.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        before = ada.last(code).version
        with pytest.raises(StoreUnavailable, match="in use by another server"):
            await App.open(read_settings({**QUICK, "data": data}))

        assert [True, True] == [seat.here for seat in view_of(ada.last(code)).seats if seat]
        answer = await ada.play(code, Flip(0))
        assert isinstance(answer, Done)
        assert before + 1 == answer.version


async def test_scenario_E7_whoever_stops_waits_for_what_is_being_kept(tmp_path: Path) -> None:
    """Ten players are in mid-request at ten tables when the server is told to stop."""
    path = tmp_path / "dormie.db"
    store = MoodyStore(SqliteStore(path))
    async with serving({"store": store}) as app:
        people = [await Guest.come(app.port, f"P{number}") for number in range(10)]
        codes = [await one.create(size=3) for one in people]
        store.slow = "table:"
        store.open.clear()
        asked = [
            asyncio.create_task(one.ask("ready", table=code, entropy=ENTROPY))
            for one, code in zip(people, codes, strict=True)
        ]
        await until(lambda: store.waiting == len(people))
        closing = asyncio.create_task(app.close())
        await until(lambda: app.reception.stopping)
        store.open.set()
        await closing
        answers = await asyncio.gather(*asked, return_exceptions=True)
    async with serving(data=str(path)) as later:
        for code, answer in zip(codes, answers, strict=True):
            kept = await later.keeper.table(code)
            assert kept is not None
            seat = kept.table.public.seats[0]
            assert seat is not None

            assert seat.ready, "what had begun to be kept is kept"
            assert not isinstance(answer, Refused)


# ----------------------------------------------------------------------------- two at a time


async def test_scenario_E4_a_server_that_was_held_up_cannot_write_over_what_another_has_done() -> (
    None
):
    """It was about to keep a move when everybody went on elsewhere: its move is decided anew."""
    inner = SqliteStore(":memory:", clock=Clock())
    store = MoodyStore(inner)
    async with backstage(store) as slow, backstage(inner, "server-2") as quick:
        await slow.begin(*TWO)
        move = await slow.flip("p-ada", 1)
        store.slow = "table:"
        store.open.clear()
        late = asyncio.create_task(word_of(slow.keeper.do(CODE, move)))
        await until(lambda: store.waiting == 1)
        await quick.keeper.do(CODE, replace(move, move=Flip(3)))
        await quick.keeper.do(CODE, await quick.flip("p-bob", 1))
        store.open.set()

        assert "stale" == await late
        moves = [line for line in await quick.lines() if line.startswith("move ")]
        assert ["move 1 flip 4", "move 2 flip 1"] == moves
        versions = await quick.versions()
        assert list(range(1, len(versions) + 1)) == versions
    await inner.close()


class Shared(MoodyStore):
    """A store that does not close when one of its servers does."""

    async def close(self) -> None:
        """It belongs to the test."""


async def test_scenario_E8_two_servers_one_table_and_a_whole_match_over_sockets() -> None:
    inner = SqliteStore(":memory:")
    async with AsyncExitStack() as stack:
        here, there = [
            await stack.enter_async_context(serving({"store": Shared(inner)})) for _ in range(2)
        ]
        ada, bob = await Guest.come(here.port, "Ada"), await Guest.come(there.port, "Bob")
        code = await ada.create()
        await bob.join(code)
        async with asyncio.timeout(60):
            await asyncio.gather(*(play_alone(guest, code) for guest in (ada, bob)))
            while (record := await find_record(inner, f"{code}-1")) is None:
                await asyncio.sleep(0.01)
        last = max(guest.last(code).version for guest in (ada, bob))
        for guest in (ada, bob):
            await reach(guest, code, lambda seen: seen.version >= last)
            assert all(one.version == later.after for one, later in pairwise(guest.of(code)))

        assert view_of(ada.last(code)) == view_of(bob.last(code))
        assert verify(record).ok
        for guest in (ada, bob):
            await guest.leave()
    await inner.close()


# -------------------------------------------------------------------------- the end of a table


async def test_scenario_E5_whoever_joins_a_table_that_is_being_closed_gets_no_ghost(
    house: App,
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create(size=6)
        crowd = await asyncio.gather(*(Guest.come(house.port, "Crowd") for _ in range(20)))
        asked = [one.ask("join", table=code) for one in crowd]
        asked.insert(3, ada.ask("end", table=code))
        got = await asyncio.gather(*asked)
        words = {one.word for one in got if isinstance(one, Refused)}
        late = {await one.refused("ready", table=code) for one in crowd}

        assert {"no_table"} == words
        assert late <= {"no_table", "not_seated", "wrong_time"}
        assert {} == house.keeper.phases()
        assert {} == await house.store.on(OPEN_TABLES)
        back = [await Guest.come(house.port, token=one.token) for one in crowd]
        assert {()} == {one.welcome.tables for one in back}
        await asyncio.gather(*(one.leave() for one in (*crowd, *back)))


class BrokenDeal:
    """Fails at one table, and goes on failing."""

    def __init__(self) -> None:
        self.table = ""
        self.times = 0

    def deal(self, table: Table) -> DealHole:
        if table.about.table == self.table:
            self.times += 1
            raise ZeroDivisionError("a mistake of ours")
        return fair.next_deal(table)


async def test_scenario_E13_a_table_that_goes_on_failing_is_closed_and_its_players_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its notes stay for whoever looks into it, and the table beside it plays on."""
    monkeypatch.setattr(alarms_module, "_AGAIN", 0.01)
    broken = BrokenDeal()
    async with (
        serving({"deal": broken.deal}) as app,
        guests(app.port, "Ada", "Bob") as (ada, bob),
    ):
        broken.table = await ada.create()
        await bob.join(broken.table)
        for guest in (ada, bob):
            await guest.do("ready", table=broken.table, entropy=ENTROPY)
        await until(lambda: broken.times >= 5 or not app.keeper.phases(), within=10.0)
        healthy = await begin(ada, bob)
        phases = app.keeper.phases()

        assert {"playing": 1} == phases
        for guest in (ada, bob):
            seen = await reach(guest, broken.table, lambda s: view_of(s).phase == "closed")
            whys: list[str] = [one.all.why for one in seen.events if isinstance(one.all, Closed)]
            assert ["failed"] == whys
        assert await app.store.notes(f"table:{broken.table}")
        assert isinstance(await ada.play(healthy, Flip(0)), Done)
