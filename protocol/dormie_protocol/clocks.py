"""The clocks of a table: what was agreed when it was opened, and how they stand.

All of it is for everybody to see. Times are seconds, moments are told on the server's clock.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

WhenOut: TypeAlias = Literal["default", "bot", "vote", "withdraw", "wait"]
"""default: the usual move is made; bot: a bot of the house sits in until the player is back; vote: the
others decide; withdraw: the player is out of the match; wait: the others wait on, for a long while."""

Choice: TypeAlias = Literal["wait", "bot", "withdraw", "end"]
"""What the others can decide for one whose time is over; *end* closes the table."""

Running: TypeAlias = Literal["turn", "away", "vote", "wait", "pause"]
"""What the deadline is for: time to think, the allowance of one whose line is down, a vote, a wait
for a player whose time is over, a pause."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How much time there is at a table: agreed when it is opened, the same for all."""

    turn_seconds: float = 60.0
    """For every turn, from 5 seconds to 14 days."""
    game_seconds: float | None = None
    """For each player and match so much more, used when a turn's own time is over; None is nothing."""
    away_seconds: float = 120.0
    """For each player and match so long a line may be down in the player's own turns before that costs
    any time to think; 0 makes no difference between here and away."""
    pauses: int = 3
    """So many pauses in a match, all together."""
    pause_seconds: float = 900.0
    """So long in all."""
    when_out: WhenOut = "default"
    """What happens when a player's time is over."""
    bot: str = "medium"
    """The level of the bot that sits in."""
    vote_seconds: float = 60.0
    """So long the others may think about a vote; without any vote a bot sits in."""
    wait_seconds: float = 1800.0
    """So long the others wait on at most; then the usual move is made."""


Asking = Literal["pause", "resume", "undo"]


@dataclass(frozen=True, slots=True)
class Ask:
    """What somebody asks of all the others."""

    seat: int
    what: Asking
    seconds: float
    """How long the pause would be at most."""
    agreed: tuple[int, ...]
    """The seats that want it, with the one that asks."""
    at: float
    """When is looked who agrees, next."""
    until: float
    """When it is no longer asked."""


@dataclass(frozen=True, slots=True)
class Break:
    """A pause; the table's deadline is its end."""

    seat: int
    """Who asked for it, and may end it alone."""
    since: float
    held: float
    """The deadline as it was then: it is put off by exactly as long as the pause lasts."""
    runs: Running
    """What that deadline is for."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """How the clocks of a match stand, as of the moment at which the deadline was set."""

    bank: tuple[float, ...]
    """For each seat what is left of the clock's game_seconds; the deadline of a turn includes it."""
    away: tuple[float, ...]
    """For each seat what is left of the clock's away_seconds."""
    pauses: int
    pause_seconds: float
    """What is left of them for all."""
    sits_in: tuple[str | None, ...]
    """For each seat the level of the bot that sits in for its player; the seat stays the player's."""
    runs: Running = "turn"
    left: float | None = None
    """The time to think that stands still while the allowance runs."""
    out: bool = False
    """Whether the time of this turn was over once already."""
    votes: tuple[Choice | None, ...] | None = None
    """What each seat has voted for, while there is a vote about the seat whose turn it is."""
    ask: Ask | None = None
    pause: Break | None = None


def fresh(clock: Clock, seats: int) -> Clocks:
    """The clocks of a match as it begins.

    >>> fresh(Clock(game_seconds=300.0), 2).bank
    (300.0, 300.0)
    """
    return Clocks(
        bank=(clock.game_seconds or 0.0,) * seats,
        away=(clock.away_seconds,) * seats,
        pauses=clock.pauses,
        pause_seconds=clock.pause_seconds,
        sits_in=(None,) * seats,
    )


@dataclass(frozen=True, slots=True)
class SatIn:
    """A bot of the house sits in for a player whose time is over."""

    seat: int
    bot: str
    event: Literal["sat_in"] = "sat_in"


@dataclass(frozen=True, slots=True)
class HandedBack:
    """The bot that sat in gives the seat back to its player."""

    seat: int
    event: Literal["handed_back"] = "handed_back"


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A player's time is over, and that is the end of the match for the player."""

    seat: int
    event: Literal["forfeited"] = "forfeited"


@dataclass(frozen=True, slots=True)
class WaitsOn:
    """A player's time is over, and the others wait on for so many seconds."""

    seat: int
    seconds: float
    event: Literal["waits_on"] = "waits_on"


@dataclass(frozen=True, slots=True)
class VoteCalled:
    """A player's time is over; the others vote on what comes of it."""

    seat: int
    seconds: float
    event: Literal["vote_called"] = "vote_called"


@dataclass(frozen=True, slots=True)
class Voted:
    """Somebody has voted."""

    seat: int
    choice: Choice
    event: Literal["voted"] = "voted"


@dataclass(frozen=True, slots=True)
class VoteDecided:
    """So it was decided about a seat."""

    seat: int
    choice: Choice
    event: Literal["vote_decided"] = "vote_decided"


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """Somebody asks for a pause of at most so many seconds."""

    seat: int
    seconds: float
    event: Literal["pause_asked"] = "pause_asked"


@dataclass(frozen=True, slots=True)
class ResumeAsked:
    """Somebody asks to go on before the pause is over."""

    seat: int
    event: Literal["resume_asked"] = "resume_asked"


@dataclass(frozen=True, slots=True)
class Agreed:
    """Somebody agrees with what is asked."""

    seat: int
    event: Literal["agreed"] = "agreed"


@dataclass(frozen=True, slots=True)
class Declined:
    """What was asked is not done: a seat is against it, or None, not all have agreed in time."""

    seat: int | None
    event: Literal["declined"] = "declined"


@dataclass(frozen=True, slots=True)
class PauseBegan:
    """There is a pause of at most so many seconds."""

    seconds: float
    event: Literal["pause_began"] = "pause_began"


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """The pause is over."""

    event: Literal["pause_ended"] = "pause_ended"


ClockEvent: TypeAlias = (
    SatIn
    | HandedBack
    | Forfeited
    | WaitsOn
    | VoteCalled
    | Voted
    | VoteDecided
    | PauseAsked
    | ResumeAsked
    | Agreed
    | Declined
    | PauseBegan
    | PauseEnded
)
"""What can happen with the clocks of a table."""
