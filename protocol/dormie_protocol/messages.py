"""Every message on the wire: what a client may send, and what a server sends.

No message of a client has a field for a card or for somebody else's seat of play; what cannot be
written cannot be forged.
"""

import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from dormie_protocol.table_view import (
    About,
    Fairness,
    Pocket,
    PocketEvent,
    PublicEvent,
    TablePublic,
)
from dormie_rules.grid_moves import GridMove

SUBPROTOCOL = "dormie.1"
"""The WebSocket subprotocol; its number is the protocol's."""

MAX_MESSAGE = 4096
"""Bytes in one message of a client."""

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,36}$")]
"""What a client calls its request; the answer repeats it, and sent twice it is done once."""
Code = Annotated[str, StringConstraints(pattern=rf"^[{CODE_LETTERS}]{{{CODE_LENGTH}}}$")]
Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43}$")]
Entropy = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){16,32}$")]
Chain = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{0,32}$")]
Run = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,36}$")]
"""A name that a program gives itself, to be known again when it comes back by itself."""
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,32}$")]
Language = Literal["en", "fr"]


def _json(options: dict[str, Any]) -> dict[str, Any]:
    """The same options; NaN and Infinity, which some readers of JSON let through, are refused."""
    json.dumps(options, allow_nan=False)
    return options


Options = Annotated[
    dict[Word, Any],  # any JSON: the rules check it
    Field(max_length=40),
    AfterValidator(_json),
]
SeatNumber = Annotated[int, Field(ge=0, le=5)]


class FromClient(BaseModel):
    """A message of a client: strict, closed, and with an id."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )
    id: Id


class Hello(FromClient):
    """The first message: who you are. Without a token you become a new guest and are sent one."""

    type: Literal["hello"] = "hello"
    token: Token | None = None
    name: Annotated[str, StringConstraints(max_length=64)] | None = None
    language: Language = "en"


class Create(FromClient):
    """Open a table and take its first seat; bots of the named levels take the next ones."""

    type: Literal["create"] = "create"
    variant: Word = "six_card"
    options: Options = {}
    size: Annotated[int, Field(ge=2, le=6)] = 4
    turn_seconds: Annotated[int, Field(ge=5, le=3600)] | None = None
    bots: Annotated[tuple[Word, ...], Field(max_length=5)] = ()


class AtTable(FromClient):
    """A message about one table."""

    table: Code


class Join(AtTable):
    """Take a seat: the one asked for, or the first that is free. Whoever has a seat keeps it."""

    type: Literal["join"] = "join"
    seat: SeatNumber | None = None


class Watch(AtTable):
    """Follow a table from the last version seen, whose chain is *chain*; 0 begins with the present.

    For a player this connection becomes the one that plays the seat. A program that comes back by
    itself says *resume* and the name it gave to this *run*: then a seat that was taken over meanwhile
    stays with whoever took it, and the answer is ``replaced``. Whoever was answered *done* with a
    version newer than *after* names it as *told*, with its chain: if the server does not remember
    that, it says so.
    """

    type: Literal["watch"] = "watch"
    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    chain: Chain = ""
    told: Annotated[int, Field(ge=0, le=2**53)] = 0
    told_chain: Chain = ""
    run: Run = ""
    resume: bool = False


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
    move: Annotated[GridMove, Field(discriminator="move")]


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
    Hello | Create | Join | Watch | Unwatch | Ready | Start | Play | Bot | Leave | End | Rematch
)


class FromServer(BaseModel):
    """A message of the server; a client skips fields that it does not know."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Welcome(FromServer):
    """The answer to hello. *token* is sent once, to a new guest: keep it."""

    type: Literal["welcome"] = "welcome"
    re: str
    player: str
    name: str
    token: str | None = None
    now: float
    """The server's clock, in seconds."""
    server: str
    """The server's version."""
    variants: tuple[str, ...]
    bots: tuple[str, ...]
    tables: tuple[str, ...] = ()
    """The tables at which this player has a seat."""
    links: tuple[str, ...] = ()
    """Where this house is reached: from its own machine first, from farthest away last."""


class Done(FromServer):
    """Request *re* was done, and is kept safely."""

    type: Literal["done"] = "done"
    re: str
    table: str | None = None
    seat: int | None = None
    version: int | None = None
    """The version of the table that the request made."""
    chain: str | None = None
    """The chain at that version; not when the request is answered again."""


class Refused(FromServer):
    """Request *re* was refused and changed nothing: a word for programs, a sentence for people."""

    type: Literal["refused"] = "refused"
    re: str | None = None
    word: str
    because: str
    field: str | None = None


class Heard(FromServer):
    """One event: the part for all, and the viewer's own part if there is one."""

    all: Annotated[PublicEvent, Field(discriminator="event")]
    mine: PocketEvent | None = None


class Seen(FromServer):
    """What happened at a table from version *after* (not included) to *version*, and how it looks.

    *view* is missing while older events are replayed; *about* and *fairness* come when new.
    """

    type: Literal["seen"] = "seen"
    table: str
    after: int
    version: int
    chain: str
    now: float
    events: tuple[Heard, ...] = ()
    replay: bool = False
    """The events are older than this connection."""
    rolled_back: bool = False
    """The server does not remember what the client saw: forget it and start from this view."""
    view: TablePublic | None = None
    seat: int | None = None
    pocket: Pocket | None = None
    moves: tuple[Annotated[GridMove, Field(discriminator="move")], ...] = ()
    """Everything the viewer may play now."""
    about: About | None = None
    fairness: Fairness | None = None


class Replaced(FromServer):
    """Your seat at *table* is now played from another connection; do not take it back unasked."""

    type: Literal["replaced"] = "replaced"
    table: str


class Bye(FromServer):
    """The connection is about to be closed; come back after *retry_after* seconds, if given."""

    type: Literal["bye"] = "bye"
    word: str
    because: str
    retry_after: float | None = None


ServerMessage: TypeAlias = Welcome | Done | Refused | Seen | Replaced | Bye
