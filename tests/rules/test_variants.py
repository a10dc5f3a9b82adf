"""Finding a variant, choosing its options, and how many decks a table needs (rules A2, A10)."""

from dataclasses import replace

import pytest

from dormie_rules.cards import pack
from dormie_rules.grid_hole import GridGolf
from dormie_rules.grid_options import BadOption, choose
from dormie_rules.grid_rules import deck_count, pack_for, spare_cards
from dormie_rules.variant import score_with
from dormie_rules.variants import find, names


def test_variants_are_found_by_their_names() -> None:
    assert {"six_card", "six_card_table", "playroom"} <= set(names())
    assert list(names()) == sorted(names())
    assert [find(name).name for name in names()] == list(names())


@pytest.mark.parametrize(
    "name", ["", "six card", "SIX_CARD", "../six_card", "playroom.py", "chess"]
)
def test_there_is_no_other_variant(name: str) -> None:
    with pytest.raises(KeyError):
        find(name)


def test_the_rules_for_people_leave_the_examples_of_programs_out() -> None:
    text = find("six_card").text

    assert text.startswith("Six Card Golf")
    assert text.endswith("The lowest total after nine holes wins.")


def test_a_variant_scores_a_grid_in_the_notation_of_its_examples() -> None:
    score = score_with(find("playroom"))

    assert (15, 0, 0) == (score("773/783"), score("##/##"), score("QJ/JQ"))


# ------------------------------------------------------------------ the pack

SHAPES = {
    4: (2, 2),
    6: (2, 3),
    8: (2, 4),
    9: (3, 3),
    10: (2, 5),
    12: (3, 4),
    15: (3, 5),
    16: (4, 4),
}


@pytest.mark.parametrize(
    ("cells", "decks"),
    [
        (4, [1, 1, 1, 1, 1]),
        (6, [1, 1, 1, 2, 2]),
        (8, [1, 1, 1, 2, 2]),
        (9, [1, 1, 1, 2, 2]),
        (10, [1, 1, 2, 2, 2]),
        (12, [1, 1, 2, 2, 2]),
        (15, [1, 2, 2, 2, 2]),
        (16, [1, 2, 2, 2, 3]),
    ],
)
def test_a_table_uses_as_few_decks_as_leave_enough_cards(cells: int, decks: list[int]) -> None:
    """The table of rule A2, without jokers."""
    rows, cols = SHAPES[cells]
    rules = replace(find("six_card").rules, rows=rows, cols=cols)

    assert decks == [deck_count(rules, seats) for seats in range(2, 7)]


def test_playroom_always_takes_two_decks_with_their_jokers() -> None:
    assert {108} == {len(GridGolf(find("playroom").rules).pack(seats)) for seats in range(2, 7)}


def test_a_pack_is_whole_decks() -> None:
    rules = find("six_card_table").rules

    assert pack(2, 2) == pack_for(rules, 5)
    assert 108 - 30 == spare_cards(rules, 5)


# --------------------------------------------------------------- the choices


@pytest.mark.parametrize("cells", [4, 6, 9, 16])
def test_scenario_R33_a_grid_of_one_row_is_refused(cells: int) -> None:
    """A column of one card would always be complete."""
    with pytest.raises(BadOption, match="at least two rows"):
        choose(find("playroom"), {"rows": 1, "cols": cells}, seats=4)


@pytest.mark.parametrize("shape", [(3, 2), (2, 6), (5, 5), (4, 5), (2, 1)])
def test_a_shape_that_nobody_plays_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(BadOption, match="is played on"):
        choose(find("playroom"), dict(zip(("rows", "cols"), shape, strict=True)), seats=4)


@pytest.mark.parametrize(("seats", "decks", "enough"), [(3, 1, True), (4, 1, False), (6, 2, True)])
def test_a_pack_too_small_for_the_seats_is_refused(seats: int, decks: int, *, enough: bool) -> None:
    """Two cards must be left: one to draw and one to throw it on (rule A1, 10)."""
    options = {"rows": 4, "cols": 4, "decks": decks, "jokers_per_deck": 0}
    if enough:
        assert spare_cards(choose(find("playroom"), options, seats), seats) >= 2
        return
    with pytest.raises(BadOption, match="too few cards for 4 players of 16 cards each"):
        choose(find("playroom"), options, seats)
