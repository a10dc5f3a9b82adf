"""A change being written: the one mutable thing in the table's rooms, and it lives for a single command."""

from typing import Any, NamedTuple

from dormie_protocol.games import Pocket
from dormie_protocol.table_view import About, Fairness, Seat
from dormie_rules.drawers import State
from dormie_rules.game import AnyEvent, Step, tell
from dormie_rules.tuples import put
from dormie_rules.values import replace
from dormie_server.table.clock import earlier, next_alarm, turn_in
from dormie_server.table.state import MatchState, Sitter, Table


class Change(NamedTuple):
    """What a command did: the table now, what happened, and what the record will say about it."""

    table: Table
    events: tuple[AnyEvent, ...] = ()
    lines: tuple[str, ...] = ()
    version: int = 0
    """The version to name in the answer: the new one, or that of the first time."""
    seat: int | None = None
    generation: int = 0
    chain: str | None = None
    """The chain at that version, once it was kept."""


class Draft:
    """The table as it will be, and what has happened so far.

    What changes is collected, and put together only when somebody looks.
    """

    def __init__(self, table: Table, now: float) -> None:
        self.before = table
        self.now = now
        self.events: list[AnyEvent] = []
        self.lines: list[str] = []
        self._table = table
        self._about = table.about
        self._fairness = table.fairness
        self._pockets = table.state.pockets
        self._public: dict[str, Any] = {}
        self._secret: dict[str, Any] = {}
        self._touched = False

    @property
    def table(self) -> Table:
        """The table as it is now, still under its old version."""
        if self._touched:
            self._table = self._put_together(self.before.version)
        return self._table

    def shown(self, field: str) -> Any:  # whatever type the field has
        """A field of what everybody sees, as it is now, without putting the whole table together."""
        public = self._public
        return public[field] if field in public else getattr(self._table.state.public, field)

    def locked(self, field: str) -> Any:  # as above
        """A field of what is locked away, as it is now."""
        secret = self._secret
        return secret[field] if field in secret else getattr(self._table.state.secret, field)

    def public(self, **fields: Any) -> None:  # dataclasses.replace takes any field
        """Change what everybody sees."""
        self._public.update(fields)
        self._touched = True

    def secret(self, **fields: Any) -> None:  # as above
        """Change what is locked away."""
        self._secret.update(fields)
        self._touched = True

    def pockets(self, pockets: tuple[Pocket, ...]) -> None:
        """Give every seat its pocket."""
        self._pockets = pockets
        self._touched = True

    def match(self, about: About, fairness: Fairness) -> None:
        """Change what stays the same while a match lasts."""
        self._about, self._fairness = about, fairness
        self._touched = True

    def seat(self, seat: int, **fields: Any) -> None:  # as above
        """Change a seat as everybody sees it."""
        seats = self.shown("seats")
        seen = seats[seat]
        assert seen is not None, "somebody sits there"
        self.public(seats=put(seats, seat, replace(seen, **fields)))

    def sitter(self, seat: int, **fields: Any) -> None:  # as above
        """Change what is known of the one who sits there."""
        sitters = self.locked("sitters")
        sitter = sitters[seat]
        assert sitter is not None, "somebody sits there"
        self.secret(sitters=put(sitters, seat, replace(sitter, **fields)))

    def sit(self, seat: int, seen: Seat | None, sitter: Sitter | None) -> None:
        """Put somebody, or nobody, in a seat."""
        public, secret = self.table.public, self.table.secret
        if sitter is not None:
            sitter = replace(sitter, since=self.before.version)
        self.public(seats=put(public.seats, seat, seen))
        self.secret(
            sitters=put(secret.sitters, seat, sitter),
            contributions=put(secret.contributions, seat, None),
        )

    def unready(self) -> None:
        """Nobody who is a person is ready any more."""
        self.public(
            seats=tuple(s and replace(s, ready=s.bot is not None) for s in self.table.public.seats)
        )

    def play(self, step: Step[MatchState]) -> None:
        """Take over what a step of the match did."""
        match = step.state
        self._pockets = match.pockets
        self.public(match=match.public)
        self.secret(hole=match.secret)
        if self.locked("past"):  # what happens may have shown a card
            self.secret(past=())
        self.events += step.events

    def tell(self, part: object) -> None:
        """Something happened, and everybody may hear of it."""
        self.events.append(tell(part))

    def note(self, *lines: str) -> None:
        """Write lines of the match's record."""
        self.lines += lines

    def done(self, seat: int | None = None, generation: int = 0) -> Change:
        """The change, with the version and the alarm that the table now has."""
        plain = self.shown("clocks") is None and not self.locked("owes_record")
        if plain and turn_in(self.shown("phase"), self.shown("match")):
            # Nearly always: somebody's turn, and then the whole table need not be looked at.
            self._secret["alarm"] = earlier(self.shown("deadline"), self.locked("bot_at"))
            table = self._put_together(self.before.version + 1)
        else:
            table = self._put_together(self.before.version + 1)
            self._table, self._secret = table, {"alarm": next_alarm(table, self.now)}
            table = self._put_together(table.version)
        return Change(table, tuple(self.events), tuple(self.lines), table.version, seat, generation)

    def _put_together(self, version: int) -> Table:
        """The table with everything that was collected, which is forgotten: the table has it."""
        public, secret = self._table.state.public, self._table.state.secret
        if self._public:
            public = replace(public, **self._public)
        if self._secret:
            secret = replace(secret, **self._secret)
        self._public, self._secret, self._touched = {}, {}, False
        return Table(version, self._about, self._fairness, State(public, self._pockets, secret))


def unchanged(table: Table, version: int = 0, seat: int | None = None) -> Change:
    """Nothing new: answer as the first time, or with the present version."""
    return Change(table, version=version or table.version, seat=seat)
