"""One turn of grid Golf: what may be done, what may not, and when it is over (rules A4, A5)."""

from dataclasses import replace

import pytest

from dormie_rules.cards import Card
from dormie_rules.grid_events import Discarded, Drew, FinalLap, Flipped, Passed, Swapped
from dormie_rules.grid_hole import cards_of
from dormie_rules.grid_moves import Draw, Flip, Pass, Take
from dormie_rules.grid_rules import FlipAfterDiscard, GridRules
from tests.rules.playing import SIX, TABLE, Hole

TWO = ("K57/K39", "A62/84T")
MUST, NEVER = TABLE, replace(SIX, flip_after_discard="never")

# ------------------------------------------------------- the worked cases


def test_case_U01_a_card_taken_from_the_discard_pile_must_be_placed() -> None:
    hole = Hole(SIX, TWO, discard="9")
    hole.plays("take")
    before = hole.state

    assert "must_swap" == hole.refuses("discard")
    assert before is hole.state
    assert "9" == hole.table.taken


def test_case_U02_after_a_discard_a_face_down_card_must_be_turned() -> None:
    hole = Hole(MUST, TWO)
    hole.plays("draw", "discard")

    assert 0 == hole.table.turn
    assert tuple(Flip(at) for at in (2, 3, 4, 5)) == hole.game.moves(hole.view())
    assert {"must_flip"} == {hole.refuses(move) for move in ("draw", "take", "swap 3", "pass")}


def test_case_U03_a_face_up_card_cannot_be_turned_up() -> None:
    hole = Hole(MUST, TWO)
    hole.plays("draw", "discard")

    assert "already_face_up" == hole.refuses("flip 1")


def test_case_U04_where_nothing_is_turned_after_a_discard_the_turn_passes() -> None:
    hole = Hole(NEVER, TWO)
    hole.plays("draw", "discard")

    assert 1 == hole.table.turn
    assert "K5####" == hole.grid(0)


def test_case_U05_where_a_card_may_be_turned_it_may_be_left() -> None:
    hole = Hole(SIX, TWO)
    hole.plays("draw", "discard", "pass")

    assert 1 == hole.table.turn
    assert Passed(0) == hole.heard[-1]


def test_case_U06_nobody_draws_twice() -> None:
    hole = Hole(SIX, TWO)
    hole.plays("draw")

    assert "already_drawn" == hole.refuses("draw")
    assert "already_drawn" == hole.refuses("take")


def test_case_U07_nothing_is_placed_before_a_card_is_in_hand() -> None:
    hole = Hole(SIX, TWO)

    assert "nothing_drawn" == hole.refuses("swap 1")
    assert "nothing_drawn" == hole.refuses("discard")


@pytest.mark.parametrize("move", ["draw", "take", "swap 1", "discard", "flip 3", "pass"])
def test_case_U08_nobody_plays_out_of_turn(move: str) -> None:
    hole = Hole(SIX, TWO)

    assert "not_your_turn" == hole.refuses(move, seat=1)


def test_case_U09_a_drawn_card_is_placed_and_the_old_one_is_seen_only_then() -> None:
    hole = Hole(SIX, TWO, stock="Q")
    hole.plays("draw")
    before = hole.view(0)
    hole.plays("swap 5")

    assert before.public.grids[0][4] is None
    assert "K5##Q#" == hole.grid(0)
    assert "3" == hole.table.discard
    assert Swapped(0, 4, Card("Q"), Card("3")) == hole.heard[-1]


def test_case_U10_a_taken_card_may_go_onto_one_of_its_rank() -> None:
    hole = Hole(SIX, TWO, discard="5")
    hole.plays("take", "swap 2")

    assert 1 == hole.table.turn
    assert "5" == hole.table.discard


def closing() -> Hole:
    """Three players with one face-down card each; seat 1 has just turned up its last."""
    hole = Hole(MUST, ("234/567", "234/567", "234/567"), up="12345")
    hole.plays("draw", "swap 1", "draw", "swap 6")
    return hole


def test_case_U11_everybody_but_the_closer_has_one_more_turn() -> None:
    hole = closing()

    assert FinalLap("closed", 1, (2, 0)) == hole.heard[-1]
    assert [2, 0] == [turn_of(hole), turn_of(hole)]
    assert ("over", None, 1) == (hole.table.stage, hole.table.turn, hole.table.closer)
    assert ["634567", "234564", "534567"] == [hole.grid(seat) for seat in range(3)]


def test_case_U12_a_second_full_grid_begins_no_second_lap() -> None:
    hole = closing()
    hole.plays("draw", "swap 6")

    assert (0, 1) == (hole.table.turn, hole.table.closer)
    assert 1 == sum(isinstance(event, FinalLap) for event in hole.heard)


def test_case_U13_a_hole_ends_when_the_last_one_it_waits_for_leaves() -> None:
    hole = closing()
    hole.plays("draw", "swap 1")
    hole.leaves(0)

    assert "over" == hole.table.stage
    assert [True, False, False] == [score is None for score in hole.game.scores(hole.state) or ()]


