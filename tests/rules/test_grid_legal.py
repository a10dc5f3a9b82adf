"""Which moves are legal: a word for every no, and the same answer whoever asks how."""

from dataclasses import replace

import pytest

from dormie_rules.drawers import View, look
from dormie_rules.game import IllegalMove, act
from dormie_rules.grid_legal import WORDS, default, moves, why_not
from dormie_rules.grid_moves import (
    Discard,
    Draw,
    Flip,
    GridMove,
    Pass,
    Swap,
    Take,
    read_move,
    write_move,
)
from dormie_rules.grid_state import GridView
from tests.rules.playing import PLAYROOM, SIX, TABLE, Hole, every_move

TWO = ("K57/K39", "A62/84T")
NEVER = replace(SIX, flip_after_discard="never")


def in_setup() -> Hole:
    return Hole(SIX, TWO, up=("1", "12"))


def at_first() -> Hole:
    return Hole(SIX, TWO)


def with_a_drawn_card() -> Hole:
    hole = Hole(SIX, TWO)
    hole.plays("draw")
    return hole


def with_a_taken_card() -> Hole:
    hole = Hole(SIX, TWO)
    hole.plays("take")
    return hole


def after_a_discard() -> Hole:
    hole = Hole(SIX, TWO)
    hole.plays("draw", "discard")
    return hole


def when_a_card_must_be_turned() -> Hole:
    hole = Hole(TABLE, TWO)
    hole.plays("draw", "discard")
    return hole


def when_it_is_over() -> Hole:
    hole = Hole(replace(SIX, final_lap="none"), TWO, up="12345")
    hole.plays("draw", "swap 6")
    return hole


SWAPS = tuple(Swap(at) for at in range(6))
TURN_ONE_UP = (Flip(2), Flip(3), Flip(4), Flip(5))


@pytest.mark.parametrize(
    ("hole", "legal"),
    [
        (in_setup(), (Flip(1), *TURN_ONE_UP)),
        (at_first(), (Draw(), Take())),
        (with_a_drawn_card(), (*SWAPS, Discard())),
        (with_a_taken_card(), SWAPS),
        (after_a_discard(), (*TURN_ONE_UP, Pass())),
        (when_a_card_must_be_turned(), TURN_ONE_UP),
        (when_it_is_over(), ()),
    ],
)
def test_these_moves_and_no_others_are_legal(hole: Hole, legal: tuple[GridMove, ...]) -> None:
    view = hole.view(0)

    assert legal == moves(hole.game.rules, view)
    assert set(legal) == {
        move for move in every_move(hole.game.rules) if why_not(hole.game.rules, view, move) is None
    }


@pytest.mark.parametrize(
    ("hole", "move", "word"),
    [
        (in_setup(), "draw", "must_flip"),
        (in_setup(), "pass", "must_flip"),
        (in_setup(), "flip 1", "already_face_up"),
        (in_setup(), "flip 7", "no_such_card"),
        (at_first(), "discard", "nothing_drawn"),
        (at_first(), "flip 3", "nothing_drawn"),
        (at_first(), "pass", "nothing_drawn"),
        (at_first(), "swap 7", "no_such_card"),
        (with_a_drawn_card(), "take", "already_drawn"),
        (with_a_drawn_card(), "swap 7", "no_such_card"),
        (with_a_drawn_card(), "flip 3", "swap_or_discard"),
        (with_a_drawn_card(), "pass", "swap_or_discard"),
        (with_a_taken_card(), "take", "already_drawn"),
        (with_a_taken_card(), "flip 3", "must_swap"),
        (with_a_taken_card(), "pass", "must_swap"),
        (after_a_discard(), "draw", "flip_or_pass"),
        (after_a_discard(), "swap 1", "flip_or_pass"),
        (when_a_card_must_be_turned(), "swap 1", "must_flip"),
        (when_it_is_over(), "draw", "hole_over"),
    ],
)
def test_every_no_has_its_word(hole: Hole, move: str, word: str) -> None:
    assert word == hole.refuses(move, seat=0)
    assert word in WORDS


@pytest.mark.parametrize("move", ["draw", "take", "swap 1", "discard", "flip 1", "pass"])
def test_who_has_done_with_setup_waits_for_the_others(move: str) -> None:
    hole = in_setup()
    words = {"flip 1": "already_face_up"}

    assert words.get(move, "not_your_turn") == hole.refuses(move, seat=1)


