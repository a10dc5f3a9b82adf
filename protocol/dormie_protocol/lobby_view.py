"""What is told about tables to people who are at none of them: in the lobby, and about their own.

These shapes are picked for the purpose, field by field. None of them has a place for a card, a grid,
a running score, or anybody's id.
"""

from dataclasses import dataclass

from dormie_protocol.table_view import Phase


@dataclass(frozen=True, slots=True)
class LobbyCard:
    """A listed table, as everybody in the house sees it."""

    table: str
    """Its code, for ``join`` and ``watch``."""
    variant: str
    options: tuple[str, ...]
    """What differs from the variant's usual way, like ``holes 1``."""
    size: int
    """How many seats it has."""
    taken: int
    """How many of them somebody sits in, person or bot."""
    free: int
    """How many of them one can take now."""
    here: int
    """How many persons in seats are connected."""
    phase: Phase
    host: str | None
    """The host's name."""
    turn_seconds: float
    since: float
    """When it was opened, on the server's clock."""
    password: bool = False
    """Whether one has to know a password to join or to watch."""
    locked: bool = False
    """Whether the host lets nobody new join."""
    spectators: bool = True
    """Whether one may watch without a seat."""
    open_to_watch: bool = False
    """Whether one may watch without the password that one needs to join."""


@dataclass(frozen=True, slots=True)
class Tables:
    """How many tables are open in each phase, listed or not."""

    lobby: int = 0
    starting: int = 0
    playing: int = 0
    between: int = 0
    over: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """Who is in the house, and where."""

    tables: Tables
    seated: int
    """Seats that belong to persons, at all open tables."""
    online: int
    """Players who are connected, at a table or not."""
    spectators: int
    """Connections that watch a table at which their player has no seat, one for each table."""


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table at which one has a seat."""

    table: str
    variant: str
    phase: Phase
    seat: int
    my_turn: bool
    """Whether the table waits for a move of one's own."""
    deadline: float | None
    """When the server acts by itself, on the server's clock."""
    names: tuple[str | None, ...]
    """Who sits there; None for a free seat."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that one has played to its end."""

    record: str
    """Its record is at ``/record/`` and this name."""
    when: float
    """When it ended, on the server's clock."""
    variant: str
    options: tuple[str, ...]
    """What differed from the variant's usual way."""
    holes: int
    """How many holes were played and scored."""
    names: tuple[str, ...]
    """Who played, by seat."""
    bots: tuple[str | None, ...]
    """For each seat the level of its bot, None for a person."""
    totals: tuple[int, ...]
    places: tuple[int, ...]
    seat: int
    """One's own."""
