"""Peers for a small house: friends who listen, and peers that are stuck."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from dormie_protocol.messages import SUBPROTOCOL
from dormie_server.guard import GuardedConnection, frame
from tests.server.small_house import SmallHouse
from tests.waiting import until
from tests.wire import Place, Wire

PAGE = frame(b"x" * 4096)


async def stay(connection: GuardedConnection) -> None:
    """Listen, and say nothing; with a system buffer so small that it fills up at once."""
    line = connection.transport.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    await connection.wait_closed()


@asynccontextmanager
async def friend(house: SmallHouse) -> AsyncIterator[ClientConnection]:
    """A peer that listens."""
    address = f"ws://127.0.0.1:{house.port}/ws"
    async with connect(address, subprotocols=[Subprotocol(SUBPROTOCOL)]) as client:
        yield client


async def stuck(house: SmallHouse) -> tuple[Wire, GuardedConnection]:
    """A peer that greets and then never reads, and the server's end of it."""
    before = set(house.made.alive)
    wire = await asyncio.to_thread(Wire, Place("127.0.0.1", house.port), small=True)
    await asyncio.to_thread(wire.greet)
    (theirs,) = house.made.alive - before
    return wire, theirs


async def ours(house: SmallHouse, client: ClientConnection) -> GuardedConnection:
    """The server's end of *client*."""
    await until(lambda: any(one.remote_address == client.local_address for one in house.made.alive))
    return next(one for one in house.made.alive if one.remote_address == client.local_address)


async def fill(connection: GuardedConnection) -> None:
    """Write until the other side takes no more, but not more than may wait for it."""
    for _ in range(10_000):
        if connection.paused:
            return
        connection.write_frame(PAGE)
        await asyncio.sleep(0)
    pytest.fail("the peer takes everything")


def within(seconds: float, began: float) -> bool:
    return time.monotonic() - began <= seconds
