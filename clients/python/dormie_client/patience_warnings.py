"""How much time a hole of Golf Patience has left, and when a player is told of it unasked."""

from dataclasses import dataclass

from dormie_client.clock_lines import clock_lines
from dormie_client.clocks import TimeLeft
from dormie_client.patience_view import Sight

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


def time_line(sight: Sight, left: TimeLeft | None) -> str:
    """What the clock shows: of a hole that is played, or else how long the table waits, if it does."""
    if left is not None and left.runs == "turn" and sight.scene.view.phase == "playing":
        return sight.text("seconds_left", count=round(left.seconds))
    return clock_lines(sight.scene, left)[0]
