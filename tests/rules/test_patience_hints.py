"""A hint keeps what it promises, and a fair one knows no more than whoever asks for it."""

from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings

from dormie_rules.cards import Card
from dormie_rules.patience_ahead import Ahead, best_run
from dormie_rules.patience_board import board_moves, board_of
from dormie_rules.patience_chances import FEWEST_ORDERS, best_chance, chances
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_hints import HINT_STATES, Hint, fair_hint, open_hint
from dormie_rules.patience_moves import GiveUp
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_sight import Sight, sight_in, unseen
from dormie_rules.patience_solution import Solution, next_position
from dormie_rules.solver import solve
from tests.rules.plain_patience import all_rules, best_of, plain, positions

KINGS: tuple[KingRule, ...] = get_args(KingRule)


def dealt(king_rule: KingRule, number: int) -> tuple[PatienceRules, Position]:
    rules = PatienceRules(king_rule)
    return rules, lay_out(rules, attempt_pack(rules, practice_seed(number), 0))


def later(rules: PatienceRules, deal: Position, luck: Random) -> Position:
    """A position that comes up in a deal when somebody plays at random, but draws rarely."""
    position = deal
    for _ in range(luck.randrange(40)):
        able = [m for m in board_moves(rules, board_of(rules, position)) if m != GiveUp()]
        if not able:
            break
        position = next_position(position, able[0] if luck.random() < 0.7 else luck.choice(able))
    return position


def sight_at(rules: PatienceRules, deal: Position, position: Position) -> Sight:
    return sight_in(deal, board_of(rules, position))


# ----------------------------------------------------------------- the open hint


@settings(max_examples=250, deadline=None)
@given(positions(), all_rules())
def test_an_open_hint_keeps_the_score_it_promises(position: Position, rules: PatienceRules) -> None:
    hint = open_hint(rules, position, solve)
    if hint is None:
        assert board_of(rules, position).ending is not None
        return

    assert hint.move in board_moves(rules, board_of(rules, position))
    assert 10 * best_of(rules, plain(position)) == hint.tenths
    if hint.move != GiveUp():
        assert 10 * best_of(rules, plain(next_position(position, hint.move))) == hint.tenths


@pytest.mark.parametrize("king_rule", KINGS)
def test_open_hints_lead_to_the_score_that_the_first_one_promised(king_rule: KingRule) -> None:
    rules, position = dealt(king_rule, 7)
    promised, last = open_hint(rules, position, solve), None
    while (hint := open_hint(rules, position, solve)) is not None and hint.move != GiveUp():
        position, last = next_position(position, hint.move), hint

    assert promised is not None
    assert last is not None
    assert promised.tenths == last.tenths == 10 * board_of(rules, position).score


def test_without_a_sure_answer_there_is_no_open_hint() -> None:
    rules, position = dealt("strict", 1)

    def unsure(rules: PatienceRules, position: Position) -> Solution:
        return Solution("unknown", 9, (), exact=False)

    assert open_hint(rules, position, unsure) is None


def test_scenario_R44_a_hint_is_given_when_the_stock_is_empty() -> None:
    rules = PatienceRules()
    start = Position(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), ())

    for hint in (
        fair_hint(rules, Sight(board_of(rules, start)), b""),
        open_hint(rules, start, solve),
    ):
        assert hint is not None
        assert (10, True) == (hint.tenths, hint.sure)


# ----------------------------------------------------------------- the fair hint


@pytest.mark.parametrize("king_rule", KINGS)
@pytest.mark.parametrize("seed", range(6))
def test_nasty_P18_a_fair_hint_does_not_change_with_the_stock(
    seed: int, king_rule: KingRule
) -> None:
    rules, deal = dealt(king_rule, seed)
    luck = Random(seed)
    position = later(rules, deal, luck)
    sight = sight_at(rules, deal, position)
    other = Position(
        position.columns,
        position.foundation,
        tuple(luck.sample(position.stock, len(position.stock))),
    )
    drawn = deal.stock[: len(deal.stock) - len(other.stock)]
    same = Position(deal.columns, deal.foundation, (*drawn, *other.stock))

    hint = fair_hint(rules, sight, b"luck", 50)

    assert hint == fair_hint(rules, sight_at(rules, same, other), b"luck", 50)
    assert (hint is None) == (board_of(rules, position).ending is not None)


