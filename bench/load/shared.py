"""What a move costs with a Redis, on one server and on two that share it.

Beside the embedded store and the bare broadcast in the same run. Two servers are measured twice: where the
people of a table are at one of them, which is what the shipped proxy sees to, and where every second seat is
at the other one. What a move costs is the time of both together.
"""

from typing import TypeAlias

from bench.load.pairs import cheapest, playing, rounds
from bench.load.processes import Crowd, House, cores, dormie
from bench.load.rows import Row
from bench.load.stage import Place, Sizes, bare, house, told
from tests.redis_server import running_redis

TWO = {
    "two servers": "a table's people at one",
    "two servers, split": "every second seat at the other",
}

_Two: TypeAlias = tuple[str, House, Crowd, int | None, tuple[House, ...]]


def shared(sizes: Sizes, place: Place) -> list[Row]:
    """CPU of the servers a move, and how long answers take at a fixed rate. Redis itself is not counted."""
    settings = ("--appendonly", "yes", "--appendfsync", "everysec")
    with running_redis(*settings) as redis:
        ours, theirs = cores()

        def server(number: int, core: int | None = ours) -> House:
            return dormie(f"{redis.url}/{number}", "FULL", core)

        def two(name: str, number: int, crowd: Crowd) -> _Two:
            return name, server(number), crowd, theirs, (server(number, theirs),)

        # The other server shares the core of the load, which needs a tenth of it: two that take turns on one
        # core would find nothing of theirs in its cache.

        with (
            bare("broadcast") as bar,
            house(place, "NORMAL") as normal,
            playing("redis", server(0), Crowd(holes=9), theirs) as far,
            playing(*two("two servers", 1, Crowd(holes=9, together=True))) as both,
            playing(*two("two servers, split", 2, Crowd(holes=9))) as split,
        ):
            pairs = (bar, normal, far, both, split)
            for pair in pairs:
                pair.sit(sizes.tables)
                pair.mingle()
            busy = told(place.say, rounds(pairs, f"closed {sizes.seconds}", sizes.times))
            calm = told(place.say, rounds(pairs, f"open {sizes.rate} {sizes.calm}", 2))
    cost = {name: cheapest(of).micros for name, of in busy.items()}
    late = {name: min(window.report.p99 for window in of) / 1000 for name, of in calm.items()}
    return [
        Row(
            "CPU a move, Redis with everysec, by the broadcast",
            f"{cost['redis']:.0f} µs",
            f"{cost['broadcast']:.0f} µs",
            f"{cost['redis'] / cost['broadcast']:.2f}",
            "at most 3.0",
            cost["redis"] <= 3 * cost["broadcast"],
        ),
        Row(
            "CPU a move, Redis with everysec, by the embedded store with NORMAL",
            f"{cost['redis']:.0f} µs",
            f"{cost['NORMAL']:.0f} µs",
            f"{cost['redis'] / cost['NORMAL']:.2f}",
        ),
        *[
            Row(
                f"CPU a move, two servers with a Redis, {whose}, by one",
                f"{cost[pair]:.0f} µs",
                f"{cost['redis']:.0f} µs",
                f"{cost[pair] / cost['redis']:.2f}",
                "at most 1.3",
                cost[pair] <= 1.3 * cost["redis"],
            )
            for pair, whose in TWO.items()
        ],
        *[
            Row(
                f"p99 at {sizes.rate} moves a second, {name} with everysec, above the broadcast",
                f"{late[pair]:.2f} ms",
                f"{late['broadcast']:.2f} ms",
                f"{late[pair] - late['broadcast']:+.2f} ms",
                "at most 3 ms",
                late[pair] <= late["broadcast"] + 3,
            )
            for pair, name in (("redis", "Redis"), *((pair, f"{pair} on Redis") for pair in TWO))
        ],
    ]
