"""When a player of Golf Patience is told how little time a hole has left."""

from dataclasses import dataclass

WARNINGS = (60.0, 20.0, 10.0)
"""When so many seconds of a hole are left, the player is told."""
_LATE = 2.0
"""So many seconds later a warning is not worth a word."""


@dataclass
class Warnings:
    """What one player has been warned of: each deadline at each of its marks once.

    >>> warnings = Warnings()
    >>> warnings.due(deadline=100.0, now=40.0), warnings.due(deadline=100.0, now=40.5)
    (60, None)
    """

    _told: tuple[float, float] | None = None

    def due(self, deadline: float, now: float) -> int | None:
        """The seconds that are left, if it is time to say so."""
        left = deadline - now
        for seconds in WARNINGS:
            if seconds - _LATE < left <= seconds and self._told != (deadline, seconds):
                self._told = deadline, seconds
                return round(seconds)
        return None


def until_the_next(left: float) -> float | None:
    """How many seconds it is to the next warning, when so many are left; None if there is none.

    >>> round(until_the_next(65.0), 2), until_the_next(9.0)
    (5.01, None)
    """
    later = [left - seconds for seconds in WARNINGS if seconds < left]
    return min(later) + 0.01 if later else None
