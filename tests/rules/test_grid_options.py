"""What a table may choose, and how a choice is refused: the field, and the reason in words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.grid_options import LATER, OPTIONS, BadOption, choose
from dormie_rules.grid_rules import GridRules, deck_count, spare_cards
from dormie_rules.variants import find, names


@pytest.mark.parametrize(
    ("variant", "options", "seats", "field", "because"),
    [
        ("playroom", {"rows": 1, "cols": 6}, 4, "rows", "a grid has at least two rows"),
        ("six_card", {"rows": 3, "cols": 3}, 4, "rows", "six_card is played on 2x3, rows first"),
        ("playroom", {"rows": 4, "cols": 4, "decks": 1}, 6, "decks", "too few cards for 6 players"),
        ("six_card", {}, 7, "seats", "six_card is played by 2 to 6 players"),
        ("six_card", {}, 1, "seats", "six_card is played by 2 to 6 players"),
        ("six_card", {"holes": True}, 2, "holes", "a whole number is needed"),
        ("six_card", {"holes": 9.0}, 2, "holes", "a whole number is needed"),
        ("six_card", {"holes": 0}, 2, "holes", "a number from 1 to 36 is needed"),
        ("six_card", {"holes": None}, 2, "holes", "needs their number"),
        ("playroom", {"limit": None}, 2, "limit", "needs one"),
        ("six_card", {"end": "sometime"}, 2, "end", "one of these words"),
        ("six_card", {"initial_face_up": 6}, 2, "initial_face_up", "must stay face-down"),
        ("six_card", {"knock": "immediate"}, 2, "knock", "not offered yet"),
        ("six_card", {"cheat": True}, 2, "options", "does not have"),
        ("six_card", {"values": {"K": 0.5}}, 2, "values.K", "a whole number is needed"),
        ("six_card", {"lines": ["zigzag"]}, 2, "lines", "one of these words"),
        ("six_card", {"decks": "many"}, 2, "decks", "a whole number is needed"),
    ],
)
def test_a_choice_that_cannot_be_had_is_refused_with_its_field_and_the_reason(
    variant: str, options: dict[str, Any], seats: int, field: str, because: str
) -> None:
    with pytest.raises(BadOption) as bad:
        choose(find(variant), options, seats)

    assert field == bad.value.field
    assert because in str(bad.value)


def test_scenario_R33_no_variant_has_a_grid_of_one_row() -> None:
    for name in names():
        assert all(rows > 1 and cols > 1 for rows, cols in find(name).shapes)


@pytest.mark.parametrize(("rows", "cols"), find("playroom").shapes)
@pytest.mark.parametrize("seats", range(2, 7))
def test_playroom_has_every_shape_for_every_number_of_players(
    rows: int, cols: int, seats: int
) -> None:
    rules = choose(find("playroom"), {"rows": rows, "cols": cols}, seats)

    assert 2 <= spare_cards(rules, seats)
    assert (rows, cols, 100) == (rules.rows, rules.cols, rules.limit)


def test_auto_never_means_fewer_decks_than_the_variant_has() -> None:
    assert 2 == deck_count(choose(find("playroom"), {"decks": "auto"}, 2), 2)
    big = {"decks": "auto", "rows": 4, "cols": 4}
    assert 3 == deck_count(choose(find("playroom"), big, 6), 6)


def test_jokers_have_a_value_as_soon_as_there_are_any() -> None:
    assert -3 == dict(choose(find("six_card"), {"jokers_per_deck": 2}, 2).scoring.values)["*"]
    own = {"jokers_per_deck": 1, "values": {"*": -5}}
    assert -5 == dict(choose(find("six_card"), own, 2).scoring.values)["*"]


@pytest.mark.parametrize(
    ("variant", "options", "expected"),
    [
        ("six_card", {}, ("holes", 9, None)),
        ("six_card", {"end": "elimination"}, ("elimination", None, 100)),
        ("six_card", {"end": "first_to_limit", "limit": 50}, ("first_to_limit", None, 50)),
        ("six_card", {"end": "elimination", "holes": 5}, ("elimination", 5, 100)),
        ("playroom", {"end": "holes"}, ("holes", 9, None)),
        ("playroom", {"holes": 7}, ("elimination", 7, 100)),
        ("six_card", {"limit": 60}, ("holes", 9, 60)),
    ],
)
def test_one_choice_about_the_end_says_what_it_leaves_open(
    variant: str, options: dict[str, Any], expected: tuple[str, int | None, int | None]
) -> None:
    rules = choose(find(variant), options, 3)

    assert expected == (rules.end, rules.holes, rules.limit)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["auto", "zero", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("AK2x"), inner),
    max_leaves=6,
)


@given(
    options=st.dictionaries(st.sampled_from([*OPTIONS, *LATER, "values", "lines", "?"]), JSON),
    variant=st.sampled_from(names()),
    seats=st.integers(0, 9),
)
def test_any_json_is_rules_that_can_be_played_or_a_bad_option(
    options: dict[str, Any], variant: str, seats: int
) -> None:
    try:
        rules = choose(find(variant), options, seats)
    except BadOption as bad:
        assert bad.field
        assert str(bad)
    else:
        assert isinstance(rules, GridRules)
        assert 2 <= spare_cards(rules, seats)
