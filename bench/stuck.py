"""What those who do not listen cost everybody else: one stuck watcher, a flood of pings, the end of a house.

`python -m bench stuck [--rounds N] [--moves N] [--watchers N] [--pace N]`

Three parts, each against a real server. Fifty watch a table, now without and now with one among them
who stops reading: how late a move reaches the others, when the stuck one is cut, what the server
weighs meanwhile. Then somebody who never reads sends pings as fast as the line takes them. Last, fifty
who have stopped reading, with full lines, while the server is told to stop.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from statistics import median

from bench.endurance.figures import Row, percentile, report
from bench.endurance.house import BUSY, House, opened
from bench.endurance.lanes import full_lines
from bench.endurance.line import Line
from bench.endurance.rally import Rally
from tests.wire import HELLO, PING, TEXT, Place, Wire, framed

BUFFERED_KIB = 256
"""What may wait for one line: a limit of the house."""
PILE = 200 * 1024
"""Bytes of views that fill the line of a stuck watcher and do not overflow it."""
EXAMPLE = """\
example:
  python -m bench stuck                          everything, about three minutes
  python -m bench stuck --rounds 2 --moves 100   a look
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """How the first part is to be measured."""

    rounds: int = 12
    moves: int = 350
    """In a round; at a hundred a second they outlast whoever does not read."""
    watchers: int = 49
    pace: float = 100
    """Moves a second; 0 for as many as it takes."""


@dataclass
class Rounds:
    """What was measured, in turn, when all listened (False) and when one was stuck (True)."""

    times: dict[bool, list[list[float]]] = field(default_factory=lambda: {False: [], True: []})
    """Seconds from a move to a watcher, round by round."""
    heaviest: dict[bool, int] = field(default_factory=lambda: {False: 0, True: 0})
    """KiB."""
    cut_after: list[float] = field(default_factory=list)
    """Seconds from when it stopped reading until the server let go of it."""

    def late(self, part: float, *, stuck: bool) -> float:
        """Milliseconds that *part* of all arrivals did not exceed, over all rounds."""
        return 1000 * percentile([one for times in self.times[stuck] for one in times], part)

    def ratio(self) -> float:
        """The median over the rounds of p99 with a stuck watcher to p99 without."""
        pairs = zip(self.times[True], self.times[False], strict=True)
        return median(percentile(w, 0.99) / percentile(wo, 0.99) for w, wo in pairs)


async def one_among_many(asked: Asked) -> Rounds:
    """Play on, in turn with one more who listens and with one more who does not."""
    async with opened({**BUSY, "SYNCHRONOUS": "NORMAL"}) as house:
        rally = await Rally.open(house.port, asked.watchers)
        result = Rounds()
        await _round(rally, house, Rounds(), asked, stuck=False)  # to warm up
        for number in range(asked.rounds):
            for stuck in (False, True) if number % 2 else (True, False):
                await _round(rally, house, result, asked, stuck=stuck)
            print(f"  round {number + 1}: {result.ratio():.2f} times", flush=True)
        await rally.close()
    return result


async def _round(rally: Rally, house: House, result: Rounds, asked: Asked, *, stuck: bool) -> None:
    """So many moves with one more watcher, who is fresh each time, for nobody stuck is borne for long."""
    line = await (await Line.open(house.port, small=stuck)).hello("One more")
    await line.ask("watch", table=rally.table)
    lines = house.lines()
    if stuck:
        line.stop_reading()
    rally.times, began, cut_after = [], time.monotonic(), 0.0
    for number in count():
        due = time.monotonic() + (1 / asked.pace if asked.pace else 0)
        await rally.move()
        result.heaviest[stuck] = max(result.heaviest[stuck], house.weight())
        if not cut_after and house.lines() < lines:
            cut_after = time.monotonic() - began
        if number >= asked.moves and (cut_after or not stuck):
            break
        assert number < 100 * asked.moves, "nobody cuts the stuck one"
        await asyncio.sleep(max(0, due - time.monotonic()))
    result.times[stuck].append(rally.times[: asked.moves * asked.watchers])
    if stuck:
        result.cut_after.append(cut_after)
    await line.leave()


