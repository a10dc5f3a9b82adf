"""What a finished hole does to a match: totals, who is out, who has won (rules A7, A8)."""

from itertools import product

import pytest

from dormie_rules.course_state import HoleBegan, HoleScored, MatchOver, PlayOff, WentOut
from dormie_rules.drawers import look
from dormie_rules.grid_legal import WORDS
from tests.rules.playing import every_move
from tests.rules.scored import Match

# --------------------------------------------------------------- scores


def test_scenario_R01_a_hole_is_scored_once() -> None:
    match = Match(2, holes=2)
    match.holes((3, 9))
    for seat, move in product((0, 1), every_move(match.course.rules)):
        assert match.refuses(seat, move) in WORDS

    assert (3, 9) == match.card.totals
    assert [HoleScored(1, (3, 9), (3, 9), (3, 9), closer=1)] == match.all_heard(HoleScored)


def test_leaving_after_a_hole_does_not_score_it_again() -> None:
    match = Match(3)
    match.holes((3, 9, 1))
    match.leaves(1)

    assert ((3, 9, 1), 1) == (match.card.totals, len(match.card.card))


def test_totals_are_the_sums_of_the_card() -> None:
    match = Match(2, holes=3)
    match.holes((3, 9), (-5, 0), (11, 4))

    assert ((3, 9), (-5, 0), (11, 4)) == match.card.card
    assert (9, 13) == match.card.totals == match.course.scores(match.state)


def test_the_closer_pays_and_it_is_shown() -> None:
    match = Match(3, closer_penalty="qc")
    match.holes((9, 11, 17))

    assert [HoleScored(1, (9, 11, 17), (9, 22, 17), (9, 22, 17), 1)] == match.all_heard(HoleScored)
    assert ((9, 11, 17), 1) == (match.card.raw, match.card.closer)


def test_a_penalty_counts_before_anybody_goes_out() -> None:
    """Case E08: without the penalty the closer would stay below the limit."""
    match = Match(2, closer_penalty="qc", end="elimination", limit=100, holes=None)
    match.holes((89, 0), (3, 1))

    assert ((102, 1), (2, 1)) == (match.card.totals, match.card.places)


# -------------------------------------------------------------- the end


@pytest.mark.parametrize("holes", [1, 9, 18])
def test_scenario_R17_a_match_is_over_after_its_last_hole(holes: int) -> None:
    match = Match(2, holes=holes)
    match.holes(*[(1, 2)] * holes)

    assert [HoleBegan(n) for n in range(1, holes + 1)] == match.all_heard(HoleBegan)
    assert [MatchOver((1, 2), (holes, 2 * holes))] == match.all_heard(MatchOver)
    assert not match.course.wants_deal(match.state)


def test_scenario_R39_a_match_of_one_hole_has_one_hole() -> None:
    match = Match(2, holes=1)
    match.holes((1, 2))

    assert (1, 1) == (match.card.hole, len(match.card.card))


def test_scenario_R18_a_match_begins_with_a_clean_card() -> None:
    match = Match(2, holes=1)
    before = match.course.start(0)
    match.holes((1, 2))

    assert before == match.course.start(0)
    assert ((0, 0), (), ()) == (before.public.totals, before.public.places, before.public.card)


def test_when_a_match_is_over_nothing_more_can_be_done() -> None:
    match = Match(2, holes=1)
    match.holes((1, 2))
    before = match.state
    match.leaves(1)

    assert before == match.state
    assert () == match.course.waiting_for(match.state)
    for seat in (0, 1, None):
        assert () == match.course.moves(look(match.state, seat))


def test_equal_totals_share_a_place() -> None:
    match = Match(4, holes=1)
    match.holes((5, 3, 5, 9))

    assert (2, 1, 2, 4) == match.card.places


def test_the_better_last_hole_may_part_equals() -> None:
    match = Match(3, holes=2, tie_break="last_hole_back")
    match.holes((5, 3, 8), (3, 5, 0))

    assert (2, 3, 1) == match.card.places


