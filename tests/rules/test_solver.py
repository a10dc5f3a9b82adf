"""The solver is right: about hand-checked deals, about counts that others published, and about whatever comes."""

import random
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_rules.cards import Card
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import board_moves, board_of
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_lattice import fits_in_a_pass
from dormie_rules.patience_moves import GiveUp, PatienceMove, Play
from dormie_rules.patience_options import choose_patience
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_solution import next_position, replay_line
from dormie_rules.patience_text import read_deals
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.solver import Study, keeping, solve
from tests.rules.plain_patience import all_rules, best_of, keeping_of, plain, positions
from tests.worked_cases import BOOK, Case, case_id

KING_RULES: tuple[KingRule, ...] = get_args(KingRule)
PYSOLFC = Path(__file__).parents[1] / "cases" / "patience" / "pysolfc_1_to_20.txt"
PYSOLFC_BEST = [-3, -7, -5, -6, -5, -6, -4, -2, -4, -5, 1, -7, -1, -5, -6, -8, -6, -2, -6, -6]


def shuffled(seed: int) -> Position:
    """The deal of a seed, as others have counted them: with Python's own luck, column by column."""
    deck = [Card("A23456789TJQK"[rank]) for rank in range(13) for _ in range(4)]
    random.Random(seed).shuffle(deck)
    columns = tuple(tuple(deck[5 * at : 5 * at + 5]) for at in range(7))
    return Position(columns, deck[35], tuple(deck[36:]))


@cache
def best(king_rule: KingRule, seed: int) -> int:
    return solve(PatienceRules(king_rule), shuffled(seed)).best


def words(moves: tuple[PatienceMove, ...]) -> set[str]:
    return {
        str(m.column) if isinstance(m, Play) else "D" for m in moves if not isinstance(m, GiveUp)
    }


def ends_as_promised(rules: PatienceRules, position: Position) -> None:
    solution = solve(rules, position)
    board = replay_line(rules, position, solution.line)

    assert board is not None
    assert (solution.best, True) == (board.score, board.ending is not None)


# ------------------------------------------------------- what others have found


@pytest.mark.parametrize("king_rule", KING_RULES)
@pytest.mark.parametrize("case", BOOK["patience_deal"], ids=case_id)
def test_a_worked_deal_ends_as_low_as_it_can(case: Case, king_rule: KingRule) -> None:
    columns = tuple(tuple(map(Card, column)) for column in case["columns"])
    position = Position(columns, Card(case["foundation"]), tuple(map(Card, case["stock"])))
    rules = PatienceRules(king_rule)

    assert case["best"][king_rule]["best"] == solve(rules, position).best
    ends_as_promised(rules, position)


def test_deals_of_another_program_end_as_low_as_it_says() -> None:
    deals = [deal.position for deal in read_deals(PYSOLFC.read_text("utf-8"))]

    assert PYSOLFC_BEST == [solve(PatienceRules("wrap"), deal).best for deal in deals]


@pytest.mark.parametrize(("king_rule", "clearable"), [("strict", 16), ("queen", 26), ("wrap", 47)])
def test_as_many_deals_can_be_cleared_as_others_have_counted(
    king_rule: KingRule, clearable: int
) -> None:
    """The first 50 of the 300 seeds that `bench/solver.py` counts: 81, 140 and 282 of them."""
    assert clearable == sum(best(king_rule, seed) <= 0 for seed in range(50))


@pytest.mark.parametrize("seed", range(50))
def test_a_kinder_king_never_makes_a_deal_worse(seed: int) -> None:
    assert best("strict", seed) >= best("queen", seed) >= best("wrap", seed)


@pytest.mark.parametrize("king_rule", KING_RULES)
@pytest.mark.parametrize("seed", range(5))
def test_the_line_of_a_deal_leads_where_it_should(seed: int, king_rule: KingRule) -> None:
    ends_as_promised(PatienceRules(king_rule), shuffled(seed))


# --------------------------------------------------------- every way to play on


