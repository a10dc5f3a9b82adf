"""Two servers on one Redis, over real sockets: nobody can tell which of them they are on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise

import pytest

from dormie_protocol.messages import Done, LobbySeen, Refused
from dormie_protocol.people_messages import Said
from dormie_rules.grid_moves import Flip
from dormie_rules.replay import verify
from dormie_server.app import App
from dormie_server.records import find_record
from dormie_server.redis_store import RedisStore
from dormie_server.table.state import seat_of
from dormie_server.table_shelves import OPEN_TABLES
from tests.redis_server import RedisServer
from tests.scenarios.tables import begin, reach, view_of
from tests.server.guest import Guest, guests, play_alone
from tests.serving import QUICK, serving

Both = tuple[App, App]


MANY = {**QUICK["limits"], "code_misses": 10_000, "code_misses_per_address": 10_000}  # type: ignore[dict-item]  # they are limits
"""Fifty who are told that there is no such table have missed fifty times."""


@pytest.fixture
async def both(redis: RedisServer) -> AsyncIterator[Both]:
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(serving(store=redis.url, limits=MANY))
        there = await stack.enter_async_context(serving(store=redis.url, limits=MANY))
        yield here, there


@pytest.fixture
async def split(both: Both) -> AsyncIterator[tuple[Guest, Guest]]:
    """Ada on one server and Bob on the other."""
    ada, bob = await Guest.come(both[0].port, "Ada"), await Guest.come(both[1].port, "Bob")
    yield ada, bob
    await ada.leave()
    await bob.leave()


async def test_scenario_E8_on_a_redis_players_on_two_servers_play_a_whole_match(
    both: Both, split: tuple[Guest, Guest]
) -> None:
    ada, bob = split
    code = await ada.create()
    await bob.join(code)
    async with asyncio.timeout(60):
        await asyncio.gather(*(play_alone(guest, code) for guest in split))
        while (record := await find_record(both[1].store, f"{code}-1")) is None:
            await asyncio.sleep(0.01)
    last = max(guest.last(code).version for guest in split)
    for guest in split:
        await reach(guest, code, lambda seen: seen.version >= last)

        assert all(one.version == later.after for one, later in pairwise(guest.of(code)))
    assert view_of(ada.last(code)) == view_of(bob.last(code))
    assert verify(record).ok


async def test_scenario_C3_of_fifty_who_join_one_seat_on_two_servers_one_sits(both: Both) -> None:
    """A hundred times of it, between processes, are in bench/crowded.py."""
    crowd = await asyncio.gather(*(Guest.come(both[n % 2].port, f"P{n}") for n in range(50)))
    for number in range(3):
        host = crowd[number]
        code = await host.create(size=2)
        others = [one for one in crowd if one is not host]
        answers = await asyncio.gather(*(one.ask("join", table=code) for one in others))
        kept = await both[0].keeper.table(code, 3)
        assert kept is not None
        seated = [one for one in others if seat_of(kept.table, one.player) is not None]

        assert 1 == sum(isinstance(answer, Done) for answer in answers)
        assert {"no_table"} == {answer.word for answer in answers if isinstance(answer, Refused)}
        assert 1 == len(seated)
    await asyncio.gather(*(one.leave() for one in crowd))


async def test_scenario_E3_and_scenario_E11_what_is_listed_on_one_server_is_listed_on_all(
    split: tuple[Guest, Guest],
) -> None:
    ada, bob = split
    code = await ada.create(listed=True)
    listed = [await seen_in_lobby(guest) for guest in split]
    await ada.do("end", table=code)

    assert [{code}, {code}] == listed
    assert [set(), set()] == [await seen_in_lobby(guest) for guest in split]
    assert "no_table" == await bob.refused("join", table=code)


async def seen_in_lobby(guest: Guest) -> set[str]:
    done = await guest.do("lobby")
    seen = await guest.hear(LobbySeen, lambda one: one.re == done.re)
    return {card.table for card in seen.tables}


async def test_two_who_want_a_quick_match_on_two_servers_meet(split: tuple[Guest, Guest]) -> None:
    first, second = [await guest.do("quick", size=2) for guest in split]

    assert first.table == second.table
    assert (0, 1) == (first.seat, second.seat)


async def test_people_on_two_servers_hear_each_other_talk(split: tuple[Guest, Guest]) -> None:
    ada, bob = split
    code = await begin(ada, bob)
    await ada.do("say", table=code, text="Well played!")
    said = await bob.hear(Said, lambda one: one.text == "Well played!")

    assert code == said.table


async def test_a_rolling_restart_drops_nobody_and_play_goes_on(redis: RedisServer) -> None:
    """One server after the other goes, a new one comes first; nobody's table hears of it."""
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(serving(store=redis.url))
        ada, bob = await Guest.come(house.port, "Ada"), await Guest.come(house.port, "Bob")
        code, tokens = await begin(ada, bob), (ada.token, bob.token)
        await ada.play(code, Flip(0))
        for number in range(1, 4):
            new = await stack.enter_async_context(serving(store=redis.url))
            await house.close()
            again = [await Guest.come(new.port, token=token) for token in tokens]
            for guest in again:
                await guest.do("watch", table=code)
            assert isinstance(await again[number % 2].play(code, Flip(number)), Done)
            house, (ada, bob) = new, again
        notes = await house.store.notes(f"table:{code}")
        for guest in (ada, bob):
            await guest.leave()

    assert not any(b"dropped" in note.body for note in notes)


