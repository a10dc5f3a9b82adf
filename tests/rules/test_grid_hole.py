"""One hole of grid Golf from the deal to the last card turned up (rules A3, A5, A9)."""

from dataclasses import replace

import pytest

from dormie_rules.cards import Card
from dormie_rules.drawers import look
from dormie_rules.game import Deal
from dormie_rules.grid_events import Dealt, FinalLap, PlayBegan, Reshuffled, Revealed
from dormie_rules.grid_hole import GridGolf, cards_of
from dormie_rules.grid_rules import FinalLapRule, StockEmpty
from dormie_rules.luck import reshuffle_seed, shuffle
from tests.rules.playing import PLAYROOM, SIX, TABLE, Hole, stacked

TWO = ("K57/K39", "A62/84T")
NEVER = replace(SIX, flip_after_discard="never")
STILL = ("draw", "discard")

# ----------------------------------------------------------------- the deal


def test_cards_go_round_one_at_a_time_from_the_left_of_the_dealer() -> None:
    pack = tuple(Card(f"{number:02}") for number in range(30))
    hole = GridGolf(SIX).deal(4, (2, 3, 0), 1, Deal(pack, b"")).state

    assert ("29", "26", "23", "20", "17", "14") == hole.secret.hidden[2]
    assert ("28", "25", "22", "19", "16", "13") == hole.secret.hidden[3]
    assert ("27", "24", "21", "18", "15", "12") == hole.secret.hidden[0]
    assert ((), "11", pack[:11]) == (hole.secret.hidden[1], hole.public.discard, hole.secret.stock)


@pytest.mark.parametrize(
    ("playing", "dealer", "first_dealt"),
    [((0, 1, 2), 2, 0), ((1, 2, 0), 2, 0), ((2, 0, 1), 0, 1), ((0, 2), 0, 2), ((2, 0), 1, 2)],
)
def test_the_first_card_goes_to_the_dealers_left_whoever_plays_first(
    playing: tuple[int, ...], dealer: int, first_dealt: int
) -> None:
    pack = stacked(("234567",) * 3, "9", "34")
    step = GridGolf(SIX).deal(3, playing, dealer, Deal((*pack, Card("Q")), b""))

    assert "Q" == step.state.secret.hidden[first_dealt][0]
    assert Dealt(dealer, playing[0], step.state.public.discard or Card("")) == step.events[0].public


def test_a_joker_may_begin_the_discard_pile() -> None:
    hole = Hole(TABLE, TWO, discard="*")
    hole.plays("take", "swap 1")

    assert "*5####" == hole.grid(0)


def test_everybody_turns_first_cards_up_at_the_same_time() -> None:
    hole = Hole(SIX, TWO, up=("2", "12"))

    assert (0,) == hole.game.waiting_for(hole.state)
    assert hole.table.turn is None
    hole.by(0, "flip 6")
    assert (0,) == hole.game.waiting_for(hole.state)
    assert PlayBegan(0) == hole.heard[-1]


def test_a_game_without_first_cards_begins_at_once() -> None:
    hole = Hole(PLAYROOM, TWO, up="")

    assert [Dealt(1, 0, Card("9")), PlayBegan(0)] == hole.heard
    assert ("######", "turn") == (hole.grid(0), hole.table.stage)


# ------------------------------------------------------------------ the end


def test_scenario_R14_face_down_cards_are_turned_up_and_then_counted() -> None:
    hole = Hole(replace(SIX, final_lap="none"), TWO, up=("12345", "123"))
    hole.by(1, "flip 4", "flip 5")
    hole.plays("draw", "swap 6")

    assert ["K57K33", "A6284T"] == [hole.grid(0), hole.grid(1)]
    assert (18, 27) == hole.game.scores(hole.state)


