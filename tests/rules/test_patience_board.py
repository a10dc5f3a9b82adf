"""One board of Golf Patience: what fits, what ends it, what it is worth."""

from dataclasses import asdict, fields
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_rules.cards import Card
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import (
    PATIENCE_WORDS,
    board_after,
    board_moves,
    board_of,
    board_why_not,
    playable,
)
from dormie_rules.patience_moves import (
    GiveUp,
    PatienceMove,
    Play,
    read_patience_move,
    write_patience_move,
)
from dormie_rules.patience_options import FIXED, PATIENCE_OPTIONS, choose_patience
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules, fits
from dormie_rules.patience_score import against, course_won, hole_name, hole_score
from dormie_rules.patience_state import Board
from dormie_rules.patience_variant import ELSEWHERE
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.scoring_options import BadRules
from tests.rules.plain_patience import all_rules, goes_on, positions
from tests.worked_cases import BOOK, cases, failing, one_wrong

PRESETS = BOOK["patience_presets"]
SUITED = {"A": "AS", "K": "KH", "Q": "QD"}


def hole_reply(case: dict[str, int]) -> dict[str, object]:
    score = hole_score(case["tableau_left"], case["stock_left"])
    return {"score": score, "name": hole_name(score, case["par"])}


def course_reply(case: dict[str, list[int]]) -> dict[str, object]:
    return {"total": sum(case["scores"]), "vs_45": against(sum(case["scores"]), 45)}


def test_every_worked_hole_and_course_is_scored_as_it_says() -> None:
    assert [] == failing(cases("patience_hole"), hole_reply)
    assert [] == failing(cases("patience_course"), course_reply)


def test_a_worked_hole_with_another_score_is_noticed() -> None:
    for wrong, listed in one_wrong(cases("patience_hole")):
        assert [wrong] == failing(listed, hole_reply)


def test_a_course_is_won_with_its_par() -> None:
    assert course_won([5, -3, 13], [5, 5, 5])
    assert not course_won([5, -3, 14], [5, 5, 5])


# ------------------------------------------------------------------ what fits


@given(
    all_rules(),
    st.sampled_from(["", *"A23456789TJQK*"]),
    st.sampled_from("A23456789TJQK*"),
)
def test_a_card_fits_as_a_plain_reading_of_the_rules_says(
    rules: PatienceRules, top: str, card: str
) -> None:
    suited = Card(SUITED.get(card, card))

    assert goes_on(rules, top, card) == fits(rules, Card(top) if top else None, suited)


def test_suits_decide_nothing_and_equal_ranks_never_fit() -> None:
    assert all(fits(PatienceRules("wrap"), Card("5S"), Card("6" + suit)) for suit in "SHDC")
    assert not any(fits(PatienceRules("wrap"), Card("5S"), Card("5" + suit)) for suit in "SHDC")


# --------------------------------------------------------------- what a move does


@settings(max_examples=100)
@given(positions(), all_rules(), st.randoms())
def test_a_hole_is_played_to_an_end_that_its_rules_know(
    position: Position, rules: PatienceRules, luck: Random
) -> None:
    board, stock = board_of(rules, position), position.stock
    while board.ending is None:
        everything: list[PatienceMove] = [*map(Play, range(-1, 5)), Draw(), GiveUp()]
        allowed = board_moves(rules, board)

        assert {m for m in everything if board_why_not(rules, board, m) is None} == set(allowed)
        assert {board_why_not(rules, board, m) for m in everything} <= {None, *PATIENCE_WORDS}
        move = luck.choice(allowed)
        after = board_after(rules, board, move, stock[0] if stock else None)
        cards = [after.left + after.stock + after.pile, board.left + board.stock + board.pile]

        assert cards[0] == cards[1]
        stock = stock[1:] if isinstance(move, Draw) else stock
        board = after

    assert () == board_moves(rules, board)
    assert {"hole_over"} == {board_why_not(rules, board, m) for m in (Play(0), Draw(), GiveUp())}


def test_scenario_R51_a_cleared_tableau_is_a_win_whatever_lies_on_top() -> None:
    """Even a King on which nothing goes, with stock left: nothing else decides."""
    rules = PatienceRules()
    board = Board(((Card("KS"),),), Card("QS"), stock=7, pile=3)
    after = board_after(rules, board, Play(0))

    assert ("cleared", -7) == (after.ending, after.score)


def test_an_empty_stock_ends_it_only_when_nothing_fits() -> None:
    rules = PatienceRules()
    board = board_of(rules, Position(((Card("3S"), Card("4S")),), Card("5S"), ()))

    assert (None, (Play(0), GiveUp())) == (board.ending, board_moves(rules, board))
    assert "stuck" == board_of(rules, Position(((Card("3S"),),), Card("5S"), ())).ending


def test_scenario_R66_a_score_follows_from_the_position_and_not_from_the_way_there() -> None:
    rules = PatienceRules()
    start = Board(((Card("5S"),), (Card("7S"),), (Card("KS"),)), Card("6S"), stock=4, pile=1)
    ways: list[tuple[PatienceMove, ...]] = [
        (Play(0), Draw(), Draw(), Draw()),
        (Draw(), Draw(), Draw(), Play(0)),
    ]
    boards = []
    for way in ways:
        board = start
        for move in way:
            board = board_after(rules, board, move, Card("6H"))
        boards.append(board)

    assert [(2, 1), (2, 1)] == [(board.score, board.stock) for board in boards]


