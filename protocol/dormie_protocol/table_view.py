"""What everybody at a table may see of it, and what can happen there besides the game itself.

Like the rules' own values these are plain frozen dataclasses: the server keeps them as the table's
public drawer and sends that very drawer, so there is nothing to hide and nothing to forget.
"""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from dormie_protocol import games
from dormie_protocol.clocks import Clock, ClockEvent, Clocks
from dormie_protocol.games import (
    AnyMatch,
    AnyRules,
    GameEvent,
    GameName,
)
from dormie_protocol.spectators import Spectators, SpectatorsChanged
from dormie_protocol.undo_messages import MoveUndone, UndoAsked

Phase = Literal["lobby", "starting", "playing", "between", "over", "closed"]
"""lobby: seats fill; starting: a few seconds for everybody's luck; playing: a hole is on; between:
looking at a finished hole; over: the match is won; closed: nothing happens here any more."""

Chatter = Literal["on", "emotes", "off"]
"""on: say anything, and quick words; emotes: quick words only; off: nothing is said here."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where, as everybody sees it."""

    name: str
    bot: str | None = None
    """The level of the bot that plays this seat, None for a person."""
    here: bool = True
    """Whether a person is connected."""
    ready: bool = False
    """Ready to start, to go on after a hole, or for a rematch."""
    count: int = 0
    """How many moves the one who sits here has made at this table; the next is number *count* + 1."""


@dataclass(frozen=True, slots=True)
class Given:
    """A deal that was there before the table: the hole of a day, or one that is practised by its number."""

    day: str | None = None
    """The date of the day."""
    promise: str = ""
    """The promise of the day, in hexadecimal."""
    until: float | None = None
    """When the day is over, on the server's clock."""
    practice: int | None = None
    """The number of the first hole, where holes are practised."""


@dataclass(frozen=True, slots=True)
class About:
    """What does not change while a match lasts."""

    table: str
    game: GameName
    variant: str
    options: dict[str, Any]  # the host's, and a level's deals: any JSON the rules accept
    rules: AnyRules
    """The numbers that follow from variant and options."""
    size: int
    """How many seats the table has."""
    turn_seconds: float
    """How long a turn may take before the default move is made."""
    match: int = 1
    """The number of the match at this table."""
    password: bool = False
    """Whether one has to know a password to join or to watch."""
    listed: bool = False
    """Whether everybody finds the table; otherwise only whoever has its code."""
    clock: Clock = Clock()  # noqa: RUF009 - it is frozen
    """Everything about time; its turn_seconds are the ones above."""
    chat: Chatter = "on"
    """What may be said at the table."""
    spectators: Spectators = Spectators()  # noqa: RUF009 - it is frozen
    """Who may watch without a seat, and how."""
    undo: bool = False
    """Whether a move may be taken back when all others agree."""
    given: Given | None = None
    """None where the table deals by its own luck."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """What makes the deals checkable (``docs/fairness.md``); all bytes are in hexadecimal."""

    commitment: str
    """s_0 of the hash chain from which every hole of the match is dealt."""
    contributions: tuple[str | None, ...] = ()
    """What every seat added to luck, once the match has begun; None for one that sent nothing."""


@dataclass(frozen=True, slots=True)
class TablePublic:
    """What changes at a table, as everybody sees it."""

    phase: Phase
    seats: tuple[Seat | None, ...]
    host: int | None
    deadline: float | None
    """When the server acts by itself, on the server's clock."""
    match: AnyMatch | None = None
    locked: bool = False
    """Whether the host lets nobody new join."""
    clocks: Clocks | None = None
    """How the clocks stand; None while they stand as at the beginning of a match."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The table was opened."""

    variant: str
    commitment: str
    event: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody took a seat; *bot* is the level when it is a bot."""

    seat: int
    name: str
    bot: str | None = None
    event: Literal["joined"] = "joined"


@dataclass(frozen=True, slots=True)
class LeftTable:
    """Somebody gave a seat up, or a bot was sent away."""

    seat: int
    name: str
    event: Literal["left_table"] = "left_table"


@dataclass(frozen=True, slots=True)
class BecameReady:
    """Somebody is ready."""

    seat: int
    event: Literal["became_ready"] = "became_ready"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A person's connection was lost; the seat stays theirs."""

    seat: int
    event: Literal["dropped"] = "dropped"


@dataclass(frozen=True, slots=True)
class Returned:
    """A person is back."""

    seat: int
    event: Literal["returned"] = "returned"


@dataclass(frozen=True, slots=True)
class NewHost:
    """The host's rights passed on."""

    seat: int
    event: Literal["new_host"] = "new_host"


@dataclass(frozen=True, slots=True)
class Starting:
    """The match starts as soon as everybody has added to luck, or at the deadline."""

    match: int
    commitment: str
    event: Literal["starting"] = "starting"


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """The match begins with these contributions to luck; None stands for a seat that sent none."""

    contributions: tuple[str | None, ...]
    event: Literal["match_began"] = "match_began"


@dataclass(frozen=True, slots=True)
class LinkShown:
    """Hole *hole* is over, and here is the link of the chain it was dealt from."""

    hole: int
    link: str
    event: Literal["link_shown"] = "link_shown"


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A seat's time was up, and the default move was made for it."""

    seat: int
    event: Literal["time_out"] = "time_out"


@dataclass(frozen=True, slots=True)
class Kicked:
    """The host sent somebody away; with *ban* they cannot come back to this table."""

    seat: int
    name: str
    ban: bool = False
    event: Literal["kicked"] = "kicked"


@dataclass(frozen=True, slots=True)
class Missing:
    """These did not come when the match was to start, and were neither here nor ready.

    With *went_on* the others begin without them, and the seats are free; without, nobody begins, and
    everybody keeps the seat.
    """

    seats: tuple[int, ...]
    names: tuple[str, ...]
    went_on: bool
    event: Literal["missing"] = "missing"


@dataclass(frozen=True, slots=True)
class LockTurned:
    """The host locked the table, or unlocked it."""

    locked: bool
    event: Literal["lock_turned"] = "lock_turned"


@dataclass(frozen=True, slots=True)
class PasswordChanged:
    """The host gave the table another password, or, without *password*, none."""

    password: bool
    event: Literal["password_changed"] = "password_changed"


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed. Whoever runs the house (``why`` is ``house``) says in *said* why."""

    why: Literal["host", "empty", "abandoned", "finished", "failed", "voted", "house"]
    event: Literal["closed"] = "closed"
    said: str | None = None


TableEvent: TypeAlias = (
    Opened
    | Joined
    | LeftTable
    | BecameReady
    | Dropped
    | Returned
    | NewHost
    | Starting
    | MatchBegan
    | LinkShown
    | TimeOut
    | Closed
    | Kicked
    | Missing
    | LockTurned
    | PasswordChanged
    | SpectatorsChanged
    | UndoAsked
    | MoveUndone
)

PublicEvent: TypeAlias = TableEvent | ClockEvent | GameEvent
"""Everything everybody may hear."""

PocketEvent: TypeAlias = games.PocketEvent
"""Everything a single seat may hear."""

Pocket: TypeAlias = games.Pocket