@pytest.mark.parametrize(("final_lap", "seats"), [("others", (1,)), ("all", (1, 0)), ("none", ())])
def test_who_plays_in_the_final_lap_is_an_option(
    final_lap: FinalLapRule, seats: tuple[int, ...]
) -> None:
    hole = Hole(replace(NEVER, final_lap=final_lap), TWO, up="12345")
    hole.plays("draw", "swap 6")

    assert seats == hole.table.last
    for _ in seats:
        hole.plays(*STILL)
    assert isinstance(hole.heard[-1], Revealed)


def test_scenario_R16_the_final_lap_is_called_once_and_is_part_of_the_hole() -> None:
    hole = Hole(NEVER, ("234567",) * 4, up="12345")
    hole.plays("draw", "swap 6")
    laps = [hole.table.last]
    for _ in range(3):
        hole.plays("draw", "swap 6")
        laps.append(hole.table.last)

    assert [(1, 2, 3), (2, 3), (3,), ()] == laps
    assert [FinalLap("closed", 0, (1, 2, 3))] == [e for e in hole.heard if isinstance(e, FinalLap)]


def test_scenario_R37_a_turn_of_the_final_lap_is_a_turn_like_any_other() -> None:
    usual, last = Hole(SIX, TWO, up="12345"), Hole(SIX, TWO, up="12345")
    usual.plays("draw", "swap 1")
    last.plays("draw", "swap 6")

    assert ("closed", None) == (last.table.ending, usual.table.ending)
    for move in ("draw", "discard", "pass"):
        assert usual.game.moves(usual.view()) == last.game.moves(last.view())
        usual.plays(move)
        last.plays(move)


@pytest.mark.parametrize("laps", [1, 2, 3])
def test_a_hole_in_which_nobody_turns_a_card_up_comes_to_its_end(laps: int) -> None:
    hole = Hole(replace(NEVER, no_progress_laps=laps), TWO)
    hole.plays(*STILL * (2 * laps - 1))

    assert hole.table.ending is None
    hole.plays(*STILL)
    assert FinalLap("no_progress", None, (0, 1)) == hole.heard[-1]
    hole.plays(*STILL * 2)
    assert ("over", None) == (hole.table.stage, hole.table.closer)


def test_a_card_turned_up_begins_the_count_of_quiet_turns_anew() -> None:
    hole = Hole(replace(NEVER, no_progress_laps=1), TWO)
    hole.plays(*STILL, "draw", "swap 6", *STILL, "take", "swap 1")

    assert "no_progress" == hole.table.ending


def test_a_hole_has_so_many_laps_and_no_more() -> None:
    hole = Hole(replace(NEVER, no_progress_laps=None, max_laps=3), TWO)
    hole.plays(*STILL * 5)

    assert hole.table.ending is None
    hole.plays(*STILL)
    assert FinalLap("max_laps", None, (0, 1)) == hole.heard[-1]


def test_without_a_final_lap_a_hole_that_gets_nowhere_ends_at_once() -> None:
    hole = Hole(replace(NEVER, no_progress_laps=1, final_lap="none"), TWO)
    hole.plays(*STILL * 2)

    assert ("over", "no_progress", None) == (
        hole.table.stage,
        hole.table.ending,
        hole.table.closer,
    )


# ---------------------------------------------------------------- the stock


def short(stock_empty: StockEmpty, *, max_reshuffles: int | None = None) -> Hole:
    """A hole whose stock holds two cards, and nothing else ends it."""
    rules = replace(
        NEVER,
        stock_empty=stock_empty,
        max_reshuffles=max_reshuffles,
        no_progress_laps=None,
    )
    return Hole(rules, TWO, discard="5", stock="93")


def test_scenario_R25_the_discard_pile_is_never_left_empty() -> None:
    hole = short("reshuffle_keep_top")
    for _ in range(20):
        hole.plays(*STILL)

        assert hole.table.discard is not None
        assert 3 == hole.table.stock + hole.table.pile


