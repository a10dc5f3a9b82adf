"""The games that a table can host: everything a table has to know about each of them, and nowhere else.

What a game is to a table is a ``Kind``; a table keeps the name of its own, and everybody else asks the
match itself, the same questions whatever is played.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, get_args

from dormie_protocol.games import GameName, Pocket, Rules
from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.drawers import State, View
from dormie_rules.game import Deal, Step
from dormie_rules.grid_cards import NOTHING
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_options import choose
from dormie_rules.grid_rules import shared
from dormie_rules.grid_state import GridSecret
from dormie_rules.variants import find, names

HoleSecret: TypeAlias = GridSecret
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
    """The rules of a variant as it is declared. Raises KeyError."""
    choose: Callable[[str, Mapping[str, object], int], Rules]
    """The rules of a variant with options, for so many seats. Raises BadRules."""
    most: Callable[[str], int]
    """How many may play a variant at once. Raises KeyError."""
    course: Callable[[Any, int], Course]
    """The match under such rules."""
    moves: frozenset[type]
    """The kinds of its moves."""
    nothing: Pocket
    """The pocket of a seat before anything is dealt."""
    shared: Callable[[Any], Rules]
    """The same rules, or equal ones that another table has: read from the store, they are worked out once."""


GAMES: Mapping[GameName, Kind] = {
    "grid": Kind(
        game="grid",
        variants=names,
        usual=lambda variant: find(variant).rules,
        choose=lambda variant, options, seats: choose(find(variant), options, seats),
        most=lambda variant: find(variant).max_seats,
        course=GridCourse,
        moves=frozenset(get_args(GridMove)),
        nothing=NOTHING,
        shared=shared,
    ),
}


def all_variants() -> tuple[str, ...]:
    """The names of the variants of all games, those of grid Golf first.

    >>> all_variants()[0]
    'nine_card'
    """
    return tuple(name for kind in GAMES.values() for name in kind.variants())


def kind_with(variant: str) -> Kind:
    """The game that has a variant of this name. Raises KeyError when there is none.

    >>> kind_with("six_card").game
    'grid'
    """
    for kind in GAMES.values():
        if variant in kind.variants():
            return kind
    raise KeyError(variant)


def usual_rules(variant: str) -> Rules:
    """The rules of a variant of any game as it is declared. Raises KeyError."""
    return kind_with(variant).usual(variant)
