"""Fifty people want one free seat at once, on two servers that share a Redis: exactly one gets it.

    python -m bench crowded --times 100

Starts a Redis of its own. The exit status is 1 when a seat was given twice, or not at all.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter

from dormie_protocol.messages import Done
from dormie_server.app import App
from dormie_server.table.state import seat_of
from tests.redis_server import running_redis
from tests.server.guest import Guest
from tests.serving import serving

CROWD = 50
UNLIMITED = (
    *("guests_per_minute", "guests_at_once", "messages_per_second", "messages_at_once"),
    *("creations_per_minute", "creations_at_once", "code_misses", "code_misses_per_address"),
)


async def rounds(url: str, times: int) -> Counter[int]:
    """How many got the seat, and how often so many did."""
    given: Counter[int] = Counter()
    limits = dict.fromkeys(UNLIMITED, 10**6) | {"sockets_per_address": 1000}
    async with (
        serving(store=url, limits=limits) as here,
        serving(store=url, limits=limits) as there,
    ):
        ports = (here.port, there.port)
        people = [await Guest.come(ports[n % 2], f"P{n}") for n in range(CROWD + 1)]
        host, *crowd = people
        for _ in range(times):
            given[await one_seat(there, host, crowd)] += 1
        for one in people:
            await one.leave()
    return given


async def one_seat(house: App, host: Guest, crowd: list[Guest]) -> int:
    """How many of the crowd were told that they sit, which is how many do."""
    code = await host.create(size=2)
    answers = await asyncio.gather(*(one.ask("join", table=code) for one in crowd))
    told = [one for one, answer in zip(crowd, answers, strict=True) if isinstance(answer, Done)]
    kept = await house.keeper.table(code, 3)
    assert kept is not None, "it is open"
    sit = [one for one in crowd if seat_of(kept.table, one.player) is not None]
    await host.do("end", table=code)
    return len(told) if told == sit else -1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench crowded", description=__doc__)
    parser.add_argument("--times", type=int, default=100, metavar="N")
    asked = parser.parse_args()
    began = time.monotonic()
    with running_redis("--appendonly", "yes", "--appendfsync", "everysec") as redis:
        given = asyncio.run(rounds(redis.url, asked.times))
    seconds = time.monotonic() - began
    print(
        f"{given[1]} of {asked.times} times exactly one of {CROWD} got the seat ({seconds:.0f} s)"
    )
    sys.exit(given[1] != asked.times)


if __name__ == "__main__":
    main()
