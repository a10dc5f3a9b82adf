"""The deals of the solo levels: gentle ones, and those of par 4 or 5."""

import pytest
from hypothesis import given, settings

from dormie_rules import patience_deals
from dormie_rules.patience_deals import (
    GENTLE,
    attempt_pack,
    certify,
    gentle,
    lets_through,
    policy_at,
    practice_seed,
    why_not_certified,
)
from dormie_rules.patience_options import choose_patience, choose_race
from dormie_rules.patience_par import PLAYERS, honest_scores, par_from, par_of
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import DealPolicy, KingRule, PatienceRules
from dormie_rules.patience_solution import Verdict
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.scoring_options import BadRules
from dormie_rules.solver import solve
from tests.rules.plain_patience import all_rules, best_of, plain, positions

LEVELS = {name: find_patience(f"golf_patience_{name}") for name in ("easy", "medium", "hard")}
EASY, HARD = LEVELS["easy"].opened, LEVELS["hard"].opened


def solver(rules: PatienceRules, position: Position) -> Verdict:
    return solve(rules, position).verdict


def dealt(rules: PatienceRules, number: int) -> Position:
    return lay_out(rules, certify(rules, practice_seed(number), solver).pack)


def nobody(_rules: PatienceRules, _position: Position) -> Verdict:
    raise AssertionError("no solver is needed")


# ---------------------------------------------------------------- what is dealt


def test_fifty_deals_of_the_hard_level_can_be_cleared_and_have_par_4_or_5() -> None:
    deals = [dealt(HARD, number) for number in range(50)]

    assert {4, 5} == {par_of(HARD, deal) for deal in deals}
    assert max(solve(HARD, deal).best for deal in deals) <= 0


def test_one_of_four_honest_players_clears_each_of_fifty_deals_of_the_easy_level() -> None:
    deals = [dealt(EASY, number) for number in range(50)]
    cleared = [sum(score <= 0 for score in honest_scores(EASY, deal)) for deal in deals]

    assert PLAYERS == 4 * GENTLE
    assert min(cleared) >= GENTLE
    assert max(solve(EASY, deal).best for deal in deals) <= 0


def test_gentle_deals_need_no_solver() -> None:
    seeds = [practice_seed(number) for number in range(20)]
    attempts = [certify(EASY, seed, nobody).attempt for seed in seeds]

    assert max(attempts) > 0
    assert {None} == {
        why_not_certified(EASY, seed, attempt, nobody)
        for seed, attempt in zip(seeds, attempts, strict=True)
    }


@pytest.mark.parametrize("rules", [EASY, HARD], ids=["easy", "hard"])
def test_the_first_deal_that_is_good_enough_is_taken(rules: PatienceRules) -> None:
    seed = practice_seed(3)
    good = [at for at in range(40) if lets_through(rules, attempt_pack(rules, seed, at), solver)]

    assert good[0] == certify(rules, seed, solver).attempt
    assert why_not_certified(rules, seed, good[0], solver) is None
    late = why_not_certified(rules, seed, good[1], solver)
    bad = next(at for at in range(40) if at not in good)

    assert f"attempt {good[0]} was good enough, and attempt {good[1]} was dealt" == late
    assert why_not_certified(rules, seed, bad, solver) is not None


def test_what_a_level_deals_never_changes() -> None:
    """Records and practice deals follow from it."""
    first = {
        name: [certify(level.opened, practice_seed(n), solver).attempt for n in range(6)]
        for name, level in LEVELS.items()
    }

    assert FIRST == first


FIRST = {
    "easy": [0, 3, 3, 4, 4, 1],
    "medium": [1, 1, 0, 3, 0, 0],
    "hard": [1, 3, 3, 4, 3, 0],
}


# ------------------------------------------------------------------ when to stop


