"""What a connection costs the server that only waits: memory, and whether all of it comes back.

`python -m bench idle [--connections N] [--ping-seconds S] [--waves N]`

A real server; people from many addresses, one hundred from each, who say hello and then only answer
pings, for two rounds of them. In the second part each of them watches a table too, a hundred to a table.
Then all hang up, and the same people come again, until what a wave leaves serves the next one. (The
collector comes seldom, so the first ones leave more and more for a while.)
"""

import argparse
import asyncio
import resource
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bench.endurance.figures import Row, report
from bench.endurance.house import BUSY, Alive, House, opened, until
from bench.endurance.line import Line

MOST_KIB = 25
"""For an idle connection."""
FROM_ONE_ADDRESS = 100
AT_ONCE = 50
"""So many knock at the same time."""
EXAMPLE = """\
example:
  python -m bench idle                                      5,000 connections, about six minutes
  python -m bench idle --connections 200 --ping-seconds 1   a look, in a few seconds
"""


@dataclass(slots=True)
class Person:
    """Somebody who comes with every wave, always from the same address."""

    number: int
    token: str | None = None
    table: str | None = None
    """What they watch, if they do."""

    @property
    def address(self) -> str:
        high, low = divmod(self.number // FROM_ONE_ADDRESS, 250)
        return f"127.7.{high}.{low + 1}"

    @property
    def is_host(self) -> bool:
        """The first of each hundred opens the table that the hundred watch."""
        return self.number % FROM_ONE_ADDRESS == 0


@dataclass(slots=True)
class Wave:
    """What one coming and going of everybody cost."""

    each: float
    """KiB that the server grew by for each connection while it was there."""
    pings: int
    """How many the one with the fewest has answered."""
    left: int
    """KiB by which the server is heavier than before anybody came, when all have gone."""
    lines: int
    """Sockets and files that stayed open in the server."""
    counted: float
    """Connections that the server still counts."""
    alive: Alive
    """What is alive in the server then."""


@dataclass
class Crowd:
    """Everybody, and the house they come to."""

    house: House
    watching: bool
    people: list[Person] = field(default_factory=list)

    async def come(self) -> list[Line]:
        """Let everybody in, a few at a time; hosts first, so that there is something to watch."""
        first = [one for one in self.people if one.is_host]
        others = [one for one in self.people if not one.is_host]
        lines: list[Line] = []
        for group in (first, others):
            for start in range(0, len(group), AT_ONCE):
                some = group[start : start + AT_ONCE]
                lines += await asyncio.gather(*(self._come_in(person) for person in some))
        return lines

    async def _come_in(self, person: Person) -> Line:
        line = await Line.open(self.house.port, person.address)
        await line.hello(f"Guest {person.number}", person.token)
        person.token = person.token or line.welcome["token"]
        if self.watching:
            host = self.people[person.number - person.number % FROM_ONE_ADDRESS]
            if host.table is None:
                host.table = (await line.ask("create", size=2))["table"]
            await line.ask("watch", table=host.table)
        return line

    async def wave(self, ping_seconds: float, empty: int) -> Wave:
        """Everybody comes, stays for two rounds of pings, and goes; *empty* KiB are the house's own."""
        files = self.house.lines()
        lines = await self.come()
        await until(lambda: min(line.pings for line in lines) >= 2, within=3 * ping_seconds + 30)
        heavy = self.house.weight()
        assert not any(line.ended.done() for line in lines), "whoever answers pings may stay"
        pings = min(line.pings for line in lines)
        for line in lines:
            line.transport.abort()
        await self.house.empties()
        await asyncio.sleep(2)  # those who were at a table are missed after a second
        counted = (await self.house.figures())["dormie_connections"]
        alive = await self.house.alive()
        with suppress(TimeoutError):  # then there is something to report
            await until(lambda: self.house.lines() <= files, within=10)
        light = self.house.weight()
        each = (heavy - empty) / len(lines)
        left_open = max(0, self.house.lines() - files)
        return Wave(each, pings, light - empty, left_open, counted, alive)


async def waves(connections: int, ping_seconds: float, count: int, *, watching: bool) -> list[Wave]:
    """What *count* waves of the same people cost one house, one after the other."""
    settings = {**BUSY, "PING_SECONDS": str(ping_seconds), "SYNCHRONOUS": "NORMAL"}
    async with opened(settings, "bench.endurance.counted") as house:
        crowd = Crowd(house, watching, [Person(-1 - number) for number in range(FROM_ONE_ADDRESS)])
        await _warm_up(house)
        crowd.people = [Person(number) for number in range(connections)]
        empty = house.weight()
        result = []
        for number in range(count):
            result.append(await crowd.wave(ping_seconds, empty))
            print(f"  {_kind(watching)} wave {number + 1}: {result[-1]}", flush=True)
    return result


async def _warm_up(house: House) -> None:
    """Fill the caches and load what is loaded late: neither is the price of a connection."""
    for _ in range(2):
        lines = [await (await Line.open(house.port)).hello() for _ in range(50)]
        table = (await lines[0].ask("create", size=2))["table"]
        for line in lines:
            await line.ask("watch", table=table)
        await lines[0].ask("end", table=table)
        for line in lines:
            await line.leave()
        await house.empties()


def rows(result: Sequence[Wave], connections: int, *, watching: bool) -> list[Row]:
    """What there is to say of the waves of one kind."""
    name, first, last = _kind(watching), result[0], result[-1]
    before = result[-2] if len(result) > 1 else first
    few = max(500, connections / 10)  # what comes and goes by itself, but not one for each

    def more(what: Callable[[Alive], int]) -> int:
        return what(last.alive) - what(before.alive)

    return [
        Row(f"{name}: each of {connections:,}", first.each, "KiB", MOST_KIB),
        Row(f"{name}: each, the last wave", last.each, "KiB", MOST_KIB),
        Row(f"{name}: left when all have gone", first.left / connections, "KiB each"),
        Row(f"{name}: more left by the last wave", last.left - before.left, "KiB"),
        Row(f"{name}: objects, more left by it", more(lambda alive: alive.objects), "", few),
        Row(f"{name}: pieces of memory, more", more(lambda alive: alive.blocks), "", few),
        Row(f"{name}: in the system's allocator, more", more(lambda alive: alive.used_kib), "KiB"),
        Row(f"{name}: connections still counted", last.counted, "", 0),
        Row(f"{name}: sockets still open", last.lines, "", 0),
        Row(f"{name}: pings each has answered", min(wave.pings for wave in result), ""),
    ]


def _kind(watching: bool) -> str:  # noqa: FBT001 - it names the two kinds
    return "watching" if watching else "idle"


def allow_files(wanted: int) -> None:
    """Let this process and its children hold so many sockets. Raises ValueError if it may not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(hard, wanted)))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench idle",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--ping-seconds", type=float, default=10)
    parser.add_argument("--waves", type=int, default=6)
    asked = parser.parse_args()
    allow_files(asked.connections + 500)
    said: list[Row] = []
    for watching in (False, True):
        measured = asyncio.run(
            waves(asked.connections, asked.ping_seconds, asked.waves, watching=watching)
        )
        said += rows(measured, asked.connections, watching=watching)
    print(report(said))
    sys.exit(not all(row.good for row in said))


if __name__ == "__main__":
    main()