async def test_a_server_that_starts_and_one_that_stops_change_nobodys_table(
    redis: RedisServer,
) -> None:
    """Not a word of it is kept, nor told."""
    async with serving(store=redis.url) as house, guests(house.port, "Ada", "Bob") as people:
        code = await begin(*people)
        await people[0].play(code, Flip(0))
        for guest in people:
            await reach(guest, code, lambda seen: seen.version >= people[0].last(code).version)
        before = await house.store.get(f"table:{code}"), [list(one.frames) for one in people]
        for _ in range(2):
            async with serving(store=redis.url) as other:
                assert code in (await Guest.come(other.port, token=people[1].token)).welcome.tables
        after = await house.store.get(f"table:{code}"), [list(one.frames) for one in people]

        assert before == after


async def test_a_seat_taken_over_on_another_server_is_lost_here(both: Both) -> None:
    async with guests(both[0].port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        other = await Guest.come(both[1].port, token=ada.token)
        await other.do("watch", table=code)

        assert "replaced" == await ada.refused("play", table=code, count=1, move=Flip(0))
        assert isinstance(await other.play(code, Flip(0)), Done)
        await other.leave()


async def test_nasty_C09_an_emptied_redis_is_said_and_harms_nobody_after_it(
    both: Both, split: tuple[Guest, Guest], redis: RedisServer
) -> None:
    ada, bob = split
    code = await begin(ada, bob)
    redis.empty()

    assert await ada.refused("play", table=code, count=1, move=Flip(0)) == "no_table"
    assert "no_table" == await bob.refused("watch", table=code)
    new = await Guest.come(both[0].port, "Eve")
    other = await Guest.come(both[1].port, "Dan")
    assert await begin(new, other)
    await asyncio.gather(new.leave(), other.leave())


async def test_tables_that_are_closed_leave_nothing_but_people_and_records(both: Both) -> None:
    store = both[0].store
    assert isinstance(store, RedisStore)
    async with guests(both[0].port, "Ada") as (ada,):
        for _ in range(5):
            await ada.do("end", table=await ada.create(listed=True))

        assert {} == await store.on(OPEN_TABLES)
    names = [name.decode() for name in await store.line.ask("KEYS", "*")]
    lives = [int(await store.line.ask("PTTL", name)) for name in names if "format" not in name]

    assert [] == [name for name in names if "}:s:tables" in name or "}:s:lobby" in name]
    assert [] == [name for name in names if "}:s:seats" in name]
    assert all(left > 0 for left in lives), "every key has a lifetime"
