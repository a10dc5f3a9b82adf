"""Hidden cards stay hidden, in every variant; and the checks that say so find planted leaks."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_rules import drawers
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseState
from dormie_rules.drawers import Event, View
from dormie_rules.game import Step, tell
from dormie_rules.grid_events import Drew, DrewCard
from dormie_rules.grid_moves import GridMove, Swap
from dormie_rules.scoring import grid_score
from dormie_rules.tuples import put
from dormie_rules.variants import names
from tests.leaks import (
    HONEST,
    Leak,
    Viewer,
    Window,
    check_drawers,
    check_names,
    check_renaming,
    record,
    viewers,
)
from tests.rules.playing import Doing, Table, tables

seeds = st.integers(0, 2**32 - 1)

# --------------------------------------------------------------- the rules


@pytest.mark.parametrize("variant", names())
@given(data=st.data(), seed=seeds)
@settings(max_examples=25, deadline=None)
def test_every_card_is_in_exactly_one_drawer(variant: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(tables((variant,)))

    check_drawers(table.course, record(table, Random(seed), most=300))


@pytest.mark.parametrize("variant", names())
@given(data=st.data(), seed=seeds)
@settings(max_examples=25, deadline=None)
def test_nobody_is_told_the_name_of_a_card_they_have_not_seen(
    variant: str, data: st.DataObject, seed: int
) -> None:
    table = data.draw(tables((variant,)))

    check_names(table.course, record(table, Random(seed), most=300))


@pytest.mark.parametrize("variant", names())
@given(data=st.data(), seed=seeds, until=st.integers(1, 300))
@settings(max_examples=75, deadline=None)
def test_renaming_the_cards_you_have_never_seen_changes_nothing_you_see(
    variant: str, data: st.DataObject, seed: int, until: int
) -> None:
    """With the watcher there are about five viewers a match: some 10³ pairs in all."""
    table = data.draw(tables((variant,)))
    luck = Random(seed)
    journal = record(table, luck, most=until)
    for viewer in viewers(table.seats):
        check_renaming(table.course, journal, viewer, luck)


def test_a_whole_match_is_looked_through_for_everybody() -> None:
    table = Table("six_card", 4)
    journal = record(table, Random(1))

    assert 5 * len(journal) == check_names(table.course, journal)


# ----------------------------------------------------------- planted leaks


def with_the_top_of_the_stock(state: CourseState, viewer: Viewer) -> View[Any, Any]:
    view = drawers.look(state, viewer)
    top = state.secret.stock[-1:] if state.secret else ()
    return View(viewer, (view.public, top), view.pocket)


def with_everybodys_pockets(state: CourseState, viewer: Viewer) -> View[Any, Any]:
    return View(viewer, state.public, state.pockets)


def with_the_neighbours_pocket(state: CourseState, viewer: Viewer) -> View[Any, Any]:
    neighbour = 0 if viewer is None else viewer - 1
    return View(viewer, state.public, state.pockets[neighbour])


def with_a_look_under_a_card(state: CourseState, viewer: Viewer) -> View[Any, Any]:
    """Who has a card in hand sees one it might replace."""
    view, play = drawers.look(state, viewer), state.public.play
    if play is None or state.secret is None or viewer is None or play.turn != viewer:
        return view
    return View(viewer, view.public, (view.pocket, state.secret.hidden[viewer][-1]))


def with_the_order_of_the_stock(state: CourseState, viewer: Viewer) -> View[Any, Any]:
    """No card is named, and all the same it tells."""
    stock = state.secret.stock if state.secret else ()
    kings = [at for at, card in enumerate(stock) if card[0] == "K"]
    return View(viewer, state.public, kings)


def heard_by_all(event: Event[Any, Any], viewer: Viewer) -> object:
    return event


class Aloud(GridCourse):
    """A drawn card is told to everybody."""

    def play(self, state: CourseState, seat: int, move: GridMove) -> Step[CourseState]:
        step = super().play(state, seat, move)
        drawn = step.state.pockets[seat].drawn
        aloud = tell(DrewCard(drawn)) if drawn else None
        events = tuple(aloud or e if e.public == Drew(seat) else e for e in step.events)
        return Step(step.state, events)


class Counting(GridCourse):
    """The score that everybody sees counts cards that nobody has seen."""

    def play(self, state: CourseState, seat: int, move: GridMove) -> Step[CourseState]:
        step = super().play(state, seat, move)
        table, secret = step.state.public.play, step.state.secret
        assert table is not None, "a hole is being played"
        assert secret is not None, "and has its secrets"
        grid = [up or down for up, down in zip(table.grids[seat], secret.hidden[seat], strict=True)]
        score = grid_score(self.rules.scoring, grid, self.rules.cols)
        table = replace(table, showing=put(table.showing, seat, score))
        return Step(replace(step.state, public=replace(step.state.public, play=table)), step.events)


class Undressing(GridCourse):
    """Who leaves shows its grid."""

    def withdraw(self, state: CourseState, seat: int) -> Step[CourseState]:
        step = super().withdraw(state, seat)
        hidden = state.secret.hidden[seat] if state.secret else ()
        return Step(step.state, (*step.events, tell(hidden)))


class Losing(GridCourse):
    """A replaced card vanishes (scenario R03)."""

    def play(self, state: CourseState, seat: int, move: GridMove) -> Step[CourseState]:
        step = super().play(state, seat, move)
        if not isinstance(move, Swap) or step.state.secret is None:
            return step
        secret = replace(step.state.secret, under=())
        return Step(replace(step.state, secret=secret), step.events)


class Copying(GridCourse):
    """A drawn card also stays where it was."""

    def play(self, state: CourseState, seat: int, move: GridMove) -> Step[CourseState]:
        step = super().play(state, seat, move)
        secret, drawn = step.state.secret, step.state.pockets[seat].drawn
        if secret is None or drawn is None:
            return step
        secret = replace(secret, stock=(*secret.stock, drawn))
        return Step(replace(step.state, secret=secret), step.events)


NAMED = (
    (GridCourse, Window(look=with_the_top_of_the_stock)),
    (GridCourse, Window(look=with_everybodys_pockets)),
    (GridCourse, Window(look=with_the_neighbours_pocket)),
    (GridCourse, Window(look=with_a_look_under_a_card)),
    (GridCourse, Window(hear=heard_by_all)),
    (Aloud, HONEST),
    (Undressing, HONEST),
)
UNNAMED = ((GridCourse, Window(look=with_the_order_of_the_stock)), (Counting, HONEST))


def matches(variant: str, leaky: type[GridCourse]) -> Iterator[tuple[GridCourse, list[Doing]]]:
    """Forty matches as they are really played, to be told by a course with a leak."""
    for seed in range(40):
        luck = Random(seed)
        table = Table(variant, luck.randint(2, 6))
        journal = record(table, luck, most=luck.randint(1, 150))
        yield leaky(table.rules, table.seats), journal


def check_all_drawers(variant: str, leaky: type[GridCourse]) -> None:
    for course, journal in matches(variant, leaky):
        check_drawers(course, journal)


def check_all_names(variant: str, leaky: type[GridCourse], window: Window) -> None:
    for course, journal in matches(variant, leaky):
        check_names(course, journal, window)


def check_all_renaming(variant: str, leaky: type[GridCourse], window: Window) -> None:
    luck = Random(1)
    for course, journal in matches(variant, leaky):
        for viewer in viewers(course.seats):
            check_renaming(course, journal, viewer, luck, window)


@pytest.mark.parametrize("variant", names())
@pytest.mark.parametrize("leaky", [Losing, Copying])
def test_a_card_too_many_or_too_few_is_noticed(variant: str, leaky: type[GridCourse]) -> None:
    with pytest.raises(Leak, match="every card of the pack once"):
        check_all_drawers(variant, leaky)


@pytest.mark.parametrize("variant", names())
@pytest.mark.parametrize(("leaky", "window"), NAMED)
def test_a_card_that_is_named_is_noticed(
    variant: str, leaky: type[GridCourse], window: Window
) -> None:
    with pytest.raises(Leak, match="is told of"):
        check_all_names(variant, leaky, window)


@pytest.mark.parametrize("variant", names())
@pytest.mark.parametrize(("leaky", "window"), [*NAMED, *UNNAMED])
def test_a_card_that_makes_a_difference_is_noticed(
    variant: str, leaky: type[GridCourse], window: Window
) -> None:
    with pytest.raises(Leak, match="can tell cards apart"):
        check_all_renaming(variant, leaky, window)
