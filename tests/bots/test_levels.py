"""The levels are what they are called: each one beats the one before it, by far."""

import pytest

from bench.bots import TABLES, duel
from dormie_bots import LEVELS, find_bot
from dormie_rules.variants import find


def test_the_levels_go_from_the_weakest_to_the_strongest() -> None:
    assert ("random", "easy", "medium") == LEVELS


@pytest.mark.parametrize(
    ("table", "levels", "holes", "least"),
    [
        ("six_card", ("easy", "random"), 100, 0.85),
        ("six_card_table", ("easy", "random"), 100, 0.85),
        ("six_card", ("medium", "easy"), 160, 0.58),
        ("six_card_table", ("medium", "easy"), 120, 0.55),
        ("playroom 2x3", ("medium", "easy"), 60, 0.52),
    ],
)
def test_a_level_beats_the_one_before_it(
    table: str, levels: tuple[str, str], holes: int, least: float
) -> None:
    """`make bench ARGS=bots` says by how much; the holes here are always the same ones."""
    won = duel(TABLES[table], levels, holes, b"a test").won

    assert sum(won) / holes > least


def test_a_level_is_found_by_its_name_and_no_other_is() -> None:
    with pytest.raises(KeyError):
        find_bot("grandmaster", find("six_card").rules)
