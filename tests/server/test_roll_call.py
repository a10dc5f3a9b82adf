"""Servers that share a store: who starts disturbs nobody, and whoever a dead one served is marked."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from dormie_server import documents
from dormie_server.keeper import table_key
from dormie_server.roll_call import LAPSE, LEAVING, RETRY, WELL, RollCall, server_key
from tests.server.backstage import CODE, Backstage, backstage
from tests.server.turns import TWO
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore
from tests.simulator.loop import VirtualLoop

SOON = 12.0
"""A round for alarms, and once the hold of a key that was given to a server that was not well."""


@dataclass
class Server:
    """One server, as far as the roll call goes."""

    house: Backstage
    store: FarStore
    roll: RollCall
    called_gone: list[str] = field(default_factory=list)

    async def die(self) -> None:
        """No more signs of life, and nothing else."""
        task = self.roll._beating  # noqa: SLF001 - it is what dies
        assert task is not None, "it lives"
        task.cancel()
        await self.house.alarms.stop()

    async def here(self) -> list[bool]:
        """Who is at the table."""
        found = await self.store.get(table_key(CODE))
        assert found is not None, "it is open"
        table = documents.read_table(found.body).table.public
        return [seat.here for seat in table.seats if seat is not None]


Story = Callable[[Server, Server], Awaitable[None]]


def run(story: Story) -> None:
    """Play a story in no time, with two servers."""

    async def played() -> None:
        cupboard = Cupboard(asyncio.get_running_loop().time)
        async with server(cupboard, "one") as one, server(cupboard, "two") as two:
            await one.house.open(*TWO)
            await two.house.attach("p-bob")
            await story(one, two)

    VirtualLoop.begin().run(played())


@asynccontextmanager
async def server(cupboard: Cupboard, name: str) -> AsyncIterator[Server]:
    async with AsyncExitStack() as stack:
        store = FarStore(cupboard)
        house = await stack.enter_async_context(backstage(store, name))
        gone: list[str] = []
        roll = RollCall(store, house.keeper, name, gone.append)
        house.alarms.elsewhere = roll.ring
        await roll.begin()
        stack.push_async_callback(roll.stop)
        yield Server(house, store, roll, gone)


def test_scenario_E9_a_server_that_starts_or_lives_on_changes_nobody_s_table() -> None:
    async def story(one: Server, two: Server) -> None:
        before = (await one.house.table()).version
        async with server(one.store.cupboard, "three"):
            await asyncio.sleep(20 * LAPSE)

            assert before == (await two.house.table()).version
            assert [True, True] == await one.here()

    run(story)


def test_scenario_E9_whoever_a_dead_server_served_has_dropped_and_nobody_else() -> None:
    async def story(one: Server, two: Server) -> None:
        version = (await one.house.table()).version
        await asyncio.sleep(WELL)
        await one.die()
        await asyncio.sleep(LAPSE + SOON)

        assert [False, True] == await two.here()
        assert version + 1 == (await two.house.table()).version, "it is said once"
        assert await two.store.get(server_key("one")) is None
        assert await two.store.get(server_key("two")) is not None

    run(story)


def test_of_three_servers_two_live_on_and_one_of_them_says_it() -> None:
    async def story(one: Server, two: Server) -> None:
        async with server(one.store.cupboard, "three") as three:
            version = (await one.house.table()).version
            await asyncio.sleep(WELL)
            await two.die()
            await asyncio.sleep(LAPSE + SOON)

            assert [True, False] == await three.here()
            assert version + 1 == (await three.house.table()).version

    run(story)


def test_all_servers_may_die_and_the_next_one_says_who_has_dropped() -> None:
    async def story(one: Server, two: Server) -> None:
        await one.die()
        await two.die()
        await asyncio.sleep(300)
        async with server(one.store.cupboard, "three") as three:
            await asyncio.sleep(WELL + 2 * SOON)

            assert [False, False] == await three.here()

    run(story)


def test_nobody_is_gone_because_the_store_was_away() -> None:
    """Nobody could say anything for a minute: that is no reason to call each other dead."""

    async def story(one: Server, two: Server) -> None:
        before = (await one.house.table()).version
        await asyncio.sleep(60)
        for each in (one, two):
            each.store.way.away = True
        await asyncio.sleep(60)
        for each in (two, one):
            each.store.way.away = False
        await asyncio.sleep(60)

        assert before == (await two.house.table()).version
        assert ([], []) == (one.called_gone, two.called_gone)

    run(story)


def test_a_server_that_alone_was_cut_off_finds_that_it_was_called_gone() -> None:
    async def story(one: Server, two: Server) -> None:
        await asyncio.sleep(WELL)
        one.store.way.away = True
        await asyncio.sleep(LAPSE + SOON)
        marked = await two.here()
        one.store.way.away = False
        await asyncio.sleep(LAPSE)

        assert [False, True] == marked
        assert ([one.roll.name], []) == (one.called_gone, two.called_gone)
        assert await two.store.get(server_key(one.roll.name)) is not None
        assert await two.store.get(server_key("one")) is None
        await one.house.keeper.table(CODE, 99)
        await one.house.attach("p-ada")
        await asyncio.sleep(LAPSE + SOON)

        assert [True, True] == await two.here()

    run(story)


def test_a_server_that_leaves_says_so_and_its_players_have_a_moment_to_come_back_elsewhere() -> (
    None
):
    async def story(one: Server, two: Server) -> None:
        await asyncio.sleep(WELL)
        await one.house.alarms.stop()
        await one.roll.stop()
        await asyncio.sleep(LEAVING - 1)
        at_first = await two.here()
        await asyncio.sleep(SOON)

        assert ([True, True], [False, True]) == (at_first, await two.here())

    run(story)


def test_whoever_came_back_on_another_server_was_never_away() -> None:
    async def story(one: Server, two: Server) -> None:
        await asyncio.sleep(WELL)
        await one.roll.stop()
        await two.house.attach("p-ada")
        version = (await two.house.table()).version
        await asyncio.sleep(2 * LAPSE)

        assert (version, [True, True]) == ((await two.house.table()).version, await two.here())

    run(story)


def test_if_whoever_marks_the_seats_dies_over_it_another_one_goes_on() -> None:
    async def story(one: Server, two: Server) -> None:
        async with server(one.store.cupboard, "three") as three:
            await asyncio.sleep(WELL)
            await one.die()
            store = three.store
            found = await store.get(server_key("one"))
            assert found is not None
            now = await store.now()
            await store.put(server_key("one"), b"gone", found.version, alarm=now + RETRY)
            await asyncio.sleep(RETRY - 1)
            not_yet = await two.here()
            await asyncio.sleep(SOON)

            assert ([True, True], [False, True]) == (not_yet, await two.here())

    run(story)