def test_case_U14_an_empty_stock_is_made_anew_from_all_but_the_top_discard() -> None:
    hole = Hole(NEVER, TWO, discard="5", stock="93")
    hole.plays("draw", "discard", "draw", "discard")

    assert (0, 3) == (hole.table.stock, hole.table.pile)
    hole.plays("draw")

    assert ("3", 1) == (hole.table.discard, hole.table.pile)
    assert 1 == hole.table.stock
    assert {"5", "9"} == {hole.state.pockets[0].drawn, *hole.state.secret.stock}
    assert sorted(hole.pack) == sorted(cards_of(hole.state))


def test_case_U15_nothing_is_reshuffled_before_somebody_draws() -> None:
    hole = Hole(NEVER, TWO, discard="5", stock="93")
    hole.plays("draw", "discard", "draw", "discard", "take", "swap 3")

    assert (0, 0, 3) == (hole.table.reshuffles, hole.table.stock, hole.table.pile)


def test_case_U16_who_must_turn_the_last_card_up_closes() -> None:
    hole = Hole(MUST, TWO, up="12345")
    hole.plays("draw", "discard", "flip 6")

    assert 0 == hole.table.closer


def test_case_U17_the_last_card_may_be_left_face_down_where_that_is_allowed() -> None:
    hole = Hole(replace(MUST, last_flip_optional=True), TWO, up="12345")
    hole.plays("draw", "discard", "pass")

    assert (1, None) == (hole.table.turn, hole.table.closer)


def test_the_last_card_but_one_is_not_the_last() -> None:
    hole = Hole(replace(MUST, last_flip_optional=True), TWO, up="1234")
    hole.plays("draw", "discard")

    assert "must_flip" == hole.refuses("pass")


def test_case_U20_a_card_is_turned_up_once() -> None:
    hole = Hole(SIX, TWO, up=("12", "1"))

    assert "already_face_up" == hole.refuses("flip 1", seat=1)


def test_case_U21_nobody_turns_up_more_first_cards_than_the_rules_say() -> None:
    hole = Hole(SIX, TWO, up=("12", "1"))

    assert "setup_done" == hole.refuses("flip 6", seat=0)


def test_case_U22_the_card_of_another_player_has_no_name() -> None:
    """A move says where in one's own grid, so there is nothing to refuse but a place outside it."""
    hole = Hole(MUST, TWO)
    hole.plays("draw", "discard")

    assert "no_such_card" == hole.refuses("flip 7")
    hole.plays("flip 3")
    assert ("K57###", "A6####") == (hole.grid(0), hole.grid(1))


# ------------------------------------------------------------ and besides


@pytest.mark.parametrize(
    ("rules", "moves"), [(MUST, (Flip(5),)), (SIX, (Flip(5), Pass())), (NEVER, (Draw(), Take()))]
)
def test_what_follows_a_discard_is_an_option(rules: GridRules, moves: tuple[object, ...]) -> None:
    hole = Hole(rules, TWO, up="12345")
    hole.plays("draw", "discard")

    assert moves == hole.game.moves(hole.view())


@pytest.mark.parametrize("flip", ["must", "may", "never"])
def test_with_nothing_face_down_a_discard_ends_the_turn(flip: FlipAfterDiscard) -> None:
    """Only a closer who plays in the final lap, too, gets there."""
    hole = Hole(replace(SIX, flip_after_discard=flip, final_lap="all"), TWO, up="12345")
    hole.plays("draw", "swap 6", "draw", "swap 1")

    assert 0 == hole.table.turn
    hole.plays("draw", "discard")
    assert "over" == hole.table.stage


def test_a_card_may_be_swapped_for_one_that_lies_face_up() -> None:
    hole = Hole(SIX, TWO, stock="Q")
    hole.plays("draw", "swap 1")

    assert ("Q5####", "K") == (hole.grid(0), hole.table.discard)


def test_scenario_R03_a_replaced_card_lies_on_the_discard_pile() -> None:
    hole = Hole(SIX, TWO, discard="9")
    hole.plays("take", "swap 6")

    assert ("9", 1) == (hole.table.discard, hole.table.pile)
    assert sorted(hole.pack) == sorted(cards_of(hole.state))


def test_what_lies_under_a_taken_card_is_seen_again() -> None:
    hole = Hole(NEVER, TWO, discard="9", stock="Q4")
    hole.plays("draw", "discard", "take")

    assert ("9", 1, "Q") == (hole.table.discard, hole.table.pile, hole.table.taken)


def test_the_table_hears_what_was_thrown_away_and_not_what_was_drawn() -> None:
    hole = Hole(MUST, TWO, stock="Q")
    hole.plays("draw", "discard", "flip 3")

    assert [Drew(0), Discarded(0, Card("Q")), Flipped(0, 2, Card("7"))] == hole.heard[-3:]


def turn_of(hole: Hole) -> int | None:
    """Whose turn it is, and it is played."""
    seat = hole.table.turn
    hole.plays("draw", "swap 1")
    return seat
