"""Tables that nobody is at, people who do not listen, and people who send anything at all."""

import asyncio
import socket
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from dormie_protocol.messages import Done
from dormie_protocol.table_view import Closed
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table_shelves import OPEN_TABLES
from tests.contracts.stores import Clock
from tests.scenarios.tables import begin, reach, view_of
from tests.server.guest import ENTROPY, Guest, guests, play_alone
from tests.serving import fetch, serving
from tests.waiting import until
from tests.wire import TEXT, Place, Wire, framed


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def counted(app: App) -> set[int]:
    """How many tables are open, by everybody who counts them."""
    figures = (await fetch(app.port, "/metrics")).splitlines()
    shown = sum(float(line.split()[-1]) for line in figures if line.startswith("dormie_tables{"))
    shelf = await app.store.on(OPEN_TABLES)
    return {int(shown), app.keeper.count(), sum(app.keeper.phases().values()), len(shelf)}


async def test_scenario_F3_every_count_of_tables_is_the_same_and_tables_of_nobody_end() -> None:
    """One that waits, one that plays, one that is over and one that was closed."""
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        async with guests(app.port, "Ada", "Bob") as (ada, bob):
            waits, over = await ada.create(), await bob.create(bots=["random"])
            await begin(ada, bob)
            await play_alone(bob, over)
            await ada.do("end", table=await ada.create())
            assert {3} == await counted(app)
            await bob.do("watch", table=waits)
            clock.advance(1801)
            seen = await reach(bob, waits, lambda one: view_of(one).phase == "closed")
            assert [Closed("abandoned")] == [one.all for one in seen.events]
        for _ in range(40):
            clock.advance(1801)
            await asyncio.sleep(0.1)
            if await counted(app) == {0}:
                break

        assert {0} == await counted(app)


async def test_scenario_F5_whoever_reads_too_slowly_is_cut_and_takes_up_where_it_was() -> None:
    limits = {"buffered_bytes": 16 * 1024, "stalled_seconds": 0.2, "messages_at_once": 1000}
    async with serving(limits=limits) as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create()
        with Wire(Place("127.0.0.1", app.port), small=True) as wire:
            hello = b'{"type":"hello","id":"h","name":"Slow"}'
            await asyncio.to_thread(wire.greet, "", framed(TEXT, hello))
            await until(lambda: len(app.reception.open) == 2)
            (slow,) = [one for one in app.reception.open if one.remote_address != ada.address]
            line = slow.transport.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            wire.say(framed(TEXT, f'{{"type":"watch","id":"w","table":"{code}"}}'.encode()))
            past = ada.last(code)
            for _ in range(40):
                await ada.do("bot", table=code, level="random")
                await ada.do("bot", table=code, level=None, seat=1)
            await until(lambda: slow not in app.reception.open)
        again = await Guest.come(app.port, "Slow")
        await again.do("watch", table=code, after=past.version, chain=past.chain)

        assert past.version == again.of(code)[0].after
        assert all(one.version == later.after for one, later in pairwise(again.of(code)))
        assert ada.last(code).version == again.last(code).version
        await again.leave()


@pytest.mark.parametrize("junk", ["not json", "[]", '{"type":"join"}', "\x00", "{" * 500])
async def test_scenario_F6_whoever_talks_nonsense_leaves_no_ghost_and_stops_nobody(
    house: App, junk: str
) -> None:
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code = await ada.create(size=3)
        for guest in (bob, eve):
            await guest.join(code)
        for _ in range(10):
            await eve.say(junk)
        assert 4400 == await eve.closed()
        for guest in (ada, bob):
            await guest.do("ready", table=code, entropy=ENTROPY)
        assert isinstance(await ada.ask("start", table=code), Done)
        seats = view_of(ada.last(code)).seats

        assert ["Ada", "Bob", "Eve"] == [seat.name for seat in seats if seat]
        assert None is ada.socket.close_code


@pytest.mark.parametrize(
    ("name", "code"),
    [("x" * 25, 1008), ("x" * 65, 4401), ("x" * 4000, 4401), ("x" * 200_000, 1009)],
)
async def test_scenario_F7_a_name_without_end_comes_to_nothing(
    house: App, name: str, code: int
) -> None:
    guest = await Guest.connect(house.port)
    await guest.say({"type": "hello", "id": "h", "name": name})

    assert code == await guest.closed()
    assert name not in "".join(guest.frames)


HIDDEN_DOORS = (
    "/debug",
    "/admin",
    "/api/debug/reset-cpu-profiles",
    "/api/tables",
    "/docs",
    "/.env",
)


@pytest.mark.parametrize("path", HIDDEN_DOORS)
async def test_scenario_F7_there_is_no_door_for_the_builders(house: App, path: str) -> None:
    for method, hoped in (("GET", 404), ("POST", 405), ("DELETE", 405)):
        request = Request(f"http://127.0.0.1:{house.port}{path}", method=method)

        assert hoped == await asyncio.to_thread(_status, request)


def _status(request: Request) -> int:
    try:
        with urlopen(request, timeout=10) as answer:  # noqa: S310 - it is ours
            status: Any = answer.status
    except HTTPError as error:
        return error.code
    return int(status)
