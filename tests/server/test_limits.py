"""Limits: counting with a clock that the test holds."""

import pytest

from dormie_server.limits import (
    Allowance,
    Bucket,
    Limits,
    Misses,
    Remembered,
    Sockets,
    Strikes,
    Tally,
)
from tests.nasty import CASES

LIMITS = Limits()


def misses() -> Misses:
    return Misses(LIMITS.code_misses_per_address, LIMITS.remembered, LIMITS.code_misses)


def test_messages_may_come_in_a_burst_and_then_at_a_rate() -> None:
    bucket = Bucket(LIMITS.messages_per_second, LIMITS.messages_at_once)
    in_one_breath = sum(bucket.take(0.0) for _ in range(100))
    in_ten_seconds = sum(bucket.take(number / 100) for number in range(1, 1001))

    assert 40 == in_one_breath
    assert 200 == pytest.approx(in_ten_seconds, abs=1)


def test_a_clock_that_steps_back_gives_nothing() -> None:
    bucket = Bucket(per_second=1, at_once=1)
    bucket.take(100.0)

    assert [False, False, True] == [bucket.take(now) for now in (50.0, 100.5, 101.0)]


def test_quiet_hours_are_not_saved_up() -> None:
    bucket = Bucket(per_second=20, at_once=40)

    assert 40 == sum(bucket.take(1e9) for _ in range(100))


def test_nasty_J20_ten_messages_that_are_none_within_a_minute_are_too_many() -> None:
    strikes = Strikes(LIMITS.strikes)
    outs = [strikes.out(6.0 * number) for number in range(CASES["J20"]["input"]["times"])]

    assert [False] * 9 + [True] == outs


def test_nine_in_a_minute_may_go_on_all_day() -> None:
    strikes = Strikes(LIMITS.strikes)

    assert not any(strikes.out(6.7 * number) for number in range(1000))


def test_a_tally_counts_the_last_seconds_and_no_others() -> None:
    tally = Tally(most=2, seconds=60)
    tally.add(0.0)
    tally.add(59.0)

    assert [True, False, False] == [tally.full(now) for now in (59.9, 60.0, 1000.0)]


def test_nasty_S01_guessing_codes_from_one_address_ends_after_ten() -> None:
    case, guesses = CASES["S01"], misses()
    looked = 0
    for number in range(case["input"]["misses"]):
        if not guesses.blocked("192.0.2.1", now=number / 1000):
            looked += 1
            guesses.missed("192.0.2.1", now=number / 1000)

    assert case["expected"]["blocked_after"] == looked
    assert not guesses.blocked("192.0.2.2", now=1.0)
    assert not guesses.blocked("192.0.2.1", now=61.0)


def test_nasty_S01_guessing_codes_from_everywhere_ends_after_a_hundred() -> None:
    guesses = misses()
    looked = 0
    for number in range(CASES["S01"]["input"]["misses"]):
        if not guesses.blocked(f"192.0.2.{number}", now=number / 1000):
            looked += 1
            guesses.missed(f"192.0.2.{number}", now=number / 1000)

    assert 100 == looked
    assert guesses.blocked("198.51.100.1", now=59.0)
    assert not guesses.blocked("198.51.100.1", now=61.0)


def test_nasty_S02_guessing_tokens_ends_after_twenty() -> None:
    case = CASES["S02"]
    guesses = Misses(LIMITS.token_misses_per_address, LIMITS.remembered)
    for number in range(case["expected"]["locked_after"]):
        assert not guesses.blocked("192.0.2.1", now=float(number))
        guesses.missed("192.0.2.1", now=float(number))

    assert guesses.blocked("192.0.2.1", now=20.0)


def test_to_ask_whether_somebody_is_blocked_leaves_nothing_behind() -> None:
    known: Remembered[Tally] = Remembered(lambda: Tally(1), most=10, seconds=60)
    for number in range(1000):
        known.known(str(number))

    assert 0 == len(known)


def test_what_is_remembered_is_forgotten_in_time() -> None:
    known: Remembered[list[int]] = Remembered(list, most=10, seconds=60)
    known.about("ada", now=0.0).append(1)
    known.about("ada", now=50.0).append(2)
    known.about("bob", now=100.0)

    assert [1, 2] == known.about("ada", now=105.0)
    assert [] == known.about("ada", now=166.0)
    assert 1 == len(known)


def test_nobody_can_make_us_remember_more_than_the_most() -> None:
    known: Remembered[list[int]] = Remembered(list, most=100, seconds=1e9)
    for number in range(100_000):
        known.about(str(number % 5000), now=0.0)

    assert 100 == len(known)
    assert known.known("4999") is not None
    assert known.known("0") is None


def test_a_player_may_open_a_few_tables_at_once_and_then_one_now_and_then() -> None:
    tables = Allowance(LIMITS.creations_per_minute, LIMITS.creations_at_once, LIMITS.remembered)

    assert 10 == sum(tables.take("ada", now=0.0) for _ in range(100))
    assert tables.take("bob", now=0.0)
    assert 2 == sum(tables.take("ada", now=60.0) for _ in range(100))


def test_an_allowance_is_forgotten_only_when_it_is_whole_again() -> None:
    tables = Allowance(per_minute=1, at_once=3, most=100)
    for _ in range(3):
        tables.take("ada", now=0.0)

    assert 2 == sum(tables.take("ada", now=179.0) for _ in range(5))


def test_lines_are_counted_by_address_and_in_all() -> None:
    sockets = Sockets(per_address=100, overall=150)

    assert 100 == sum(sockets.enter("192.0.2.1") for _ in range(200))
    assert 50 == sum(sockets.enter("192.0.2.2") for _ in range(200))
    sockets.leave("192.0.2.1")
    assert sockets.enter("192.0.2.3")
    assert not sockets.enter("192.0.2.3")


def test_whoever_has_left_leaves_nothing_behind() -> None:
    sockets = Sockets(per_address=2, overall=10_000)
    for number in range(1000):
        assert sockets.enter(str(number))
        sockets.leave(str(number))

    assert 0 == len(sockets)
    assert {} == vars(sockets)["_open"]


def test_every_limit_must_be_more_than_nothing() -> None:
    with pytest.raises(ValueError, match="sockets must be more than 0"):
        Limits(sockets=0)
    with pytest.raises(ValueError, match="messages_per_second must be more than 0"):
        Limits(messages_per_second=float("nan"))
