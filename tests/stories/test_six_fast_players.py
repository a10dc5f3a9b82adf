"""Six players of one race, each moving as fast as the line lets them: no move is lost, and none is made twice."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random

from dormie_client import Dormie, Pace, Table
from dormie_rules.patience_moves import Concede, GiveUp, write_patience_move
from dormie_rules.replay import verify
from tests.redis_server import RedisServer
from tests.serving import fetch, serving, url_of

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
SEATS = 6
Made = dict[int, list[str]]


async def play_on(table: Table, luck: Random, made: Made) -> None:
    """Play to the end of the match, and write down what was acknowledged; whatever is refused is raised."""
    async for _ in table.updates():
        assert table.seat is not None, "whoever plays has a seat"
        if table.view.phase == "over":
            return
        if table.awaits_ready():
            await table.ready()
        moves = [m for m in table.moves if not isinstance(m, GiveUp | Concede)]
        if table.my_turn() and moves:
            move = luck.choice(moves)
            await table.play(move)
            made[table.seat].append(f"move {table.seat + 1} {write_patience_move(move)}")  # type: ignore[arg-type]  # the table plays patience


async def race(ports: Sequence[str], port: int) -> tuple[Made, str]:
    """A race at which the players come through these doors in turn; what was acknowledged, and the record."""
    made: Made = defaultdict(list)
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(
                await Dormie.connect(ports[n % len(ports)], name=f"P{n}", pace=FAST)
            )
            for n in range(SEATS)
        ]
        host = await people[0].create("golf_patience_wrap", size=SEATS, options={"holes": 2})
        tables = [host, *[await one.join(host.code) for one in people[1:]]]
        async with asyncio.timeout(240), asyncio.TaskGroup() as group:
            for at, table in enumerate(tables):
                group.create_task(play_on(table, Random(at), made))
        async with asyncio.timeout(30):
            while True:
                try:
                    return made, await fetch(port, f"/record/{host.code}-1")
                except OSError:
                    await asyncio.sleep(0.02)  # it is kept a moment after the last move


def judge(made: Made, record: str) -> None:
    lines = record.splitlines()
    assert verify(record).ok, verify(record)
    assert set(range(SEATS)) == set(made)
    for seat, moves in made.items():
        assert moves == [line for line in lines if line.startswith(f"move {seat + 1} ")]


async def test_six_fast_players_of_one_race_lose_no_move_and_repeat_none() -> None:
    async with serving() as app:
        judge(*await race([url_of(app)], app.port))


async def test_nor_do_they_on_two_servers_that_share_a_redis(redis: RedisServer) -> None:
    """Many moves meet one of the other server's: who was too late is tried again there, and nobody hears of it."""
    async with serving(store=redis.url) as here, serving(store=redis.url) as there:
        judge(*await race([url_of(here), url_of(there)], there.port))
