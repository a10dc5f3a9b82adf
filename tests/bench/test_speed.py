"""The speed bench, as small as it goes: every part ends with lines that can be read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bench.load.pairs import Window, cheapest
from bench.load.parts import EXTRA, PARTS
from bench.load.processes import Report
from bench.load.rows import Row, table
from bench.load.stage import Place, Sizes
from tests.bench.loaded import WITH_LOAD

TINY = Sizes(2, 0.1, 1, 0.3, 40, 8, (1, 2), 2, (2, 5), 0.05)
PROMISES = {
    "glance": ["CPU a move, NORMAL"],
    "account": ["all of it, by the same house"],
    "moves": ["CPU a move, NORMAL"],
    "latency": ["p99 at a fixed rate, NORMAL"],
    "memory": ["memory of a connection", "memory of a table"],
    "joins": ["CPU a join, by", "CPU a join, 5 moves old", "CPU a resume, 5 moves old"],
    "growth": ["growth of CPU a move from 2 to 2"],
    "redis": ["CPU a move, Redis", *["CPU a move, two servers"] * 2, *["p99 at "] * 3],
    "weight": [],
}
"""The lines of each part that have a goal."""


NOTHING = Report(1.0, 0.0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0, 0)


def window(cpu: float, moves: int = 0) -> Window:
    return Window(cpu, replace(NOTHING, moves=moves))


def promises(rows: Sequence[Row]) -> list[str]:
    return [row.what for row in rows if row.reached is not None]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[*WITH_LOAD, *([] if name in EXTRA else [pytest.mark.slow])])
        for name in (*PARTS, *EXTRA)
    ],
)
def test_a_part_measures_what_it_promises(name: str, tmp_path: Path) -> None:
    said: list[str] = []
    rows = {**PARTS, **EXTRA}[name](TINY, Place(tmp_path, said.append))
    found = promises(rows)

    assert len(PROMISES[name]) == len(found)
    assert all(what.startswith(start) for start, what in zip(PROMISES[name], found, strict=True))
    assert all(re.search(r"\d", row.here) for row in rows)
    assert said


def test_a_window_is_told_by_moves_and_without_any_by_jobs() -> None:
    report = replace(NOTHING, seconds=2.0, cpu=0.4, moves=1000, bytes_in=4000, bytes_out=80_000)
    moved, joined = Window(0.5, report), Window(0.04, replace(NOTHING, jobs=100))

    assert (500.0, 500.0) == (moved.micros, moved.rate)
    assert (0.25, 0.2) == (moved.share, moved.load_share)
    assert (4.0, 80.0) == (moved.heard, moved.said)
    assert 400.0 == joined.micros


def test_the_cheapest_window_counts() -> None:
    windows = [window(0.5, 1000), window(0.4, 1000), window(0.1, 100)]

    assert windows[1] is cheapest(windows)


def test_a_table_says_which_goals_are_reached() -> None:
    rows = [
        Row("CPU a move", "88 µs", "44 µs", "2.00", "at most 2.0", reached=True),
        Row("memory", "90 kB", "", "", "at most 75 kB", reached=False),
        Row("load", "10 %"),
    ]
    lines = table(rows).splitlines()

    assert ["reached", "**not yet**", ""] == [line.split("|")[6].strip() for line in lines[2:]]
    assert 1 == len({len(line) for line in lines}), "the columns stand under each other"
