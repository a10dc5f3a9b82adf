"""What a server says: answers, what happened at a table, and goodbyes."""

from typing import Annotated, Literal

from pydantic import Field

from dormie_protocol.fields import FromServer
from dormie_protocol.games import AnyMove, AnyPocketEvent, Pocket
from dormie_protocol.table_view import (
    About,
    Fairness,
    PublicEvent,
    TablePublic,
)


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
    near: bool = False
    """Whether there are several servers, and it is better for everybody that a table's people are at one.

    Then whoever opens a table says as *near* which letter their connection was opened with.
    """


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
    mine: AnyPocketEvent | None = None


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
    moves: tuple[AnyMove, ...] = ()
    """Everything the viewer may play now."""
    about: About | None = None
    fairness: Fairness | None = None


class Replaced(FromServer):
    """Your seat at *table* is now played from another connection; do not take it back unasked."""

    type: Literal["replaced"] = "replaced"
    table: str


class SentAway(FromServer):
    """You see nothing of *table* any more: the host has sent you away for good, or lets nobody watch."""

    type: Literal["sent_away"] = "sent_away"
    table: str
    why: Literal["banned", "not_for_spectators"] = "banned"


class Bye(FromServer):
    """The connection is about to be closed; come back after *retry_after* seconds, if given."""

    type: Literal["bye"] = "bye"
    word: str
    because: str
    retry_after: float | None = None
