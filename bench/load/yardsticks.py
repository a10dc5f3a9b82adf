"""What a table would cost if nothing happened at it: bare `websockets` servers to measure by.

`python -m bench.load.yardsticks broadcast|echo|dump [--bytes OUT]`; the first line says the port.

Settings of the line are those of a Dormie house: uvloop, no compression, pings. The first message of
a connection is the number of its table; each later one is a move.

- *broadcast*: one ready message of OUT bytes to everybody at the table.
- *echo*: the message itself, back to whoever sent it.
- *dump*: for every seat one dump of a validated view of its own, as a server in memory would naively do.
"""

import argparse
import asyncio
import gc
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress

import uvloop
from pydantic import BaseModel
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from dormie_protocol.messages import MAX_MESSAGE, SUBPROTOCOL

Room = set[ServerConnection]
Answer = Callable[[ServerConnection, Room, str | bytes], Awaitable[None]]

PING = 10.0
"""Seconds, as in a Dormie house."""


class Card(BaseModel):
    """A card in a grid, as the naive server keeps it."""

    rank: str
    suit: str
    shown: bool


class Naive(BaseModel):
    """The view of one seat, as the naive server keeps it: about 600 bytes as JSON."""

    type: str = "seen"
    seat: int
    turn: int
    deadline: float = 1767225660.0
    hand: Card | None = None
    totals: list[int] = [0, 0, 0, 0]
    cards: list[Card]


def ready(size: int) -> Answer:
    """To everybody at the table, the same bytes."""
    message = "y" * size

    async def answer(_socket: ServerConnection, room: Room, _text: str | bytes) -> None:
        broadcast(room, message)

    return answer


async def echo(socket: ServerConnection, _room: Room, text: str | bytes) -> None:
    """Back to whoever said it."""
    await socket.send(text)


async def dump(_socket: ServerConnection, room: Room, _text: str | bytes) -> None:
    """To everybody at the table a view of their own, validated and dumped."""
    card = {"rank": "7", "suit": "H", "shown": True}
    for seat, socket in enumerate(tuple(room)):
        view = {"seat": seat, "turn": 1, "hand": card, "cards": [card] * 12}
        await socket.send(Naive.model_validate(view).model_dump_json())


async def keep(answer: Answer, port: int = 0) -> None:
    """Serve until the process is told to stop."""
    rooms: dict[str | bytes, Room] = defaultdict(set)

    async def talk(socket: ServerConnection) -> None:
        table = await socket.recv()
        room = rooms[table]
        await socket.send("welcome")
        room.add(socket)
        with suppress(ConnectionClosed):
            async for text in socket:
                await answer(socket, room, text)
        room.discard(socket)

    server = await serve(
        talk,
        "127.0.0.1",
        port,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        max_size=MAX_MESSAGE,
        ping_interval=PING,
        ping_timeout=PING,
        server_header=None,
    )
    gc.collect()
    gc.freeze()  # as a Dormie house does
    sys.stdout.write(f"ready: http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/\n")
    sys.stdout.flush()
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load.yardsticks", description=__doc__)
    parser.add_argument("kind", choices=("broadcast", "echo", "dump"))
    parser.add_argument("--bytes", type=int, default=600, help="of a ready message (600)")
    asked = parser.parse_args()
    answers = {"broadcast": ready(asked.bytes), "echo": echo, "dump": dump}
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(keep(answers[asked.kind]))


if __name__ == "__main__":
    main()
