"""Whoever asks and hangs up in the same breath is not counted for ever, and is no reason for a traceback."""

import asyncio
import logging
import socket
import struct
from collections.abc import Callable

import pytest
import uvloop

from tests.serving import serving
from tests.waiting import until
from tests.wire import Place, request

Factory = Callable[[], asyncio.AbstractEventLoop]
AT_ONCE = 50
_RESET = struct.pack("ii", 1, 0)
"""Hang up without a goodbye, as a phone that has lost its network does."""
LOOPS = [asyncio.new_event_loop, uvloop.new_event_loop]


def knock(port: int, lines: str, *, reset: bool) -> None:
    """Ask to play, and hang up before the house has had a moment to look."""
    with socket.socket() as line:
        line.connect(("127.0.0.1", port))
        line.sendall(request(Place("127.0.0.1", port), lines=lines))
        if reset:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)


async def visit(lines: str, *, reset: bool) -> int:
    """Let many knock through a proxy that is believed; returns how many the house still counts."""
    async with serving(trusted_proxies="127.0.0.0/8") as app:
        for _ in range(AT_ONCE):
            knock(app.port, lines, reset=reset)
        await asyncio.sleep(0.05)
        await until(lambda: not app.reception.line.alive)
        return len(app.reception.line.sockets)


@pytest.mark.parametrize("loop", LOOPS)
def test_whoever_hangs_up_at_once_behind_a_proxy_is_counted_no_longer(loop: Factory) -> None:
    """Counted for ever, a hundred of them would lock their address out."""
    with asyncio.Runner(loop_factory=loop) as runner:
        left = runner.run(visit("X-Forwarded-For: 192.0.2.7\r\n", reset=False))

    assert 0 == left


@pytest.mark.parametrize("loop", LOOPS)
def test_whoever_is_gone_at_once_leaves_no_traceback(
    loop: Factory, caplog: pytest.LogCaptureFixture
) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(visit("", reset=True))

    assert [] == [one for one in caplog.records if one.levelno >= logging.WARNING]
