"""What every variant keeps, also one that somebody adds tomorrow: a new file inherits these tests."""

import doctest
import importlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dormie_rules import variants
from dormie_rules.cards import rank
from dormie_rules.grid_options import choose
from dormie_rules.grid_rules import MAX_SEATS, MIN_SEATS, pack_for, spare_cards
from dormie_rules.variant import Variant
from tests.leaks import check_drawers, check_names, record
from tests.rules.laws import LAWS, moments
from tests.rules.playing import Table

CASES = Path(__file__).parents[1] / "cases" / "rules.json"
PRESETS: dict[str, dict[str, Any]] = json.loads(CASES.read_text("utf-8"))["grid_presets"]
ONE_WAY = {
    "first_player": "left_of_dealer",
    "flip_as_action": False,
    "hidden_cards": "public_when_up",
    "knock": "off",
}
"""What presets also say and no table can choose yet: the rules play it in one way."""


@pytest.fixture(params=variants.names())
def variant(request: pytest.FixtureRequest) -> Variant:
    return variants.find(request.param)


def keeps_the_contract(variant: Variant) -> None:
    """All of it in one go, for a variant that was not there when the tests were collected."""
    tells_people_its_rules(variant)
    has_examples_that_run(variant)
    is_playable_at_every_table(variant)
    is_played_to_the_end(variant, seats=variant.min_seats)


def tells_people_its_rules(variant: Variant) -> None:
    assert variant.text[:1].isupper()
    assert variant.text.endswith(".")
    assert 300 < len(variant.text) < 3_000
    assert ">>>" not in variant.text


def has_examples_that_run(variant: Variant) -> None:
    module = importlib.import_module(f"{variants.__name__}.{variant.name}")
    result = doctest.testmod(module)

    assert (0, True) == (result.failed, result.attempted > 0)


def is_playable_at_every_table(variant: Variant) -> None:
    assert MIN_SEATS <= variant.min_seats <= variant.max_seats <= MAX_SEATS
    assert (variant.rules.rows, variant.rules.cols) == variant.shapes[0]
    for rows, cols in variant.shapes:
        for seats in range(variant.min_seats, variant.max_seats + 1):
            rules = choose(variant, {"rows": rows, "cols": cols}, seats)

            assert spare_cards(rules, seats) >= 2
            assert {rank(card) for card in pack_for(rules, seats)} <= set(
                dict(rules.scoring.values)
            )


def is_played_to_the_end(variant: Variant, seats: int) -> None:
    *_, last = moments(Table(variant.name, seats), Random(seats), leaving=0)

    assert seats == len(last.card.places)
    assert last.course.scores(last.after) == last.card.totals


def test_a_variant_tells_people_its_rules(variant: Variant) -> None:
    tells_people_its_rules(variant)


def test_a_variant_has_examples_that_run(variant: Variant) -> None:
    has_examples_that_run(variant)


def test_a_variant_has_cards_enough_for_every_shape_and_number_of_seats(variant: Variant) -> None:
    is_playable_at_every_table(variant)


@pytest.mark.parametrize("seats", range(MIN_SEATS, MAX_SEATS + 1))
def test_a_match_is_played_to_the_end(variant: Variant, seats: int) -> None:
    if variant.min_seats <= seats <= variant.max_seats:
        is_played_to_the_end(variant, seats)


def test_a_variant_obeys_the_laws_and_keeps_its_secrets(variant: Variant) -> None:
    """Once with nothing changed; the laws are played with every option elsewhere."""
    table = Table(variant.name, 4)
    journal = record(table, Random(1), most=300)
    check_drawers(table.course, journal)
    check_names(table.course, journal)
    for moment in moments(table, Random(2)):
        for law in LAWS:
            law(moment)


@pytest.mark.parametrize("name", sorted(set(PRESETS) & set(variants.names())))
def test_a_variant_has_the_numbers_that_its_name_promises(name: str) -> None:
    rules = variants.find(name).rules
    numbers = {**asdict(rules), **asdict(rules.scoring), **ONE_WAY}
    numbers |= {"values": dict(rules.scoring.values), "lines": list(rules.scoring.lines)}

    assert PRESETS[name] == {field: numbers[field] for field in PRESETS[name]}


# ------------------------------------------------- one file and nothing else

GARDEN = '''
"""Garden Golf: two rows of four, as it was played behind one house.

Everybody has eight cards in two rows of four and turns any two of them up. On your turn draw a card from
the stock or take the top of the discard pile. Put it in place of one of your cards, which then goes to the
discard pile; or, if it came from the stock, throw it away, and then you may turn a face-down card up.

Two cards of one rank in a column count nothing. The lowest total after three holes wins.

A pair of Kings, a pair of fives, and nothing else:

>>> score("K52A/K539")
15
"""

from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import Scoring
from dormie_rules.variant import Variant, score_with

VALUES = tuple(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0), strict=True))

VARIANT = Variant(
    GridRules(rows=2, cols=4, scoring=Scoring(VALUES), holes=3),
    shapes=((2, 4),),
    max_seats=4,
)
score = score_with(VARIANT)
'''


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A variant in a file of its own, and nothing else that knows of it."""
    (tmp_path / "garden_golf.py").write_text(GARDEN.lstrip(), "utf-8")
    monkeypatch.setattr(variants, "__path__", [*variants.__path__, str(tmp_path)])
    _look_again()
    yield "garden_golf"
    sys.modules.pop(f"{variants.__name__}.garden_golf", None)
    vars(variants).pop("garden_golf", None)
    monkeypatch.undo()
    _look_again()


def _look_again() -> None:
    importlib.invalidate_caches()
    variants.names.cache_clear()
    variants.find.cache_clear()


def test_a_new_file_is_a_new_variant(garden: str) -> None:
    assert garden in variants.names()
    keeps_the_contract(variants.find(garden))


def test_a_variant_that_is_gone_is_gone() -> None:
    assert "garden_golf" not in variants.names()
    with pytest.raises(KeyError):
        variants.find("garden_golf")
