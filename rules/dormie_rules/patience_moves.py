"""The moves of Golf Patience, and their short text form.

A program says ``column`` and counts from 0; people count from 1, so the text forms do too.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.grid_moves import Draw


@dataclass(frozen=True, slots=True)
class Play:
    """Put the exposed card of *column* on the foundation."""

    column: int
    move: Literal["play"] = "play"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """End the hole: the cards left in the tableau are the score."""

    move: Literal["give_up"] = "give_up"


PatienceMove: TypeAlias = Play | Draw | GiveUp
"""What can be done with a board: a solver and a bot need no more."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the last move back, where the option ``undo`` lets somebody who plays alone."""

    move: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class Concede:
    """Give a match to whoever one still plays against; it is final (rule A13)."""

    move: Literal["concede"] = "concede"


RaceMove: TypeAlias = PatienceMove | TakeBack | Concede
"""What can be done at a table."""

_PLAIN: dict[str, RaceMove] = {
    "draw": Draw(),
    "give up": GiveUp(),
    "undo": TakeBack(),
    "concede": Concede(),
}
MAX_COLUMNS = 99


def write_patience_move(move: RaceMove) -> str:
    """The text form of a move, counting columns from 1.

    >>> [write_patience_move(move) for move in (Play(2), Draw(), GiveUp(), TakeBack())]
    ['play 3', 'draw', 'give up', 'undo']
    """
    return f"play {move.column + 1}" if isinstance(move, Play) else move.move.replace("_", " ")


def read_patience_move(text: str) -> RaceMove:
    """The move that *text* stands for. Raises ValueError, with a sentence, if there is none.

    >>> read_patience_move("play 3") == Play(2), read_patience_move("give up") == GiveUp()
    (True, True)
    >>> read_patience_move("play")
    Traceback (most recent call last):
        ...
    ValueError: "play" needs the number of a column, as in "play 1"
    """
    word, *rest = text.split()[:3] or [""]
    plain = _PLAIN.get(" ".join((word, *rest)))
    if plain is not None:
        return plain
    if word != "play":
        raise ValueError("a move is play N, draw, give up, undo or concede")
    if len(rest) != 1 or not (rest[0].isascii() and rest[0].isdigit() and len(rest[0]) < 3):  # noqa: PLR2004 - two digits hold every column
        raise ValueError('"play" needs the number of a column, as in "play 1"')
    if rest[0].strip("0") == "":
        raise ValueError("columns are counted from 1")
    return Play(int(rest[0]) - 1)
