"""Whether a house that has seen ten thousand tables is as light as one that has seen a thousand.

`python -m bench tables [--tables N] [--block N] [--desks N] [--untidy] [--guests] [--store redis]`

A house in this process with its store in a file or in a Redis of its own, on a clock that can be moved
on. In blocks of a thousand, tables are opened, played for a few moves and closed; then ten minutes pass,
after which the store forgets closed tables, and everything is counted: tasks, timers, collections,
objects, rows or keys, pages, memory. The first block warms up; the others must leave nothing.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.endurance.census import Census, Rows, fuller, risen, rows_of, take
from bench.endurance.evenings import Desk
from bench.endurance.figures import Row, report, slope
from bench.endurance.redis_rows import rows_in
from dormie_server.app import App
from dormie_server.redis_store import RedisStore
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Store
from tests.redis_server import running_redis
from tests.serving import serving

FORGOTTEN = 601.0
"""Seconds after which the store has forgotten a closed table."""
PATIENCE = 60.0
EXAMPLE = """\
examples:
  python -m bench tables                            10,000 tables, about five minutes
  python -m bench tables --tables 500 --block 100   a look
  python -m bench tables --untidy                   people who never say that they watch no longer
  python -m bench tables --guests                   somebody new at every table
  python -m bench tables --store redis              on a Redis of its own; needs redis-server
"""


@dataclass
class Clock:
    """The store's clock: real time, and what was added to it."""

    ahead: float = 0.0

    def __call__(self) -> float:
        return 1e9 + time.monotonic() + self.ahead


