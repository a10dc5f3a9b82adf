"""The end of many connections at once: a word to everybody, and nobody is waited for without end."""

import asyncio
from collections.abc import Iterable

from websockets.protocol import State

from dormie_server.guard import GuardedConnection


async def close_all(
    connections: Iterable[GuardedConnection], code: int, reason: str, within: float
) -> None:
    """Say goodbye to everybody; who has not answered *within* so many seconds is cut off."""
    everybody = tuple(connections)
    goodbyes = [asyncio.ensure_future(_goodbye(one, code, reason)) for one in everybody]
    if goodbyes:
        await asyncio.wait(goodbyes, timeout=within)
    for one in everybody:
        one.cut("unanswered")
    await asyncio.gather(*goodbyes)


async def _goodbye(connection: GuardedConnection, code: int, reason: str) -> None:
    if connection.state is State.OPEN:
        await connection.close(code, reason)
    await connection.wait_closed()
