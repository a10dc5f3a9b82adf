"""What a bot of Golf Patience is: a function from what its player may know, and luck, to a move and a reason.

Like the bots of the grids it has no memory, no clock and no luck of its own. It is given a board and the
cards that have lain open, never the stock.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dormie_bots.bot import Luck
from dormie_rules.patience_moves import PatienceMove
from dormie_rules.patience_reason import Reason
from dormie_rules.patience_sight import Sight


@dataclass(frozen=True, slots=True)
class PatienceChoice:
    """A move, one of those that were offered, and why."""

    move: PatienceMove
    why: Reason


PatienceBot: TypeAlias = Callable[[Sight, Sequence[PatienceMove], Luck], PatienceChoice]
"""Offered are all moves of a hole that is not over; a bot gives up only when there is nothing else."""
