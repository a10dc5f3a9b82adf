"""A server that does not remember what it told: the store was restored, or lost its power."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dormie_client import RefusedError
from dormie_protocol.messages import Done, Play
from dormie_rules.grid_moves import Draw
from tests.clients.fake_server import CODE, SOON, FakeServer, meet, seat, sight, soon


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


async def test_a_server_that_lost_its_memory_replaces_everything(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    listening = aiter(table.updates())
    await peer.say(sight(3, 9, count=2))
    await table.until(lambda t: t.version >= 9, within=SOON)
    playing = asyncio.create_task(table.play(Draw()))
    await peer.hear(Play)
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    await again.show(sight(0, 5, rolled_back=True), version=5)
    with pytest.raises(RefusedError) as refused:
        await soon(playing)
    heard = [await anext(listening) for _ in range(3)]
    await again.hears_nothing()
    await session.close()

    assert "stale" == refused.value.word, "it was chosen on a view that never was"
    assert [(3, False), (9, False), (5, True)] == [(s.version, s.rolled_back) for s in heard]
    assert (5, "0005") == (table.version, table.chain)


async def test_what_an_answer_told_of_and_was_not_seen_is_named_until_a_rollback(
    server: FakeServer,
) -> None:
    """A server restored to exactly the version that was seen could not know otherwise."""
    session, peer = await meet(server)
    table = await seat(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    asked = await peer.hear(Play)
    await peer.say(Done(re=asked.id, table=CODE, version=4, chain="0a4a"))
    await peer.hears_nothing()
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    first = await again.show(sight(0, 3, rolled_back=True), version=3)
    await soon(playing)
    await again.cut()
    once_more = await server.peer()
    await once_more.welcome()
    second = await once_more.show(sight(3, 3), version=3)
    await session.close()

    assert (3, 4, "0a4a") == (first.after, first.told, first.told_chain)
    assert (3, 0, "") == (second.after, second.told, second.told_chain)


async def test_the_same_number_for_another_story_is_asked_about(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(sight(2, 3, chain="ffff"))
    await peer.show(sight(0, 3, chain="ffff", rolled_back=True), version=3)
    await table.until(lambda t: t.chain == "ffff", within=SOON)
    await session.close()
