"""Every message on the wire: what a client may send, and what a server sends.

No message of a client has a field for a card or for somebody else's seat of play; what cannot be
written cannot be forged.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from dormie_protocol.clock_messages import Agree, ClockWish, Pause, Resume, TurnSeconds, Vote
from dormie_protocol.day_messages import MessageOfTheDay, NewsOfTheDay
from dormie_protocol.fields import (
    CODE_LENGTH,
    CODE_LETTERS,
    AtTable,
    Chain,
    Code,
    Entropy,
    FromClient,
    FromServer,
    Language,
    Letter,
    Options,
    Password,
    Run,
    SeatNumber,
    Token,
    Word,
)
from dormie_protocol.games import AnyMove
from dormie_protocol.host_messages import HandOver, Kick, Lock, SetPassword
from dormie_protocol.lobby_messages import (
    History,
    HistorySeen,
    Lobby,
    LobbySeen,
    Mine,
    MineSeen,
    Quick,
)
from dormie_protocol.patience_messages import Hint, HintSeen
from dormie_protocol.people_messages import MessageAboutPeople, NewsOfPeople
from dormie_protocol.server_messages import (
    Bye,
    Done,
    Heard,
    Refused,
    Replaced,
    Seen,
    SentAway,
    Welcome,
)
from dormie_protocol.spectators import Audience, SetSpectators, SpectatorWish, Veiled
from dormie_protocol.table_view import Chatter
from dormie_protocol.undo_messages import Undo

__all__ = [  # what is written elsewhere and belongs to the messages all the same
    "CODE_LENGTH",
    "CODE_LETTERS",
    "Agree",
    "AtTable",
    "Audience",
    "Bye",
    "ClockWish",
    "Done",
    "FromClient",
    "FromServer",
    "HandOver",
    "Heard",
    "Hint",
    "HintSeen",
    "History",
    "HistorySeen",
    "Kick",
    "Language",
    "Lobby",
    "LobbySeen",
    "Lock",
    "Mine",
    "MineSeen",
    "Pause",
    "Quick",
    "Refused",
    "Replaced",
    "Resume",
    "Seen",
    "SentAway",
    "SetPassword",
    "SetSpectators",
    "Undo",
    "Veiled",
    "Vote",
    "Welcome",
]

SUBPROTOCOL = "dormie.1"
"""The WebSocket subprotocol; its number is the protocol's."""

NEAR = "near."
"""Behind this a client says, as another subprotocol, the last letter of the code of the table it goes to.

A proxy before several servers may choose one by it; to a server it means nothing.
"""

MAX_MESSAGE = 4096
"""Bytes in one message of a client."""


class Hello(FromClient):
    """The first message: who you are. Without a token you become a new guest and are sent one."""

    type: Literal["hello"] = "hello"
    token: Token | None = None
    name: Annotated[str, StringConstraints(max_length=64)] | None = None
    language: Language = "en"
    claim: Code | None = None
    """Instead of a token, on a new device: the code that another device of the player was told."""


class Create(FromClient):
    """Open a table and take its first seat; bots of the named levels take the next ones."""

    type: Literal["create"] = "create"
    variant: Word = "six_card"
    options: Options = {}  # noqa: RUF012 - pydantic gives every message its own
    size: Annotated[int, Field(ge=1, le=6)] = 4
    turn_seconds: TurnSeconds | None = None
    """The same as the clock's."""
    bots: Annotated[tuple[Word, ...], Field(max_length=5)] = ()
    password: Annotated[Password | None, Field(repr=False)] = None
    """Whoever wants to join or to watch has to know it; None asks nobody for anything."""
    listed: bool = False
    """Whether everybody finds the table; otherwise only whoever has its code."""
    clock: ClockWish | None = None
    chat: Chatter = "on"
    spectators: SpectatorWish = SpectatorWish()
    undo: bool = False
    """Whether a move may be taken back when all others agree."""
    practice: Annotated[int, Field(ge=0, le=10**9)] | None = None
    """Alone at Golf Patience: practise the hole of this number, and the holes after it those that follow."""
    near: Letter | None = None
    """The last letter of the table's code, where the house asks for it: see `NEAR`."""


class Join(AtTable):
    """Take a seat: the one asked for, or the first that is free. Whoever has a seat keeps it."""

    type: Literal["join"] = "join"
    seat: SeatNumber | None = None
    password: Annotated[Password | None, Field(repr=False)] = None
    """Where the table has one, for whoever has no seat yet."""


class Watch(AtTable):
    """Follow a table from the last version seen, whose chain is *chain*; 0 begins with the present.

    For a player this connection becomes the one that plays the seat. A program that comes back by
    itself says *resume* and the name it gave to this *run*: then a seat that was taken over meanwhile
    stays with whoever took it, and the answer is ``replaced``. A run counts its connections: what an
    older *line* than the one that plays says late counts for nothing. Whoever was answered *done* with a
    version newer than *after* names it as *told*, with its chain: if the server does not remember
    that, it says so.
    """

    type: Literal["watch"] = "watch"
    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    chain: Chain = ""
    told: Annotated[int, Field(ge=0, le=2**53)] = 0
    told_chain: Chain = ""
    run: Run = ""
    line: Annotated[int, Field(ge=0, le=2**53)] = 0
    resume: bool = False
    password: Annotated[Password | None, Field(repr=False)] = None
    """Where the table has one, for whoever has no seat there."""
    chat_after: Annotated[int, Field(ge=0, le=2**53)] | None = None
    """Send what was said after this number, too; None sends only what is said from now on."""


class Unwatch(AtTable):
    """Follow a table no longer."""

    type: Literal["unwatch"] = "unwatch"


class Ready(AtTable):
    """Ready to start, with something for luck; or, between holes, ready to go on."""

    type: Literal["ready"] = "ready"
    entropy: Entropy | None = None


class Start(AtTable):
    """Start with the players who are here (the host)."""

    type: Literal["start"] = "start"


class Play(AtTable):
    """Make a move: *count* is its number among your own at this table, from 1."""

    type: Literal["play"] = "play"
    count: Annotated[int, Field(ge=1, le=2**31)]
    move: AnyMove


class Bot(AtTable):
    """Seat a bot of *level*, or send the bot in *seat* away when *level* is null (the host)."""

    type: Literal["bot"] = "bot"
    level: Word | None
    seat: SeatNumber | None = None


class Leave(AtTable):
    """Give your seat up, for good."""

    type: Literal["leave"] = "leave"


class End(AtTable):
    """Close the table (the host)."""

    type: Literal["end"] = "end"


class Rematch(AtTable):
    """Ask for another match with the same seats; it starts when everybody who is here has asked."""

    type: Literal["rematch"] = "rematch"


ClientMessage: TypeAlias = (
    Hello
    | Create
    | Join
    | Watch
    | Unwatch
    | Ready
    | Start
    | Play
    | Bot
    | Leave
    | End
    | Rematch
    | Kick
    | HandOver
    | Lock
    | SetPassword
    | SetSpectators
    | Lobby
    | Quick
    | Mine
    | History
    | Pause
    | Resume
    | Agree
    | Vote
    | Undo
    | Hint
    | MessageAboutPeople
    | MessageOfTheDay
)


ServerMessage: TypeAlias = (
    Welcome
    | Done
    | Refused
    | Seen
    | Replaced
    | SentAway
    | Audience
    | Veiled
    | Bye
    | LobbySeen
    | MineSeen
    | HistorySeen
    | HintSeen
    | NewsOfPeople
    | NewsOfTheDay
)
