"""Everything that can be asked of a table, by a player, a bot, a clock or the keeper."""

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, TypeAlias

from dormie_protocol.clocks import Choice, Clock
from dormie_protocol.games import Move
from dormie_protocol.spectators import Spectators, SpectatorTalk
from dormie_protocol.table_view import Chatter, Given
from dormie_rules.cards import Card


def in_short(asked: object) -> str:
    """What was asked, as a digest: the same id with something else is a mistake."""
    return blake2b(repr(asked).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Opening:
    """How a table begins."""

    code: str
    player: str
    name: str
    variant: str
    options: dict[str, Any]  # checked by the rules
    size: int
    turn_seconds: float
    bots: tuple[str, ...]
    master: str = field(repr=False)
    salt: str = ""
    """What every password of this table is hashed with."""
    key: str | None = field(default=None, repr=False)
    """The hash of the password, if there is one; the password itself never comes so far."""
    listed: bool = False
    """Whether the lobby shows the table."""
    quick: bool = False
    """Whether the table starts by itself as soon as it is full."""
    clock: Clock | None = None
    """None is the usual one with those turn_seconds."""
    chat: Chatter = "on"
    spectators: Spectators = Spectators()  # noqa: RUF009 - it is frozen
    undo: bool = False
    given: Given | None = None
    """A deal that is there already; then the table begins to play at once."""

    @property
    def wish(self) -> str:
        """What was asked for, in short."""
        wish = (self.variant, self.options, self.size, self.turn_seconds, self.bots)
        door = (self.key, self.listed, self.quick) if self.key or self.listed else ()
        talk = () if self.chat == "on" else (self.chat,)
        watched = () if self.spectators == Spectators() else (self.spectators,)
        back = ("undo",) if self.undo else ()
        clock = (self.clock,) if self.clock else ()
        given = (self.given,) if self.given else ()
        return in_short(wish + door + clock + talk + watched + back + given)


@dataclass(frozen=True, slots=True)
class Join:
    name: str
    seat: int | None = None
    proof: str | None = field(default=None, repr=False)
    """The hash of the password that was said; asked again, it is the same wish whatever was said."""


@dataclass(frozen=True, slots=True)
class Ready:
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    pass


@dataclass(frozen=True, slots=True)
class SetBot:
    level: str | None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    pass


@dataclass(frozen=True, slots=True)
class End:
    pass


@dataclass(frozen=True, slots=True)
class Rematch:
    pass


@dataclass(frozen=True, slots=True)
class Kick:
    """*name* is who is meant, if that was said."""

    seat: int
    ban: bool = False
    name: str | None = None


@dataclass(frozen=True, slots=True)
class HandOver:
    seat: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Lock:
    locked: bool


@dataclass(frozen=True, slots=True)
class SetPassword:
    key: str | None
    """The hash of the password; None lifts it."""


@dataclass(frozen=True, slots=True)
class SetSpectators:
    """None leaves a switch as it is."""

    allowed: bool | None = None
    password: bool | None = None
    chat: SpectatorTalk | None = None
    delay: int | None = None


HostRequest: TypeAlias = Kick | HandOver | Lock | SetPassword | SetSpectators
"""What a host may do about who is in and who comes in."""


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    pass


@dataclass(frozen=True, slots=True)
class Agree:
    yes: bool = True


@dataclass(frozen=True, slots=True)
class Vote:
    choice: Choice


@dataclass(frozen=True, slots=True)
class Undo:
    pass


TimeRequest: TypeAlias = Pause | Resume | Agree | Vote | Undo
"""What players may ask of each other."""

Request: TypeAlias = (
    Join | Ready | Start | SetBot | Leave | End | Rematch | HostRequest | TimeRequest
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A player's request under an id: asked twice, it is done once."""

    player: str
    id: str
    request: Request


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Move number *count* of a player, from the connection that holds this *generation* of the seat."""

    player: str
    generation: int
    count: int
    move: Move


@dataclass(frozen=True, slots=True)
class BotMove:
    """Move number *count* of the bot in *seat*."""

    seat: int
    count: int
    move: Move


@dataclass(frozen=True, slots=True)
class Attach:
    """A player's connection on *server* begins to play the seat.

    *resume* is for the *run* of a program that played it before, unless another has taken it since. A run
    numbers its connections: *line* is the number of this one.
    """

    player: str
    server: str
    run: str = ""
    resume: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Detach:
    """The connection that held this generation of the seat is gone."""

    player: str
    generation: int


@dataclass(frozen=True, slots=True)
class OthersGone:
    """No server but *server* is alive: whoever another one served has dropped."""

    server: str


@dataclass(frozen=True, slots=True)
class ServerGone:
    """*server* is dead: whoever it served has dropped."""

    server: str


@dataclass(frozen=True, slots=True)
class DealHole:
    """The next hole's luck: the shuffled pack, and luck for reshuffles."""

    hole: int
    pack: tuple[Card, ...] = field(repr=False)
    luck: bytes = field(repr=False)
    attempt: int = 0
    """How many deals were turned down before this one."""


@dataclass(frozen=True, slots=True)
class Wake:
    """Look at the clock."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Whatever is due at the table fails, again and again."""


@dataclass(frozen=True, slots=True)
class Shut:
    """Those who run the house close the table, and say to its players why."""

    said: str


@dataclass(frozen=True, slots=True)
class RecordKept:
    """The record of match number *match* is kept."""

    match: int


@dataclass(frozen=True, slots=True)
class Forget:
    """A player is forgotten: out of the seat, and the names they went by here are anybody's."""

    player: str
    names: tuple[str, ...] = ()
    """The names the player had at this table."""


Command: TypeAlias = (
    Asked
    | PlayMove
    | BotMove
    | Attach
    | Detach
    | OthersGone
    | ServerGone
    | DealHole
    | Wake
    | GiveUp
    | Shut
    | RecordKept
    | Forget
)