def test_whoever_reaches_the_limit_is_out_and_the_last_one_in_has_won() -> None:
    match = Match(3, end="elimination", limit=20, holes=None)
    match.holes((5, 20, 19), (14, 1))

    assert [WentOut((1,)), WentOut((2,))] == match.all_heard(WentOut)
    assert ((None, 1, 2), (1, 3, 2)) == (match.card.out, match.card.places)


def test_the_limit_itself_may_be_allowed() -> None:
    match = Match(2, end="elimination", limit=20, holes=None, limit_inclusive=False)
    match.holes((5, 20))

    assert () == match.card.places


def test_who_went_out_before_never_wins_with_a_smaller_total() -> None:
    match = Match(3, end="elimination", limit=20, holes=None)
    match.holes((19, 21, 18), (10, 10))

    assert ((29, 21, 28), (2, 3, 1)) == (match.card.totals, match.card.places)


def test_holes_and_limit_whichever_comes_first() -> None:
    by_limit = Match(2, end="holes", holes=5, limit=30)
    by_limit.holes((1, 31))
    by_holes = Match(2, end="elimination", holes=2, limit=30)
    by_holes.holes((1, 2), (1, 2))

    assert (1, 2) == by_limit.card.places == by_holes.card.places


def test_the_first_to_reach_a_limit_ends_the_match_for_all() -> None:
    match = Match(3, end="first_to_limit", holes=None, limit=20)
    match.holes((10, 10, 10), (0, 10, 5))

    assert ((None,) * 3, (1, 3, 2)) == (match.card.out, match.card.places)


# ------------------------------------------------------------ extra holes


def test_equal_leaders_play_on_until_one_is_better() -> None:
    match = Match(3, holes=1, tie_break="extra_hole")
    match.holes((5, 5, 9), (1, 1), (2, 3))

    assert [PlayOff((0, 1)), PlayOff((0, 1))] == match.all_heard(PlayOff)
    assert [HoleBegan(1), HoleBegan(2, extra=True), HoleBegan(3, extra=True)] == match.all_heard(
        HoleBegan
    )
    assert ((5, 5, 9), (1, 2, 3)) == (match.card.totals, match.card.places)


def test_who_falls_behind_in_an_extra_hole_is_behind() -> None:
    match = Match(4, holes=1, tie_break="extra_hole")
    match.holes((5, 5, 5, 9), (1, 1, 2), (8, 3))

    assert (2, 1, 3, 4) == match.card.places


def test_equals_who_stay_level_share_the_place_after_nine_extra_holes() -> None:
    match = Match(2, holes=1, tie_break="extra_hole")
    match.holes((5, 5), *[(1, 1)] * 9)

    assert (1, 1) == match.card.places


def test_those_who_went_out_together_play_on_for_the_first_place() -> None:
    match = Match(3, end="elimination", limit=20, holes=None, tie_break="extra_hole")
    match.holes((30, 25, 25))

    assert [PlayOff((1, 2))] == match.all_heard(PlayOff)
    match.holes((4, 2))
    assert (3, 2, 1) == match.card.places


def test_who_leaves_an_extra_hole_has_lost_it() -> None:
    match = Match(3, holes=1, tie_break="extra_hole")
    match.holes((5, 5, 9))
    match.deals(1, 2)
    match.leaves(0)

    assert 1 == match.card.places[1]


@pytest.mark.parametrize("in_a_hole", [True, False])
def test_who_has_finished_may_go_home_while_others_play_extra_holes(*, in_a_hole: bool) -> None:
    match = Match(4, holes=1, tie_break="extra_hole")
    match.holes((5, 5, 8, 9))
    if in_a_hole:
        match.deals(1, 2)
    match.leaves(2)
    if not in_a_hole:
        match.deals(1, 2)
    match.plays_out()

    assert [PlayOff((0, 1))] == match.all_heard(PlayOff)
    assert (1, 2, 3, 4) == match.card.places
