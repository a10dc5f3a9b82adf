"""What a table has to know about a game that it hosts, and what it asks of a match of that game.

The answers of each game are in ``games``; a table keeps the name of its own, and everybody else asks the
match itself, the same questions whatever is played.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from dormie_protocol.games import GameName, Pocket, Rules
from dormie_rules.cards import Card
from dormie_rules.drawers import State, View
from dormie_rules.game import Deal, Step
from dormie_rules.grid_state import GridSecret
from dormie_rules.race_state import RaceSecret

HoleSecret: TypeAlias = GridSecret | RaceSecret
"""What is locked away of a hole of any game."""

_Match: TypeAlias = State[Any, Any, Any]  # every game has drawers of its own kinds


class Course(Protocol):
    """A whole match of any game: what a table asks of it."""

    def start(self, dealer: int | None = None) -> _Match:
        """A match before its first hole."""

    def pack(self, state: _Match) -> tuple[Card, ...]:
        """The unshuffled pack of the next hole."""

    def wants_deal(self, state: _Match) -> bool:
        """Whether the match waits for the next hole to be dealt."""

    def deal(self, state: _Match, deal: Deal) -> Step[Any]:
        """Deal the next hole."""

    def moves(self, view: View[Any, Any]) -> tuple[Any, ...]:
        """The moves the viewer may make now."""

    def why_not(self, view: View[Any, Any], move: Any) -> str | None:
        """Why the viewer may not make a move of this game now, as a word, or None if it is legal."""

    def default(self, view: View[Any, Any]) -> Any:
        """What a sleeper does."""

    def play(self, state: _Match, seat: int, move: Any) -> Step[Any]:
        """The step that a legal move makes."""

    def withdraw(self, state: _Match, seat: int) -> Step[Any]:
        """Take a seat out of the match."""

    def waiting_for(self, state: _Match) -> tuple[int, ...]:
        """The seats that may move: one in turns, many in a race."""

    def scores(self, state: _Match) -> tuple[int | None, ...] | None:
        """The result of each seat once the match is over, else None."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A game, as a table needs to know it."""

    game: GameName
    variants: Callable[[], tuple[str, ...]]
    """The names of its variants: no other game has one of the same name."""
    usual: Callable[[str], Rules]
    """The rules of a new table whose host chooses nothing. Raises KeyError for a variant."""
    options: Callable[[str, Mapping[str, object]], dict[str, Any]]
    """The options of a new table, from those that its host has chosen. Raises KeyError for a variant."""
    choose: Callable[[str, Mapping[str, object], int], Rules]
    """The rules of a variant with options, for so many seats. Raises BadRules."""
    levels: tuple[str, ...]
    """The levels of its bots."""
    most: Callable[[str], int]
    """How many may play a variant at once. Raises KeyError."""
    course: Callable[[Any, int], Course]
    """The match under such rules."""
    moves: frozenset[type]
    """The kinds of its moves."""
    written: Callable[[Any], str]
    """The text form of a move, for the record."""
    results: Callable[[Any], tuple[str, ...]]
    """What the record says of a match's hole that has just ended."""
    packed: Callable[[Any, _Match, bytes, int], tuple[Card, ...]]
    """The pack of a match's next hole, shuffled by a seed; the number is which attempt at a deal it is."""
    attempt: Callable[[Any], int]
    """Which attempt at a deal the hole of a match is."""
    time_up: Callable[[Any, _Match], Step[Any]] | None
    """What the end of the time does to a hole, where the time is for a whole hole, which all share; None
    where it is for a turn, and a sleeper's moves are made."""
    nothing: Pocket
    """The pocket of a seat before anything is dealt."""
    shared: Callable[[Any], Rules]
    """The same rules, or equal ones that another table has: read from the store, they are worked out once."""
