"""What every bot promises, at every level, whatever the table plays."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import cycle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_bots import LEVELS, Bot, Choice, Luck, because, say_why
from dormie_rules.cards import RANKS, Card, rank
from dormie_rules.course_state import CourseState, CourseView
from dormie_rules.drawers import look
from dormie_rules.grid_moves import Draw, GridMove, Swap
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket, GridSecret
from dormie_rules.variants import find, names
from tests.bots.asking import Asked, ask, watch
from tests.rules.playing import SIX, Hole, Table, tables

seeds = st.integers(0, 2**32 - 1)


def name(table: Table) -> str:
    return f"{table.variant} {table.rules.rows}x{table.rules.cols} for {table.seats}"


FLIPS = cycle(["must", "may", "never"])
EVERYWHERE = [
    Table(name, seats, (("cols", cols), ("flip_after_discard", next(FLIPS)), ("rows", rows)))
    for name in names()
    for rows, cols in find(name).shapes
    for seats in range(find(name).min_seats, find(name).max_seats + 1)
]

# ------------------------------------------------------------- the promises


def makes_one_of_its_moves(asked: Asked) -> None:
    assert asked.choice.move in asked.moves


def makes_the_same_choice_when_asked_again(asked: Asked) -> None:
    assert asked.choice == asked.bot(asked.view, asked.moves, asked.luck)


def sees_no_more_than_its_view(asked: Asked) -> None:
    """The cards that it has never seen get other names, and it does the same."""
    assert ["seat", "public", "pocket"] == [field.name for field in fields(asked.view)]

    seat = asked.view.seat
    assert seat is not None, "a bot has a seat"
    view = look(renamed(asked.before, seat, asked.luck), seat)

    assert asked.choice == asked.bot(view, asked.moves, asked.luck)


def names_no_card_that_others_may_not_know(asked: Asked) -> None:
    """What it says is for the whole table, so it speaks of what lies there before or after."""
    there = {card for state in (asked.before, asked.after) for card in lying(state)}

    assert {card for name, card in asked.choice.why.params if name == "card"} <= there


def says_why(asked: Asked) -> None:
    for language in ("en", "fr"):
        assert say_why(asked.choice.why, language).endswith(".")


Promise = Callable[[Asked], None]
PROMISES: tuple[Promise, ...] = (
    makes_one_of_its_moves,
    makes_the_same_choice_when_asked_again,
    sees_no_more_than_its_view,
    names_no_card_that_others_may_not_know,
    says_why,
)


def renamed(state: CourseState, seat: int, luck: bytes) -> CourseState:
    """*state* with every card that *seat* has never seen under another name."""
    secret = state.secret
    assert isinstance(secret, GridSecret), "a hole is being played"
    names = Random(luck)

    def another(card: Card) -> Card:
        return Card(names.choice(RANKS) + card[1:])

    def others(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(map(another, cards))

    pockets = tuple(
        pocket if at == seat else GridPocket(pocket.drawn and another(pocket.drawn))
        for at, pocket in enumerate(state.pockets)
    )
    secret = replace(
        secret,
        hidden=tuple(tuple(card and another(card) for card in row) for row in secret.hidden),
        stock=others(secret.stock),
        under=others(secret.under),
        gone=others(secret.gone),
    )
    return replace(state, pockets=pockets, secret=secret)


def lying(state: CourseState) -> set[str]:
    """The ranks that lie on the table for all to see."""
    hole = state.public.play
    assert hole is not None, "a hole is being played"
    cards = [card for grid in hole.grids for card in grid] + [hole.discard, hole.taken]
    return {rank(card) for card in cards if card is not None}


@given(table=tables(), seed=seeds, first=st.permutations(LEVELS))
@settings(max_examples=40, deadline=None)
def test_bots_keep_their_promises_at_every_table(
    table: Table, seed: int, first: Sequence[str]
) -> None:
    for asked in watch(table, first, Random(seed), most=60):
        for promise in PROMISES:
            promise(asked)


@pytest.mark.parametrize("table", EVERYWHERE, ids=name)
def test_bots_play_every_variant_in_every_shape_with_every_number_of_seats(table: Table) -> None:
    for asked in watch(table, LEVELS, Random(1), most=table.seats * 12):
        makes_one_of_its_moves(asked)


@pytest.mark.parametrize("level", LEVELS)
def test_a_whole_match_between_bots_comes_to_its_end(level: str) -> None:
    last = list(watch(Table("six_card_table", 3), (level,), Random(2), 5000, leaving=0))[-1]

    assert 1 == min(last.after.public.places)


@pytest.mark.parametrize("level", LEVELS)
def test_scenario_R27_a_card_that_was_taken_is_placed(level: str) -> None:
    """The bot of a game we know drew the discard and then decided anew what to do."""
    for card in "KQ5A":
        hole = Hole(SIX, ("K57/K39", "A62/84T"), discard=card)
        hole.plays("take")

        assert isinstance(ask(level, hole).move, Swap)


@pytest.mark.parametrize("level", LEVELS)
def test_without_a_stock_a_bot_takes_the_discard(level: str) -> None:
    hole = Hole(replace(SIX, stock_empty="no_draw"), ("K57/K39", "A62/84T"), discard="Q", stock="9")
    hole.plays("draw", "discard", "pass")

    assert "take" == ask(level, hole).move.move


# --------------------------------------------------------- bugs to be found


def always_draws(rules: GridRules) -> Bot:
    def choose(view: CourseView, moves: Sequence[GridMove], luck: Luck) -> Choice:
        return Choice(Draw(), because("any"))

    return choose


def remembers(rules: GridRules) -> Bot:
    asked: list[Luck] = []

    def choose(view: CourseView, moves: Sequence[GridMove], luck: Luck) -> Choice:
        asked.append(luck)
        return Choice(moves[len(asked) % len(moves)], because("any"))

    return choose


def boasts(rules: GridRules) -> Bot:
    """It tells everybody which card it has drawn and not laid open yet."""

    def choose(view: CourseView, moves: Sequence[GridMove], luck: Luck) -> Choice:
        drawn = view.pocket.drawn if view.pocket else None
        return Choice(moves[0], because("least", card=drawn[0] if drawn else "*"))

    return choose


@pytest.mark.parametrize(
    ("bug", "promise"),
    [
        (always_draws, makes_one_of_its_moves),
        (remembers, makes_the_same_choice_when_asked_again),
        (boasts, names_no_card_that_others_may_not_know),
    ],
)
def test_a_bot_that_breaks_a_promise_is_found_out(
    bug: Callable[[GridRules], Bot], promise: Promise
) -> None:
    table = Table("six_card", 2)
    bot = bug(table.rules)
    made = (
        replace(asked, bot=bot, choice=bot(asked.view, asked.moves, asked.luck))
        for asked in watch(table, LEVELS, Random(3))
    )

    assert any(is_broken(promise, asked) for asked in made)


def is_broken(promise: Promise, asked: Asked) -> bool:
    try:
        promise(asked)
    except AssertionError:
        return True
    return False
