"""The log of one table, as the store has it, and what must be true of every line of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from dormie_protocol.messages import Heard
from dormie_protocol.table_view import Pocket, PublicEvent, TablePublic, TimeOut
from dormie_rules.drawers import hear, look
from dormie_rules.game import AnyEvent
from dormie_rules.grid_moves import read_move
from dormie_rules.patience_moves import read_patience_move
from dormie_server import documents
from dormie_server.documents import TableNote
from dormie_server.table.clock import turn_of
from dormie_server.table.draft import Change
from dormie_server.table.state import Table, course_of, match_of, seat_of
from tests.simulator.machine import Machine

Json = Any  # what JSON may hold

_PUBLIC: TypeAdapter[TablePublic] = TypeAdapter(TablePublic)
_POCKET: TypeAdapter[Pocket] = TypeAdapter(Pocket)
_TOLD: TypeAdapter[tuple[PublicEvent, ...]] = TypeAdapter(
    tuple[Annotated[PublicEvent, Field(discriminator="event")], ...]
)
_HEARD: TypeAdapter[tuple[Heard, ...]] = TypeAdapter(tuple[Heard, ...])


@dataclass(frozen=True, slots=True)
class Made:
    """A move that stands in the log."""

    player: str | None
    count: int
    move: Json
    for_them: bool = field(default=False, compare=False)
    """Whether a bot that sits in or the clock made it, which do not know what the player was refused."""


@dataclass(eq=False)
class Chapter:
    """One version of a table."""

    table: Table
    note: TableNote
    at: float
    by: Machine | None
    """Who wrote it."""
    made: tuple[Made, ...] = ()
    before: list["Chapter"] = field(default_factory=list)
    """The same with the notes it had, before they were rewritten."""
    _heard: dict[int | None, Json] = field(default_factory=dict)

    @cached_property
    def view(self) -> Json:
        """How the table looks to everybody."""
        return _PUBLIC.dump_python(self.table.public, mode="json")

    def pocket(self, seat: int | None) -> Json:
        """What only one seat knows."""
        if seat is None:
            return None
        return _POCKET.dump_python(self.table.state.pockets[seat], mode="json")

    def heard(self, seat: int | None) -> Json:
        """What a seat hears of what happened."""
        private = {owner for event in self.note.events for owner, _ in event.pockets}
        key = seat if seat in private else None
        if key not in self._heard:
            events: Sequence[AnyEvent] = self.note.events
            parts = (hear(event, key) for event in events)
            heard = tuple(Heard.model_construct(all=part, mine=mine) for part, mine in parts)
            self._heard[key] = _HEARD.dump_python(heard, mode="json")
        return self._heard[key]


@dataclass(eq=False)
class Story:
    """All versions of a table."""

    code: str
    fail: Callable[[str], None]
    chapters: list[Chapter] = field(default_factory=list)
    asked: dict[tuple[str, str], int] = field(default_factory=dict)
    """At which version each request of a player was done."""
    timeouts: set[Json] = field(default_factory=set)
    """The turns that ended by the clock."""

    @property
    def head(self) -> int:
        """The newest version."""
        return len(self.chapters)

    @property
    def last(self) -> Chapter:
        return self.chapters[-1]

    @property
    def over(self) -> bool:
        """Whether nothing is left to be done at the table."""
        return (
            self.last.table.public.phase in ("over", "closed")
            and self.last.table.secret.owes_record is None
        )

    def at(self, version: int) -> Chapter:
        return self.chapters[version - 1]

    def banned(self, player: str | None, version: int) -> bool:
        """Whether a player may see no more of the table at a version."""
        return player in self.at(version).table.secret.banned

    def seat_of(self, player: str | None, version: int) -> int | None:
        """Where a player sat at a version."""
        return seat_of(self.at(version).table, player) if player else None

    def moved(self, player: str | None, version: int) -> int:
        """Up to which version a player sat in another seat than at this one, or in none."""
        seat, table = self.seat_of(player, version), self.at(version).table
        sitter = None if seat is None else table.secret.sitters[seat]
        return sitter.since if sitter else 0

    def chain(self, version: int) -> str:
        """The chain at a version; that of version 0 is empty."""
        return self.at(version).note.chain if version else documents.NO_CHAIN

    def rewrite(self, notes: Mapping[int, bytes]) -> None:
        """Notes were written anew: whoever was forgotten is called otherwise. The chain stays."""
        for version, body in notes.items():
            chapter, note = self.at(version), documents.read_note(body)
            if note.chain != chapter.note.chain:
                self.fail(f"{self.code} {version} has another chain since it was rewritten")
            chapter.before.append(replace(chapter, before=[], _heard={}))
            chapter.note = note
            chapter._heard.clear()  # noqa: SLF001 - it is of this module

    def tells(self, told: Json, after: int, seats: Sequence[int | None]) -> bool:
        """Whether somebody was told what happened after a version, who sat there, version by version.

        Who reads while notes are rewritten may be told what they said before.
        """
        rest = list(told)
        for at, seat in enumerate(seats, after + 1):
            chapter = self.at(at)
            heard = next(
                (
                    heard
                    for one in (chapter, *chapter.before)
                    if rest[: len(heard := one.heard(seat))] == heard
                ),
                None,
            )
            if heard is None:
                return False
            del rest[: len(heard)]
        return not rest

    def write(
        self,
        version: int,
        body: bytes,
        note: bytes | None,
        alarm: float | None,
        at: float,
        by: Machine | None,
    ) -> Change | None:
        """A put was kept; returns what it did, unless something is wrong with it."""
        before = self.last if self.chapters else None
        if version != self.head + 1 or note is None:
            self.fail(f"{self.code} went from version {self.head} to {version}")
            return None
        kept, read = documents.read_table(body), documents.read_note(note)
        chapter = Chapter(kept.table, read, at, by)
        self._check(chapter, version, kept.chain, alarm)
        chapter.made = self._moves(before.table if before else None, chapter)
        self._check_answers(version, kept.table)
        if before is not None:
            self._check_clock(before.table, chapter)
        self.chapters.append(chapter)
        return Change(kept.table, read.events, read.lines, version=version)

    def _check(self, chapter: Chapter, version: int, chain: str, alarm: float | None) -> None:
        table, read = chapter.table, chapter.note
        players = [who.player for who in table.secret.sitters if who and who.player]
        if len(players) != len(set(players)):
            self.fail(f"{self.code} {version} has two seats for one player: {players}")
        told = _TOLD.dump_json(tuple(event.public for event in read.events))
        after = documents.next_chain(self.chain(self.head), told)
        if table.version != version:
            self.fail(f"{self.code} {version} holds a table of version {table.version}")
        if not after == read.chain == chain:
            self.fail(f"{self.code} {version} does not follow from {version - 1}")
        waits = table.public.phase != "closed" or table.secret.owes_record is not None
        if alarm != table.secret.alarm or (waits and alarm is None):
            self.fail(f"{self.code} {version} waits in {table.public.phase} without an alarm")
        if table.public.phase == "playing" and not _goes_on(table):
            self.fail(
                f"{self.code} {version} waits, and nobody can do anything before it idles away"
            )

    def _moves(self, before: Table | None, chapter: Chapter) -> tuple[Made, ...]:
        """The moves of a version; every seat's own are numbered without a hole."""
        lines = [line.split(" ", 2) for line in chapter.note.lines]
        moves = [
            (int(word[1]) - 1, word[2], word[0] == "auto")
            for word in lines
            if word[0] in ("move", "auto")
        ]
        made: list[Made] = []
        grid = chapter.table.about.game == "grid"
        read: Callable[[str], Any] = read_move if grid else read_patience_move
        clocks = before.public.clocks if before is not None else None
        counts: dict[int, int] = {}
        for seat, text, by_clock in moves:
            old = before.public.seats[seat] if before is not None else None
            counts[seat] = counts.get(seat, old.count if old else 0) + 1
            sitter = chapter.table.secret.sitters[seat]
            move = asdict(read(text))
            bot = clocks is not None and clocks.sits_in[seat] is not None
            player = sitter.player if sitter else None
            made.append(Made(player, counts[seat], move, bot or by_clock))
        for seat, count in counts.items():
            who = chapter.table.public.seats[seat]
            if who is None or who.count != count:
                self.fail(f"{self.code} {self.head + 1}: seat {seat} made {count} moves, not {who}")
        return tuple(made)

    def _check_answers(self, version: int, table: Table) -> None:
        """A request under an id is done once."""
        for answer in table.secret.answers:
            if answer.version == version:
                key = (answer.player, answer.id)
                if key in self.asked:
                    self.fail(
                        f"{self.code}: {answer.id} was done at {self.asked[key]} and {version}"
                    )
                self.asked[key] = version

    def _check_clock(self, before: Table, chapter: Chapter) -> None:
        """A turn ends by the clock once, and not before its time."""
        if not any(isinstance(event.public, TimeOut) for event in chapter.note.events):
            return
        turn = (before.about.match, turn_of(before))
        deadline = before.public.deadline
        if turn in self.timeouts:
            self.fail(f"{self.code} {self.head + 1}: the clock ended {turn} twice")
        if deadline is None or chapter.at < deadline:
            self.fail(f"{self.code} {self.head + 1}: the clock ended {turn} before {deadline}")
        self.timeouts.add(turn)


def _goes_on(table: Table) -> bool:
    """Whether a match that is played waits for somebody who can move, or for its next hole."""
    course, match = course_of(table), match_of(table)
    if course.wants_deal(match):
        return True
    return any(course.moves(look(match, seat)) for seat in course.waiting_for(match))
