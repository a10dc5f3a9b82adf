"""What differs from game to game in what a table shows and hears: for each of these, the games' own kinds.

Grid Golf comes first everywhere, and is told from the others by what it cannot do without: so its messages,
and what was kept before there was a second game, are read as fast as ever.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from dormie_rules.course_state import CourseEvent, CoursePublic
from dormie_rules.grid_events import DrewCard, GridEvent
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket

GameName: TypeAlias = Literal["grid"]

Move: TypeAlias = GridMove
"""A move of any game; ``move`` says which one it is."""

AnyMove: TypeAlias = Annotated[Move, Field(discriminator="move")]
"""The same, as it is read."""

Rules: TypeAlias = GridRules
"""The numbers of any game."""

MatchPublic: TypeAlias = CoursePublic
"""A match of any game, as everybody sees it."""

GameEvent: TypeAlias = CourseEvent | GridEvent
"""What everybody may hear of a match of any game."""

PocketEvent: TypeAlias = DrewCard
"""What a single seat may hear of it."""

Pocket: TypeAlias = GridPocket
"""What a single seat knows."""
