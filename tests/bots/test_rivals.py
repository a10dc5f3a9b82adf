"""Closing too early costs what the rules say, and a discard is a gift only to those who can use it."""

from dataclasses import replace
from itertools import product
from statistics import NormalDist

import pytest

from dormie_bots.odds import unseen
from dormie_bots.outlook import Prices
from dormie_bots.rivals import Rivals, closing_cost
from dormie_bots.sight import see
from dormie_rules.cards import Card
from dormie_rules.grid_rules import GridRules
from dormie_rules.penalties import Mode, penalty
from tests.bots.asking import course_view
from tests.rules.playing import SIX, TABLE, Hole

LOW, HIGH, LEVEL = NormalDist(-50, 0.5), NormalDist(90, 0.5), NormalDist(10, 4)
MODES: tuple[Mode, ...] = ("none", "qc", "double", "plus10", "double_plus5", "per_beater5")


def rivals(rules: GridRules, hole: Hole) -> Rivals:
    view = course_view(hole.view())
    return Rivals(rules, see(view), Prices(rules, unseen(rules, view)))


# ------------------------------------------------------------------ closing


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("own", [-4, 3, 17])
def test_a_closer_who_will_surely_be_beaten_pays_in_full(mode: Mode, own: int) -> None:
    rules = replace(TABLE, closer_penalty=mode)

    for others in ((LOW,), (HIGH, LOW), (LOW, LOW, HIGH)):
        lower = [-50] * others.count(LOW) + [90] * others.count(HIGH)
        expected = penalty(mode, "safe", own, lower)
        assert pytest.approx(expected) == closing_cost(rules, own, others)


@pytest.mark.parametrize("mode", MODES)
def test_a_closer_who_will_surely_be_lowest_pays_nothing(mode: Mode) -> None:
    cost = closing_cost(replace(TABLE, closer_penalty=mode), 7, (HIGH, HIGH))

    assert pytest.approx(0, abs=1e-9) == cost


@pytest.mark.parametrize("mode", MODES)
def test_chances_are_weighed_as_if_the_hole_were_played_many_times(mode: Mode) -> None:
    """Two rivals, each as likely to end at any of a hundred scores of its own."""
    rules = replace(TABLE, closer_penalty=mode)
    ends = [round(LEVEL.inv_cdf((n + 0.5) / 100)) for n in range(100)]
    played = [penalty(mode, "safe", 9, pair) for pair in product(ends, ends)]

    cost = closing_cost(rules, 9, (LEVEL, LEVEL))
    assert abs(sum(played) / len(played) - cost) < 0.15


def test_to_be_equalled_costs_where_the_rules_say_so() -> None:
    level = (NormalDist(5, 0.1),)
    safe = closing_cost(TABLE, 5, level)
    penalised = closing_cost(replace(TABLE, closer_tie="penalised"), 5, level)

    assert (0, 10) == (round(safe), round(penalised))


def test_a_rival_with_more_face_down_cards_is_harder_to_foresee() -> None:
    rules = replace(TABLE, flip_after_discard="may")
    hole = Hole(rules, ("KKK/KKK", "555/666", "555/666"), up="1234")
    hole.plays("draw", "discard", "pass", "draw", "swap 5", "draw", "discard", "pass")
    near, far = rivals(rules, hole).finals()

    assert near.stdev < far.stdev


def test_rivals_have_one_more_turn_unless_the_rules_give_them_none() -> None:
    hole = Hole(TABLE, ("KKK/KKK", "555/666"), up="12345")
    (others,) = rivals(TABLE, hole).finals()
    (none,) = rivals(replace(TABLE, final_lap="none"), hole).finals()

    assert others.mean < none.mean


# -------------------------------------------------------------------- gifts


def test_a_card_that_pairs_with_the_next_grid_is_a_gift() -> None:
    at_table = rivals(SIX, Hole(SIX, ("A62/84T", "Q57/339"), up=("12", "12")))

    assert at_table.gift(Card("Q")) > at_table.gift(Card("K")) > 0
    assert 0 == at_table.gift(Card("J"))
    assert 0 == at_table.gift(None)


def test_a_gift_matters_less_the_more_play() -> None:
    two = rivals(SIX, Hole(SIX, ("A62/84T", "Q57/339"))).gift(Card("Q"))
    four = rivals(SIX, Hole(SIX, ("A62/84T", "Q57/339", "789/789", "789/789"))).gift(Card("Q"))

    assert two > four > 0


def test_nobody_is_left_to_be_given_anything_in_the_last_turn() -> None:
    hole = Hole(SIX, ("Q57/339", "A62/84T"), up="12345")
    hole.plays("draw", "swap 6")

    assert 0 == rivals(SIX, hole).gift(Card("Q"))
