"""What a table knows: the same three drawers as a game, and what surrounds them."""

from dataclasses import dataclass, field
from typing import TypeAlias

from dormie_protocol.games import AnyMove, MatchPublic, Pocket
from dormie_protocol.table_view import About, Fairness, TablePublic
from dormie_rules.drawers import State
from dormie_rules.grid_undo import Before
from dormie_server.table.games import GAMES
from dormie_server.table.kind import Course, HoleSecret, Kind

Turn: TypeAlias = tuple[int, int, int | None]
"""What a deadline is for: the hole, the turns played in it, and whose turn it is. None in setup, and in a
race: several may move then, and the clock is one that they share."""

MatchState: TypeAlias = State[MatchPublic, Pocket, HoleSecret | None]


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who really sits in a seat, which nobody else needs to know."""

    player: str | None
    """None for a bot, and for a seat whose player left in mid-match."""
    generation: int = 0
    """Raised whenever another connection takes the seat over: what the older one sends is refused."""
    server: str | None = None
    """The server that serves the player's connection, None when there is none."""
    since: int = 0
    """The version up to which another sat where this one sits now, or nobody did."""
    run: str = ""
    """The run of the program that plays the seat or played it last, as far as it said so."""
    line: int = 0
    """The number of its connection: what an older one says late does not take the seat back."""
    last_move: AnyMove | None = None
    last_version: int = 0
    """The last move made and the version it made, so that it can be answered again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A request that was done, kept so that it is not done twice."""

    player: str
    id: str
    digest: str
    """What was asked, in short: the same id with something else is a mistake."""
    version: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class Policy:
    """How patient a table is, in seconds; a table keeps what it was opened with."""

    pause: float = 10.0
    """Between two holes."""
    gather: float = 10.0
    """For contributions to luck, once a match is to start."""
    lobby: float = 1800.0
    """For seats to fill, and after a match for a rematch."""
    idle: float = 1800.0
    """For any person to do anything while a match is on."""
    pace: float = 1.0
    """How long bots pretend to think; 0 is not at all."""


@dataclass(frozen=True, slots=True)
class TableSecret:
    """What is locked away: who sits where, the luck to come, and the hole's own secrets."""

    master: str = field(repr=False)
    """256 random bits in hexadecimal, from which every chain of this table is derived."""
    policy: Policy
    contributions: tuple[str | None, ...]
    """What each seat sent for the luck of the match to come."""
    sitters: tuple[Sitter | None, ...]
    last_human: float
    """When a person last did something."""
    wish: str = ""
    """The request that opened the table, in short."""
    answers: tuple[Answer, ...] = ()
    generations: int = 0
    """How many connections have taken a seat here: the last generation given out."""
    founder: str = ""
    """The player who opened the table or was handed it, and is its host again whenever it can be."""
    salt: str = ""
    """What every password of this table is hashed with."""
    key: str | None = field(default=None, repr=False)
    """The hash of the password; None where everybody may come who knows the code."""
    banned: tuple[str, ...] = field(default=(), repr=False)
    """The players who may neither join nor watch any more, the newest last."""
    dealer: int | None = None
    """The first dealer of this match, when it was not left to luck."""
    opener: int | None = None
    """Who dealt the first hole of this match."""
    began: int = 0
    """The version at which this match began: its record is in the notes from there on."""
    owes_record: tuple[int, int] | None = None
    """The match whose record is not kept yet, and the version at which it began."""
    turn: Turn | None = None
    bot_for: tuple[int, int] | None = None
    """The bot that is thinking, and how many moves it has made."""
    bot_at: float | None = None
    """When the bot whose turn it is has thought enough."""
    hole: HoleSecret | None = field(default=None, repr=False)
    opened: float = 0.0
    """When the table was opened."""
    quick: bool = False
    """Whether a match starts by itself as soon as every seat is taken."""
    cast: tuple[str | None, ...] = ()
    """Who began this match, by seat, None for a bot: it is in their history, even if they left."""
    past: tuple[Before, ...] = field(default=(), repr=False)
    """What can be taken back, the newest last; nothing at tables without undo."""
    alarm: float | None = None
    """When the table wants to be woken; None only when it is closed."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one version."""

    version: int
    about: About
    fairness: Fairness
    state: State[TablePublic, Pocket, TableSecret]

    @property
    def public(self) -> TablePublic:
        """What everybody sees."""
        return self.state.public

    @property
    def secret(self) -> TableSecret:
        """What nobody sees."""
        return self.state.secret


def kind_of(table: Table) -> Kind:
    """What there is to know of the game that this table hosts."""
    return GAMES[table.about.game]


def course_of(table: Table) -> Course:
    """The match this table plays."""
    return GAMES[table.about.game].course(table.about.rules, len(table.state.public.seats))


def day_of(table: Table) -> str | None:
    """The day whose hole this table plays, by its date; None for all other tables."""
    given = table.about.given
    return given.day if given is not None else None


def least(table: Table) -> int:
    """How many players a match here needs: one at a table that was opened for one, else two."""
    return min(2, table.about.size)


def match_of(table: Table) -> MatchState:
    """The match as its own three drawers; only when one is on."""
    state = table.state
    assert state.public.match is not None, "a match is on"
    return State(state.public.match, state.pockets, state.secret.hole)


def seat_of(table: Table, player: str, guess: int | None = None) -> int | None:
    """Where *player* sits, or None; *guess* is where it was the last time, and is looked at first."""
    sitters = table.state.secret.sitters
    if guess is not None and guess < len(sitters):
        sitter = sitters[guess]
        if sitter is not None and sitter.player == player:
            return guess
    for seat, sitter in enumerate(sitters):
        if sitter is not None and sitter.player == player:
            return seat
    return None


def people(table: Table) -> tuple[int, ...]:
    """The seats that belong to persons."""
    sitters = enumerate(table.secret.sitters)
    return tuple(seat for seat, sitter in sitters if sitter is not None and sitter.player)


def people_here(table: Table) -> tuple[int, ...]:
    """The seats of persons who are connected."""
    return tuple(s for s in people(table) if (seat := table.public.seats[s]) and seat.here)


def in_match(table: Table, seat: int) -> bool:
    """Whether *seat* is not out of the match that is on."""
    match = table.public.match
    return match is None or match.out[seat] is None


def players(table: Table) -> tuple[int, ...]:
    """The seats that can play another match: of persons, here or away, and of bots."""
    persons, seats = people(table), table.public.seats
    return tuple(s for s in taken(table) if s in persons or ((who := seats[s]) and who.bot))


def taken(table: Table) -> tuple[int, ...]:
    """The seats that somebody sits in, person or bot."""
    return tuple(seat for seat, who in enumerate(table.public.seats) if who is not None)