@dataclass
class Season:
    """A house, the people in it, and the counts so far."""

    app: App
    rows: Callable[[], Rows]
    """What the store holds."""
    clock: Clock
    desks: list[Desk] = field(default_factory=list)
    counts: list[Census] = field(default_factory=list)
    played: int = 0

    async def come(self, desks: int, *, tidy: bool, guests: bool) -> None:
        for number in range(desks):
            desk = await Desk.open(self.app.port, number)
            desk.tidy, desk.guests = tidy, guests
            self.desks.append(desk)

    async def block(self, tables: int) -> Census:
        """So many tables, shared out among the desks; then ten minutes, and a count."""
        share = [tables // len(self.desks)] * len(self.desks)
        for number in range(tables % len(self.desks)):
            share[number] += 1
        pairs = zip(self.desks, share, strict=True)
        await asyncio.gather(*(_evenings(desk, number) for desk, number in pairs))
        self.played += tables
        return await self.count(FORGOTTEN)

    async def count(self, seconds: float) -> Census:
        """Let so much time pass, and count when the store has swept, and the tables have been told of drops."""
        self.clock.ahead += seconds
        await asyncio.sleep(1.5)
        async with asyncio.timeout(PATIENCE):
            while self.rows().documents.get("table"):  # noqa: ASYNC110 - it rings no bell
                await asyncio.sleep(0.2)
        if (
            len(self.counts) > 1
        ):  # the first and the last are compared; the others need not be carried
            self.counts[-1] = replace(self.counts[-1], kinds=Counter())
        self.counts.append(await take(self.app, self.rows()))
        return self.counts[-1]


async def _evenings(desk: Desk, number: int) -> None:
    for _ in range(number):
        await desk.evening()


@asynccontextmanager
async def season(
    desks: int, *, tidy: bool = True, guests: bool = False, redis: bool = False
) -> AsyncIterator[Season]:
    """A house with so many desks, three people at each."""
    clock = Clock()
    with _in_redis(clock) if redis else _in_a_file(clock) as (store, rows):
        # Pings are timers, too.
        async with serving({"store": store}, ping_seconds=86400.0) as app:
            there = Season(app, rows, clock)
            await there.come(desks, tidy=tidy, guests=guests)
            yield there


@contextmanager
def _in_a_file(clock: Clock) -> Iterator[tuple[Store, Callable[[], Rows]]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dormie.db"
        yield SqliteStore(path, synchronous="NORMAL", clock=clock), lambda: rows_of(path)


@contextmanager
def _in_redis(clock: Clock) -> Iterator[tuple[Store, Callable[[], Rows]]]:
    with running_redis("--appendonly", "no") as server:
        yield RedisStore(server.url, clock=clock), lambda: rows_in(server.url)


def rows(season: Season, block: int, *, redis: bool = False) -> list[Row]:
    """What grew from the first count to the last; how steadily, the second half says."""
    counts = season.counts
    first, last = counts[0], counts[-1]
    late = counts[len(counts) // 2 :]
    thousands = [block * number / 1000 for number in range(len(late))]

    def steep(values: Sequence[float]) -> float:
        return slope(list(zip(thousands, values, strict=True)))

    people = season.desks[0].guests  # who are kept for a week, by design
    return [
        Row("tables opened, played and closed", season.played, ""),
        Row("tasks more than after the first block", last.tasks - first.tasks, "", 0),
        Row("timers more", last.timers - first.timers, "", 0),
        Row("more in collections", sum(fuller(first, last).values()), "", _unless(people, 0)),
        Row("lines of /metrics more", last.labels - first.labels, "", 0),
        Row("documents of tables, notes, cards", _rows_of_tables(last), "rows", 0),
        Row("documents of people", sum(last.rows.documents.values()), "rows"),
        *(_of_redis if redis else _of_the_file)(counts, steep, people=people),
        Row(
            "pieces of memory, per 1,000 tables",
            steep([c.blocks for c in late]),
            "",
            _unless(people, 500),
        ),
        Row(
            "memory in use beside, per 1,000 tables",
            steep([c.used_kib for c in late]),
            "KiB",
            _unless(people, 50),
        ),
        Row("memory held, per 1,000 tables", steep([c.kib for c in late]), "KiB"),
        Row("memory held, after the first block", first.kib, "KiB"),
        Row("memory held, at the end", last.kib, "KiB"),
    ]


Steep = Callable[[Sequence[float]], float]


def _of_the_file(counts: Sequence[Census], steep: Steep, *, people: bool) -> list[Row]:
    pages = steep([c.rows.pages for c in counts[len(counts) // 2 :]])
    return [
        Row("pages of the file, per 1,000 tables", pages, "pages", _unless(people, 25)),
        Row("the log beside it", counts[-1].rows.log_kib, "KiB", 32 * 1024),
    ]


def _of_redis(counts: Sequence[Census], steep: Steep, *, people: bool) -> list[Row]:
    keys, memory = [[one(c) for c in counts] for one in (_keys, _memory)]
    late = len(counts) // 2
    return [
        Row("keys of Redis more", keys[-1] - keys[0], "", _unless(people, 0)),
        Row("memory of Redis, per 1,000 tables", steep(memory[late:]), "KiB", _unless(people, 64)),
        Row("memory of Redis, at the end", memory[-1], "KiB"),
    ]


def _keys(census: Census) -> int:
    return census.rows.pages


def _memory(census: Census) -> int:
    return census.rows.log_kib


def _unless(people: bool, most: float) -> float | None:  # noqa: FBT001 - it reads as a sentence
    """The limit, where no new people come."""
    return None if people else most


def _rows_of_tables(census: Census) -> int:
    return census.rows.documents.get("table", 0) + census.rows.notes + census.rows.cards


async def run(asked: argparse.Namespace) -> list[Row]:
    async with season(
        asked.desks, tidy=not asked.untidy, guests=asked.guests, redis=asked.store == "redis"
    ) as there:
        while there.played < asked.tables:
            began = time.process_time()
            census = await there.block(asked.block)
            cost = 1000 * (time.process_time() - began) / asked.block
            print(
                f"  {there.played:,}: {census.tasks} tasks, {census.timers} timers, "
                f"{census.blocks:,} pieces, {census.used_kib:,} of {census.kib:,} KiB, "
                f"{cost:.1f} ms each; {census.rows}",
                flush=True,
            )
        said = rows(there, asked.block, redis=asked.store == "redis")
        _say_more(there, asked.block)
        if asked.guests:
            print("after 22 days:", (await there.count(22 * 86400)).rows)
            _say_more(there, asked.block)
    return said


def _say_more(there: Season, block: int) -> None:
    first, last = there.counts[0], there.counts[-1]
    least = max(2, (there.played - block) // 200)
    print(f"more than after the first block: {fuller(first, last)}, {risen(first, last, least)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench tables",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--block", type=int, default=1000)
    parser.add_argument("--desks", type=int, default=20)
    parser.add_argument("--untidy", action="store_true", help="nobody ever unwatches a table")
    parser.add_argument("--guests", action="store_true", help="somebody new at every table")
    parser.add_argument("--store", choices=("file", "redis"), default="file")
    said = asyncio.run(run(parser.parse_args()))
    print(report(said))
    sys.exit(not all(row.good for row in said))


if __name__ == "__main__":
    main()
