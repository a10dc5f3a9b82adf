"""What every part of the speed bench has: how much to measure, and where servers and crowds meet."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.load.pairs import Pair, Window, cheapest, playing
from bench.load.processes import Crowd, cores, dormie, yardstick

MOVE, VIEW = 158, 600
"""Bytes of the yardsticks' messages: a move in, a view out to every seat."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    tables: int = 100
    seconds: float = 3.0
    """Of a window."""
    times: int = 5
    """Windows of each server; the best one counts."""
    calm: float = 10.0
    """Seconds of a window at a fixed rate."""
    rate: int = 100
    """Moves a second then."""
    memory: int = 400
    """Tables for memory."""
    growth: tuple[int, ...] = (1, 25, 100, 400, 1000)
    joiners: int = 25
    """Tables whose players come back."""
    ages: tuple[int, int] = (10, 2000)
    """Moves of a young match and of an old one."""
    away: float = 2.5
    """Seconds until they come back; after one the tables are told that they are gone."""


QUICK = Sizes(10, 0.5, 2, 1.0, 50, 20, (1, 5, 20), 5, (2, 20))
"""Only to see that everything works, in a minute."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where things are put, and how progress is told."""

    folder: Path
    say: Say

    def file(self, name: str) -> str:
        """A database of its own."""
        return str(self.folder / f"{name}.db")


@contextmanager
def house(
    place: Place,
    name: str,
    synchronous: str = "NORMAL",
    holes: int = 9,
    program: str = "dormie_server",
) -> Iterator[Pair]:
    """A Dormie house on a fresh file, with a crowd at the door."""
    ours, theirs = cores()
    server = dormie(place.file(name), synchronous, ours, program)
    with playing(name, server, Crowd(holes=holes), theirs) as pair:
        yield pair


@contextmanager
def bare(
    name: str, kind: str = "broadcast", message: int = MOVE, size: int = VIEW
) -> Iterator[Pair]:
    """A yardstick with its crowd."""
    ours, theirs = cores()
    crowd = Crowd(seats=1 if kind == "echo" else 4, message=message)
    with playing(name, yardstick(kind, ours, size), crowd, theirs) as pair:
        yield pair


def told(say: Say, windows: Mapping[str, tuple[Window, ...]]) -> Mapping[str, tuple[Window, ...]]:
    """Say what came of each pair's windows, and return them."""
    for name, of in windows.items():
        costs = ", ".join(f"{window.micros:.0f}" for window in of)
        best = cheapest(of)
        say(
            f"{name}: {costs} µs a move; {best.rate:.0f} a second, p50 {best.report.p50 / 1000:.2f} "
            f"and p99 {best.report.p99 / 1000:.2f} ms; the server had {100 * best.share:.0f} % of a "
            f"core, the load {100 * best.load_share:.0f} %"
        )
    return windows
