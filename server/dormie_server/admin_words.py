"""What those who run a house can ask of a running server, and what it may answer.

A question is one line of JSON, and so is the answer. An answer is picked, field by field: nothing here can
hold a token, a password, a hidden card, or anything else that is locked away at a table.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

LONGEST_LINE: Final = 16 * 1024
MOST_DAYS: Final = 3650
NO_REPORTS: Final = "no report waits"
Text = Annotated[str, Field(max_length=300)]
Name = Annotated[str, Field(min_length=1, max_length=100)]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class ListTables(_Asked):
    """The open tables, those that opened last first."""

    command: Literal["list"] = "list"
    limit: Annotated[int, Field(ge=1, le=10_000)] = 100


class Inspect(_Asked):
    """One table, without hidden cards."""

    command: Literal["inspect"] = "inspect"
    table: Name


class CloseTable(_Asked):
    """Close a table, and tell its players why."""

    command: Literal["close"] = "close"
    table: Name
    because: Text


class Drain(_Asked):
    """Stop this server, as SIGTERM does."""

    command: Literal["drain"] = "drain"


class ListBans(_Asked):
    """Who is not let in."""

    command: Literal["bans"] = "bans"


class AddBan(_Asked):
    """Let a player, by id, or a network not in for so many days. *because* is for those who run the house."""

    command: Literal["ban"] = "ban"
    what: Literal["player", "address"]
    who: Name
    days: Annotated[float, Field(gt=0, le=MOST_DAYS, allow_inf_nan=False)] = 30
    because: Text = ""


class LiftBan(_Asked):
    """Let somebody in again: the id of a ban, a player's id, an address or a network."""

    command: Literal["unban"] = "unban"
    who: Name


class ListReports(_Asked):
    """The reports that nobody has closed."""

    command: Literal["reports"] = "reports"


class OneReport(_Asked):
    """Read a report, or take it out of the queue."""

    command: Literal["report"] = "report"
    id: Name
    close: bool = False


Asked: TypeAlias = Annotated[
    ListTables
    | Inspect
    | CloseTable
    | Drain
    | ListBans
    | AddBan
    | LiftBan
    | ListReports
    | OneReport,
    Field(discriminator="command"),
]
ASKED: TypeAdapter[Asked] = TypeAdapter(Asked)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in one line."""

    table: str
    variant: str
    phase: str
    opened: float
    version: int
    size: int
    names: tuple[str | None, ...]
    here: int
    """So many persons are connected."""


@dataclass(frozen=True, slots=True)
class Sits:
    """Who sits in a seat, as far as those who run the house need it."""

    seat: int
    name: str
    player: str | None
    """None for a bot, and for whoever has left a match that goes on."""
    bot: str | None
    here: bool


@dataclass(frozen=True, slots=True)
class TableInside:
    """A table as everybody at it sees it, who sits there, and when something is due."""

    line: TableLine
    seats: tuple[Sits, ...]
    now: float
    alarm: float | None
    owes_record: bool
    public: Any
    """The JSON that every spectator is sent: nothing hidden is in it."""


@dataclass(frozen=True, slots=True)
class Tables:
    tables: tuple[TableLine, ...]
    more: int
    """So many open tables are not listed."""
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """It was done, and a sentence says what."""

    said: str


@dataclass(frozen=True, slots=True)
class BanLine:
    id: str
    what: str
    who: str
    since: float
    until: float
    because: str


@dataclass(frozen=True, slots=True)
class BanList:
    bans: tuple[BanLine, ...]


@dataclass(frozen=True, slots=True)
class ReportLines:
    """Reports as an operator reads them, in lines of plain text."""

    ids: tuple[str, ...]
    lines: tuple[str, ...]


Answer: TypeAlias = Tables | TableInside | Said | BanList | ReportLines
ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


class AdminNo(Exception):
    """What was asked cannot be done: a word for programs, and a sentence for people."""

    def __init__(self, word: str, because: str) -> None:
        super().__init__(because)
        self.word = word
