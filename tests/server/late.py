"""A house in virtual time, whose spectators see everything later."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from dormie_protocol.messages import Seen, ServerMessage
from dormie_protocol.spectators import Spectators
from dormie_server.table.commands import Join
from tests.server.backstage import CODE, PATIENT, Backstage, Ear, backstage, opening_of
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore
from tests.simulator.loop import VirtualLoop

DELAY = 60
TWO = ("p-ada", "p-bob")

Story = Callable[[Backstage], Awaitable[None]]


def told(story: Story) -> None:
    """Run a story in a house whose time goes only when everybody waits."""
    loop = VirtualLoop.begin(1_000_000.0)

    async def whole() -> None:
        store = FarStore(Cupboard(loop.time))
        async with backstage(store) as house:
            await story(house)
        await store.close()

    loop.run(whole())


async def open_late(
    house: Backstage, delay: int = DELAY, size: int = 2, *, undo: bool = False, **switches: object
) -> list[Ear]:
    """A table of two with a delay, both of whom watch; nothing is dealt yet."""
    spectators = Spectators(delay=delay, **switches)  # type: ignore[arg-type]  # the tests choose well
    chosen: dict[str, Any] = {
        "turn_seconds": 3600.0,
        "options": {"holes": 9},
        "spectators": spectators,
    }
    opening = opening_of(TWO[0], CODE, size, **chosen)
    await house.keeper.open(opening, PATIENT)
    await house.ask(TWO[1], Join("Bob"))
    ears = [Ear(player) for player in TWO]
    for ear in ears:
        await house.hub.watch(ear, CODE, 0, "")
    return ears


async def moves(house: Backstage, count: int, seconds: float = 1.0) -> None:
    """Let so many moves be made, one every so many seconds."""
    for _ in range(count):
        move = await house.next_move()
        assert move is not None, "the match is not over so soon"
        await house.keeper.do(CODE, move)
        await asyncio.sleep(seconds)


def seen_at(ear: Ear, clock: Callable[[], float]) -> list[tuple[float, ServerMessage]]:
    """Remember from now on when a peer was told what."""
    log: list[tuple[float, ServerMessage]] = []
    push = ear.push

    def listen(text: bytes) -> None:
        push(text)
        if ear.frames and ear.frames[-1] == text:
            log.append((clock(), ear.heard[-1]))

    ear.push = listen  # type: ignore[method-assign]  # an ear that writes down the time
    return log


def views(log: list[tuple[float, ServerMessage]]) -> dict[int, tuple[float, Seen]]:
    """For each version when it was seen, and what was seen."""
    return {one.version: (at, one) for at, one in log if isinstance(one, Seen)}