def test_scenario_R70_a_run_may_turn_at_every_card() -> None:
    rules = PatienceRules()
    columns = tuple((Card(one),) for one in "6567")
    board = Board((*columns, (Card("KS"),)), Card("7S"), stock=1, pile=1)
    for at in range(4):
        assert board_why_not(rules, board, Play(at)) is None
        board = board_after(rules, board, Play(at))

    assert 4 == board.longest_run


def test_whoever_gives_up_pays_for_the_tableau_and_gets_nothing_for_the_stock() -> None:
    board = Board(((Card("3S"),), (Card("9S"),)), Card("KS"), stock=9, pile=3)
    after = board_after(PatienceRules(), board, GiveUp())

    assert ("given_up", 2) == (after.ending, after.score)


def test_the_longest_run_is_counted() -> None:
    rules = PatienceRules()
    board = Board(((Card("9S"), Card("4S"), Card("5S")),), Card("6S"), stock=2, pile=1)
    for move in (Play(0), Play(0), Draw(), Play(0)):
        board = board_after(rules, board, move, Card("TH"))

    assert (1, 2) == (board.run, board.longest_run)


def test_where_playing_comes_first_drawing_waits() -> None:
    rules = PatienceRules(draw_with_moves=False)
    board = Board(((Card("5S"), Card("9S")),), Card("TS"), stock=2, pile=1)

    assert "must_play" == board_why_not(rules, board, Draw())
    assert board_why_not(rules, board_after(rules, board, Play(0)), Draw()) is None


def test_a_first_card_may_be_any_or_must_be_drawn() -> None:
    board = Board(((Card("5S"),), (Card("KS"),)), None, stock=2, pile=0)

    assert (0, 1) == playable(PatienceRules(empty_start=True), board)
    assert () == playable(PatienceRules(), board)
    assert (Draw(), GiveUp()) == board_moves(PatienceRules(), board)


# -------------------------------------------------------------- moves as text


@pytest.mark.parametrize("move", [Play(0), Play(6), Draw(), GiveUp()])
def test_a_move_is_read_as_it_was_written(move: PatienceMove) -> None:
    assert move == read_patience_move(write_patience_move(move))


@pytest.mark.parametrize(
    "text", ["", "play", "play 0", "play -1", "play 100", "play x", "play ²", "give", "draw 1", "D"]
)
def test_anything_else_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match=r"move|column"):
        read_patience_move(text)


# --------------------------------------------------------- options and variants


RACES = {
    *("par_of_deal", "tie_break", "tied_match", "play_out"),
    *("opponent_view", "hole_seconds", "time_up"),
    *("decks", "layout", "start", "build"),
}
"""What a preset says nothing of: options for tables, and what makes a relative."""


def test_every_preset_is_a_variant_with_its_very_numbers() -> None:
    variants = [find_patience(name) for name in patience_names()]
    by_preset = {variant.preset: variant.rules for variant in variants if variant.preset}

    assert set(PRESETS) == set(by_preset)
    for preset, numbers in PRESETS.items():
        rules = by_preset[preset]

        assert numbers == {name: getattr(rules, name) for name in numbers}
        others = {field.name for field in fields(rules)} - set(numbers)

        assert others == RACES
        assert {getattr(rules, name) == getattr(PatienceRules(), name) for name in others} == {True}


def test_a_preset_is_what_its_numbers_choose() -> None:
    for name in patience_names():
        rules = find_patience(name).rules

        assert rules == choose_patience(asdict(rules), rules)


@pytest.mark.parametrize("name", patience_names())
def test_a_variant_tells_people_its_rules(name: str) -> None:
    text = find_patience(name).text

    assert text[:1].isupper()
    assert text.endswith(".")
    assert 300 < len(text) < 3_000
    assert ">>>" not in text


def test_what_others_call_golf_is_told_by_its_rule_for_kings() -> None:
    assert BOOK["king_rule_aliases"] == ELSEWHERE


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"king_rule": "relaxed"}, "king_rule"),
        ({"jokers": 3}, "jokers"),
        ({"jokers": True}, "jokers"),
        ({"holes": 0}, "holes"),
        ({"holes": 37}, "holes"),
        ({"par": 6}, "par"),
        ({"columns": 8}, "columns"),
        ({"redeals": 1}, "redeals"),
        ({"stock": 16}, "options"),
        ({"empty_start": 1}, "empty_start"),
        ({"scoring": "match", "undo": "unlimited"}, "undo"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_its_name(
    options: dict[str, object], field: str
) -> None:
    with pytest.raises(BadRules) as refused:
        choose_patience(options)

    assert field == refused.value.field


def test_every_number_is_an_option_or_is_fixed() -> None:
    assert {field.name for field in fields(PatienceRules)} == {*PATIENCE_OPTIONS, *FIXED}
