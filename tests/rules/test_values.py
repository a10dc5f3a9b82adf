"""A copy made quickly is the copy that the standard library makes."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import pytest

from dormie_rules.drawers import Event, View
from dormie_rules.values import replace
from tests.evening import Evening


def values_of(thing: Any) -> list[Any]:  # any value of a table
    """Every dataclass within a value, itself included."""
    found = list[Any]()
    if isinstance(thing, tuple):
        for part in thing:
            found += values_of(part)
    if dataclasses.is_dataclass(thing):
        found.append(thing)
        for field in dataclasses.fields(thing):
            found += values_of(getattr(thing, field.name))
    return found


def test_every_value_of_a_table_is_copied_as_the_standard_library_does() -> None:
    evening = Evening(size=3, bots=("random",))
    evening.begin("p-bob")
    values = values_of(evening.table)
    for value in values:
        for field in dataclasses.fields(value):
            change = {field.name: "another"}
            assert dataclasses.replace(value, **change) == replace(value, **change)
        assert value == replace(value)

    assert len({type(value) for value in values}) > 10


def test_the_original_stays_as_it_was() -> None:
    event: Event[str, str] = Event("Ada draws")
    replace(event, public="Bob draws")

    assert Event("Ada draws") == event


def test_a_field_that_does_not_exist_is_an_error() -> None:
    event: Any = View(0, "table", "mine")
    changes: dict[str, Any] = {"secret": 1}
    with pytest.raises(TypeError, match="View has no field 'secret'"):
        replace(event, **changes)


@dataclass(frozen=True)
class Loose:
    """Without slots."""

    a: int = 0


@dataclass(frozen=True, slots=True)
class Particular:
    """With something to do at birth."""

    a: int = 0

    def __post_init__(self) -> None:
        """Do it."""


@pytest.mark.parametrize("value", [Loose(), Particular()])
def test_what_cannot_be_copied_slot_by_slot_is_not(value: Any) -> None:
    with pytest.raises(TypeError, match="no plain dataclass with slots"):
        replace(value, a=1)