@settings(max_examples=250, deadline=None)
@given(positions(), all_rules())
def test_no_way_to_play_a_few_cards_ends_lower(position: Position, rules: PatienceRules) -> None:
    solution = solve(rules, position)

    assert (best_of(rules, plain(position)), True) == (solution.best, solution.exact)
    assert ("clearable" if solution.best <= 0 else "not_clearable") == solution.verdict
    ends_as_promised(rules, position)


@pytest.mark.parametrize("king_rule", KING_RULES)
def test_of_two_ways_to_the_same_tableau_the_one_with_fewer_draws_counts(
    king_rule: KingRule,
) -> None:
    """Short columns of neighbours, where equal cards meet: in one of sixty it decides the score."""
    luck, rules = random.Random(1), PatienceRules(king_rule)
    for _ in range(250):
        pool = luck.choice(["A2345", "A23", "QKA2"])
        cards = [Card(luck.choice(pool)) for _ in range(10)]
        columns = (tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:6]))
        position = Position(columns, cards[6], tuple(cards[7:]))

        assert best_of(rules, plain(position)) == solve(rules, position).best


@settings(max_examples=120, deadline=None)
@given(positions(), all_rules())
def test_the_moves_that_keep_the_score_are_found_and_no_others(
    position: Position, rules: PatienceRules
) -> None:
    kept = keeping(rules, position)

    assert kept is not None
    assert keeping_of(rules, plain(position)) == words(kept)
    as_low = best_of(rules, plain(position)) == position.left > 0
    over = board_of(rules, position).ending is not None
    assert (GiveUp() in kept) == (as_low and not over)


@settings(max_examples=120, deadline=None)
@given(positions(), all_rules(draw_with_moves=True), st.integers(-5, 9), st.randoms())
def test_a_study_knows_of_every_position_of_its_deal_what_it_can_come_to(
    position: Position, rules: PatienceRules, target: int, luck: random.Random
) -> None:
    study = Study(rules, position, target)
    while True:
        reaches = best_of(rules, plain(position)) <= target

        assert reaches == study.reaches(position)
        moves = [m for m in board_moves(rules, board_of(rules, position)) if m != GiveUp()]
        kept = {m for m in moves if best_of(rules, plain(next_position(position, m))) <= target}
        assert kept == {m for m in study.keeping(position) if m != GiveUp()}
        if not moves:
            break
        position = next_position(position, luck.choice(moves))


@pytest.mark.parametrize("king_rule", KING_RULES)
def test_a_study_of_a_whole_deal_follows_its_line_and_notices_a_slip(king_rule: KingRule) -> None:
    rules, position = PatienceRules(king_rule), shuffled(6)
    line = solve(rules, position).line
    study = Study(rules, position, solve(rules, position).best)
    for move in line:
        if position.left <= study.target:
            break

        assert move in study.keeping(position)
        for other in board_moves(rules, board_of(rules, position))[:-1]:
            after = next_position(position, other)

            assert (solve(rules, after).best <= study.target) == study.reaches(after)
        position = next_position(position, move)


# ------------------------------------------------------------------- the edges


def test_a_cleared_tableau_is_worth_its_stock() -> None:
    position = Position(((), ()), Card("5S"), (Card("6D"), Card("7D")))

    assert (-2, ()) == (
        solve(PatienceRules(), position).best,
        solve(PatienceRules(), position).line,
    )


def test_a_king_may_be_the_last_card() -> None:
    position = Position(((Card("KS"),),), Card("QS"), (Card("2D"),))

    assert (-1, (Play(0),)) == (
        solve(PatienceRules(), position).best,
        solve(PatienceRules(), position).line,
    )


