"""A change being written: the one mutable thing in the table's rooms, and it lives for a single command."""

from dataclasses import dataclass, replace
from typing import Any

from dormie_protocol.table_view import Seat
from dormie_rules.course_state import CourseState
from dormie_rules.drawers import State
from dormie_rules.game import AnyEvent, Step, tell
from dormie_rules.tuples import put
from dormie_server.table.clock import next_alarm
from dormie_server.table.state import Sitter, Table


@dataclass(frozen=True, slots=True)
class Change:
    """What a command did: the table now, what happened, and what the record will say about it."""

    table: Table
    events: tuple[AnyEvent, ...] = ()
    lines: tuple[str, ...] = ()
    version: int = 0
    """The version to name in the answer: the new one, or that of the first time."""
    seat: int | None = None
    generation: int = 0


class Draft:
    """The table as it will be, and what has happened so far."""

    def __init__(self, table: Table, now: float) -> None:
        self.before = table
        self.table = table
        self.now = now
        self.events: list[AnyEvent] = []
        self.lines: list[str] = []

    def public(self, **fields: Any) -> None:  # dataclasses.replace takes any field
        """Change what everybody sees."""
        state = replace(self.table.state, public=replace(self.table.public, **fields))
        self.table = replace(self.table, state=state)

    def secret(self, **fields: Any) -> None:  # as above
        """Change what is locked away."""
        state = replace(self.table.state, secret=replace(self.table.secret, **fields))
        self.table = replace(self.table, state=state)

    def seat(self, seat: int, **fields: Any) -> None:  # as above
        """Change a seat as everybody sees it."""
        seen = self.table.public.seats[seat]
        assert seen is not None, "somebody sits there"
        self.public(seats=put(self.table.public.seats, seat, replace(seen, **fields)))

    def sitter(self, seat: int, **fields: Any) -> None:  # as above
        """Change what is known of the one who sits there."""
        sitter = self.table.secret.sitters[seat]
        assert sitter is not None, "somebody sits there"
        self.secret(sitters=put(self.table.secret.sitters, seat, replace(sitter, **fields)))

    def sit(self, seat: int, seen: Seat | None, sitter: Sitter | None) -> None:
        """Put somebody, or nobody, in a seat."""
        self.public(seats=put(self.table.public.seats, seat, seen))
        self.secret(
            sitters=put(self.table.secret.sitters, seat, sitter),
            contributions=put(self.table.secret.contributions, seat, None),
        )

    def unready(self) -> None:
        """Nobody who is a person is ready any more."""
        self.public(
            seats=tuple(s and replace(s, ready=s.bot is not None) for s in self.table.public.seats)
        )

    def play(self, step: Step[CourseState]) -> None:
        """Take over what a step of the match did."""
        match = step.state
        public = replace(self.table.public, match=match.public)
        secret = replace(self.table.secret, hole=match.secret)
        self.table = replace(self.table, state=State(public, match.pockets, secret))
        self.events += step.events

    def tell(self, part: object) -> None:
        """Something happened, and everybody may hear of it."""
        self.events.append(tell(part))

    def note(self, *lines: str) -> None:
        """Write lines of the match's record."""
        self.lines += lines

    def done(self, seat: int | None = None, generation: int = 0) -> Change:
        """The change, with the version and the alarm that the table now has."""
        version = self.before.version + 1
        self.secret(alarm=next_alarm(self.table, self.now))
        self.table = replace(self.table, version=version)
        return Change(self.table, tuple(self.events), tuple(self.lines), version, seat, generation)


def unchanged(table: Table, version: int = 0, seat: int | None = None) -> Change:
    """Nothing new: answer as the first time, or with the present version."""
    return Change(table, version=version or table.version, seat=seat)
