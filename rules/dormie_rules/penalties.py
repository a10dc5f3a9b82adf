"""What it costs to close a hole without holding its lowest grid.

Who turns up the last card first believes to be ahead. When another player turns out to be lower,
the closer pays: how much is the *mode*, and whether being equalled is being beaten is the *tie*.
"""

from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias, TypeVar

Mode: TypeAlias = Literal["none", "qc", "double", "plus10", "double_plus5", "per_beater5"]
Tie: TypeAlias = Literal["safe", "penalised"]
K = TypeVar("K")


def charged(mode: Mode, tie: Tie, raw: Mapping[K, int], closer: K | None) -> dict[K, int]:
    """The scores of a hole after the closer has paid; *raw* holds those who finished it.

    Nobody pays when nobody closed, or when the closer has left and is not in *raw*.

    >>> charged("qc", "safe", {"Ada": 11, "Ben": 9, "Cleo": 17}, closer="Ada")
    {'Ada': 22, 'Ben': 9, 'Cleo': 17}
    >>> charged("qc", "safe", {"Ada": 9, "Ben": 9}, closer="Ada")
    {'Ada': 9, 'Ben': 9}
    """
    scores = dict(raw)
    if closer is not None and closer in scores:
        others = [score for player, score in raw.items() if player != closer]
        scores[closer] += penalty(mode, tie, raw[closer], others)
    return scores


def penalty(mode: Mode, tie: Tie, own: int, others: Collection[int]) -> int:
    """What a closer with the raw score *own* pays when the other players hold *others*.

    >>> [penalty("qc", "safe", own, others=[-9]) for own in (-5, 4, 10, 30)]
    [10, 10, 10, 30]
    >>> penalty("per_beater5", "safe", 12, others=[12, 8, 20])
    10
    """
    if mode == "per_beater5":  # a tie costs as well, whatever *tie* says
        return 5 * sum(other <= own for other in others)
    lowest = min(others, default=own + 1)
    beaten = lowest <= own if tie == "penalised" else lowest < own
    return _price(mode, own) if beaten else 0


def _price(mode: Literal["none", "qc", "double", "plus10", "double_plus5"], own: int) -> int:
    match mode:
        case "none":
            return 0
        case "qc":
            return max(10, own)
        case "double":
            return max(0, own)
        case "plus10":
            return 10
        case "double_plus5":  # a score below nothing is not doubled: that would be a reward
            return max(0, own) + 5