def test_a_tableau_too_large_for_a_pass_is_searched_within_a_budget() -> None:
    columns = tuple(tuple(Card(r) for r in "A2345") for _ in range(8))
    position = Position(columns, Card("4"), (Card("9"),))

    assert not fits_in_a_pass(PatienceRules(), position)
    assert ("unknown", False) == (
        (solution := solve(PatienceRules("wrap"), position, budget=3)).verdict,
        solution.exact,
    )
    assert 40 >= solution.best > 0
    assert keeping(PatienceRules("wrap"), position, budget=3) is None
    with pytest.raises(ValueError, match="too much"):
        Study(PatienceRules("wrap"), position)


GOLF = [name for name in patience_names() if find_patience(name).rules.columns == 7]
PYRAMIDS = ["elevator", "escalator", "tripeaks"]
BIG = ["all_in_a_row", "black_hole", "double_golf", "double_putt"]
UNKNOWN = ["all_in_a_row_ii"]


def dealt(name: str, chosen: dict[str, object]) -> tuple[PatienceRules, Position]:
    rules = choose_patience(chosen, find_patience(name).rules)
    return rules, lay_out(rules, attempt_pack(rules, practice_seed(0), 0))


def test_scenario_R59_every_variant_has_a_solver_or_says_that_it_has_none() -> None:
    assert sorted([*GOLF, *PYRAMIDS, *BIG, *UNKNOWN]) == sorted(patience_names())


@pytest.mark.parametrize("name", [*GOLF, *PYRAMIDS])
@pytest.mark.parametrize("chosen", [{}, {"jokers": 1}, {"jokers": 2, "empty_start": True}])
def test_scenario_R59_golf_and_pyramids_are_solved_exactly(
    name: str, chosen: dict[str, object]
) -> None:
    """With jokers and without a first card too."""
    rules, position = dealt(name, chosen)

    assert solve(rules, position).exact
    assert fits_in_a_pass(rules, position) == (name in GOLF)
    ends_as_promised(rules, position)


@pytest.mark.parametrize("name", BIG)
def test_scenario_R59_what_is_too_large_is_searched_within_a_budget(name: str) -> None:
    rules, position = dealt(name, {})
    solution = solve(rules, position, budget=500)
    board = replay_line(rules, position, solution.line)

    assert solution.exact or solution.verdict in {"unknown", "clearable"}
    assert board is not None
    assert solution.best == board.score


@pytest.mark.parametrize("name", UNKNOWN)
def test_scenario_R59_a_game_that_no_solver_knows_is_not_judged(name: str) -> None:
    rules, position = dealt(name, {})
    solution = solve(rules, position)

    assert ("unknown", False) == (solution.verdict, solution.exact)
    assert (52, (GiveUp(),)) == (solution.best, solution.line)
    assert keeping(rules, position) is None
    with pytest.raises(ValueError, match="too much"):
        Study(rules, position)


def test_a_pass_stays_small() -> None:
    """What it keeps is a row of sixteen bytes for each tableau, and a few bytes for each column."""
    study = Study(PatienceRules("wrap"), shuffled(0))

    assert 6**7 * 16 == study._latest.nbytes  # noqa: SLF001 - its size is the point
    assert np.uint8 == study._latest.dtype  # noqa: SLF001 - same


def test_scenario_R44_an_empty_stock_is_an_ordinary_state() -> None:
    position = Position(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), (Card("6D"),))
    rules = PatienceRules()
    study = Study(rules, position)
    for move in (Play(0), Play(1), Draw()):
        position = next_position(position, move)

    assert () == position.stock
    assert (Play(0),) == study.keeping(position) == solve(rules, position).line
    assert 0 == solve(rules, position).best


def test_scenario_R45_a_solver_forgets_the_last_question() -> None:
    """Solve, break off, and solve again: each question is answered as if it were the first."""
    first = solve(PatienceRules(), shuffled(1))
    hard = PatienceRules(draw_with_moves=False)

    assert "unknown" == solve(hard, shuffled(2), budget=1).verdict
    assert "unknown" == solve(hard, shuffled(2), budget=1).verdict
    assert solve(PatienceRules("wrap"), shuffled(1)) == solve(PatienceRules("wrap"), shuffled(1))
    assert first == solve(PatienceRules(), shuffled(1))
