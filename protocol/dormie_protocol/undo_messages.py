"""Taking a move back: it is asked of all others, and done only when they agree."""

from dataclasses import dataclass
from typing import Literal

from dormie_protocol.fields import AtTable


class Undo(AtTable):
    """Ask all others to let you take your last move back: the last one made, if it has shown no card."""

    type: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """Somebody asks to take the last move back."""

    seat: int
    event: Literal["undo_asked"] = "undo_asked"


@dataclass(frozen=True, slots=True)
class MoveUndone:
    """Somebody took the last move back: the table is as it was before it, and goes on from there."""

    seat: int
    event: Literal["move_undone"] = "move_undone"
