"""Three drawers: what lies on the table, what is in your pocket, what is locked away.

A view is made by picking drawers, never by hiding cards, so no game can show a card that it did not put
into a drawer the viewer may open. What happened is told the same way: an event has a part for everybody
and a part for single seats.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

Public = TypeVar("Public")
Pocket = TypeVar("Pocket")
Secret = TypeVar("Secret")
Part = TypeVar("Part")
PocketPart = TypeVar("PocketPart")


@dataclass(frozen=True, slots=True)
class State(Generic[Public, Pocket, Secret]):
    """A whole game. It never leaves the server."""

    public: Public
    pockets: tuple[Pocket, ...]
    """One for each seat, in the order of the seats."""
    secret: Secret


@dataclass(frozen=True, slots=True)
class View(Generic[Public, Pocket]):
    """What one seat sees, or a spectator when *seat* is None."""

    seat: int | None
    public: Public
    pocket: Pocket | None


@dataclass(frozen=True, slots=True)
class Event(Generic[Part, PocketPart]):
    """Something that happened: a part for all, and a part more for some seats."""

    public: Part
    pockets: tuple[tuple[int, PocketPart], ...] = ()


def look(state: State[Public, Pocket, Secret], seat: int | None) -> View[Public, Pocket]:
    """What *seat* (or a spectator, None) sees of *state*: the same line for every game there will ever be.

    >>> look(State("table", ("mine", "yours"), "stock"), 0)
    View(seat=0, public='table', pocket='mine')
    >>> look(State("table", ("mine", "yours"), "stock"), None)
    View(seat=None, public='table', pocket=None)
    """
    return View(seat, state.public, None if seat is None else state.pockets[seat])


def hear(event: Event[Part, PocketPart], seat: int | None) -> tuple[Part, PocketPart | None]:
    """What *seat* hears of *event*: the part for all, and its own part if there is one.

    >>> drew = Event("Ada draws", pockets=((0, "the five of spades"),))
    >>> hear(drew, 0), hear(drew, 1), hear(drew, None)
    (('Ada draws', 'the five of spades'), ('Ada draws', None), ('Ada draws', None))
    """
    mine = next((part for owner, part in event.pockets if owner == seat), None)
    return event.public, mine
