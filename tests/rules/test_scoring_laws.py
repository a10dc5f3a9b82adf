"""The laws of scoring: what never matters, how far scores reach, and a second scorer."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, product
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_rules.cards import JOKER, RANKS, Card
from dormie_rules.scoring import BlockBonus, Line, Scoring, complete_lines, grid_score, value
from dormie_rules.scoring_options import read_scoring
from tests.plain_scorer import plainly
from tests.worked_cases import BOOK

SHAPES = ((2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4))
LINES = read_scoring(BOOK["rule_sets"]["quentinc"])
Grid: TypeAlias = tuple[list[Card | None], int]

PACK = [*RANKS, JOKER]


@st.composite
def grids(draw: st.DrawFn, shapes: Sequence[tuple[int, int]] = SHAPES) -> Grid:
    """A grid of a few ranks or of all, some of its cards face-down, and its number of columns."""
    rows, cols = draw(st.sampled_from(shapes))
    few = st.lists(st.sampled_from(["A", "2", "K", JOKER, None]), min_size=1, max_size=3)
    some = draw(few | st.just([*PACK, None]))
    drawn = draw(st.lists(st.sampled_from(some), min_size=rows * cols, max_size=rows * cols))
    return [rank if rank is None else Card(rank) for rank in drawn], cols


scorings = st.builds(
    Scoring,
    values=st.tuples(*(st.tuples(st.just(r), st.integers(-5, 12)) for r in PACK)),
    lines=st.permutations(["columns", "rows", "diagonals", "pairs_anywhere"]).flatmap(
        lambda order: st.integers(0, 4).map(lambda n: tuple(order[:n]))
    ),
    joker_line=st.sampled_from(["zero", "sum"]),
    negative_line=st.sampled_from(["zero", "sum"]),
    joker_wild_in_lines=st.booleans(),
    block_bonus=st.none()
    | st.builds(
        BlockBonus,
        shape=st.sampled_from(["equal_columns", "corners", "all_equal", "square2x2"]),
        amount=st.integers(-20, 5),
        amounts=st.dictionaries(st.integers(2, 5), st.integers(-30, 5)).map(
            lambda amounts: tuple(sorted(amounts.items()))
        ),
        adjacent=st.booleans(),
    ),
    floor_zero=st.booleans(),
)


@given(scorings, grids(), st.randoms(use_true_random=False))
def test_suits_and_names_never_matter(scoring: Scoring, grid: Grid, luck: Random) -> None:
    plain, cols = grid
    named = [card and Card(card + luck.choice(["", "S", "H", "-a-name"])) for card in plain]

    assert grid_score(scoring, plain, cols) == grid_score(scoring, named, cols)
    assert complete_lines(scoring, plain, cols) == complete_lines(scoring, named, cols)


@given(scorings, grids(), st.randoms(use_true_random=False))
def test_columns_may_change_places_and_cards_their_place_in_a_column(
    scoring: Scoring, grid: Grid, luck: Random
) -> None:
    """Where only columns count, and no block needs neighbours."""
    scoring = replace(scoring, lines=("columns",))
    bonus = scoring.block_bonus
    if bonus and (bonus.adjacent or bonus.shape in ("corners", "square2x2")):
        scoring = replace(scoring, block_bonus=None)
    plain, cols = grid
    columns = [plain[col::cols] for col in range(cols)]
    luck.shuffle(columns)
    for column in columns:
        luck.shuffle(column)
    moved = [card for row in zip(*columns, strict=True) for card in row]

    assert grid_score(scoring, plain, cols) == grid_score(scoring, moved, cols)


@settings(max_examples=500)
@given(scorings, grids(((2, 2), (3, 3), (4, 4))), st.booleans())
def test_a_square_may_be_turned_and_mirrored(
    scoring: Scoring,
    grid: Grid,
    diagonals: bool,  # noqa: FBT001 - drawn by hypothesis
) -> None:
    lines: list[Line] = ["rows", "columns", *scoring.lines]
    if not diagonals:
        lines = [kind for kind in lines if kind != "diagonals"]
    scoring = replace(scoring, lines=tuple(lines))
    if scoring.block_bonus and scoring.block_bonus.shape == "equal_columns":
        scoring = replace(scoring, block_bonus=None)
    plain, cols = grid
    rows = [plain[at : at + cols] for at in range(0, len(plain), cols)]
    scores = set()
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]  # a quarter turn
        for face in (rows, rows[::-1]):
            scores.add(grid_score(scoring, [card for row in face for card in row], cols))

    assert {grid_score(scoring, plain, cols)} == scores


@given(st.lists(st.sampled_from(PACK), min_size=4, max_size=4))
def test_on_four_cards_every_pair_is_a_line(ranks: list[str]) -> None:
    """Playroom 2x2: the sum of the ranks that occur exactly once."""
    alone = [Card(rank) for rank, times in Counter(ranks).items() if times == 1]

    assert sum(value(LINES, card) for card in alone) == grid_score(LINES, [*map(Card, ranks)], 2)


@settings(max_examples=1000)
@given(scorings, grids((*SHAPES, (1, 1), (1, 4), (3, 1), (5, 2))))
def test_a_second_scorer_agrees(scoring: Scoring, grid: Grid) -> None:
    plain, cols = grid

    assert plainly(scoring, plain, cols) == grid_score(scoring, plain, cols)


@given(scorings, grids(), st.randoms(use_true_random=False))
def test_a_line_once_complete_stays_complete(scoring: Scoring, grid: Grid, luck: Random) -> None:
    """Turning cards up can only add lines, so a running score never takes one back."""
    scoring = replace(scoring, lines=("columns", "rows", "diagonals"))
    shown, cols = grid
    before = [card if luck.random() < 0.8 else None for card in shown]

    assert set() == {*complete_lines(scoring, before, cols)} - {
        *complete_lines(scoring, shown, cols)
    }


@given(scorings, st.sampled_from(PACK), st.integers(0, 5))
def test_a_card_seen_alone_is_worth_its_rank(scoring: Scoring, rank: str, at: int) -> None:
    scoring = replace(scoring, floor_zero=False)
    grid: list[Card | None] = [None] * 6
    grid[at] = Card(rank)

    assert value(scoring, Card(rank)) == grid_score(scoring, grid, 3)


# -------------------------------------------------------------------- ranges


def column_grids(ranks: str, decks: int, jokers: int) -> Iterator[list[Card]]:
    """Every grid of 2x3 that a pack can deal, but for the order in and of its columns."""
    pairs = list(combinations_with_replacement(ranks, 2))
    for three in combinations_with_replacement(pairs, 3):
        if can_be_dealt([*three[0], *three[1], *three[2]], decks, jokers):
            yield [Card(pair[row]) for row in (0, 1) for pair in three]


def can_be_dealt(ranks: Sequence[str], decks: int, jokers: int) -> bool:
    return all(ranks.count(r) <= (jokers if r == JOKER else 4) * decks for r in set(ranks))


@pytest.mark.parametrize(
    ("ruleset", "decks", "jokers", "lowest", "highest"),
    [
        ("six", 1, 0, -6, 60),
        ("six", 2, 0, -6, 60),
        ("six_joker3", 1, 2, -12, 60),
        ("six_joker3", 2, 2, -15, 60),
    ],
)
def test_six_cards_are_worth_no_less_and_no_more(
    ruleset: str, decks: int, jokers: int, lowest: int, highest: int
) -> None:
    """Ranks worth 4 to 9 are left out but one: between two others they are neither end."""
    scoring = read_scoring(BOOK["rule_sets"][ruleset])
    ranks = "A23TJQK*" if jokers else "A23TJQK"
    scores = {grid_score(scoring, grid, 3) for grid in column_grids(ranks, decks, jokers)}

    assert (lowest, highest) == (min(scores), max(scores))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "decks", "jokers", "lowest", "highest"),
    [("six", 1, 0, -6, 60), ("six_joker3", 1, 2, -12, 60), ("six_joker3", 2, 2, -15, 60)],
)
def test_no_six_cards_at_all_are_worth_less_or_more(
    ruleset: str, decks: int, jokers: int, lowest: int, highest: int
) -> None:
    scoring = read_scoring(BOOK["rule_sets"][ruleset])
    ranks = RANKS + JOKER * bool(jokers)
    scores = {grid_score(scoring, grid, 3) for grid in column_grids(ranks, decks, jokers)}

    assert (lowest, highest) == (min(scores), max(scores))


def test_playroom_reaches_the_ends_of_its_range() -> None:
    """With the dearest and the cheapest ranks, wherever they lie."""
    dealt = (six for six in product("*AKTJQ", repeat=6) if can_be_dealt(six, 2, 2))
    scores = {grid_score(LINES, [*map(Card, six)], 3) for six in dealt}

    assert (-9, 69) == (min(scores), max(scores))


@pytest.mark.slow
def test_playroom_stays_within_its_range() -> None:
    """All grids of 2x3, but for the order of the columns: more than a million."""
    columns = list(product(PACK, repeat=2))
    ends = [0, 0]
    for three in combinations_with_replacement(columns, 3):
        grid = [Card(column[row]) for row in (0, 1) for column in three]
        if can_be_dealt(grid, 2, 2):
            score = grid_score(LINES, grid, 3)
            ends = [min(ends[0], score), max(ends[1], score)]

    assert [-9, 69] == ends
