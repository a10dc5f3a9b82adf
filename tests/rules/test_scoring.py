"""What a grid is worth: worked cases, and each rule by itself. Its laws: test_scoring_laws."""

from dataclasses import replace

import pytest

from dormie_rules.cards import Card
from dormie_rules.scoring import BlockBonus, Scoring, complete_lines, grid_score, value
from dormie_rules.scoring_options import read_scoring
from tests.worked_cases import BOOK, Case, case_id, cases, failing, one_wrong, rules_of

COLUMNS = read_scoring(BOOK["rule_sets"]["six_joker3"])
LINES = read_scoring(BOOK["rule_sets"]["quentinc"])
TWICE = BlockBonus("equal_columns", amounts=((2, -10), (3, -15), (4, -20)))


def cards(text: str) -> list[Card | None]:
    """A grid from its rows: ``5K#/5K*``."""
    return [None if card == "#" else Card(card) for card in text.replace("/", "")]


def points(scoring: Scoring, text: str) -> int:
    return grid_score(scoring, cards(text), len(text.partition("/")[0]))


def scored(case: Case) -> int:
    grid = [None if card == "#" else Card(card) for row in case["grid"] for card in row]
    return grid_score(read_scoring(rules_of(case)), grid, len(case["grid"][0]))


# ------------------------------------------------------------ worked cases


@pytest.mark.parametrize("case", cases("grid_score"), ids=case_id)
def test_a_worked_grid_is_worth_what_it_says(case: Case) -> None:
    assert case["expect"] == scored(case)


def test_a_worked_grid_with_another_answer_is_noticed() -> None:
    for wrong, listed in one_wrong(cases("grid_score")):
        assert [wrong] == failing(listed, scored)


# -------------------------------------------------------------- single rules


@pytest.mark.parametrize(
    ("grid", "score"),
    [
        ("*55/**7", 0 + 2 + 12),
        ("K*/*5", 0 - 3 - 3 + 5),
        ("**/**", 0),
    ],
)
def test_a_joker_is_not_wild_unless_somebody_says_so(grid: str, score: int) -> None:
    assert score == points(COLUMNS, grid)


@pytest.mark.parametrize(
    ("grid", "score"),
    [
        ("*57/5*8", 15),
        ("**K/5*K", 0),
        ("*K#/#KK", -3 + 0),
    ],
)
def test_a_wild_joker_completes_a_line_and_counts_nothing_in_it(grid: str, score: int) -> None:
    wild = replace(COLUMNS, joker_wild_in_lines=True)

    assert score == points(wild, grid)


def test_a_line_that_keeps_its_sum_gets_nothing_from_its_wild_joker() -> None:
    wild = replace(COLUMNS, joker_wild_in_lines=True, negative_line="sum")

    assert -2 == points(wild, "2K/*K")


def test_a_line_of_jokers_has_its_own_rule() -> None:
    grid = "*2K/*2K"

    assert 0 == points(COLUMNS, grid)
    assert -6 == points(replace(COLUMNS, joker_line="sum"), grid)
    assert -4 == points(replace(COLUMNS, negative_line="sum"), grid)


def test_a_wild_joker_freed_by_one_line_is_free_in_all() -> None:
    """It stands in a column of jokers that keeps its sum and in a row of fives."""
    rules = replace(LINES, joker_wild_in_lines=True, joker_line="sum")

    assert 7 + 8 - 3 == points(rules, "*55/*78")


@pytest.mark.parametrize(
    ("grid", "score"),
    [("99/94", 13), ("99/99", 0), ("9#/49", 4), ("*K/7*", 7), ("9K5/5K9", 0), ("555/K25", 2)],
)
def test_pairs_anywhere_cancel_two_by_two(grid: str, score: int) -> None:
    rules = replace(LINES, lines=("pairs_anywhere",))

    assert score == points(rules, grid)


def test_a_card_of_a_line_makes_no_pair_besides() -> None:
    rules = replace(LINES, lines=("columns", "pairs_anywhere"))

    assert 9 + 0 == points(rules, "99/9K")
    assert 8 == points(rules, "949/989/949")
    assert 9 + 4 + 8 == points(rules, "9K9/9K4/9K8")


def test_a_card_of_a_square_makes_no_pair_besides() -> None:
    """Else the pair could be made of other cards when the grid is turned."""
    bonus = BlockBonus("square2x2")
    rules = replace(LINES, lines=("columns", "pairs_anywhere"), block_bonus=bonus)

    assert 9 - 9 == points(rules, "399/K99/93K")
    assert ((0, 7), (3, 8)) == complete_lines(rules, cards("399/K99/93K"), cols=3)


def test_pairs_have_rules_for_jokers_and_twos_too() -> None:
    rules = read_scoring({"lines": ["pairs_anywhere"], "joker_line": "sum"}, COLUMNS)

    assert -6 == points(rules, "*2/2*")
    assert -10 == points(replace(rules, negative_line="sum"), "*2/2*")


