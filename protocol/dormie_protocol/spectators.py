"""Those who watch a table without a seat: what the host lets them see, say and hear, and when.

What a spectator may see is never more than what lies open on the table; these switches make it less,
or later.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dormie_protocol.fields import AtTable, FromServer

LONGEST_DELAY = 300
"""Seconds; so far back a table is remembered for its spectators."""

SpectatorTalk = Literal["off", "hear", "apart", "all"]
"""off: spectators neither hear nor say anything; hear: they hear what is said at the table; apart: they
also talk among themselves, and the players do not hear it; all: everybody hears them."""

Delay = Annotated[int, Field(ge=0, le=LONGEST_DELAY)]


@dataclass(frozen=True, slots=True)
class Spectators:
    """The four switches. As they stand at first, spectators see what the players at the table all see."""

    allowed: bool = True
    """Whether anybody may watch without a seat."""
    password: bool = True
    """Whether they have to know the table's password, where it has one."""
    chat: SpectatorTalk = "hear"
    delay: int = 0
    """How many seconds later than the players they see and hear everything."""


class SpectatorWish(BaseModel):
    """The switches of a new table; ``Spectators`` says what each is."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )
    allowed: bool = True
    password: bool = True
    chat: SpectatorTalk = "hear"
    delay: Delay = 0


class SetSpectators(AtTable):
    """Turn the switches for spectators (the host); what is null stays as it is.

    Whoever may not watch any more is told ``sent_away``. The delay is changed only while no match is on.
    """

    type: Literal["spectators"] = "spectators"
    allowed: bool | None = None
    password: bool | None = None
    chat: SpectatorTalk | None = None
    delay: Delay | None = None


@dataclass(frozen=True, slots=True)
class SpectatorsChanged:
    """The host turned the switches for spectators: this is how they stand now."""

    allowed: bool
    password: bool
    chat: SpectatorTalk
    delay: int
    event: Literal["spectators_changed"] = "spectators_changed"


class Audience(FromServer):
    """How many watch *table* from this server without a seat there. It is told when it has changed."""

    type: Literal["audience"] = "audience"
    table: str
    spectators: int


class Veiled(FromServer):
    """To a spectator of a table with a delay: nothing old enough to be shown is kept.

    The view that came before this has no match in it. What happens from now on is shown when it is old
    enough, and the table as it is now *in* so many seconds at the latest.
    """

    type: Literal["veiled"] = "veiled"
    table: str
    seconds: float
