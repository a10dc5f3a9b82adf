"""Mistakes in the rules that other programs have made, each as the behaviour owed here."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest

from dormie_rules.cards import Card
from dormie_rules.grid_options import choose
from dormie_rules.grid_rules import StockEmpty
from dormie_rules.penalties import Mode, charged
from dormie_rules.scoring import BlockBonus, Scoring, grid_score
from dormie_rules.variants import find, names
from tests.rules.playing import SIX, Hole, Table, choose_doing, do
from tests.rules.scored import Match

TWO = ("K57/K39", "A62/84T")
SQUARE = BlockBonus("square2x2")


def score(rows: str, base: str = "six_card", **others: Any) -> int:  # fields of Scoring
    """The score of a grid written as rows of ranks, with other numbers laid over a variant's."""
    scoring: Scoring = replace(find(base).rules.scoring, **others)
    return grid_score(scoring, [Card(of) for of in rows.replace("/", "")], rows.index("/"))


# ------------------------------------------------------------------------------- scoring


@pytest.mark.parametrize(
    ("grid", "hoped"),
    [
        ("55A/553/678", 1 + 3 + 6 + 7 + 8 - 5),  # one square, not four cards of it
        ("555/555/678", 6 + 7 + 8 - 5 - 5),  # two squares that share two cards
        ("KKA/KK3/678", 1 + 3 + 6 + 7 + 8),  # what is worth nothing pays nothing
        ("22A/223/678", 1 + 3 + 6 + 7 + 8 - 8),  # and what is worth less, too
    ],
)
def test_scenario_R04_a_square_pays_once_and_only_above_nothing(grid: str, hoped: int) -> None:
    assert hoped == score(grid, "nine_card", lines=(), block_bonus=SQUARE)


@pytest.mark.parametrize(
    ("grid", "others", "hoped"),
    [
        ("999/K45", {}, 36),  # three of a kind in no column
        ("953/964/97K", {"lines": ("columns",)}, 25),  # three of a kind that are a column
        ("99/95", {"lines": ("pairs_anywhere",)}, 14),  # the third is left over
        ("99/95", {"lines": ("rows", "columns")}, 5),  # it belongs to two lines
        ("256/278", {}, 26),  # a pair below nothing is nothing
        ("256/278", {"negative_line": "sum"}, 22),  # unless it keeps its sum
        ("TJ5/QK5", {}, 30),  # alike in value is not alike
    ],
)
def test_scenario_H3_odd_groups_and_pairs_below_nothing(
    grid: str, others: dict[str, Any], hoped: int
) -> None:
    assert hoped == score(grid, **others)


@pytest.mark.parametrize(("line", "hoped"), [("zero", 26), ("sum", 20)])
def test_scenario_H3_a_pair_of_jokers_counts_as_the_table_says(line: str, hoped: int) -> None:
    assert hoped == score("*56/*78", "six_card_table", joker_line=line)


def test_scenario_R26_a_score_counts_every_column_and_a_grid_has_every_card() -> None:
    assert 24 == score("K57/K39")
    with pytest.raises(ValueError, match="whole rows"):
        score("K57/K3")


@pytest.mark.parametrize(
    ("mode", "own", "lowest", "hoped"),
    [
        ("qc", 0, -1, 10),  # nothing is not doubled: ten more
        ("qc", -3, -9, 7),
        ("double", 0, -1, 0),
        ("double", -4, -9, -4),
        ("double", 12, 11, 24),
        ("double_plus5", -4, -9, 1),
    ],
)
def test_scenario_R32_a_closer_at_or_below_nothing_is_never_paid_for_being_beaten(
    mode: Mode, own: int, lowest: int, hoped: int
) -> None:
    scores = charged(mode, "safe", {"Ada": own, "Ben": lowest}, closer="Ada")

    assert {"Ada": hoped, "Ben": lowest} == scores


def test_scenario_R38_the_others_have_one_turn_more_and_a_beaten_closer_pays() -> None:
    hole = Hole(SIX, (*TWO, "33K/Q94"), up="12345")
    hole.plays("draw", "swap 6")
    assert (0, (1, 2)) == (hole.table.closer, hole.table.last)
    for _ in range(2):
        hole.plays("draw", "discard", "pass")

    assert "over" == hole.table.stage
    assert [22, 14] == [
        charged("qc", "safe", {"Ada": own, "Ben": lowest}, closer="Ada")["Ada"]
        for own, lowest in ((11, 9), (4, 3))
    ]


def test_scenario_R23_a_hole_that_ends_early_is_scored_by_the_cards_as_they_are() -> None:
    """Nobody has turned up more than two of them when the laps have run out."""
    hole = Hole(replace(SIX, max_laps=1, final_lap="none"), TWO, up="12")
    hole.plays("draw", "discard", "pass", "draw", "discard", "pass")

    assert "over" == hole.table.stage
    assert ["K57K39", "A6284T"] == [hole.grid(seat) for seat in (0, 1)]
    assert (24, score("A62/84T")) == hole.game.scores(hole.state)


