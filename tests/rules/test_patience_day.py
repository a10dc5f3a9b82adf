"""The hole of the day: promised, the same for everybody, first try counts, and checked afterwards."""

import hashlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.day_record import BadDay, check_day, write_day
from dormie_rules.drawers import look
from dormie_rules.game import Deal, act
from dormie_rules.patience_day import (
    DAY_RULES,
    DayTable,
    begin_try,
    close_day,
    day_deal,
    day_promise,
    day_results,
    day_seed,
    end_try,
    why_not_day,
)
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_solution import Verdict
from dormie_rules.race import RaceCourse
from dormie_rules.solver import solve

DATE, SECRET = "2026-11-30", bytes(range(32))
PROMISE = day_promise(DATE, SECRET)


def judge(rules: PatienceRules, position: Position) -> Verdict:
    return solve(rules, position).verdict


def played(seed: int) -> tuple[int, str]:
    """The day's hole, played at random at a table for one."""
    course, luck = RaceCourse(DAY_RULES, seats=1), Random(seed)
    deal = day_deal(DATE, SECRET, judge)
    state = course.deal(course.start(), Deal(deal.pack, b"", deal.attempt)).state
    while course.waiting_for(state):
        state = act(course, state, 0, luck.choice(course.moves(look(state, 0)))).state
    assert state.public.play is not None
    assert state.public.play.shown is not None
    return state.public.totals[0], state.public.play.shown.paths[0]


def day(players: int) -> DayTable[str]:
    table: DayTable[str] = DayTable(DATE, PROMISE)
    for seed in range(players):
        table = begin_try(table, f"player {seed}") or table
        table = end_try(table, f"player {seed}", *played(seed))
    return close_day(table)


def test_the_day_is_the_same_deal_for_everybody_and_can_be_cleared() -> None:
    deals = {day_deal(DATE, SECRET, judge).pack for _ in range(3)}

    assert 1 == len(deals)
    assert "clearable" == judge(DAY_RULES, lay_out(DAY_RULES, deals.pop()))


@given(st.binary(min_size=32, max_size=32))
def test_the_days_secret_cannot_be_computed_from_what_is_published(other: bytes) -> None:
    """The promise is a hash of the secret: nothing that follows from it and the date alone is the seed."""
    guesses = (
        PROMISE,
        day_seed(DATE, PROMISE),
        day_seed(DATE, DATE.encode()),
        day_promise(DATE, PROMISE),
        hashlib.sha256(PROMISE).digest(),
        practice_seed(1),
    )

    assert day_seed(DATE, SECRET) not in guesses
    assert other == SECRET or day_promise(DATE, other) != PROMISE
    assert other == SECRET or day_seed(DATE, other) != day_seed(DATE, SECRET)
    assert day_promise("2026-12-01", SECRET) != PROMISE


def test_every_player_can_check_the_day_afterwards() -> None:
    attempt = day_deal(DATE, SECRET, judge).attempt

    assert why_not_day(DATE, PROMISE, SECRET, attempt, judge) is None
    said = why_not_day(DATE, PROMISE, bytes(32), attempt, judge)

    assert "this secret is not the one that was promised" == said
    said = why_not_day(DATE, PROMISE, SECRET, attempt + 1, judge)

    assert f"attempt {attempt} was good enough, and attempt {attempt + 1} was dealt" == said


def test_only_the_first_try_of_a_player_counts() -> None:
    table: DayTable[str] = DayTable(DATE, PROMISE)
    begun = begin_try(table, "Ada")
    assert begun is not None

    assert begin_try(begun, "Ada") is None
    done = end_try(begun, "Ada", 4, "1D")

    assert done == end_try(done, "Ada", -3, "1")
    assert begin_try(done, "Ada") is None
    assert done == end_try(done, "Ben", -3)
    assert [4] == [line.score for line in day_results(done)]


def test_when_the_day_is_over_nothing_changes_any_more() -> None:
    begun = begin_try(DayTable(DATE, PROMISE), "Ada")
    assert begun is not None
    over = close_day(begun)

    assert begin_try(over, "Ben") is None
    assert over == end_try(over, "Ada", -3)
    assert () == day_results(over)


def test_the_table_of_results_shares_places() -> None:
    table: DayTable[int] = DayTable(DATE, PROMISE)
    for player, score in enumerate((3, -1, 3, 0, 9)):
        table = end_try(begin_try(table, player) or table, player, score)

    assert [(1, 1, True), (3, 2, True), (0, 3, False), (2, 3, False), (4, 5, False)] == [
        (line.player, line.place, line.cleared) for line in day_results(table)
    ]


def test_a_day_is_checked_from_its_record_alone() -> None:
    table = day(5)
    record = write_day(table, SECRET, judge)

    assert sum(len(one.path) for one in table.tries) == check_day(record, judge)
    assert record.startswith(f"dormie-day 1\nday {DATE}\npromise {PROMISE.hex()}\n")


def test_a_line_of_a_days_record_that_is_wrong_is_named() -> None:
    table = day(2)
    lines = write_day(table, SECRET, judge).split("\n")
    attempt = day_deal(DATE, SECRET, judge).attempt
    score, path = table.tries[0].score, table.tries[0].path
    other = " ".join(("pack", *attempt_pack(DAY_RULES, day_seed(DATE, SECRET), attempt + 1)))
    for number, line, because in (
        (1, "dormie-day 2", '"dormie-day" is needed'),
        (2, "day 2026-12-01", "not the one that was promised"),
        (3, f"promise {bytes(32).hex()}", "not the one that was promised"),
        (4, f"secret {bytes(32).hex()}", "not the one that was promised"),
        (5, f"attempt {attempt + 1}", "was good enough"),
        (5, "attempt 1000", "below 1000"),
        (6, other, "not the pack"),
        (7, f"try 1 {(score or 0) - 1} {path}", "these moves come to"),
        (7, f"try 1 {score} 1111111", "do not allow"),
        (7, f"try 2 {score} {path}", '"try 1"'),
        (7, f"try 1 {score} 8", '"try 1"'),
        (9, "what\nend", '"try 3"'),
        (10, "end", "nothing comes after"),
    ):
        wrong = "\n".join([*lines[: number - 1], line, *lines[number:]])
        with pytest.raises(BadDay, match=because):
            check_day(wrong, judge)
    with pytest.raises(BadDay, match="breaks off"):
        check_day("\n".join(lines[:8]), judge)
