"""What differs from game to game in what a table shows and hears: for each of these, the games' own kinds.

Grid Golf comes first everywhere, and is told from the others by what it cannot do without: so its messages,
and what was kept before there was a second game, are read and written as fast as ever.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from dormie_rules.course_state import CourseEvent, CoursePublic
from dormie_rules.grid_events import DrewCard, GridEvent
from dormie_rules.grid_moves import Discard, Draw, Flip, Pass, Swap, Take
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket
from dormie_rules.patience_moves import Concede, GiveUp, Play, TakeBack
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.race_events import RaceEvent, RacePocketEvent
from dormie_rules.race_state import RacePocket, RacePublic

GameName: TypeAlias = Literal["grid", "patience"]

Move: TypeAlias = (
    Draw
    | Take
    | Swap
    | Discard
    | Flip
    | Pass  # grid Golf
    | Play
    | TakeBack
    | GiveUp
    | Concede  # Golf Patience, which has Draw, too
)
"""A move of any game; ``move`` says which one it is."""

AnyMove: TypeAlias = Annotated[Move, Field(discriminator="move")]
"""The same, as it is read."""

Rules: TypeAlias = GridRules | PatienceRules
"""The numbers of any game."""

AnyRules: TypeAlias = Annotated[Rules, Field(union_mode="left_to_right")]

MatchPublic: TypeAlias = CoursePublic | RacePublic
"""A match of any game, as everybody sees it."""

AnyMatch: TypeAlias = Annotated[MatchPublic, Field(union_mode="left_to_right")]

GameEvent: TypeAlias = CourseEvent | GridEvent | RaceEvent
"""What everybody may hear of a match of any game."""

PocketEvent: TypeAlias = DrewCard | RacePocketEvent
"""What a single seat may hear of it."""

AnyPocketEvent: TypeAlias = Annotated[PocketEvent, Field(discriminator="event")]
"""The same, as it is read."""

Pocket: TypeAlias = GridPocket | RacePocket
"""What a single seat knows. Neither needs anything, so that here the one with more of the fields is meant."""
