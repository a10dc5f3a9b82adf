"""What a closer pays: worked cases, each mode by itself, and laws."""

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.penalties import Mode, Tie, charged, penalty
from tests.worked_cases import Case, case_id, cases, failing, one_wrong

MODES: tuple[Mode, ...] = get_args(Mode)
TIES: tuple[Tie, ...] = get_args(Tie)
modes = st.sampled_from(MODES)
ties = st.sampled_from(TIES)
scores = st.integers(-30, 120)
holes = st.dictionaries(st.integers(0, 5), scores, min_size=1)


def paid(case: Case) -> dict[str, int]:
    return charged(case["mode"], case["tie"], case["scores"], case["closer"])


@pytest.mark.parametrize("case", cases("round_score"), ids=case_id)
def test_a_worked_hole_costs_what_it_says(case: Case) -> None:
    assert case["expect"] == paid(case)


def test_a_worked_hole_with_another_answer_is_noticed() -> None:
    for wrong, listed in one_wrong(cases("round_score")):
        assert [wrong] == failing(listed, paid)


@pytest.mark.parametrize(
    ("mode", "of"),
    [
        ("none", {-10: 0, -1: 0, 0: 0, 5: 0, 30: 0}),
        ("qc", {-10: 10, -1: 10, 0: 10, 5: 10, 9: 10, 10: 10, 11: 11, 30: 30}),
        ("double", {-10: 0, -1: 0, 0: 0, 5: 5, 30: 30}),
        ("plus10", {-10: 10, -1: 10, 0: 10, 5: 10, 30: 10}),
        ("double_plus5", {-10: 5, -1: 5, 0: 5, 5: 10, 30: 35}),
    ],
)
def test_a_beaten_closer_pays_by_the_mode(mode: Mode, of: dict[int, int]) -> None:
    assert of == {own: penalty(mode, "safe", own, [own - 1, own + 1]) for own in of}


@pytest.mark.parametrize(
    ("others", "price"), [([], 0), ([21, 40], 0), ([20], 5), ([20, 19, 21], 10), ([-5] * 5, 25)]
)
def test_a_closer_may_pay_for_each_who_ties_or_beats(others: list[int], price: int) -> None:
    assert price == penalty("per_beater5", "safe", 20, others)
    assert price == penalty("per_beater5", "penalised", 20, others)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode not in ("none", "per_beater5")])
def test_a_tie_is_safe_or_it_is_not(mode: Mode) -> None:
    assert 0 == penalty(mode, "safe", 7, [7, 12])
    assert 0 < penalty(mode, "penalised", 7, [7, 12])


@pytest.mark.parametrize("mode", MODES)
def test_nobody_pays_when_nobody_closed(mode: Mode) -> None:
    assert {0: 20, 1: 3} == charged(mode, "penalised", {0: 20, 1: 3}, None)


@pytest.mark.parametrize("mode", MODES)
def test_a_closer_who_has_left_pays_nothing(mode: Mode) -> None:
    assert {0: 20, 1: 3} == charged(mode, "penalised", {0: 20, 1: 3}, 2)


@pytest.mark.parametrize("mode", MODES)
def test_a_closer_left_alone_pays_nothing(mode: Mode) -> None:
    assert {2: 20} == charged(mode, "penalised", {2: 20}, 2)


@given(modes, ties, holes, st.integers(0, 5))
def test_only_the_closer_pays(mode: Mode, tie: Tie, raw: dict[int, int], closer: int) -> None:
    before = dict(raw)
    after = charged(mode, tie, raw, closer)

    assert before == raw
    assert list(raw) == list(after)
    assert {p: s for p, s in raw.items() if p != closer} == {
        p: s for p, s in after.items() if p != closer
    }


@given(modes, ties, scores, st.lists(scores, max_size=5))
def test_a_penalty_is_never_a_reward(mode: Mode, tie: Tie, own: int, others: list[int]) -> None:
    assert 0 <= penalty(mode, tie, own, others)


@given(modes, ties, st.lists(scores, min_size=1, max_size=5))
def test_a_worse_hand_never_costs_less(mode: Mode, tie: Tie, others: list[int]) -> None:
    charges = [own + penalty(mode, tie, own, others) for own in range(-30, 121)]

    assert sorted(charges) == charges


def test_the_usual_penalty_has_no_jumps() -> None:
    """Doubling takes over from ten more exactly where they are equal."""
    charges = [own + penalty("qc", "safe", own, [-100]) for own in range(-30, 121)]

    assert {1, 2} == {later - earlier for earlier, later in pairwise(charges)}
    assert charges == [max(own + 10, 2 * own) for own in range(-30, 121)]


@given(ties, scores, st.lists(scores, max_size=5))
def test_being_lowest_is_free(tie: Tie, own: int, above: list[int]) -> None:
    others = [own + 1 + abs(by) for by in above]

    assert {0} == {penalty(mode, tie, own, others) for mode in MODES}
