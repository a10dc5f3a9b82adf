"""The laws of grid Golf hold in every match that can be played, and each law has caught a bug.

Hypothesis chooses the variant, the table with all its options, and the luck with which everybody
plays and now and then leaves.
"""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_rules.cards import Card
from dormie_rules.course_state import CoursePublic
from dormie_rules.game import Deal
from dormie_rules.grid_events import FinalLap
from tests.leaks import record
from tests.rules import laws
from tests.rules.bugs import BUGS, Bug
from tests.rules.laws import LAWS, Law, moments
from tests.rules.playing import EQUALS, Doing, Table, do, tables

seeds = st.integers(0, 2**32 - 1)


@given(table=tables(), seed=seeds, leaving=st.sampled_from([0, 0.01, 0.1]))
@settings(max_examples=100, deadline=None)
def test_the_laws_hold_at_every_moment(table: Table, seed: int, leaving: float) -> None:
    obeys(table, seed, leaving)


@given(table=tables(**EQUALS), seed=seeds, leaving=st.sampled_from([0, 0.01]))
@settings(max_examples=15, deadline=None)
def test_the_laws_hold_in_extra_holes(table: Table, seed: int, leaving: float) -> None:
    obeys(table, seed, leaving)


def obeys(table: Table, seed: int, leaving: float) -> None:
    for moment in moments(table, Random(seed), leaving=leaving):
        for law in LAWS:
            law(moment)


@given(table=tables(), seed=seeds, leaving=st.sampled_from([0, 0.01, 0.05]))
@settings(max_examples=150, deadline=None)
def test_every_match_ends_after_holes_that_end(table: Table, seed: int, leaving: float) -> None:
    match = list(moments(table, Random(seed), leaving=leaving))

    laws.everybody_has_one_turn_in_the_final_lap(match)
    laws.a_hole_has_a_longest_length(match)
    assert min(match[-1].card.places) == 1


@given(table=tables(), seed=seeds)
@settings(max_examples=25, deadline=None)
def test_suits_decide_nothing(table: Table, seed: int) -> None:
    """Rule A1, 6: the same match with every card under another name, but for its rank."""
    course, doings = table.course, record(table, Random(seed))
    one = other = course.start(0)
    for doing in doings:
        one = do(course, one, doing).state
        other = do(course, other, without_suits(doing)).state

        assert numbers(one.public) == numbers(other.public)


def without_suits(doing: Doing) -> Doing:
    if not isinstance(doing, Deal):
        return doing
    return replace(doing, pack=tuple(Card(card[0]) for card in doing.pack))


def numbers(card: CoursePublic) -> tuple[object, ...]:
    return card.totals, card.places, card.play and card.play.showing


# ------------------------------------------------------------ planted bugs


@pytest.mark.parametrize(("law", "bug"), BUGS, ids=lambda of: of.__name__)
def test_a_bug_is_noticed(law: Law, bug: Bug) -> None:
    """And what is noticed is the bug: the same moments without it pass."""
    with pytest.raises(AssertionError):
        judge(law, bug)


def test_every_law_has_a_bug() -> None:
    assert set(LAWS) == {law for law, _ in BUGS}


def judge(law: Law, bug: Bug) -> None:
    for number, variant in enumerate(("six_card", "six_card_table", "playroom") * 3):
        for moment in moments(Table(variant, 3, spare=3), Random(number), leaving=0.004):
            law(moment)
            if moment.hole:
                law(bug(moment))


def test_a_second_turn_in_the_final_lap_is_noticed() -> None:
    match = list(moments(Table("six_card", 3), Random(1), leaving=0))
    last = next(m for m in reversed(match) if m.hole and m.hole.last)

    with pytest.raises(AssertionError):
        laws.everybody_has_one_turn_in_the_final_lap([*match[:-1], last, last, match[-1]])


def test_a_turn_missed_in_the_final_lap_is_noticed() -> None:
    match = list(moments(Table("six_card", 3), Random(1), leaving=0))
    laps = [at for at, m in enumerate(match) if any(isinstance(e, FinalLap) for e in m.told)]

    with pytest.raises(AssertionError):
        laws.everybody_has_one_turn_in_the_final_lap([*match[: laps[-1] + 1], match[-1]])


def test_a_hole_without_end_is_noticed() -> None:
    match = list(moments(Table("six_card", 3), Random(1)))
    endless = [replace(m, course=Table("six_card", 3, (("max_laps", 1),)).course) for m in match]

    with pytest.raises(AssertionError):
        laws.a_hole_has_a_longest_length(endless)
