"""What a game is: a handful of questions that every game answers and every table asks.

Legality is a function of the view, so a player may only be told no for a reason the player can see, and
the server, bots and hints all use the same functions.
"""

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from dormie_rules.cards import Card
from dormie_rules.drawers import Event, State, View, look

AnyEvent: TypeAlias = Event[Any, Any]
"""An event of any game."""

S = TypeVar("S", bound=State[Any, Any, Any])
M = TypeVar("M")


class IllegalMove(Exception):
    """The rules say no; *word* says why, for programs.

    >>> IllegalMove("must_swap").word
    'must_swap'
    """

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def tell(part: object, *pockets: tuple[int, object]) -> AnyEvent:
    """An event: *part* for everybody, and for some seats something more.

    >>> tell("Ada draws", (0, "the five of spades"))
    Event(public='Ada draws', pockets=((0, 'the five of spades'),))
    """
    return Event(part, pockets)


class Step(NamedTuple, Generic[S]):
    """What a move leads to: the next state, and what happened on the way."""

    state: S
    events: tuple[AnyEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """Everything that luck decides about a hole: the shuffled pack, and luck for reshuffles."""

    pack: tuple[Card, ...]
    luck: bytes
    attempt: int = 0
    """How many deals were turned down before this one, where the rules do not take every deal."""


class Game(Protocol[S, M]):
    """One hole, or a whole match: anything that can be played at a table."""

    def moves(self, view: View[Any, Any]) -> tuple[M, ...]:
        """The moves the viewer may make now, in a good order to show them."""

    def why_not(self, view: View[Any, Any], move: M) -> str | None:
        """Why the viewer may not make *move* now, as a word, or None if it is legal."""

    def default(self, view: View[Any, Any]) -> M:
        """What a sleeper does; repeated, it ends the turn."""

    def play(self, state: S, seat: int, move: M) -> Step[S]:
        """The step that a legal *move* of *seat* makes."""

    def waiting_for(self, state: S) -> tuple[int, ...]:
        """The seats that may move: one in turns, many at once in a race, none when nothing can happen."""

    def scores(self, state: S) -> tuple[int | None, ...] | None:
        """The result for each seat when it is over (None for a seat without one), else None."""


def act(game: Game[S, M], state: S, seat: int, move: M) -> Step[S]:
    """The one gate through which every move passes.

    Raises IllegalMove, with a word for the reason, unless *seat* may make *move* now.
    """
    word = game.why_not(look(state, seat), move)
    if word is not None:
        raise IllegalMove(word)
    return game.play(state, seat, move)
