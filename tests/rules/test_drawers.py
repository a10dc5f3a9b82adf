"""What is on the table, in a pocket, or locked away: nobody can be shown the wrong drawer."""

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.drawers import Event, State, View, hear, look

STATE = State("table", ("Ada's", "Ben's", "Cleo's"), "locked")


@pytest.mark.parametrize(
    ("seat", "pocket"), [(0, "Ada's"), (1, "Ben's"), (2, "Cleo's"), (None, None)]
)
def test_a_view_has_the_table_and_ones_own_pocket(seat: int | None, pocket: str | None) -> None:
    assert View(seat, "table", pocket) == look(STATE, seat)


def test_a_view_has_no_place_for_a_secret() -> None:
    assert ["seat", "public", "pocket"] == [field.name for field in fields(View)]


@given(st.text(), st.text(), st.integers(0, 2) | st.none())
def test_no_secret_and_no_other_pocket_changes_a_view(
    secret: str, pocket: str, seat: int | None
) -> None:
    pockets = tuple(mine if owner == seat else pocket for owner, mine in enumerate(STATE.pockets))

    assert look(STATE, seat) == look(State("table", pockets, secret), seat)


def test_the_table_is_one_thing_for_everybody() -> None:
    """So that it can be written once for all who look."""
    table = ["cards"]
    state = State(table, ((), ()), None)

    assert all(look(state, seat).public is table for seat in (0, 1, None))


@pytest.mark.parametrize(("seat", "own"), [(0, "a five"), (1, None), (2, "a look"), (None, None)])
def test_one_hears_what_is_for_all_and_what_is_for_oneself(
    seat: int | None, own: str | None
) -> None:
    event = Event("Ada draws", pockets=((0, "a five"), (2, "a look")))

    assert ("Ada draws", own) == hear(event, seat)


def test_most_events_are_for_all() -> None:
    assert ("a card is flipped", None) == hear(Event("a card is flipped"), 0)


@pytest.mark.parametrize("thing", [STATE, look(STATE, 0), Event("said")])
def test_a_drawer_once_filled_stays_as_it_is(thing: Any) -> None:  # of any of the three kinds
    with pytest.raises(FrozenInstanceError):
        thing.public = "changed"
