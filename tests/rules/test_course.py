"""A whole match of grid Golf: hole after hole until somebody has won (rules A3, A7, A8)."""

import pytest

from dormie_rules.course_state import LeftMatch, MatchOver, PlayOff
from dormie_rules.grid_rules import NextFirst
from dormie_rules.luck import CHAIN_LENGTH
from tests.rules.scored import Match

# ----------------------------------------------------------- who begins


def test_the_deal_goes_round_and_the_dealers_left_begins() -> None:
    match = Match(3, dealer=1, holes=4)
    match.holes((1, 2, 3), (1, 2, 3), (1, 2, 3))

    assert [(1, 2), (2, 0), (0, 1)] == match.began


def test_who_is_out_neither_deals_nor_begins() -> None:
    match = Match(4, dealer=0, end="elimination", limit=50, holes=None)
    match.holes((0, 60, 70, 0), (0, 0), (0, 0))

    assert [(0, 1), (3, 0), (0, 3)] == match.began


@pytest.mark.parametrize(
    ("option", "first"), [("rotate", [0, 1, 2]), ("closer", [0, 0, 0]), ("winner", [0, 1, 2])]
)
def test_scenario_R43_the_next_hole_is_begun_by_whom_the_rules_name(
    option: NextFirst, first: list[int]
) -> None:
    match = Match(3, dealer=2, holes=4, next_first_player=option)
    match.holes((5, 1, 3), (2, 8, 2), (1, 2, 3))

    assert first == [begins for _, begins in match.began]
    assert [2, 0, 1] == [deals for deals, _ in match.began]


def test_a_closer_who_has_left_does_not_begin() -> None:
    match = Match(3, dealer=2, next_first_player="closer")
    match.holes((1, 2, 3))
    match.leaves(0)
    match.holes((1, 2))

    assert (1, 2) == match.began[-1]


def test_the_dealer_of_the_first_hole_is_drawn_by_luck() -> None:
    dealers = set()
    for luck in range(40):
        match = Match(3, dealer=None)
        match.deals(1, 2, 3, luck=bytes([luck]))
        dealers.add(match.card.dealer)

    assert {0, 1, 2} == dealers


def test_the_dealer_of_the_first_hole_is_somebody_who_plays() -> None:
    """A seat may leave between the start of a match and its first deal."""
    for luck in range(40):
        match = Match(3, dealer=None)
        match.leaves(1)
        match.deals(1, 3, luck=bytes([luck]))

        assert 1 != match.card.dealer


def test_a_dealer_who_leaves_before_the_first_hole_leaves_the_deal_to_the_next() -> None:
    match = Match(4, dealer=1)
    match.leaves(1)
    match.deals(1, 2, 3)

    assert [(2, 3)] == match.began


# ------------------------------------------------------------ who leaves


def test_who_leaves_gets_no_score_for_the_hole_and_no_more_turns() -> None:
    match = Match(3)
    match.holes((1, 2, 3))
    match.deals(4, 5, 6)
    match.leaves(0)
    match.plays_out()

    assert ((None, 5, 6), (1, 7, 9)) == (match.card.card[-1], match.card.totals)
    assert [LeftMatch(0)] == match.all_heard(LeftMatch)
    assert (2, None, None) == match.card.out


def test_who_leaves_comes_after_those_who_go_out_in_the_same_hole() -> None:
    match = Match(4, end="elimination", limit=20, holes=None)
    match.deals(1, 2, 50, 3)
    match.leaves(3)
    match.plays_out()
    match.holes((1, 30))

    assert (1, 2, 3, 4) == match.card.places


def test_between_two_holes_one_leaves_the_coming_one() -> None:
    match = Match(3)
    match.holes((1, 2, 3))
    match.leaves(0)

    assert (2, None, None) == match.card.out
    match.holes((5, 5))
    assert (None, 5, 5) == match.card.card[-1]


@pytest.mark.parametrize("in_a_hole", [True, False])
def test_the_last_one_there_has_won(*, in_a_hole: bool) -> None:
    match = Match(3)
    match.holes((1, 2, 3))
    if in_a_hole:
        match.deals(1, 2, 3)
    match.leaves(0)
    match.leaves(2)

    assert (2, 1, 3) == match.card.places


def test_leaving_twice_changes_nothing() -> None:
    match = Match(3)
    match.deals(1, 2, 3)
    match.leaves(0)
    before = match.state
    match.leaves(0)

    assert before == match.state


# ------------------------------------------------------ how long it can be


@pytest.fixture
def four_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dormie_rules.course_score.CHAIN_LENGTH", 4)


def test_a_match_has_at_most_as_many_holes_as_its_chain_has_links() -> None:
    match = Match(2, end="elimination", limit=2000, holes=None)
    match.holes(*[(2, 1)] * (CHAIN_LENGTH - 1))

    assert match.course.wants_deal(match.state)
    match.holes((2, 1))
    assert [MatchOver((2, 1), (512, 256))] == match.all_heard(MatchOver)
    assert not match.course.wants_deal(match.state)


@pytest.mark.usefixtures("four_links")
def test_after_the_last_link_the_lowest_total_of_those_still_in_has_won() -> None:
    """Seat 0 has the smallest total of all, but it has left."""
    match = Match(4, end="elimination", limit=20, holes=None)
    match.holes((1, 5, 4, 20))
    match.leaves(0)
    match.holes((2, 2), (2, 2), (2, 2))

    assert ((1, 11, 10, 20), (2, None, None, 1)) == (match.card.totals, match.card.out)
    assert (3, 2, 1, 4) == match.card.places


@pytest.mark.usefixtures("four_links")
def test_a_limit_that_nobody_reaches_ends_with_the_last_link() -> None:
    match = Match(2, end="first_to_limit", limit=20, holes=None)
    match.holes((1, 2), (1, 2), (1, 2), (1, 2))

    assert (1, 2) == match.card.places


@pytest.mark.usefixtures("four_links")
def test_no_extra_hole_begins_when_the_links_are_used_up() -> None:
    match = Match(3, holes=4, tie_break="extra_hole")
    match.holes(*[(1, 1, 2)] * 4)

    assert [] == match.all_heard(PlayOff)
    assert (1, 1, 3) == match.card.places


@pytest.mark.usefixtures("four_links")
def test_those_who_go_out_together_with_the_last_link_share_the_place() -> None:
    match = Match(2, end="elimination", limit=20, holes=None, tie_break="extra_hole")
    match.holes((0, 0), (0, 0), (0, 0), (30, 30))

    assert ((4, 4), (1, 1)) == (match.card.out, match.card.places)


@pytest.mark.usefixtures("four_links")
def test_extra_holes_go_on_only_as_long_as_there_are_links() -> None:
    match = Match(4, holes=2, tie_break="extra_hole")
    match.holes((1, 1, 1, 2), (1, 1, 1, 2), (3, 3, 4), (5, 5))

    assert [PlayOff((0, 1, 2)), PlayOff((0, 1))] == match.all_heard(PlayOff)
    assert (1, 1, 3, 4) == match.card.places
