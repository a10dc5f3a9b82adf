"""A seat leaves in the middle of a hole: nobody waits for it, and no card is lost (rule A8)."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from dormie_rules.cards import Card
from dormie_rules.grid_events import PlayBegan, Revealed, Withdrew
from dormie_rules.grid_hole import cards_of
from tests.rules.playing import SIX, TABLE, Hole

GRIDS = ("234567", "34567A", "4567A2", "567A23")
NEVER = replace(SIX, flip_after_discard="never")


def four() -> Hole:
    """Four players, and it is the turn of seat 1."""
    hole = Hole(NEVER, GRIDS)
    hole.plays("draw", "discard")
    return hole


@pytest.mark.parametrize(("leaver", "turns"), [(0, [1, 2, 3]), (1, [2, 3, 0]), (3, [1, 2, 0])])
def test_scenario_R07_the_turn_passes_on_wherever_somebody_leaves(
    leaver: int, turns: list[int]
) -> None:
    """Before the seat whose turn it is, that seat itself, and after it."""
    hole = four()
    hole.leaves(leaver)

    assert turns == list(who_plays(hole, 3))


@pytest.mark.parametrize(
    ("moves", "held"),
    [
        ((), None),
        (("draw",), Card("4")),
        (("take",), Card("3")),
        (("draw", "discard"), None),
    ],
)
def test_scenario_R81_a_seat_may_leave_at_every_point_of_its_turn(
    moves: tuple[str, ...], held: Card | None
) -> None:
    hole = Hole(TABLE, GRIDS)
    hole.plays("draw", "discard", "flip 3", *moves)
    hole.leaves(1)

    assert Withdrew(1, held) == hole.heard[-1]
    assert ("turn", 2, None) == (hole.table.stage, hole.table.turn, hole.table.taken)
    assert None is hole.state.pockets[1].drawn
    assert sorted(hole.pack) == sorted(cards_of(hole.state))
    assert held in (None, hole.table.discard)


def test_the_cards_of_who_leaves_are_out_of_play() -> None:
    hole = four()
    hole.leaves(3)

    assert ((), None) == (hole.table.grids[3], hole.table.showing[3])
    assert sorted("567A23") == sorted(hole.state.secret.gone)


def test_leaving_twice_changes_nothing() -> None:
    hole = four()
    hole.leaves(1)
    before = hole.state
    hole.leaves(1)

    assert before == hole.state


def test_leaving_after_the_end_changes_nothing() -> None:
    hole = Hole(replace(SIX, final_lap="none"), GRIDS, up="12345")
    hole.plays("draw", "swap 6")
    before = hole.state
    hole.leaves(1)

    assert before == hole.state


def test_scenario_R82_nobody_waits_for_first_cards_of_who_has_left() -> None:
    hole = Hole(SIX, GRIDS, up=("12", "12", "1", "12"))
    hole.leaves(2)

    assert PlayBegan(0) == hole.heard[-1]


def test_when_the_first_player_leaves_before_the_start_the_next_one_begins() -> None:
    hole = Hole(SIX, GRIDS, up=("1", "12", "12", "12"))
    hole.leaves(0)

    assert (PlayBegan(1), 1) == (hole.heard[-1], hole.table.turn)


def in_the_final_lap() -> Hole:
    """Seat 0 has closed; 1, 2 and 3 still have their turn."""
    hole = Hole(NEVER, GRIDS, up="12345")
    hole.plays("draw", "swap 6")
    return hole


@pytest.mark.parametrize(
    ("leaver", "turns"), [(0, [1, 2, 3]), (1, [2, 3]), (2, [1, 3]), (3, [1, 2])]
)
def test_who_leaves_in_the_final_lap_is_skipped(leaver: int, turns: list[int]) -> None:
    hole = in_the_final_lap()
    hole.leaves(leaver)

    assert turns == list(who_plays(hole, 4))
    assert ("over", "closed") == (hole.table.stage, hole.table.ending)


def test_a_closer_who_leaves_is_no_closer() -> None:
    hole = in_the_final_lap()
    hole.leaves(0)

    assert None is hole.table.closer


@pytest.mark.parametrize("moves", [(), ("draw",), ("take",)])
def test_scenario_R30_a_hole_ends_when_the_last_of_the_final_lap_leaves(
    moves: tuple[str, ...],
) -> None:
    hole = in_the_final_lap()
    hole.plays("draw", "discard", "draw", "discard", *moves)
    hole.leaves(3)

    assert isinstance(hole.heard[-1], Revealed)
    assert [False, False, False, True] == [s is None for s in hole.game.scores(hole.state) or ()]
    assert sorted(hole.pack) == sorted(cards_of(hole.state))


def test_a_hole_that_only_one_player_is_left_in_has_no_result() -> None:
    hole = four()
    for seat in (0, 2, 3):
        hole.leaves(seat)

    assert ("over", "abandoned") == (hole.table.stage, hole.table.ending)
    assert None is hole.game.scores(hole.state)


@pytest.mark.parametrize(("move", "held"), [("draw", "4"), ("take", "3")])
def test_who_is_left_alone_with_a_card_in_hand_lays_it_down(move: str, held: str) -> None:
    hole = four()
    hole.plays(move)
    for seat in (0, 2, 3):
        hole.leaves(seat)

    assert (held, None) == (hole.table.discard, hole.table.taken)
    assert sorted(hole.pack) == sorted(cards_of(hole.state))


def test_a_hole_whose_final_lap_is_complete_has_a_result_even_for_one() -> None:
    hole = Hole(NEVER, GRIDS[:2], up="12345")
    hole.plays("draw", "swap 6")
    hole.leaves(1)

    assert (-2 + 3 + 4 + 5 + 6 + 3, None) == hole.game.scores(hole.state)
    assert ("over", "closed", 0) == (hole.table.stage, hole.table.ending, hole.table.closer)


def test_with_fewer_players_a_lap_is_shorter() -> None:
    hole = Hole(replace(NEVER, no_progress_laps=1), GRIDS)
    hole.plays(*("draw", "discard") * 3)
    hole.leaves(3)

    assert ("no_progress", 0) == (hole.table.ending, hole.table.turn)


def test_a_drawn_card_of_who_leaves_is_the_last_of_the_stock() -> None:
    hole = Hole(replace(NEVER, stock_empty="end_hole"), GRIDS, stock="3")
    hole.plays("draw")
    hole.leaves(0)

    assert ("over", "stock_out") == (hole.table.stage, hole.table.ending)


def who_plays(hole: Hole, most: int) -> Iterator[int]:
    """Whose turns follow, at most so many; each is played."""
    for _ in range(most):
        if hole.table.turn is None:
            return
        yield hole.table.turn
        hole.plays("draw", "discard")