@pytest.mark.parametrize("policy", ["gentle", "par_4_5"])
def test_after_many_attempts_any_deal_that_can_be_cleared_will_do(
    policy: DealPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hole is never kept from those who wait for it, and the record can tell that this happened."""
    rules = PatienceRules("strict", deal_policy=policy)
    any_clearable = PatienceRules("strict", deal_policy="clearable")
    picked = [certify(rules, practice_seed(n), solver).attempt for n in range(12)]
    monkeypatch.setattr(patience_deals, "PICKED_ATTEMPTS", 2)
    sooner = [certify(rules, practice_seed(n), solver).attempt for n in range(12)]
    number = next(n for n in range(12) if sooner[n] < picked[n])
    seed, attempt = practice_seed(number), sooner[number]

    assert attempt >= 2
    assert why_not_certified(rules, seed, attempt, solver) is None
    assert lets_through(any_clearable, attempt_pack(rules, seed, attempt), solver)
    wrong = [why_not_certified(rules, seed, at, solver) for at in range(attempt)]

    assert wrong[0] == f"attempt 0 is not what {policy} asks for"
    assert None not in wrong


def test_only_who_is_picky_stops_being_so() -> None:
    policies: list[DealPolicy] = ["random", "not_hopeless", "clearable"]

    assert policies == [policy_at(PatienceRules(deal_policy=one), 900) for one in policies]


# -------------------------------------------------------------------- properties


@settings(max_examples=300, deadline=None)
@given(positions(), all_rules())
def test_nobody_scores_lower_than_can_be_done_so_a_gentle_deal_can_be_cleared(
    position: Position, rules: PatienceRules
) -> None:
    """Players that break a rule would make deals gentle that nobody can clear."""
    best = best_of(rules, plain(position))
    scores = honest_scores(rules, position)

    assert min(scores) >= best
    assert best <= 0 or not gentle(rules, position)


@pytest.mark.parametrize("king_rule", ["strict", "queen", "wrap"])
def test_a_deal_has_the_same_par_whoever_asks_for_it(king_rule: KingRule) -> None:
    rules = PatienceRules(king_rule)
    for number in range(10):
        deal = lay_out(rules, attempt_pack(rules, practice_seed(number), 0))

        assert par_of(rules, deal) == par_from(honest_scores(rules, deal))


# ------------------------------------------------------------- levels and tables


def test_the_levels_are_what_the_rules_say() -> None:
    """Easy is wrap with gentle deals, medium queen with any that can be cleared, hard strict with par 4 or 5."""
    levels = [(level.opened.king_rule, level.opened.deal_policy) for level in LEVELS.values()]

    assert [("wrap", "gentle"), ("queen", "clearable"), ("strict", "par_4_5")] == levels


@pytest.mark.parametrize("name", patience_names())
def test_a_record_of_a_new_table_says_what_its_variant_does_not(name: str) -> None:
    """The numbers of a variant stay as they were: older records name the variant alone."""
    variant = find_patience(name)
    options = variant.opening_options({})
    seats = variant.min_seats

    assert variant.opened.deal_policy == choose_race(variant, options, seats).deal_policy
    assert variant.rules.deal_policy == choose_race(variant, {}, seats).deal_policy
    assert bool(options) == (name in {"golf_patience_easy", "golf_patience_hard"})


def test_a_host_may_choose_other_deals_for_a_level() -> None:
    chosen = LEVELS["hard"].opening_options({"deal_policy": "random", "holes": 1})

    assert "random" == choose_race(LEVELS["hard"], chosen, 1).deal_policy


@pytest.mark.parametrize("policy", ["gentle", "par_4_5"])
@pytest.mark.parametrize("name", ["double_golf", "tripeaks", "black_hole", "all_in_a_row_ii"])
def test_relatives_have_no_gentle_deals(name: str, policy: str) -> None:
    with pytest.raises(BadRules, match="nobody has measured") as refused:
        choose_patience({"deal_policy": policy}, find_patience(name).rules)

    assert "deal_policy" == refused.value.field
    choose_patience({"deal_policy": policy}, find_patience("thieves").rules)
