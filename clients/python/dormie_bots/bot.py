"""What a bot is: a function from what a seat sees, what it may do, and luck, to a move and a reason.

A bot is given the view of its own seat and nothing else, so it cannot know what a player in its place
would not know. It has no memory, no clock and no luck of its own: the same view, moves and luck always
give the same choice, on every machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dormie_bots.why import Why
from dormie_rules.course_state import CourseView
from dormie_rules.grid_moves import GridMove

Luck: TypeAlias = bytes
"""A seed from the bot's own stream, a new one for every choice; never the luck of the deal."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, one of those that were offered, and why."""

    move: GridMove
    why: Why


Bot: TypeAlias = Callable[[CourseView, Sequence[GridMove], Luck], Choice]