@dataclass(frozen=True, slots=True)
class Flood:
    seconds: float
    """From the first ping until the line was cut."""
    growth: int
    """KiB, at most."""


async def floods(times: int) -> list[Flood]:
    """Somebody who never reads sends pings as fast as they go, so many times."""
    async with opened(BUSY) as house:
        await asyncio.to_thread(_flood, house)  # to warm up
        return [await asyncio.to_thread(_flood, house) for _ in range(times)]


def _flood(house: House) -> Flood:
    pings, light = framed(PING, b"a" * 125) * 200, house.weight()
    heavy = light
    with Wire(Place("127.0.0.1", house.port), small=True) as wire:
        wire.greet()
        wire.say(framed(TEXT, HELLO))
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began < 30:
                wire.say(pings)
                heavy = max(heavy, house.weight())
        return Flood(time.monotonic() - began, heavy - light)


@dataclass(frozen=True, slots=True)
class End:
    stuck: int
    """Lines that were full when the server was told to stop."""
    seconds: float
    status: int


async def end_with_stuck(clients: int) -> End:
    """Stop a house in which so many have stopped reading; the guard is told to bear them for a minute."""
    async with opened({**BUSY, "LIMITS__STALLED_SECONDS": "60"}) as house:
        rally = await Rally.open(house.port, 1)
        lines = []
        for _ in range(clients):
            line = await (await Line.open(house.port, small=True)).hello("Stuck")
            await line.ask("watch", table=rally.table)
            line.stop_reading()
            lines.append(line)
        start = rally.told
        while rally.told - start < PILE:
            await rally.move()
        full = full_lines(house.port)
        seconds, status = await house.stop()
        for line in lines:
            await line.leave()
        await rally.close()
    return End(full, seconds, status)


def rows(rounds: Rounds, watchers: int) -> list[Row]:
    """What one stuck watcher cost the others."""
    more = rounds.heaviest[True] - rounds.heaviest[False]
    pooled = rounds.late(0.99, stuck=True) / rounds.late(0.99, stuck=False)
    return [
        Row(f"median of a move to {watchers} watchers", rounds.late(0.5, stuck=False), "ms"),
        Row("the same with one stuck among them", rounds.late(0.5, stuck=True), "ms"),
        Row("p99 of a move to the watchers", rounds.late(0.99, stuck=False), "ms"),
        Row("the same with one stuck among them", rounds.late(0.99, stuck=True), "ms"),
        Row("ratio of p99, median of the rounds", rounds.ratio(), "times", 1.5),
        Row("ratio of p99, all rounds together", pooled, "times", 1.5),
        Row("the stuck one is cut after, at most", max(rounds.cut_after), "s", 5),
        Row("the server is heavier with it by", more, "KiB", 2 * BUFFERED_KIB),
    ]


def rows_of_floods(all_floods: Sequence[Flood]) -> list[Row]:
    return [
        Row("a ping flood is cut after, at most", max(one.seconds for one in all_floods), "s", 1),
        Row("and has made the server grow by", max(one.growth for one in all_floods), "KiB", 4096),
    ]


def rows_of_end(end: End, clients: int) -> list[Row]:
    return [
        Row(f"lines that were full, of {clients}", end.stuck, ""),
        Row("SIGTERM until the end", end.seconds, "s", 5),
        Row("exit status", end.status, "", 0),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench stuck",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    usual = Asked()
    parser.add_argument("--rounds", type=int, default=usual.rounds)
    parser.add_argument("--moves", type=int, default=usual.moves, help="in a round")
    parser.add_argument("--watchers", type=int, default=usual.watchers)
    parser.add_argument("--pace", type=float, default=usual.pace, help="a second; 0: all it takes")
    parser.add_argument("--stuck", type=int, default=50, help="clients when the house is closed")
    asked = parser.parse_args()
    wish = Asked(asked.rounds, asked.moves, asked.watchers, asked.pace)
    said = rows(asyncio.run(one_among_many(wish)), wish.watchers)
    said += rows_of_floods(asyncio.run(floods(10)))
    said += rows_of_end(asyncio.run(end_with_stuck(asked.stuck)), asked.stuck)
    print(report(said))
    sys.exit(not all(row.good for row in said))


if __name__ == "__main__":
    main()
