"""The moves of grid Golf, and their short text form.

A program says ``at`` and counts a grid's cards from 0, row by row; people count from 1, so the text forms
do too: ``Swap(at=3)`` is written ``swap 4``.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the stock; only the drawer sees it."""

    move: Literal["draw"] = "draw"


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top card of the discard pile; it must then be placed."""

    move: Literal["take"] = "take"


@dataclass(frozen=True, slots=True)
class Swap:
    """Put the card in hand at *at*; the card that lay there goes to the discard pile."""

    at: int
    move: Literal["swap"] = "swap"


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw the drawn card away."""

    move: Literal["discard"] = "discard"


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn the face-down card at *at* up."""

    at: int
    move: Literal["flip"] = "flip"


@dataclass(frozen=True, slots=True)
class Pass:
    """Turn nothing up after a discard, where that is allowed."""

    move: Literal["pass"] = "pass"


GridMove: TypeAlias = Draw | Take | Swap | Discard | Flip | Pass

_PLAIN: dict[str, GridMove] = {
    "draw": Draw(),
    "take": Take(),
    "discard": Discard(),
    "pass": Pass(),
}
_PLACED: dict[str, type[Swap] | type[Flip]] = {"swap": Swap, "flip": Flip}


def write_move(move: GridMove) -> str:
    """The text form of a move, counting cards from 1.

    >>> write_move(Swap(3)), write_move(Draw())
    ('swap 4', 'draw')
    """
    return f"{move.move} {move.at + 1}" if isinstance(move, Swap | Flip) else move.move


def read_move(text: str) -> GridMove:
    """The move that *text* stands for. Raises ValueError, with a sentence, if there is none.

    >>> read_move("swap 4") == Swap(3), read_move("draw") == Draw()
    (True, True)
    >>> read_move("swap five")
    Traceback (most recent call last):
        ...
    ValueError: "swap" needs the number of a card, as in "swap 1"
    """
    word, *rest = text.split()[:3] or [""]
    if word in _PLAIN and not rest:
        return _PLAIN[word]
    if word not in _PLACED:
        raise ValueError("a move is draw, take, swap N, discard, flip N or pass")
    if len(rest) != 1 or not (rest[0].isascii() and rest[0].isdigit() and 0 < len(rest[0]) < 3):  # noqa: PLR2004 - two digits hold every grid
        raise ValueError(f'"{word}" needs the number of a card, as in "{word} 1"')
    return _PLACED[word](int(rest[0]) - 1)
