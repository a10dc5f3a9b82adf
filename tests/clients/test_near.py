"""The people of one table say where they are going, so that a proxy can bring them to one server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dormie_client import Dormie
from dormie_protocol.messages import NEAR, SUBPROTOCOL, Create, Watch
from tests.clients.fake_server import FakePace, FakeServer, Peer, meet, soon
from tests.serving import serving, url_of


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


def near(peer: Peer) -> str:
    """The letter with which somebody has come."""
    assert peer.socket.request is not None
    said = peer.socket.request.headers["Sec-WebSocket-Protocol"].split(", ")
    assert SUBPROTOCOL == said[0]
    assert said[1].startswith(NEAR)
    return said[1].removeprefix(NEAR)


async def test_whoever_goes_to_a_table_says_the_last_letter_of_its_code(server: FakeServer) -> None:
    session, peer = await meet(server, code=" partee2k ")
    await session.close()

    assert "K" == near(peer)


async def test_whoever_has_come_to_a_table_comes_back_to_where_its_people_are(
    server: FakeServer,
) -> None:
    session, peer = await meet(server, FakePace().pace(), code="PARTEE2K")
    watching = asyncio.create_task(session.watch("PARTEE2X"))
    await peer.hear(Watch)
    await peer.cut()
    again = await server.peer()
    watching.cancel()
    await session.close()

    assert ("K", "X") == (near(peer), near(again))


@pytest.mark.parametrize("shared", [True, False])
async def test_a_new_table_is_where_its_host_is_in_a_house_that_asks_for_it(
    server: FakeServer,
    shared: bool,  # noqa: FBT001 - pytest names it
) -> None:
    pace = FakePace().pace()
    connecting = asyncio.create_task(Dormie.connect(server.url, pace=pace, code="PARTEE2K"))
    peer = await server.peer()
    await peer.welcome(near=shared)
    session = await soon(connecting)
    session.comes_to("PARTEE2X")
    creating = asyncio.create_task(session.create())
    wish = await peer.hear(Create)
    creating.cancel()
    await session.close()

    assert ("K" if shared else None) == wish.near


async def test_a_house_opens_a_table_whose_code_ends_as_it_was_asked() -> None:
    async with serving() as app:
        app.reception.near = True
        async with await Dormie.connect(url_of(app), code="PARTEE2K") as session:
            table = await session.create()

    assert "K" == table.code[-1]


async def test_a_house_of_one_server_asks_nobody_where_they_are(tmp_path: Path) -> None:
    async with (
        serving(data=f"{tmp_path}/dormie.db") as app,
        await Dormie.connect(url_of(app)) as one,
    ):
        assert one.near is None