@pytest.mark.parametrize(
    ("bonus", "grid", "score"),
    [
        (TWICE, "77K/77K", -10),
        (TWICE, "7K7K/7K7K", -20),
        (TWICE, "77779/77779", -20),
        (TWICE, "77777/77777", -20),
        (TWICE, "777#/7777", -15 + 7),
        (TWICE, "7#7/##7", 14 - 7),
        (replace(TWICE, adjacent=True), "77977/77977", -20),
        (replace(TWICE, adjacent=True), "7K7/7K7", 0),
        (replace(TWICE, amounts=((3, -15),)), "77K/77K", 0),
        (BlockBonus("corners", -20), "7AA7/7KA7", 1 - 20),
        (BlockBonus("corners", -20), "7#K8/7#K7", 8 + 7),
        (BlockBonus("corners", -20), "7AA7/8KA7", 15 + 1),
        (BlockBonus("corners", -20), "#77#/#77#", 0),
        (BlockBonus("all_equal", -6), "KK/KK", -6),
        (BlockBonus("all_equal", -6), "KK/K#", 0),
        (BlockBonus("all_equal", -6), "##/##", 0),
        (BlockBonus("square2x2"), "66#/66#", -6),
        (BlockBonus("square2x2"), "KKK/KKK", 0),
        (BlockBonus("square2x2"), "22K/22K", 0),
        (BlockBonus("square2x2"), "666/66#", -6 + 6),
        (BlockBonus("square2x2"), "6K6/6K6", 0),
        (BlockBonus("square2x2"), "7K8/366/266", 7 + 3 - 2 + 0 + 8 - 6),
    ],
)
def test_a_block_pays_its_bonus(bonus: BlockBonus, grid: str, score: int) -> None:
    assert score == points(replace(COLUMNS, block_bonus=bonus), grid)


def test_a_square_that_wraps_around_the_edge_is_none() -> None:
    rules = replace(COLUMNS, lines=(), block_bonus=BlockBonus("square2x2"))

    assert 4 * 6 + 5 == points(rules, "AA6/6A6/6AA")


@pytest.mark.parametrize("bonus", [TWICE, BlockBonus("corners", -20), BlockBonus("all_equal", -6)])
def test_one_row_or_one_column_holds_no_block(bonus: BlockBonus) -> None:
    rules = replace(COLUMNS, block_bonus=bonus)

    assert 0 == points(rules, "7/7")
    assert 14 == points(rules, "77")


def test_a_line_has_two_cards_or_more() -> None:
    """In one row every column would count as complete."""
    assert 42 == points(COLUMNS, "777777")
    assert () == complete_lines(COLUMNS, cards("777777"), cols=6)
    assert ((0, 1, 2),) == complete_lines(LINES, cards("777"), cols=3)
    assert () == complete_lines(LINES, cards("7"), cols=1)


def test_a_score_stays_above_nothing_where_the_table_wants_it() -> None:
    rules = replace(COLUMNS, floor_zero=True)

    assert 0 == points(rules, "2*K/K23")
    assert points(COLUMNS, "279/529") == points(rules, "279/529")


def test_every_complete_line_can_be_shown() -> None:
    assert ((0, 2), (0, 1)) == complete_lines(
        replace(LINES, lines=("columns", "rows")), cards("99/94"), cols=2
    )
    assert ((0, 4, 8), (2, 4, 6)) == complete_lines(LINES, cards("727/272/727"), cols=3)
    assert ((0, 3),) == complete_lines(
        replace(LINES, lines=("pairs_anywhere",)), cards("98/49"), cols=2
    )
    assert ((0, 3),) == complete_lines(
        replace(COLUMNS, negative_line="sum"), cards("2#7/2K8"), cols=3
    )


def test_a_card_alone_is_worth_its_rank() -> None:
    assert (-3, 10, 0) == (
        value(COLUMNS, Card("*")),
        value(COLUMNS, Card("JH")),
        value(COLUMNS, Card("Kanything")),
    )


@pytest.mark.parametrize(("size", "cols"), [(5, 3), (6, 0), (6, -3), (6, 4)])
def test_a_grid_has_whole_rows(size: int, cols: int) -> None:
    with pytest.raises(ValueError, match="whole rows"):
        grid_score(COLUMNS, [None] * size, cols)


def test_rules_that_differ_only_in_a_value_are_different_rules() -> None:
    """Not even their hashes agree: a host cannot make others' tables slow by choosing values."""
    other = replace(COLUMNS, values=tuple((rank, 1) for rank, _ in COLUMNS.values))

    assert hash(COLUMNS) != hash(other)
    assert other != COLUMNS
    assert (6, 24) == (points(other, "5K7/K39"), points(COLUMNS, "5K7/K39"))
