"""Thousands of small worlds in which everything goes wrong, under virtual time, each from one number.

    python -m bench simulator                  5,000 seeds over all processors
    python -m bench simulator --seeds 200      fewer
    python -m bench simulator --seed 17        one, with everything that happened in it
    python -m bench simulator --soak 24        a day and a night on the same server
    python -m bench simulator --seeds 20 --planted no-gap-check    whether a planted bug is found

`tests/simulator/test_seeds.py` runs the first two hundred. `docs/simulator.md` says what is promised.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter

from tests.simulator.features import FEATURES
from tests.simulator.planted import PLANTED
from tests.simulator.simulation import Outcome, simulate
from tests.simulator.soak import soak

CHUNK = 10
FAULTS = (
    "break",
    "silence",
    "stall",
    "half-close",
    "slow",
    "device lost",
    "takeover",
    "kill",
    "freeze",
    "outage",
)


@dataclass
class Sum:
    """What came of many seeds."""

    seeds: int = 0
    seconds: float = 0.0
    """Of virtual time."""
    moves: int = 0
    lateness: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)
    """The seeds that broke a promise, and their reports."""

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self.seeds += 1
        self.seconds += outcome.seconds
        self.moves += outcome.moves
        self.lateness = max(self.lateness, outcome.lateness)
        self.counts += outcome.trace.counts
        if outcome.broken:
            self.failures.append((outcome.plan.seed, outcome.report()))

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(
            self.seeds + other.seeds,
            self.seconds + other.seconds,
            self.moves + other.moves,
            max(self.lateness, other.lateness),
            self.counts + other.counts,
            self.failures + other.failures,
        )

    def rows(self) -> Iterator[tuple[str, object]]:
        """The table at the end."""
        yield "seeds", self.seeds
        yield "virtual hours", f"{self.seconds / 3600:.1f}"
        yield "moves", self.moves
        yield from ((f"fault: {name}", self.counts[name]) for name in FAULTS)
        yield "fault: the way to the store", self.counts["store"]
        yield "commits", self.counts["commit"]
        yield "connections", self.counts["line"]
        yield "resumes", self.counts["resume"]
        yield "deadlines seen to", self.counts["alarm"]
        yield "the latest of them, in s", f"{self.lateness:.2f}"
        yield "records verified", self.counts["verified"]
        yield from ((feature, self.counts[name]) for feature, name in FEATURES.items())
        yield "failures", len(self.failures)


def some(first: int, last: int, planted: str | None) -> Sum:
    """Run the seeds from *first* to *last*, not included."""
    total = Sum()
    for seed in range(first, last):
        total.add(simulate(seed, planted))
    return total


def many(first: int, count: int, planted: str | None) -> Sum:
    """Run so many seeds over all processors."""
    total, last = Sum(), first + count
    chunks = [(at, min(at + CHUNK, last), planted) for at in range(first, last, CHUNK)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for part in pool.map(some, *zip(*chunks, strict=True)):
            total += part
            for _, report in part.failures:  # told at once: a long run need not be waited for
                sys.stderr.write(f"\r{report}\n")
            sys.stderr.write(f"\r{total.seeds} seeds, {len(total.failures)} failures ")
    sys.stderr.write("\n")
    return total


def _one(seed: int, planted: str | None) -> int:
    outcome = simulate(seed, planted)
    for line in outcome.trace.lines():
        print(line)
    print(outcome.plan)
    print(outcome.report(last=0))
    return 1 if outcome.broken else 0


def _soak(hours: float, servers: int) -> int:
    soaked = soak(hours, servers=servers, tell=print)
    print(f"| {'after ' + str(soaked.evenings) + ' evenings':24} | at first | at last |")
    print("|---|---|---|")
    for what in ("tasks", "timers", "objects", "documents", "tables"):
        print(f"| {what:24} | {getattr(soaked.first, what)} | {getattr(soaked.last, what)} |")
    print(f"{soaked.hours:.1f} virtual hours, {soaked.moves} moves")
    if soaked.trace.broken:
        print(*soaked.trace.lines(25), soaked.trace.broken, sep="\n")
    return 1 if soaked.trace.broken else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench simulator",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seeds", type=int, default=5_000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--seed", type=int, help="only this one, with its whole trace")
    parser.add_argument("--planted", choices=PLANTED, help="with a bug that must be found")
    parser.add_argument("--soak", type=float, metavar="HOURS", help="one world for a long time")
    parser.add_argument("--servers", type=int, default=1, help="how many, for --soak")
    asked = parser.parse_args()
    if asked.soak is not None:
        return _soak(asked.soak, asked.servers)
    if asked.seed is not None:
        return _one(asked.seed, asked.planted)
    began = perf_counter()
    total = many(asked.first, asked.seeds, asked.planted)
    print("|  |  |")
    print("|---|---|")
    for what, figure in total.rows():
        print(f"| {what} | {figure} |")
    print(f"{perf_counter() - began:.0f} s; failed: {[seed for seed, _ in total.failures]}")
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
