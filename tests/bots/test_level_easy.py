"""The easy bot looks at single cards and nothing else."""

from dataclasses import replace

import pytest

from dormie_bots import find_bot
from dormie_rules.cards import Card
from dormie_rules.grid_moves import Discard, Flip
from dormie_rules.grid_state import GridPocket
from dormie_rules.scoring import value
from dormie_rules.variants import find, names
from tests.bots.asking import ask, course_view, told
from tests.rules.playing import SIX, TABLE, Hole

TWO = ("Q57/K39", "A62/84T")


def test_a_low_card_replaces_the_dearest() -> None:
    hole = Hole(SIX, TWO, stock="A5")
    hole.plays("draw")

    assert ("swap 1", "The ace saves about 9 points.") == told("easy", hole)


def test_a_high_card_is_thrown_away() -> None:
    hole = Hole(SIX, TWO, stock="J5")
    hole.plays("draw")

    assert ("discard", "The Jack is of no use here.") == told("easy", hole)


def test_pairs_are_not_seen() -> None:
    """A Jack is ten points, also above another Jack."""
    hole = Hole(SIX, ("JAA/3AA", "A62/84T"), up="12", stock="J5")
    hole.plays("draw")

    assert Discard() == ask("easy", hole).move


@pytest.mark.parametrize(("discard", "move"), [("K", "take"), ("2", "take"), ("9", "draw")])
def test_what_is_cheap_is_taken(discard: str, move: str) -> None:
    assert move == ask("easy", Hole(SIX, TWO, discard=discard)).move.move


def test_any_card_is_worth_a_look_but_not_the_last_one() -> None:
    early, late = Hole(SIX, TWO, stock="J5"), Hole(SIX, TWO, up="12345", stock="J5")
    early.plays("draw", "discard")
    late.plays("draw", "discard")

    assert isinstance(ask("easy", early).move, Flip)
    assert ("pass", "It is too early to close.") == told("easy", late)


def test_the_last_card_is_turned_up_where_it_must_be() -> None:
    hole = Hole(TABLE, TWO, up="12345", stock="J5")
    hole.plays("draw", "discard")

    assert ("flip 6", "There is nothing else to do.") == told("easy", hole)


def test_first_cards_come_from_different_columns() -> None:
    start = Hole(SIX, TWO, up=("12", "4"))
    view, bot = start.view(1), find_bot("easy", start.game.rules)
    moves = start.game.moves(view)
    chosen = [bot(course_view(view), moves, bytes([number])).move for number in range(60)]

    assert {Flip(1), Flip(2), Flip(4), Flip(5)} == set(chosen)


@pytest.mark.parametrize("variant", names())
def test_scenario_R09_the_bot_and_the_rules_agree_which_card_is_cheaper(variant: str) -> None:
    rules = find(variant).rules
    bot, ranks = find_bot("easy", rules), [of for of, _ in rules.scoring.values]
    hole = Hole(rules, ("K" * rules.cells, "K" * rules.cells), up="1")
    hole.plays("draw")
    view, moves = hole.view(), hole.game.moves(hole.view())
    for lies in ranks:
        grids = ((Card(lies),) * rules.cells, view.public.grids[1])
        for held in ranks:
            seen = replace(
                view, public=replace(view.public, grids=grids), pocket=GridPocket(Card(held))
            )
            made = {bot(course_view(seen), moves, bytes([n])).move.move for n in range(30)}
            worth, cost = value(rules.scoring, Card(lies)), value(rules.scoring, Card(held))
            both = {"swap", "discard"}

            assert (both if worth == cost else {"swap" if worth > cost else "discard"}) == made
