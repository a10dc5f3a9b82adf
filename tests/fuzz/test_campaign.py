"""Any bytes from anyone: a small campaign; `make bench ARGS=fuzz` does the same with a million frames."""

import pytest

from bench.fuzz import main
from tests.fuzz.attack import ROLES
from tests.fuzz.campaign import Plan, fuzz
from tests.fuzz.outcome import Outcome

FRAMES = 24_000
ENOUGH_KIB = 16 * 1024
"""By so much a process may grow that has only just begun; a leak of one KiB a frame would be more."""


def test_nasty_L07_fuzzed_frames_get_typed_errors_and_harm_nobody() -> None:
    heard: list[int] = []
    outcome = fuzz(
        Plan(seed="L07", frames=FRAMES, between=8_000), lambda so_far: heard.append(so_far.frames)
    )

    assert [] == outcome.faults()
    assert FRAMES <= outcome.frames
    assert outcome.growth < ENOUGH_KIB
    assert outcome.records >= 10, "honest people played on, to the end"
    assert heard[-1] == outcome.frames
    assert_deep(outcome)


def assert_deep(outcome: Outcome) -> None:
    """A campaign that gets no further than the door shows nothing."""
    found = outcome.findings
    kinds = {"valid", "twisted", "scrambled", "raw", "http"}
    words = {
        "unreadable",
        "not_seated",
        "no_table",
        "hello_first",
        "stale",
        "not_your_turn",
        "not_host",
    }
    codes = {"1002", "1003", "1007", "1009", "4400", "4401"}

    assert kinds <= set(found.frames)
    assert words <= set(found.words)
    assert codes <= set(found.closes)
    assert found.words["done"] > 0.03 * FRAMES, "attackers are also let in, and play"
    assert found.words["seen"] > 0.03 * FRAMES, "and see something in which a card could stand"
    assert outcome.attacks > 10 * len(ROLES)


def test_one_attack_can_be_done_alone() -> None:
    whole = fuzz(Plan(seed="alone", only=7))
    again = fuzz(Plan(seed="alone", only=7))

    assert (1, 1) == (whole.attacks, again.attacks)
    assert whole.findings.frames == again.findings.frames
    assert [] == whole.faults()


def test_the_bench_prints_one_table_and_says_how_to_do_an_attack_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = main(["--seed", "bench", "--only", "3"])
    printed, progress = capsys.readouterr()

    assert 0 == status, printed
    assert "hidden cards told  0" in printed
    assert "process 1:" in progress


def test_the_bench_deals_attacks_out_so_that_no_number_comes_twice() -> None:
    outcome = fuzz(Plan(seed="deal", frames=300, first=1, every=2))

    assert outcome.attacks > 0
    assert [] == outcome.faults()
