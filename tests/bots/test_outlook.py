"""What is expected of a grid is the mean of what can come of it: every deal of the unseen cards is tried."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_bots.odds import Odds
from dormie_bots.outlook import Prices, outlook
from dormie_rules.cards import JOKER, RANKS, Card
from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import grid_score, value
from dormie_rules.variants import find, names
from tests.rules.playing import PLAYROOM, SIX, Table

SHAPES = ((2, 2), (2, 3), (3, 3), (2, 4))
FEW = "K25*"
UNSEEN: dict[str, int] = {"K": 2, "2": 2, "5": 3, "*": 1}
Grid = tuple[Card | None, ...]


@st.composite
def grids(draw: st.DrawFn, cells: int, most: int = 3) -> Grid:
    """A grid of few ranks, with a few cards face-down."""
    cards = draw(st.lists(st.sampled_from(FEW), min_size=cells, max_size=cells))
    hidden = draw(st.sets(st.integers(0, cells - 1), max_size=most))
    return tuple(None if at in hidden else Card(card) for at, card in enumerate(cards))


@st.composite
def cases(draw: st.DrawFn) -> tuple[GridRules, Grid]:
    """Any lines, lines that keep their sum, and a grid."""
    rows, cols = draw(st.sampled_from(SHAPES))
    lines = draw(st.sets(st.sampled_from(["rows", "columns", "diagonals"])))
    changes: dict[str, Any] = {  # fields of different kinds
        "lines": tuple(sorted(lines)),
        "values": tuple(dict(zip(RANKS + JOKER, (*range(1, 13), 0, -3), strict=True)).items()),
        "joker_line": draw(st.sampled_from(["zero", "sum"])),
        "negative_line": draw(st.sampled_from(["zero", "sum"])),
    }
    scoring = replace(PLAYROOM.scoring, **changes)
    return replace(PLAYROOM, rows=rows, cols=cols, scoring=scoring), draw(grids(rows * cols))


def fillings(grid: Grid) -> Iterator[Sequence[Card]]:
    """Every way in which the unseen cards may lie below the face-down ones."""
    cards = [Card(of) for of, count in UNSEEN.items() for _ in range(count)]
    for chosen in permutations(cards, grid.count(None)):
        below = iter(chosen)
        yield [next(below) if card is None else card for card in grid]


def tried(rules: GridRules, grid: Grid) -> float:
    return fmean(grid_score(rules.scoring, full, rules.cols) for full in fillings(grid))


def prices(rules: GridRules) -> Prices:
    known = dict(rules.scoring.values)
    left = {of: count for of, count in UNSEEN.items() if of in known}
    return Prices(rules, Odds(left, sum(left.values())))


@given(case=cases())
@settings(max_examples=120, deadline=None)
def test_what_is_expected_is_the_mean_of_all_deals(case: tuple[GridRules, Grid]) -> None:
    rules, grid = case

    assert pytest.approx(tried(rules, grid)) == outlook(rules, grid).expected(prices(rules))


@given(case=cases(), card=st.sampled_from(FEW))
@settings(max_examples=60, deadline=None)
def test_a_card_put_somewhere_is_counted_as_if_it_lay_there(
    case: tuple[GridRules, Grid], card: str
) -> None:
    rules, grid = case
    there = [(*grid[:at], Card(card), *grid[at + 1 :]) for at in range(len(grid))]
    expected = [outlook(rules, other).expected(prices(rules)) for other in there]

    assert pytest.approx(expected) == list(outlook(rules, grid).swapped(Card(card), prices(rules)))


@pytest.mark.parametrize("variant", names())
def test_scenario_R09_bots_and_rules_agree_on_the_value_of_every_rank(variant: str) -> None:
    """In a game we know the bots had values of their own, and a ten counted otherwise for them."""
    for options in ((), (("jokers_per_deck", 2), ("values", {"T": 0, "2": 2, "*": -5}))):
        rules = Table(variant, 2, options).rules
        for of, worth in rules.scoring.values:
            alone = (Card(of), *(None,) * (rules.cells - 1))

            assert worth == value(rules.scoring, Card(of)) == Prices(rules, Odds({of: 1}, 1)).mean
            assert worth == outlook(rules, alone).expected(Prices(rules, Odds({}, 0)))


@pytest.mark.parametrize("variant", names())
def test_a_grid_that_lies_open_is_worth_its_score(variant: str) -> None:
    rules = find(variant).rules
    for of, _ in rules.scoring.values:
        grid = (Card(of),) * rules.cells
        score = grid_score(rules.scoring, grid, rules.cols)

        assert score == outlook(rules, grid).expected(prices(rules))


def test_a_pair_to_come_makes_a_face_down_card_cheaper() -> None:
    """Three of seven unseen cards are a 5, and a pair of them saves twice five points."""
    grid = (Card("5"), Card("K"), Card("K"), None, Card("K"), Card("K"))
    mean = prices(SIX).mean

    assert pytest.approx(5 + mean - 3 / 7 * 10) == outlook(SIX, grid).expected(prices(SIX))


@pytest.mark.parametrize(
    "changes",
    [{"lines": ("columns", "pairs_anywhere")}, {"joker_wild_in_lines": True}, {"floor_zero": True}],
)
def test_what_has_no_exact_outlook_is_counted_once_it_lies_there(changes: dict[str, Any]) -> None:
    rules = replace(PLAYROOM, scoring=replace(PLAYROOM.scoring, **changes))
    grid = tuple(map(Card, "5*K5*2"))
    score = grid_score(rules.scoring, grid, rules.cols)

    assert score == outlook(rules, grid).expected(prices(rules))
