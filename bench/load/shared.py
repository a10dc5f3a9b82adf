"""What a move costs with a Redis, beside the embedded store and the bare broadcast in the same run."""

from bench.load.pairs import cheapest, playing, rounds
from bench.load.processes import Crowd, cores, dormie
from bench.load.rows import Row
from bench.load.stage import Place, Sizes, bare, house, told
from tests.redis_server import running_redis


def shared(sizes: Sizes, place: Place) -> list[Row]:
    """CPU of the server a move, and how long answers take at a fixed rate. Redis itself is not counted."""
    settings = ("--appendonly", "yes", "--appendfsync", "everysec")
    with running_redis(*settings) as redis:
        server = dormie(redis.url, "FULL", cores()[0])
        with (
            bare("broadcast") as bar,
            house(place, "NORMAL") as normal,
            playing("redis", server, Crowd(holes=9), cores()[1]) as far,
        ):
            pairs = (bar, normal, far)
            for pair in pairs:
                pair.sit(sizes.tables)
                pair.mingle()
            busy = told(place.say, rounds(pairs, f"closed {sizes.seconds}", sizes.times))
            calm = told(place.say, rounds(pairs, f"open {sizes.rate} {sizes.calm}", 2))
    cost = {name: cheapest(of).micros for name, of in busy.items()}
    late = {name: min(window.report.p99 for window in of) / 1000 for name, of in calm.items()}
    more = late["redis"] - late["broadcast"]
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
        Row(
            f"p99 at {sizes.rate} moves a second, Redis with everysec, above the broadcast",
            f"{late['redis']:.2f} ms",
            f"{late['broadcast']:.2f} ms",
            f"+{more:.2f} ms",
            "at most 3 ms",
            more <= 3,
        ),
    ]
