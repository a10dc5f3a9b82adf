"""A whole evening at one table, played without a clock, a network or a disk.

The evening owns the time and the luck; every change goes through the same documents and notes as in the
server, so that whatever cannot be written down and read back fails here.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from dormie_protocol.clocks import Clock
from dormie_protocol.games import Move
from dormie_protocol.table_view import Seat
from dormie_rules.drawers import look
from dormie_rules.game import AnyEvent
from dormie_rules.grid_moves import GridMove
from dormie_rules.record import finish
from dormie_server import documents
from dormie_server.documents import Kept
from dormie_server.house_bots import bot_move
from dormie_server.pen import Pen, write_table
from dormie_server.table import fair
from dormie_server.table.clock import waiting_bot
from dormie_server.table.commands import (
    Asked,
    Attach,
    Command,
    Join,
    Opening,
    PlayMove,
    Ready,
    RecordKept,
    Request,
    Wake,
)
from dormie_server.table.draft import Change
from dormie_server.table.handle import handle
from dormie_server.table.opening import open_table
from dormie_server.table.state import Policy, Table, course_of, match_of, seat_of

CODE = "ABCDEFGH"
HOST = "p-ada"


class CountingLuck:
    """Luck that is the same every evening."""

    def __init__(self, seed: str = "evening") -> None:
        self._seed = seed
        self._drawn = 0

    def draw(self, size: int = 32) -> bytes:
        self._drawn += 1
        return hashlib.sha256(f"{self._seed} {self._drawn}".encode()).digest()[:size]


@dataclass
class Evening:
    """One table from its opening on."""

    variant: str = "six_card"
    options: dict[str, object] = field(default_factory=lambda: {"holes": 2})
    size: int = 2
    bots: tuple[str, ...] = ()
    policy: Policy = field(default_factory=lambda: Policy(pace=0))
    now: float = 1000.0
    seed: str = "evening"
    clock: Clock | None = None
    undo: bool = False

    def __post_init__(self) -> None:
        self.luck = CountingLuck(self.seed)
        opening = Opening(
            CODE,
            HOST,
            "Ada",
            self.variant,
            dict(self.options),
            self.size,
            self.clock.turn_seconds if self.clock else 60.0,
            self.bots,
            self.luck.draw().hex(),
            clock=self.clock,
            undo=self.undo,
        )
        self.reader = Pen()
        self.chain = documents.NO_CHAIN
        self.changes: list[Change] = []
        self.lines: list[str] = []
        self.requests = 0
        self._keep(open_table(opening, self.policy, self.now))

    @property
    def phase(self) -> str:
        return self.table.public.phase

    @property
    def told(self) -> list[AnyEvent]:
        """Every event of the evening."""
        return [event for change in self.changes for event in change.events]

    def do(self, command: Command) -> Change:
        """Give the table a command; raises its No."""
        change = handle(self.table, command, self.now)
        if change.table is not self.table:
            self._keep(change)
        return change

    def ask(self, player: str, request: Request, number: str | None = None) -> Change:
        """Ask something under a new id, or under the one given."""
        self.requests += 1
        return self.do(Asked(player, number or f"r{self.requests}", request))

    def come(self, player: str, name: str) -> int:
        """Let somebody join and connect."""
        seat = self.ask(player, Join(name)).seat
        self.do(Attach(player, "server-1"))
        assert seat is not None, "whoever joins has a seat"
        return seat

    def begin(self, *others: str) -> None:
        """Let the host and *others* come and be ready, and deal the first hole."""
        self.do(Attach(HOST, "server-1"))
        for player in others:
            self.come(player, player.removeprefix("p-").title())
        for player in (HOST, *others):
            self.ask(player, Ready("ab" * 16))
        self.ring()

    def seat(self, seat: int) -> Seat:
        """Who sits there, as everybody sees it."""
        seen = self.table.public.seats[seat]
        assert seen is not None, "somebody sits there"
        return seen

    def moves(self, seat: int) -> Sequence[GridMove]:
        """What a seat may play."""
        return course_of(self.table).moves(look(match_of(self.table), seat))

    def waiting(self) -> tuple[int, ...]:
        """The seats the match waits for."""
        if self.phase != "playing":
            return ()
        return course_of(self.table).waiting_for(match_of(self.table))

    def play(self, seat: int, move: Move, count: int | None = None) -> Change:
        """Make a person's move from the newest connection."""
        sitter = self.table.secret.sitters[seat]
        assert sitter is not None, "somebody sits there"
        assert sitter.player is not None, "and it is a person"
        number = self.seat(seat).count + 1 if count is None else count
        return self.do(PlayMove(sitter.player, sitter.generation, number, move))

    def where(self, player: str) -> int:
        """The seat of a player."""
        seat = seat_of(self.table, player)
        assert seat is not None, "the player has a seat"
        return seat

    def ring(self) -> None:
        """Do everything whose time has come, as the server's alarms would."""
        while (alarm := self.table.secret.alarm) is not None and alarm <= self.now:
            before, command = self.table, self.due()
            self.do(command)
            assert self.table.state != before.state, f"{command} at the alarm does nothing"

    def sleep(self) -> None:
        """Let time pass until the table wants to be woken, and wake it."""
        assert self.table.secret.alarm is not None, "the table waits for something"
        self.now = max(self.now, self.table.secret.alarm)
        self.ring()

    def record(self) -> str:
        """The record of the match that is over."""
        first = max(i for i, line in enumerate(self.lines) if line.startswith("dormie-record"))
        return finish(self.lines[first:])

    def due(self) -> Command:
        """What the table needs now."""
        if self.table.secret.owes_record:
            return RecordKept(self.table.secret.owes_record[0])
        if self.phase in ("playing", "between"):
            if course_of(self.table).wants_deal(match_of(self.table)):
                return fair.next_deal(self.table)
            if waiting_bot(self.table) is not None and self._bot_has_thought():
                return bot_move(self.table, self.luck) or Wake()
        return Wake()

    def _bot_has_thought(self) -> bool:
        return self.now >= (self.table.secret.bot_at or self.now)

    def _keep(self, change: Change) -> None:
        self.changes.append(change)
        self.lines += change.lines
        texts = documents.write_events(change.events)
        self.chain, note = documents.write_note(self.chain, texts, change.lines)
        read = documents.read_note(note)
        assert [e.public for e in change.events] == [e.public for e in read.events]
        body = write_table(Kept(change.table, self.chain))
        kept = documents.read_table(body)
        assert change.table == kept.table, "a table that is written down is read back as it was"
        assert kept == self.reader.read(body), "also by who knows what was there before"
        self.table: Table = kept.table
