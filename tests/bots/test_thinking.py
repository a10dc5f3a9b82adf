"""Bots pause as people do, and never so long that the clock would matter."""

from math import log
from statistics import fmean, stdev

from hypothesis import given
from hypothesis import strategies as st

from dormie_bots.thinking import FORCED_SECONDS, SPREAD, think_seconds

SEEDS = [number.to_bytes(4, "big") for number in range(2000)]


def test_pauses_are_lognormal_around_a_second() -> None:
    logs = [log(think_seconds(seed, 5, None)) for seed in SEEDS]

    assert abs(fmean(logs)) < 0.05
    assert abs(stdev(logs) - SPREAD) < 0.03


def test_there_is_less_to_think_about_when_there_is_no_choice() -> None:
    pauses = [(think_seconds(seed, 1, None), think_seconds(seed, 2, None)) for seed in SEEDS]

    assert all(forced < free for forced, free in pauses)
    assert abs(fmean(log(forced) for forced, _ in pauses) - log(FORCED_SECONDS)) < 0.05


@given(st.binary(), st.integers(1, 20), st.floats(0, 1000))
def test_a_pause_is_at_most_a_third_of_the_clock(seed: bytes, choices: int, clock: float) -> None:
    assert 0 <= think_seconds(seed, choices, clock) <= clock / 3


@given(st.binary(), st.integers(1, 20))
def test_the_same_seed_makes_the_same_pause(seed: bytes, choices: int) -> None:
    assert think_seconds(seed, choices, None) == think_seconds(seed, choices, None)


def test_a_clock_that_has_run_out_leaves_no_time() -> None:
    assert 0 == think_seconds(b"late", 3, -2.0)
