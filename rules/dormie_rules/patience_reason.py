"""Why a move of Golf Patience is a good one: a word and whole numbers, in no language yet."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

ReasonCode: TypeAlias = Literal[
    "only_move",
    "first_fits",
    "nothing_fits",
    "run",
    "clears_now",
    "last_run",
    "waits",
    "average",
    "average_draw",
    "can_clear",
    "fewest",
]


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a move; it names nothing that its giver could not know."""

    code: ReasonCode
    params: tuple[tuple[str, int], ...] = ()
    """What the line needs: numbers of ``cards``, ``stock`` or ``tenths`` of a stroke."""


def reason(code: ReasonCode, **params: int) -> Reason:
    """A reason, and what its line needs.

    >>> reason("run", cards=4)
    Reason(code='run', params=(('cards', 4),))
    """
    return Reason(code, tuple(params.items()))
