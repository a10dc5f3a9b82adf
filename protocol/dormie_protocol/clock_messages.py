"""What a client may say about time: the clocks it wishes for, a pause, a vote."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dormie_protocol.clocks import Choice
from dormie_protocol.fields import AtTable, Word

TurnSeconds = Annotated[int, Field(ge=5, le=14 * 86400)]
_Number = Annotated[int, Field(ge=0, le=2**31)] | None


class ClockWish(BaseModel):
    """How the clocks of a new table differ from the usual ones; ``Clock`` says what each is."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )
    turn_seconds: _Number = None
    game_seconds: _Number = None
    away_seconds: _Number = None
    pauses: _Number = None
    pause_seconds: _Number = None
    when_out: Word | None = None
    bot: Word | None = None
    vote_seconds: _Number = None
    wait_seconds: _Number = None


class Pause(AtTable):
    """Ask for a pause of at most *seconds*, or of all that is left; it begins when the others agree."""

    type: Literal["pause"] = "pause"
    seconds: Annotated[int, Field(ge=1, le=14 * 86400)] | None = None


class Resume(AtTable):
    """Go on: end the pause you asked for, ask to end another's, or take your seat back from a bot."""

    type: Literal["resume"] = "resume"


class Agree(AtTable):
    """Agree with what is asked of all, or not."""

    type: Literal["agree"] = "agree"
    yes: bool = True


class Vote(AtTable):
    """Say what shall come of a player whose time is over; the last word of each counts."""

    type: Literal["vote"] = "vote"
    choice: Choice
