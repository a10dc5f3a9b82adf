"""Who is there, over real sockets: a blip is nothing, a drop is told once, and a seat has one player."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from dormie_protocol.messages import Done, Refused, Replaced, Welcome
from dormie_protocol.table_view import BecameReady, Dropped, Joined, Returned
from dormie_rules.grid_events import Flipped
from dormie_rules.grid_moves import Flip
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Asked, Join, Leave
from tests.server.guest import ENTROPY, Guest, guests
from tests.server.moody_store import MoodyStore
from tests.serving import serving
from tests.waiting import until
from tests.wire import HELLO, TEXT, Place, Wire, framed


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


def told(guest: Guest, kind: type[object], code: str) -> int:
    return sum(isinstance(h.all, kind) for seen in guest.of(code) for h in seen.events)


# ------------------------------------------------------------------- one seat, one player


async def test_nasty_P08_the_newest_connection_plays_the_seat(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        for guest in (ada, bob):
            await guest.do("ready", table=code, entropy=ENTROPY)
        await ada.see(code, lambda seen: bool(seen.moves))
        phone = await Guest.come(house.port, token=ada.token)
        await phone.do("watch", table=code)
        await ada.hear(Replaced)
        silent = len(ada.of(code))

        assert isinstance(answer := await ada.play(code, Flip(0)), Refused)
        assert "replaced" == answer.word
        assert isinstance(await phone.play(code, Flip(0)), Done)
        await bob.see(code, lambda seen: any(isinstance(h.all, Flipped) for h in seen.events))
        assert silent == len(ada.of(code))
        assert 1 == Counter(map(type, ada.heard))[Replaced]
        await ada.leave()
        await phone.do("ready", table=code)
        assert 0 == told(bob, Dropped, code)
        await phone.leave()


async def test_scenario_C3_fifty_at_one_seat_and_scenario_C4_all_are_different_people(
    house: App,
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()
        crowd = await asyncio.gather(*(Guest.come(house.port, "Crowd") for _ in range(50)))
        got = await asyncio.gather(*(one.ask("join", table=code) for one in crowd))

        assert 1 == sum(isinstance(answer, Done) for answer in got)
        assert 50 == len({one.token for one in crowd}) == len({one.player for one in crowd})
        await ada.see(code, lambda seen: any(isinstance(h.all, Joined) for h in seen.events))
        await asyncio.gather(*(one.leave() for one in crowd))


# ----------------------------------------------------------------------- here and away


async def test_scenario_A15_whoever_is_back_at_once_was_never_away(house: App) -> None:
    house.reception.drop_grace = 60.0
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await bob.create()
        await ada.join(code)
        device = ada
        for _ in range(3):
            await device.vanish()
            device = await Guest.come(house.port, token=ada.token)
            await device.do("watch", table=code)
        await device.do("ready", table=code)
        await bob.see(code, lambda seen: any(isinstance(h.all, BecameReady) for h in seen.events))

        assert (0, 0) == (told(bob, Dropped, code), told(bob, Returned, code))
        await device.leave()


async def test_whoever_is_away_for_longer_has_dropped_once_and_returned_once(house: App) -> None:
    house.reception.drop_grace = 0.01
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await bob.create()
        await ada.join(code)
        await ada.vanish()
        await bob.see(code, lambda seen: any(isinstance(h.all, Dropped) for h in seen.events))
        again = await Guest.come(house.port, token=ada.token)
        await again.do("watch", table=code)
        await bob.see(code, lambda seen: any(isinstance(h.all, Returned) for h in seen.events))

        assert (1, 1) == (told(bob, Dropped, code), told(bob, Returned, code))
        await again.leave()


async def test_whoever_leaves_while_the_store_is_away_is_missed_afterwards() -> None:
    store = MoodyStore(SqliteStore(":memory:"))
    async with serving({"store": store}) as app, guests(app.port, "Ada", "Bob") as (ada, bob):
        app.reception.drop_grace = 0.01
        code = await bob.create()
        await ada.join(code)
        store.refusing_puts = True
        await ada.vanish()
        await until(lambda: len(app.reception.open) == 1)
        assert "store_unavailable" == await bob.refused("ready", table=code)
        store.refusing_puts = False

        await bob.see(code, lambda seen: any(isinstance(h.all, Dropped) for h in seen.events))


async def test_nasty_L06_four_hundred_come_back_at_the_same_instant(house: App) -> None:
    """Every one of them resumes where it was, and no one is kept waiting for long."""
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create(size=2)
        first = ada.last(code)
        await ada.do("ready", table=code)

        async def come_back() -> Welcome:
            guest = await Guest.come(house.port, "Crowd")
            await guest.do("watch", table=code, after=first.version, chain=first.chain)
            assert guest.last(code).replay
            await guest.leave()
            return guest.welcome

        async with asyncio.timeout(20):
            back = await asyncio.gather(*(come_back() for _ in range(400)))

    assert 400 == len(back)


async def test_whoever_was_away_for_long_is_told_everything_at_the_pace_of_the_line() -> None:
    """More was missed than may wait for one connection, and the line takes it slowly."""
    limits = {"buffered_bytes": 64 * 1024}
    async with serving(limits=limits) as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create()
        first = ada.last(code)
        for number in range(700):
            await app.keeper.do(code, Asked("p-bob", f"j{number}", Join("Bob the long-winded one")))
            await app.keeper.do(code, Asked("p-bob", f"l{number}", Leave()))
        eve = await Guest.come(app.port, "Eve")
        for theirs in app.reception.open:
            line = theirs.transport.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        await eve.do("watch", table=code, after=first.version, chain=first.chain)
        seen = eve.of(code)

        assert 1400 == sum(len(one.events) for one in seen) > 2 * len(seen)
        assert first.version == seen[0].after
        assert all(before.version == after.after for before, after in pairwise(seen))
        assert seen[-1].view is not None
        await eve.leave()


async def test_nasty_L02_a_watcher_who_never_reads_is_cut_and_the_others_see_everything() -> None:
    limits = {"buffered_bytes": 16 * 1024, "stalled_seconds": 0.2, "messages_at_once": 1000}
    async with serving(limits=limits) as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create()
        wire = await asyncio.to_thread(Wire, Place("127.0.0.1", app.port), small=True)
        await asyncio.to_thread(wire.greet, more=framed(TEXT, HELLO))
        await until(lambda: len(app.reception.open) == 2)
        (stuck,) = [one for one in app.reception.open if one.remote_address != ada.address]
        stuck.transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDBUF, 4096
        )
        watch = f'{{"type":"watch","id":"w","table":"{code}"}}'
        await asyncio.to_thread(wire.say, framed(TEXT, watch.encode()))
        others = [await Guest.come(app.port, f"P{number}") for number in range(20)]
        for other in others:
            await other.do("watch", table=code)
        for _ in range(40):
            await ada.do("bot", table=code, level="random")
            await ada.do("bot", table=code, level=None, seat=1)
        await until(lambda: stuck not in app.reception.open)
        version = ada.last(code).version
        for other in others:
            await other.see(code, lambda seen: seen.version >= version)
            assert all(a.version == b.after for a, b in pairwise(other.of(code)))
            await other.leave()
        wire.line.close()

        assert stuck.was_cut in ("overflow", "stalled")
