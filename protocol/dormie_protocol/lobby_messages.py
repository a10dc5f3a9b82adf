"""Messages about tables one is not at: finding one, one's own, and the matches one has played."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from dormie_protocol.fields import FromClient, FromServer, Word
from dormie_protocol.lobby_view import Counts, LobbyCard, OwnTable, Played

LISTED_AT_ONCE = 100
"""So many tables at most are told of; the others are counted."""
HISTORY_KEPT = 200
"""So many matches of a player are remembered, the newest."""

RecordName = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9-]{10,20}$")]


class Lobby(FromClient):
    """Ask for the listed tables: of one *variant* or any, with *free* only those one can join.

    The answer is ``lobby_seen``. With *follow* it is told again whenever it has changed, at most once
    a second, for as long as this connection lasts; with *follow* false no longer; without, what this
    connection follows stays as it is.
    """

    type: Literal["lobby"] = "lobby"
    variant: Word | None = None
    free: bool = False
    follow: bool | None = None


class Quick(FromClient):
    """Take a seat at the best listed table that waits for players, or open one.

    *variant* and *size* are wishes; null is any. Whoever waits at such a table already stays there.
    """

    type: Literal["quick"] = "quick"
    variant: Word | None = None
    size: Annotated[int, Field(ge=2, le=6)] | None = None


class Mine(FromClient):
    """Ask at which tables one has a seat, and where it is one's turn. The answer is ``mine_seen``."""

    type: Literal["mine"] = "mine"


class History(FromClient):
    """Ask which matches one has played. The answer is ``history_seen``, newest first.

    *before* is the record of the last match of the page before.
    """

    type: Literal["history"] = "history"
    before: RecordName | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class LobbySeen(FromServer):
    """The listed tables, best first, and how many people and tables there are in all."""

    type: Literal["lobby_seen"] = "lobby_seen"
    re: str
    """The request that asked, be it long ago."""
    tables: tuple[LobbyCard, ...]
    more: int
    """How many others would have fitted."""
    counts: Counts


class MineSeen(FromServer):
    """The tables at which one has a seat, those that wait for one first."""

    type: Literal["mine_seen"] = "mine_seen"
    re: str
    tables: tuple[OwnTable, ...]


class HistorySeen(FromServer):
    """Matches one has played, newest first."""

    type: Literal["history_seen"] = "history_seen"
    re: str
    matches: tuple[Played, ...]
    more: bool
    """Whether older ones are remembered."""
