"""What is to be done in a room in a while is done once, on either of the loops that a server runs on."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
import uvloop

from dormie_server.watching import Room


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_what_is_due_at_once_is_done_once_however_often_it_is_asked_for(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """A late line of talk that is due already is asked for again by the next one."""
    done = list[str]()

    async def story() -> None:
        room, over = Room(), asyncio.Event()

        def ring(what: str) -> None:
            done.append(what)
            over.set()

        for what in ("first", "second", "third"):
            room.soon("talk", -1.0, partial(ring, what))
        await over.wait()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(story())

    assert ["first"] == done
