"""Fifty people want one free seat at once, on two servers that share a Redis: exactly one gets it.

    python -m bench crowded --times 100

Starts a Redis and two servers in processes of their own. The exit status is 1 when a seat was given
twice, or not at all, or when the server says another thing than Redis.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from dormie_protocol.messages import Done
from dormie_server.documents import read_table
from dormie_server.keeper import table_key
from dormie_server.redis_store import RedisStore
from dormie_server.table.state import seat_of
from tests.chaos.house import OPEN_DOORS
from tests.chaos.houses import open_houses
from tests.server.guest import Guest

CROWD = 50
UNLIMITED = ("CREATIONS_PER_MINUTE", "CREATIONS_AT_ONCE", "CODE_MISSES", "CODE_MISSES_PER_ADDRESS")
DOORS = OPEN_DOORS | {f"DORMIE_LIMITS__{name}": "1000000" for name in UNLIMITED}


async def rounds(times: int, folder: Path) -> Counter[int]:
    """How many got the seat, and how often so many did."""
    given: Counter[int] = Counter()
    settings = ("--appendonly", "yes", "--appendfsync", "everysec")
    async with open_houses(folder, DOORS, settings=settings) as houses:
        ports = [server.port for server in houses.servers]
        store = RedisStore(houses.redis.url)
        people = [await Guest.come(ports[n % 2], f"P{n}") for n in range(CROWD + 1)]
        host, *crowd = people
        for _ in range(times):
            given[await one_seat(store, host, crowd)] += 1
        for one in people:
            await one.leave()
        await store.close()
    return given


async def one_seat(store: RedisStore, host: Guest, crowd: list[Guest]) -> int:
    """How many of the crowd were told that they sit, which is how many do; -1 if that is not so."""
    code = await host.create(size=2)
    answers = await asyncio.gather(*(one.ask("join", table=code) for one in crowd))
    told = [one for one, answer in zip(crowd, answers, strict=True) if isinstance(answer, Done)]
    kept = await store.get(table_key(code))
    assert kept is not None, "it is open"
    table = read_table(kept.body).table
    sit = [one for one in crowd if seat_of(table, one.player) is not None]
    await host.do("end", table=code)
    return len(told) if told == sit else -1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench crowded", description=__doc__)
    parser.add_argument("--times", type=int, default=100, metavar="N")
    asked = parser.parse_args()
    began = time.monotonic()
    with TemporaryDirectory(prefix="dormie-") as folder:
        given = asyncio.run(rounds(asked.times, Path(folder)))
    seconds = time.monotonic() - began
    print(
        f"{given[1]} of {asked.times} times exactly one of {CROWD} got the seat ({seconds:.0f} s)"
    )
    sys.exit(given[1] != asked.times)


if __name__ == "__main__":
    main()