@pytest.mark.parametrize("king_rule", KINGS)
@pytest.mark.parametrize("seed", range(6, 14))
def test_a_fair_hint_keeps_what_it_promises(seed: int, king_rule: KingRule) -> None:
    """On average it is what the orders make of its move; what it is sure of, the solver finds too."""
    rules, deal = dealt(king_rule, seed)
    position = later(rules, deal, Random(seed))
    sight = sight_at(rules, deal, position)
    hint = fair_hint(rules, sight, b"luck", 50)
    if hint is None:
        return
    if hint.sure:
        assert 10 * solve(rules, position).best == hint.tenths
        assert 10 * solve(rules, next_position(position, hint.move)).best == hint.tenths
        return
    moves = board_moves(rules, sight.board)
    best = best_chance(chances(Ahead(rules, sight), sight, moves, b"luck", 50))

    assert (best.move, round(10 * best.mean)) == (hint.move, hint.tenths)


@settings(max_examples=150, deadline=None)
@given(positions(), all_rules())
def test_a_fair_hint_is_sure_of_nothing_that_is_wrong(
    position: Position, rules: PatienceRules
) -> None:
    sight = Sight(board_of(rules, position))
    hint = fair_hint(rules, sight, b"luck", 5)

    assert (hint is None) == (sight.board.ending is not None)
    if hint is not None and hint.sure:
        assert 10 * best_of(rules, plain(position)) == hint.tenths


def test_the_best_run_is_the_best_of_all_runs() -> None:
    rules, deal = dealt("wrap", 3)
    for number in range(30):
        bare = later(rules, deal, Random(number))
        position = Position(bare.columns, bare.foundation, ())
        board = board_of(rules, position)
        run = best_run(Ahead(rules, Sight(board), HINT_STATES), board, board_moves(rules, board))
        if run is not None:
            assert (solve(rules, position).best, True) == (run.left, run.sure)


def test_where_no_end_is_in_sight_a_run_is_not_called_the_best() -> None:
    rules, deal = dealt("wrap", 3)
    board = board_of(rules, deal)
    run = best_run(Ahead(rules, Sight(board), states=5), board, board_moves(rules, board))

    assert run is not None
    assert not run.sure


# --------------------------------------------------------------- what can be seen


def test_what_was_seen_and_what_was_not_make_up_the_pack() -> None:
    rules, deal = dealt("queen", 5)
    for number in range(10):
        position = later(rules, deal, Random(number))
        sight = sight_at(rules, deal, position)

        assert sorted(unseen(rules, sight)) == sorted(card[0] for card in position.stock)


def test_a_hint_names_its_kind() -> None:
    assert {"fair", "open"} == set(get_args(Hint.__annotations__["kind"]))


def test_whoever_gets_tired_tries_fewer_orders_and_the_same_for_every_move() -> None:
    """What bounds the time of a decision is work, so a slow machine makes the same move."""
    rules, deal = dealt("wrap", 3)
    sight = Sight(board_of(rules, deal))
    moves = board_moves(rules, sight.board)
    fresh = chances(Ahead(rules, sight), sight, moves, b"luck", 40)
    tired = chances(Ahead(rules, sight, work=1), sight, moves, b"luck", 40)

    assert {40} == {chance.orders for chance in fresh}
    assert {FEWEST_ORDERS} == {chance.orders for chance in tired}
    assert tired == chances(Ahead(rules, sight), sight, moves, b"luck", FEWEST_ORDERS)
    assert not Ahead(rules, sight).tired
