"""Looking through every frame of whole matches for what its reader cannot know.

The cards have names nobody can guess (`tests.leaks.marked`). What each player has seen, and from which
version on, follows from the lines of the record and the cards that were dealt, by the rules alone; what
anybody was shown is never asked. Then no frame may name a card that its reader has not seen by then.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from dormie_protocol.table_view import LinkShown, MatchBegan
from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseState, MatchOver
from dormie_rules.game import Deal
from dormie_rules.grid_moves import read_move
from dormie_server.table import fair
from dormie_server.table.commands import DealHole
from dormie_server.table.draft import Change
from dormie_server.table.state import Table
from tests.grid_only import grid_rules
from tests.leaks import Leak, Witness, mark, marked
from tests.rules.playing import Doing, Left, Made, do

MARK = re.compile(r"~([0-9a-f]{12})")
SEEN = re.compile(r'\{"type":"seen","table":"(\w+)","after":\d+,"version":(\d+),')
NEVER = 1 << 60

Reader = str | None
"""A player, or None for somebody who only watches."""


class Packs:
    """Deals marked cards: the same ones however often it is asked for the same hole."""

    def __init__(self) -> None:
        self.dealt: dict[tuple[str, int, int], Deal] = {}

    def deal(self, table: Table) -> DealHole:
        honest = fair.next_deal(table)
        name = (table.about.table, table.about.match, honest.hole)
        pack = marked(honest.pack, Random(repr(name)))
        self.dealt[name] = Deal(pack, honest.luck)
        return DealHole(honest.hole, pack, honest.luck)


@dataclass
class Knowledge:
    """Who has seen what at one table, and from which version on."""

    packs: Packs
    since: dict[Reader, dict[str, int]] = field(default_factory=dict)
    """For each reader the marks of the cards seen."""
    secrets: dict[str, int] = field(default_factory=dict)
    """Other texts that nobody may read before a version."""
    sitters: dict[int, tuple[str | None, ...]] = field(default_factory=dict)
    """At each version, who sits where."""
    _course: GridCourse | None = None
    _state: CourseState | None = None
    _witness: Witness | None = None
    _past: list[CourseState] = field(default_factory=list)
    """The states before the moves that were made since the last deal."""

    def follow(self, change: Change) -> None:
        """Take in what the record says of a change, and the table after it."""
        table = change.table
        self._remember_secrets(change)
        if any(line.startswith("dormie-record") for line in change.lines):
            self._course = GridCourse(grid_rules(table.about.rules), len(table.public.seats))
            self._state = self._course.start(table.secret.dealer)
            self._witness = Witness(self._course.seats)
        for line in change.lines:
            if line.startswith("undo "):  # whoever has seen a card goes on having seen it
                self._state = self._past.pop()
            elif (doing := self._doing(table, line)) is not None:
                self._do(doing)
        self._check(table)
        who = tuple(sitter.player if sitter else None for sitter in table.secret.sitters)
        self.sitters[table.version] = who
        for seat, player in enumerate(who):
            self._saw(player, seat, table.version) if player else None
        self._saw(None, None, table.version)

    def unseen(self, seat: int | None) -> list[Card]:
        """The cards of this hole that a seat, or somebody who watches, has not seen."""
        assert self._witness is not None, "a match is on"
        return self._witness.unseen(seat)

    def hidden(self, reader: str, version: int, text: str) -> list[str]:
        """What *text* names that *reader* cannot have seen by *version*."""
        everybody = self.since.get(None, {})
        mine = self.since.get(reader, {}) if reader in self.sitters.get(version, ()) else {}
        cards = [
            name
            for name in MARK.findall(text)
            if min(everybody.get(name, NEVER), mine.get(name, NEVER)) > version
        ]
        return cards + [
            secret for secret, told in self.secrets.items() if told > version and secret in text
        ]

    def _remember_secrets(self, change: Change) -> None:
        table, version = change.table, change.table.version
        self.secrets.setdefault(table.secret.master, NEVER)
        for given in table.secret.contributions:
            if given and not repeats(given):  # what anybody may say, too, tells nothing
                self.secrets.setdefault(given, NEVER)
        hole = table.public.match.hole if table.public.match else 0
        for number in (hole, hole + 1):
            if number:
                link = fair.link(table.secret.master, table.about.match, number).hex()
                self.secrets.setdefault(link, NEVER)
        for event in change.events:
            match event.public:
                case LinkShown(_, link):
                    self.secrets[link] = min(version, self.secrets.get(link, NEVER))
                case MatchBegan(contributions):
                    for given in contributions:
                        if given:
                            self.secrets[given] = min(version, self.secrets.get(given, NEVER))
                case _:
                    pass  # whatever else happens tells no secret

    def _doing(self, table: Table, line: str) -> Doing | None:
        word, _, rest = line.partition(" ")
        if word == "hole":
            return self.packs.dealt[table.about.table, table.about.match, int(rest)]
        if word in ("move", "auto"):
            seat, _, move = rest.partition(" ")
            return Made(int(seat) - 1, read_move(move))
        return Left(int(rest) - 1) if word == "leave" else None

    def _do(self, doing: Doing) -> None:
        assert self._course is not None, "a match is on"
        assert self._state is not None, "a match is on"
        assert self._witness is not None, "a match is on"
        after = do(self._course, self._state, doing).state
        if self._state.secret is not None or isinstance(doing, Deal):
            self._witness.watch(self._state, doing, after)
        self._past = [*self._past, self._state] if isinstance(doing, Made) else []
        self._state = after

    def _check(self, table: Table) -> None:
        """What follows from the record is what the server has."""
        if self._state is not None and table.public.match is not None:
            assert self._state.public == table.public.match
            assert self._state.pockets == table.state.pockets

    def _saw(self, reader: Reader, seat: int | None, version: int) -> None:
        if self._witness is None or not self._witness.seen:
            return
        known = self.since.setdefault(reader, {})
        for card in self._witness.seen[seat]:
            known.setdefault(mark(card).decode(), version)


class LeakScan:
    """The eyes on a whole house: every table's changes go in, and every frame that anybody got."""

    def __init__(self) -> None:
        self.packs = Packs()
        self.tables: dict[str, Knowledge] = {}
        self._at: dict[str, int] = {}
        self.matches = 0
        """Whole matches, from the first card to the last."""
        self.frames = 0
        self.marks = 0
        """Cards that were rightly shown: a scan that sees none is blind."""

    def follow(self, change: Change) -> None:
        """A change was kept."""
        if change.version:
            code = change.table.about.table
            self.tables.setdefault(code, Knowledge(self.packs)).follow(change)
            ended = change.table.public.phase in ("over", "closed")
            self.matches += any(isinstance(event.public, MatchOver) for event in change.events)
            self._at[code] = NEVER if ended else change.version

    def progress(self, code: str) -> int:
        """The version a table is at; when its match is over, more than any version."""
        return self._at.get(code, 0)

    def check_frames(self, reader: str, frames: Iterable[str]) -> None:
        """Raise Leak for the first frame that tells *reader* what it cannot know."""
        for frame in frames:
            self.frames += 1
            found = SEEN.match(frame)
            if found is None:
                self.check_text(frame, "a message that is no view")
                continue
            code, version = found[1], int(found[2])
            self.marks += frame.count("~")
            if hidden := self.tables[code].hidden(reader, version, frame):
                raise Leak(f"{reader} is told {hidden[0]} at {code} {version}: {frame[:300]}")

    def check_text(self, text: str, what: str) -> None:
        """Raise Leak if a text for anybody names a card, or what is never told."""
        never = [
            s
            for table in self.tables.values()
            for s, told in table.secrets.items()
            if told == NEVER
        ]
        if hidden := MARK.findall(text) + [secret for secret in never if secret in text]:
            raise Leak(f"{what} tells {hidden[0]}: {text[:300]}")


def repeats(text: str) -> bool:
    """Whether a text is one shorter text again and again, as nobody's luck makes it.

    >>> repeats("00000000"), repeats("abababab"), repeats("5ecd7f0a")
    (True, True, False)
    """
    return text in (text + text)[1:-1]
