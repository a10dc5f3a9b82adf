"""The smallest server that stands on the parts of the shell: it says back what it hears.

In a process of its own it prints its port: `python -m tests.server.small_house`.
"""

import argparse
import asyncio
import json
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from dormie_protocol.messages import MAX_MESSAGE, SUBPROTOCOL
from dormie_server import logs
from dormie_server.addresses import Network
from dormie_server.assets import Asset
from dormie_server.guard import GuardedConnection, guarded
from dormie_server.limits import Limits, Misses, Strikes
from dormie_server.metrics import Metrics
from dormie_server.web import Access, House, Web

Handler = Callable[[GuardedConnection], Awaitable[None]]


@dataclass
class Cuts:
    """Counts why connections were given up."""

    reasons: Counter[str] = field(default_factory=Counter)

    def cut(self, reason: str) -> None:
        self.reasons[reason] += 1


@dataclass
class SmallHouse:
    port: int
    made: type[GuardedConnection]
    cuts: Cuts
    misses: Misses


@dataclass(frozen=True)
class Wishes:
    """How a test wants its house."""

    limits: Limits = field(default_factory=Limits)
    handshake_seconds: float = 5
    ping_seconds: float | None = 10
    close_seconds: float = 2
    origins: tuple[str, ...] = ()
    trusted: tuple[Network, ...] = ()
    records: dict[str, str] = field(default_factory=dict)
    well: Callable[[], Awaitable[bool]] | None = None
    assets: dict[str, Asset] | None = None
    draining: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = monotonic


async def say_back(connection: GuardedConnection) -> None:
    """Hello first; ten messages that are none are too many; the rest is said back."""
    strikes = Strikes(connection.limits.strikes)
    greeted = False
    async for text in connection:
        kind = _kind(text)
        if not greeted and kind != "hello":
            await connection.close(4401, "hello first")
        elif kind is None and strikes.out(monotonic()):
            await connection.close(4400, "too many unreadable messages")
        greeted = greeted or kind == "hello"
        connection.write_text(text.encode() if isinstance(text, str) else text)


def _kind(text: str | bytes) -> str | None:
    try:
        kind = json.loads(text)["type"]
    except (ValueError, LookupError, TypeError):
        return None
    return kind if isinstance(kind, str) else None


@asynccontextmanager
async def small_house(
    wishes: Wishes | None = None, handler: Handler = say_back, metrics: Metrics | None = None
) -> AsyncIterator[SmallHouse]:
    wishes = wishes or Wishes()
    cuts, metrics = Cuts(), metrics or Metrics()
    made = guarded(wishes.limits, cuts, trusted=wishes.trusted)
    limits = wishes.limits
    misses = Misses(limits.code_misses_per_address, limits.remembered, limits.code_misses)
    web = Web(
        _house(wishes, metrics), Access(wishes.origins, wishes.trusted), misses, wishes.assets
    )

    async def handle(connection: ServerConnection) -> None:
        assert isinstance(connection, GuardedConnection), "serve was told what to make"
        with suppress(ConnectionClosed):  # gone, as connections go
            await handler(connection)

    server = await serve(
        handle,
        "127.0.0.1",
        0,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        process_request=web.process_request,
        process_response=web.process_response,
        server_header=None,
        open_timeout=wishes.handshake_seconds,
        ping_interval=wishes.ping_seconds,
        ping_timeout=wishes.ping_seconds,
        close_timeout=wishes.close_seconds,
        max_size=MAX_MESSAGE,
        create_connection=made,
    )
    port: int = next(iter(server.sockets)).getsockname()[1]
    try:
        yield SmallHouse(port, made, cuts, misses)
    finally:
        server.close(close_connections=False)
        for connection in tuple(made.alive):
            connection.cut("the end of the test")
        await server.wait_closed()


def _house(wishes: Wishes, metrics: Metrics) -> House:
    async def well() -> bool:
        return wishes.well is None or await wishes.well()

    async def record(name: str) -> str | None:
        return wishes.records.get(name)

    return House(well, wishes.draining, metrics.render, record, wishes.clock)


async def main(handshake_seconds: float) -> None:
    logs.set_up("info", "json")
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with small_house(Wishes(handshake_seconds=handshake_seconds)) as house:
        sys.stdout.write(f"{house.port}\n")
        sys.stdout.flush()
        await stop.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--handshake-seconds", type=float, default=5)
    parser.add_argument("--uvloop", action="store_true")
    asked = parser.parse_args()
    factory = None
    if asked.uvloop:
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(main(asked.handshake_seconds))
