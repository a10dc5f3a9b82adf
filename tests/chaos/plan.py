"""What kinds of tables there are in chaos: who sits there, what they play, and what else goes on."""

from dataclasses import dataclass, field, replace
from typing import Any

from dormie_rules.patience_variants import patience_names

LATER = 1
"""So many seconds later spectators see everything at a table that says so."""


@dataclass(frozen=True)
class Plan:
    """What kind of table it is."""

    number: int
    variant: str = "six_card"
    seats: int = 4
    bots: int = 0
    """So many of the seats are played by the house."""
    stubborn: bool = False
    """One of the people says everything several times."""
    rough: bool = False
    """Its people come through the proxy."""
    holes: int = 3
    turn_seconds: int = 60
    company: bool = False
    """People talk, rule, pause and take moves back, at a table that asks for a password."""
    think: float = 0.0
    """Everybody thinks for up to so many seconds before a move."""
    far_store: bool = False
    """What the house writes into may be away for a while, and then it says so."""
    watchers: int = 0
    """So many people come and go who have no seat."""
    delay: int = 0
    """Those see everything so many seconds later."""
    kicks: bool = False
    """The host sends the last one of the people away for good, who tries to come back."""
    erases: bool = False
    """The last but one asks the house to forget them."""
    when_out: str = "default"
    """What comes of a player whose time is over; where it is anything else, the host falls asleep at times."""
    devices: bool = False
    """People change to another device in the middle of a match, and forget the old one."""
    looks: bool = False
    """People look at their history, their tables and the lobby after each match."""
    quick: bool = False
    """Nobody knows anybody: people ask for any table for two, play a hole, leave and ask again."""
    options: dict[str, Any] = field(default_factory=dict)
    """Of the game, besides the number of holes."""

    @property
    def race(self) -> bool:
        """Whether it is Golf Patience."""
        return self.variant in patience_names()

    @property
    def clock(self) -> dict[str, Any]:
        """How the clocks of the table differ from the usual ones."""
        pauses = {"pause_seconds": 10} if self.company else {}
        if self.when_out == "default":
            return pauses
        out = {"when_out": self.when_out, "bot": "easy", "vote_seconds": 5, "wait_seconds": 10}
        return {**pauses, **out, "away_seconds": 2}


SORTS: tuple[dict[str, Any], ...] = (
    {"kicks": True, "watchers": 2},
    {"when_out": "bot", "looks": True, "holes": 2},
    {"devices": True, "watchers": 1, "delay": LATER, "looks": True},
    {"erases": True, "looks": True},
    {"when_out": "vote", "devices": True, "holes": 2},
    {"quick": True, "seats": 6, "looks": True},
    {
        "kicks": True,
        "erases": True,
        "devices": True,
        "watchers": 2,
        "delay": LATER,
        "looks": True,
        "company": True,
    },
)
"""What goes on at some tables besides the game and its faults; the last one is about all of it at once."""

RACES: tuple[dict[str, Any], ...] = (
    {"seats": 2, "options": {"scoring": "match"}},
    {"seats": 3},
    {"seats": 6},
    {"seats": 2, "watchers": 1},
    {"seats": 6, "options": {"scoring": "match"}},
    {"seats": 3, "options": {"scoring": "match"}, "devices": True},
)
"""Golf Patience by strokes and by matches, for two and for more."""


def sort_of(plan: Plan, number: int) -> Plan:
    """The same table, where what goes on there is of the sort of this number."""
    sort = {"bots": 0, "stubborn": False, **SORTS[number % len(SORTS)]}
    return replace(plan, **sort)


def race_of(plan: Plan, number: int, holes: int) -> Plan:
    """A race of so many holes in place of a table; of the sort of this number."""
    race = {"variant": "golf_patience_queen", "holes": holes, "bots": 0, "company": False}
    return replace(plan, **{**race, **RACES[number % len(RACES)]})
