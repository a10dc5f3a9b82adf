"""Reading how a grid is counted: what is understood, and what is refused with its field."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.cards import RANKS
from dormie_rules.scoring import BlockBonus, Scoring
from dormie_rules.scoring_options import BadRules, read_scoring
from tests.worked_cases import BOOK

VALUES = dict.fromkeys(RANKS, 1)
SIX = read_scoring(BOOK["rule_sets"]["six"])
COLUMNS = {"shape": "equal_columns", "amounts": {"2": -10}}
HUGE = 10**4000


@pytest.mark.parametrize("name", BOOK["rule_sets"])
def test_every_written_set_of_rules_is_understood(name: str) -> None:
    written = BOOK["rule_sets"][name]
    read = read_scoring(written)

    assert written["values"] == dict(read.values)
    assert tuple(written["lines"]) == read.lines


@pytest.mark.parametrize("name", BOOK["grid_presets"])
def test_the_scoring_of_every_preset_is_understood(name: str) -> None:
    fields = Scoring.__dataclass_fields__
    written = {field: of for field, of in BOOK["grid_presets"][name].items() if field in fields}

    assert written["values"] == dict(read_scoring(written).values)


def test_values_come_in_the_order_of_the_ranks() -> None:
    """So that equal rules are equal, however they were written."""
    backwards = dict(reversed(BOOK["rule_sets"]["six_joker3"]["values"].items()))

    assert read_scoring(BOOK["rule_sets"]["six_joker3"]) == read_scoring({"values": backwards})


def test_what_is_not_said_has_its_usual_meaning() -> None:
    assert Scoring(tuple((rank, 1) for rank in RANKS)) == read_scoring({"values": VALUES})


def test_every_field_is_read() -> None:
    read = read_scoring(
        {
            "values": {**VALUES, "*": -3},
            "lines": ["rows", "pairs_anywhere"],
            "joker_line": "sum",
            "negative_line": "sum",
            "joker_wild_in_lines": True,
            "block_bonus": {"shape": "equal_columns", "amounts": {"3": -15, "2": -10}},
            "floor_zero": True,
        }
    )

    assert read == Scoring(
        (*((rank, 1) for rank in RANKS), ("*", -3)),
        ("rows", "pairs_anywhere"),
        "sum",
        "sum",
        joker_wild_in_lines=True,
        block_bonus=BlockBonus("equal_columns", amounts=((2, -10), (3, -15))),
        floor_zero=True,
    )


@pytest.mark.parametrize(
    ("written", "bonus"),
    [
        (None, None),
        ({"shape": "corners", "amount": -20}, BlockBonus("corners", -20)),
        ({"shape": "all_equal", "amount": -6}, BlockBonus("all_equal", -6)),
        ({"shape": "square2x2"}, BlockBonus("square2x2")),
        (
            {**COLUMNS, "adjacent": True},
            BlockBonus("equal_columns", amounts=((2, -10),), adjacent=True),
        ),
    ],
)
def test_each_block_has_its_own_fields(written: object, bonus: BlockBonus | None) -> None:
    assert bonus == read_scoring({"block_bonus": written}, SIX).block_bonus


def test_options_are_laid_over_a_base() -> None:
    changed = read_scoring({"values": {"2": 2, "*": -3}, "lines": ["rows"]}, SIX)

    assert dict(SIX.values) | {"2": 2, "*": -3} == dict(changed.values)
    assert ("rows",) == changed.lines
    assert SIX == read_scoring({}, SIX)


@pytest.mark.parametrize(
    ("written", "field"),
    [
        (None, ""),
        ([], ""),
        ("six", ""),
        ({"line": ["rows"]}, ""),
        ({"values": {**VALUES, "1": 1}}, "values"),
        ({"values": {**VALUES, "10": 1}}, "values"),
        ({"values": {**VALUES, "#": 1}}, "values"),
        ({"values": [["A", 1]]}, "values"),
        ({"values": {"A": True}}, "values.A"),
        ({"values": {"A": 1.0}}, "values.A"),
        ({"values": {"A": float("nan")}}, "values.A"),
        ({"values": {"A": "1"}}, "values.A"),
        ({"values": {"A": None}}, "values.A"),
        ({"values": {"A": 101}}, "values.A"),
        ({"values": {"*": -101}}, "values.*"),
        ({"values": {"A": HUGE}}, "values.A"),
        ({"lines": "rows"}, "lines"),
        ({"lines": {"rows": 1}}, "lines"),
        ({"lines": ["diagonal"]}, "lines"),
        ({"lines": [["rows"]]}, "lines"),
        ({"lines": ["rows", "rows"]}, "lines"),
        ({"lines": ["rows"] * 5}, "lines"),
        ({"joker_line": "Sum"}, "joker_line"),
        ({"joker_line": ["sum"]}, "joker_line"),
        ({"negative_line": 0}, "negative_line"),
        ({"joker_wild_in_lines": 1}, "joker_wild_in_lines"),
        ({"floor_zero": "false"}, "floor_zero"),
        ({"floor_zero": None}, "floor_zero"),
        ({"block_bonus": "corners"}, "block_bonus"),
        ({"block_bonus": {}}, "block_bonus.shape"),
        ({"block_bonus": {"shape": "cross"}}, "block_bonus.shape"),
        ({"block_bonus": {"shape": "corners"}}, "block_bonus"),
        ({"block_bonus": {"shape": "corners", "amounts": {"2": 1}}}, "block_bonus"),
        ({"block_bonus": {"shape": "corners", "amount": 0.5}}, "block_bonus.amount"),
        ({"block_bonus": {"shape": "square2x2", "amount": 1}}, "block_bonus"),
        ({"block_bonus": {"shape": "equal_columns"}}, "block_bonus"),
        ({"block_bonus": COLUMNS | {"adjacent": 1}}, "block_bonus.adjacent"),
        ({"block_bonus": COLUMNS | {"extra": 1}}, "block_bonus"),
        ({"block_bonus": COLUMNS | {"amounts": {}}}, "block_bonus.amounts"),
        ({"block_bonus": COLUMNS | {"amounts": {"1": -5}}}, "block_bonus.amounts"),
        ({"block_bonus": COLUMNS | {"amounts": {2: -5}}}, "block_bonus.amounts"),
        ({"block_bonus": COLUMNS | {"amounts": {"2": False}}}, "block_bonus.amounts.2"),
    ],
)
def test_what_has_no_meaning_is_refused_with_its_field(written: object, field: str) -> None:
    with pytest.raises(BadRules) as refused:
        read_scoring(written, SIX)

    assert field == refused.value.field
    assert 10 < len(refused.value.because) < 100


@pytest.mark.parametrize("written", [{}, {"lines": ["rows"]}, {"values": {"A": 1, "*": 0}}])
def test_without_a_base_every_rank_needs_a_value(written: object) -> None:
    with pytest.raises(BadRules) as refused:
        read_scoring(written)

    assert "values" == refused.value.field


names = st.sampled_from([*Scoring.__dataclass_fields__, "shape", "amounts", "A", "*"])
ones = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("A2*#é", max_size=5) | names
)
some = ones | st.lists(ones, max_size=3) | st.dictionaries(names, ones, max_size=3)


@given(st.dictionaries(names, some, max_size=3), st.none() | st.just(SIX))
def test_whatever_is_written_is_read_or_refused(
    written: dict[str, Any], base: Scoring | None
) -> None:
    try:
        read = read_scoring(written, base)
    except BadRules as refused:
        assert refused.because
    else:
        assert set(RANKS) <= dict(read.values).keys()
