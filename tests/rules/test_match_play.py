"""Match play: worked cases' words, laws on any card, and what parts those who stay level."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dormie_rules.match_play import (
    MAX_EXTRA_HOLES,
    MatchEnding,
    Parting,
    Side,
    Terms,
    TiedMatch,
    after,
    hole_letter,
    letters,
)
from tests.rules.plain_match import match_of

SCORES = st.one_of(st.none(), st.integers(-3, 3))
CARDS = st.lists(st.lists(SCORES, min_size=2, max_size=2), max_size=14)
TERMS = st.builds(Terms, st.integers(1, 5), st.sampled_from(["halve", "extend", "countback"]))


@given(CARDS, TERMS)
@example([[0, 0]] * 10, Terms(1, "extend"))
def test_any_card_is_counted_as_slowly_as_by_hand(
    card: list[list[int | None]], terms: Terms
) -> None:
    standing = after(terms, letters(card), Parting(lot="B"))
    plain = match_of(card, 0, 1, terms.holes, terms.tied)
    winner = {None: None, "A": 0, "B": 1}[standing.winner]
    if standing.ending == "lot":
        assert ("B", None) == (standing.winner, plain["winner"])
    else:
        assert plain["winner"] == winner
    if terms.tied != "extend" or standing.played < terms.holes + MAX_EXTRA_HOLES:
        assert plain["how"] == standing.result
    assert plain["played"] == standing.played


@given(CARDS, TERMS)
def test_the_sides_are_treated_alike(card: list[list[int | None]], terms: Terms) -> None:
    one = after(terms, letters(card, 0, 1))
    two = after(terms, letters(card, 1, 0))
    swap: dict[Side | None, Side | None] = {"A": "B", "B": "A", None: None}

    assert (one.up, one.played, one.ending) == (-two.up, two.played, two.ending)
    assert one.winner == swap[two.winner] or one.ending == "lot"


@given(CARDS, TERMS)
def test_what_is_decided_stays_decided(card: list[list[int | None]], terms: Terms) -> None:
    holes = letters(card)
    standing = after(terms, holes)
    if standing.ending is not None:
        assert standing == after(terms, holes[: standing.played])
        assert standing == after(terms, holes + "AB")
        assert standing == after(terms, holes, conceded_to="B")


def test_scenario_R104_a_match_is_never_won_in_silence() -> None:
    """A tie goes on hole by hole, and nine halved holes are parted by what is written down beforehand."""
    tied = Terms(2, "extend")
    level = "AB" + "=" * MAX_EXTRA_HOLES
    never = Terms(1, "extend")
    told = [
        after(tied, "AB"),
        after(tied, level[:-1]),
        after(tied, level, Parting((7, 6), "A")),
        after(tied, level, Parting((6, 6), "A")),
        after(never, "=" * 10, Parting((6, 6), "A")),
        after(never, "=" * 10),
    ]

    assert [
        ("AS, extra holes", None),
        ("AS, extra holes", None),
        ("strokes", "B"),
        ("last hole", "B"),
        ("lot", "A"),
        ("lot", None),
    ] == [(standing.result, standing.winner) for standing in told]
    assert [
        "AS",
        "AS",
        "B wins on strokes",
        "B wins by the last hole won",
        "A wins by lot",
        "AS",
    ] == [standing.state for standing in told]


@pytest.mark.parametrize(
    ("holes", "tied", "ending", "winner"),
    [
        ("AB=", "halve", "halved", None),
        ("AB=", "countback", "last_hole", "B"),
        ("===", "countback", "halved", None),
        ("AB=", "extend", None, None),
        ("A==", "countback", "up", "A"),
    ],
)
def test_a_tied_match_ends_as_was_agreed(
    holes: str, tied: TiedMatch, ending: MatchEnding | None, winner: Side | None
) -> None:
    standing = after(Terms(3, tied), holes)

    assert (ending, winner) == (standing.ending, standing.winner)


def test_scenario_R92_how_long_a_round_is_decides_when_a_match_is_won() -> None:
    """The same holes are dormie, won, or early days, by the length of the round alone."""
    assert ["1 up", "2&1", "in progress", "in progress"] == [
        after(Terms(holes), "AA").result for holes in (1, 3, 4, 18)
    ]
    assert after(Terms(4), "AA").dormie
    assert not after(Terms(5), "AA").dormie
    assert ["5&4", "10&8"] == [after(Terms(holes), "A" * 18).result for holes in (9, 18)]


def test_a_concession_is_final_and_takes_nothing_from_a_match_that_was_decided() -> None:
    given = after(Terms(9), "BB", conceded_to="A")

    assert ("conceded", "A", "B 2 up", 2) == (given.ending, given.winner, given.state, given.played)
    assert "B" == after(Terms(3), "BB", conceded_to="A").winner
    assert ("A", 0) == ((before := after(Terms(9), "", conceded_to="A")).winner, before.played)


def test_a_hole_is_won_by_the_lower_score_and_lost_by_giving_it_up() -> None:
    pairs = [(-5, 0), (3, 3), (30, None), (None, -16), (None, None)]

    assert "A=AB=" == "".join(hole_letter(*pair) for pair in pairs)