def test_a_reshuffle_follows_from_the_luck_of_the_hole_and_its_number() -> None:
    hole = short("reshuffle_keep_top")
    hole.plays(*STILL * 2, "draw", "discard", *STILL)
    under = hole.state.secret.under
    hole.plays("draw")

    drawn = hole.state.pockets[0].drawn
    assert 2 == hole.table.reshuffles
    assert shuffle(reshuffle_seed(b"luck", 2), under) == (*hole.state.secret.stock, drawn)


def test_scenario_R74_lazily_the_stock_stays_empty_until_somebody_draws() -> None:
    lazy, eager = short("reshuffle_keep_top"), short("eager")
    for hole in (lazy, eager):
        hole.plays(*STILL, "draw")

    assert (0, 2, 0) == (lazy.table.stock, lazy.table.pile, lazy.table.reshuffles)
    assert (1, 1, 1) == (eager.table.stock, eager.table.pile, eager.table.reshuffles)
    assert Reshuffled(1) == eager.heard[-1]


def test_the_hole_may_end_with_the_stock() -> None:
    hole = short("end_hole")
    hole.plays(*STILL, "draw", "swap 6")

    assert ("over", "stock_out", 0) == (hole.table.stage, hole.table.ending, hole.table.stock)
    assert "A62843" == hole.grid(1)


def test_whoever_closes_with_the_last_card_of_the_stock_is_the_closer() -> None:
    """The hole ends at once, and the price of closing too early is still asked for."""
    hole = Hole(replace(NEVER, stock_empty="end_hole"), TWO, up="12345", discard="5", stock="9")
    hole.plays("draw", "swap 6")

    assert ("over", "closed", 0) == (hole.table.stage, hole.table.ending, hole.table.closer)


def test_without_a_stock_the_discard_must_be_taken_where_nothing_is_made_anew() -> None:
    hole = short("no_draw")
    hole.plays(*STILL * 2)

    assert "no_stock" == hole.refuses("draw")
    hole.plays("take", "swap 6")
    assert (1, None) == (hole.table.turn, hole.table.ending)


def test_after_the_last_reshuffle_an_empty_stock_calls_the_final_lap() -> None:
    hole = short("reshuffle_keep_top", max_reshuffles=1)
    hole.plays(*STILL * 4)

    assert FinalLap("stock_out", None, (0, 1)) == hole.heard[-1]
    assert "no_stock" == hole.refuses("draw")
    hole.plays("take", "swap 1", "take", "swap 1")
    assert "over" == hole.table.stage


@pytest.mark.parametrize("stock", ["3", "34"])
@pytest.mark.parametrize("stock_empty", ["reshuffle_keep_top", "eager"])
def test_with_two_cards_to_spare_a_card_can_always_be_drawn(
    stock_empty: StockEmpty, stock: str
) -> None:
    """The table refuses a pack that leaves fewer (rule A1, 10)."""
    rules = replace(NEVER, stock_empty=stock_empty, no_progress_laps=None)
    hole = Hole(rules, TWO, discard="5", stock=stock)
    for _ in range(30):
        hole.plays("draw", "discard")

    assert len(stock) + 1 == hole.table.stock + hole.table.pile


# ----------------------------------------------------------------- the views


def test_a_drawn_card_is_in_one_pocket_only() -> None:
    hole = Hole(SIX, TWO, stock="Q")
    hole.plays("draw")

    pockets = [look(hole.state, seat).pocket for seat in (0, 1, None)]
    assert [Card("Q"), None, None] == [pocket and pocket.drawn for pocket in pockets]


def test_a_score_is_shown_for_what_lies_face_up() -> None:
    hole = Hole(SIX, TWO, up="14")

    assert (0, 1 + 8) == hole.table.showing
    assert hole.game.scores(hole.state) is None


def test_every_card_is_accounted_for() -> None:
    hole = Hole(SIX, TWO)

    assert sorted(hole.pack) == sorted(cards_of(hole.state))
    hole.plays("draw")
    assert sorted(hole.pack) == sorted(cards_of(hole.state))
