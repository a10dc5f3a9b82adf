"""The load generator counts what really happened, and plays on whatever comes."""

import asyncio
import os
import resource
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.load.build import build
from bench.load.pairs import Pair, playing
from bench.load.processes import Crowd, Ended, Process, dormie, yardstick
from bench.load.stage import Place, house
from tests.bench.loaded import WITH_LOAD
from tests.serving import fetch

pytestmark = WITH_LOAD


@pytest.fixture(scope="module")
def table_of_four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two tables of short matches at a house, all tests one after the other."""
    server = dormie(str(tmp_path_factory.mktemp("load") / "house.db"), "NORMAL", None)
    with playing("house", server, Crowd(holes=1), None) as pair:
        pair.sit(2)
        yield pair


def moves_of(pair: Pair) -> int:
    """How many moves the house says were made."""
    text = asyncio.run(fetch(pair.house.port, "/metrics"))
    (line,) = (line for line in text.splitlines() if line.startswith("dormie_moves_total "))
    return round(float(line.split()[1]))


def test_the_house_counts_as_many_moves_as_the_load(table_of_four: Pair) -> None:
    report = table_of_four.do("until 30").report

    assert report.moves_ever == moves_of(table_of_four)
    assert report.moves >= 60
    assert report.frames >= 5 * report.moves, "four seats hear of it, and one is answered"


def test_a_match_that_is_over_is_followed_by_another(table_of_four: Pair) -> None:
    report = table_of_four.do("until 400").report  # a hole has a hundred or so

    assert report.moves_ever == moves_of(table_of_four)
    assert report.moves_ever >= 800


@pytest.mark.parametrize("how", ["fresh", "resume"])
def test_everybody_comes_back_and_plays_on(table_of_four: Pair, how: str) -> None:
    table_of_four.do("leave")
    came = table_of_four.do(f"join {how}").report
    played = table_of_four.do(f"until {came.moves_ever // came.tables + 5}").report

    assert came.jobs == 8
    assert played.moves >= 5
    assert played.moves_ever == moves_of(table_of_four)


def test_a_rate_is_kept(table_of_four: Pair) -> None:
    """A move is due every 25 ms, the last one before the end; a machine may have stood still meanwhile."""
    reports = [table_of_four.do("open 40 0.5").report]
    while reports[-1].moves < 15 and len(reports) < 10:
        reports.append(table_of_four.do("open 40 0.5").report)
    report = reports[-1]

    assert all(one.moves <= 19 for one in reports)
    assert report.moves >= 15
    assert 0 < report.p50 <= report.p99 <= report.most


def test_tables_take_turns_when_few_moves_may_be_under_way(table_of_four: Pair) -> None:
    """With one under way both tables still get on."""
    before = table_of_four.do("sleep 0").report.moves_ever
    report = table_of_four.do("closed 0.5 1").report

    assert report.moves == report.moves_ever - before
    assert report.moves > 3


def test_more_tables_may_come_later(table_of_four: Pair) -> None:
    opened = table_of_four.sit(3).report

    assert (1, 3) == (opened.jobs, opened.tables)


def test_a_yardstick_is_counted_to_the_byte() -> None:
    with playing("bare", yardstick("broadcast", None, 600), Crowd(message=158), None) as pair:
        pair.sit(3)
        report = pair.do("until 50").report

    assert 150 == report.moves == report.moves_ever
    assert 4 * 150 == report.frames
    assert (150 * 158, 4 * 150 * 600) == (report.bytes_out, report.bytes_in)


def test_an_echo_says_the_same_to_one() -> None:
    with playing("bare", yardstick("echo", None), Crowd(seats=1, message=158), None) as pair:
        pair.sit(2)
        report = pair.do("until 10").report

    assert (20, 20 * 158) == (report.frames, report.bytes_in)


def test_a_server_that_dies_is_said_and_not_waited_for(tmp_path: Path) -> None:
    with house(Place(tmp_path, print), "dies") as pair:
        pair.sit(1)
        os.kill(pair.house.pid, signal.SIGKILL)
        with pytest.raises(Ended, match=r"dies: load: seat \d of table 0"):
            pair.do("closed 5")


def test_what_is_refused_is_said_in_the_houses_words(tmp_path: Path) -> None:
    server = dormie(str(tmp_path / "refuses.db"), "NORMAL", None)
    with playing("refuses", server, Crowd(holes=99), None) as pair, pytest.raises(Ended) as ended:
        pair.sit(1)

    assert "bad_option" in str(ended.value)


def test_the_clock_of_another_process_is_the_systems_own(tmp_path: Path) -> None:
    """Two ways to ask what a process has cost: while it lives, and once it is over."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = "print(sum(range(3_000_000)), flush=True); input()"
    process = Process([sys.executable, "-c", work], None)
    process.line()
    cost = process.cpu()
    process.end()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    all_of_it = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert 0.01 < cost <= all_of_it + 0.02


def test_the_program_is_built_once(tmp_path: Path) -> None:
    first = build(tmp_path)
    made = first.stat().st_mtime_ns

    assert first == build(tmp_path)
    assert made == first.stat().st_mtime_ns
    assert [first] == list(tmp_path.iterdir()), "no corner is left behind"