@pytest.mark.parametrize("at", [-1, -6, 6, 99])
def test_a_place_outside_the_grid_is_nowhere(at: int) -> None:
    """Python would count a negative place from the end."""
    for hole, move in ((with_a_drawn_card(), Swap(at)), (when_a_card_must_be_turned(), Flip(at))):
        assert "no_such_card" == why_not(hole.game.rules, hole.view(0), move)
    assert "no_such_card" == why_not(SIX, in_setup().view(0), Flip(at))


def test_scenario_R19_a_flip_turns_ones_own_card_whoever_else_has_one_there() -> None:
    hole = when_a_card_must_be_turned()
    hole.plays("flip 3")

    assert ("K57###", "A6####") == (hole.grid(0), hole.grid(1))


@pytest.mark.parametrize("move", ["draw", "take", "discard", "swap 1", "flip 3", "pass"])
@pytest.mark.parametrize("hole", [at_first(), with_a_drawn_card(), with_a_taken_card()])
def test_scenario_R20_nothing_is_done_out_of_turn(hole: Hole, move: str) -> None:
    before = hole.state

    assert "not_your_turn" == hole.refuses(move, seat=1)
    assert before is hole.state


def test_scenario_R21_cards_are_turned_up_once_and_not_without_end() -> None:
    hole = Hole(SIX, TWO, up=("12", "1"))

    assert "setup_done" == hole.refuses("flip 3", seat=0)
    hole.by(1, "flip 2")
    assert "nothing_drawn" == hole.refuses("flip 3", seat=0)


def test_who_only_watches_or_has_left_has_no_move() -> None:
    hole = Hole(SIX, ("234567",) * 3)
    hole.leaves(2)

    for seat in (2, None):
        view = look(hole.state, seat)
        assert () == hole.game.moves(view)
        assert {"not_playing"} == {hole.game.why_not(view, m) for m in every_move(SIX)}


def test_the_gate_says_why_and_changes_nothing() -> None:
    hole = at_first()
    with pytest.raises(IllegalMove, match="nothing_drawn") as no:
        act(hole.game, hole.state, 0, Discard())

    assert "nothing_drawn" == no.value.word


@pytest.mark.parametrize(
    ("hole", "sleeping"),
    [
        (in_setup(), Flip(1)),
        (at_first(), Draw()),
        (with_a_drawn_card(), Discard()),
        (with_a_taken_card(), Swap(2)),
        (after_a_discard(), Pass()),
        (when_a_card_must_be_turned(), Flip(2)),
    ],
)
def test_a_sleeper_changes_as_little_as_the_rules_allow(hole: Hole, sleeping: GridMove) -> None:
    assert sleeping == default(hole.game.rules, hole.view(0))


def test_a_sleeper_keeps_the_last_card_face_down_where_that_is_allowed() -> None:
    hole = Hole(replace(TABLE, last_flip_optional=True), TWO, up="12345")
    hole.plays("draw", "discard")

    assert Pass() == hole.game.default(hole.view())


def test_a_sleeper_with_an_empty_stock_takes_the_discard_and_places_it() -> None:
    hole = Hole(replace(NEVER, stock_empty="no_draw"), TWO, stock="3")
    hole.plays("draw", "discard")

    assert Take() == hole.game.default(hole.view())
    hole.plays("take")
    assert Swap(2) == hole.game.default(hole.view())


def test_a_sleeper_with_nothing_face_down_gives_the_dearest_card_away() -> None:
    hole = Hole(replace(PLAYROOM, final_lap="all"), ("K5*/QJT", "A62/84T"), up="12346")
    hole.plays("draw", "swap 5", "draw", "swap 1", "take")

    assert "K5*Q3T" == hole.grid(0)
    assert Swap(3) == hole.game.default(hole.view())


def test_only_the_view_decides() -> None:
    """A view that was sent far away and came back, or made up, is judged alike."""
    hole = with_a_drawn_card()
    elsewhere: GridView = View(0, hole.table, None)

    assert hole.game.moves(hole.view(0)) == hole.game.moves(elsewhere)


@pytest.mark.parametrize("move", [Draw(), Take(), Discard(), Pass(), Swap(0), Flip(15)])
def test_every_move_survives_its_text_form(move: GridMove) -> None:
    assert move == read_move(write_move(move))