@pytest.mark.parametrize(
    ("scores", "places"), [((5, 5, 9), (1, 1, 3)), ((7, 7, 7), (1, 1, 1)), ((9, 4, 4), (3, 1, 1))]
)
def test_scenario_R06_all_the_lowest_have_won(
    scores: tuple[int, ...], places: tuple[int, ...]
) -> None:
    match = Match(3, end="holes", holes=1)
    match.holes(scores)

    assert places == match.card.places


def test_scenario_R88_somebody_wins_though_all_totals_are_below_nothing() -> None:
    match = Match(3, end="holes", holes=2)
    match.holes((-3, -9, -3), (-1, -1, -2))

    assert ((-4, -10, -5), (3, 1, 2)) == (match.card.totals, match.card.places)


# --------------------------------------------------------------------------------- stock


def test_scenario_R72_the_stock_is_made_anew_as_often_as_it_runs_out() -> None:
    rules = replace(SIX, no_progress_laps=None, max_reshuffles=None)
    hole = Hole(rules, TWO, stock="345")
    while hole.table.reshuffles < 3:
        assert hole.table.discard is not None
        hole.plays("draw", "discard", "pass")

        assert 4 == hole.table.stock + hole.table.pile
    assert 1 == hole.table.pile or hole.table.stock


def test_scenario_R73_an_empty_stock_says_so_and_is_never_less_than_empty() -> None:
    """And a click out of turn is refused to its sender, and is nothing to anybody else."""
    rules = replace(SIX, stock_empty="no_draw", no_progress_laps=None)
    hole = Hole(rules, TWO, stock="3")
    hole.plays("draw", "discard", "pass")
    before = hole.state
    assert 0 == hole.table.stock
    for seat, word in ((1, "no_stock"), (0, "not_your_turn")):
        assert [word] * 3 == [hole.refuses("draw", seat) for _ in range(3)]

    assert before is hole.state
    hole.plays("take", "swap 1")
    assert 0 == hole.table.stock


@pytest.mark.parametrize("rule", get_args(StockEmpty))
@pytest.mark.parametrize("variant", names())
def test_scenario_H4_every_variant_goes_on_when_the_stock_is_empty(variant: str, rule: str) -> None:
    """Six players on two cards to spare: the stock is empty all the time."""
    options = (("end", "holes"), ("holes", 1), ("stock_empty", rule))
    table, luck = Table(variant, 6, options, spare=2), Random(f"{variant} {rule}")
    state, empty = table.course.start(0), 0
    for _ in range(5_000):
        if state.public.places:
            break
        state = do(table.course, state, choose_doing(table, state, luck, leaving=0)).state
        hole = state.public.play
        assert hole is not None
        assert hole.stock >= 0
        assert hole.discard or hole.stage in ("taken", "over"), "only a card in hand leaves none"
        empty += not hole.stock

    assert state.public.places
    assert empty


# ----------------------------------------------------------------------- people who leave


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_scenario_R85_a_hole_ends_when_the_last_one_it_waits_for_is_gone(seats: int) -> None:
    """Whoever is sent away in the final lap is not waited for."""
    grids: Sequence[str] = ("K57/K39", *["A62/84T"] * (seats - 1))
    hole = Hole(SIX, grids, up="12345")
    hole.plays("draw", "swap 6")
    for seat in range(1, seats - 1):
        hole.plays("draw", "discard", "pass")
        assert seat not in hole.table.last
    hole.leaves(seats - 1)

    assert "over" == hole.table.stage


def test_scenario_R48_a_variant_is_known_by_its_name_and_no_other_is_taken_for_it() -> None:
    for name in ("", "0", "Six_Card", "six card", "../six_card", "golf"):
        with pytest.raises(KeyError):
            find(name)

    assert list(names()) == [find(name).name for name in names()]


def test_scenario_R08_the_score_that_everybody_sees_is_the_score_that_counts() -> None:
    """Step by step what is shown follows from the rules that a table tells its clients."""
    chosen = {"negative_line": "sum", "joker_line": "sum", "jokers_per_deck": 3, "holes": 1}
    chosen |= {"end": "holes", "block_bonus": {"shape": "equal_columns", "amounts": {"2": -10}}}
    for seed in range(10):
        table = Table("six_card_table", 4, tuple(sorted(chosen.items())))
        course, luck = table.course, Random(seed)
        rules = choose(find("six_card_table"), chosen, 4)
        state = course.start(0)
        shown: tuple[int | None, ...] = ()
        while not state.public.places:
            state = do(course, state, choose_doing(table, state, luck, leaving=0)).state
            hole = state.public.play
            assert hole is not None
            shown = tuple(grid_score(rules.scoring, grid, rules.cols) for grid in hole.grids)
            assert shown == hole.showing
        assert shown == state.public.raw
