"""What happens at the tables of a house, seen from within: nothing that honest people did not do themselves."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from dormie_rules.record import finish
from dormie_rules.replay import verify
from dormie_server.documents import read_table
from dormie_server.store import Store
from dormie_server.table.draft import Change
from tests.fuzz.honest import Person

_MARK = re.compile("~[0-9a-f]{12}")
_BY_HAND = ("move", "auto", "leave")


@dataclass
class Watched:
    """One table at which honest people sit, and every change that was kept of it."""

    code: str
    honest: list[Person]
    version: int = 0
    lines: list[str] = field(default_factory=list)
    made: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The moves made by each player, as the record has them."""
    harms: list[str] = field(default_factory=list)
    frozen: bytes | None = None
    """The document of a table at which nothing may happen."""

    def follow(self, change: Change) -> None:
        """A change was kept."""
        if self.frozen is not None:
            self._harm(f"changed at {change.version}: {[e.public for e in change.events]}")
        if change.version != self.version + 1:
            self._harm(f"version {change.version} after {self.version}")
        self.version = change.version
        self.lines += change.lines
        sitters = change.table.secret.sitters
        players = [sitter.player if sitter else None for sitter in sitters]
        for line in change.lines:
            word, _, rest = line.partition(" ")
            if word in _BY_HAND:
                seat, _, move = rest.partition(" ")
                player = players[int(seat) - 1]
                self.made[player or "nobody"].append(move if word == "move" else word)
        for person in self.honest:
            if person.player not in players:
                self._harm(f"an honest seat is gone at {change.version}")

    async def freeze(self, store: Store) -> None:
        """From now on nothing may happen here."""
        self.frozen = await self._document(store)

    async def check(self, store: Store) -> list[str]:
        """Everything that is not as it should be."""
        if self.frozen is not None and not await self._is_as_it_was(store):
            self._harm("the document has changed")
        for person in self.honest:
            if person.made[self.code] != self.made[person.player]:
                self._harm(f"made {self.made[person.player]}, sent {person.made[self.code]}")
            self.harms += person.harms
            person.harms.clear()
        harms, self.harms = self.harms, []
        return harms

    def record(self) -> str:
        """The first match's record, with the cards' marks taken off, as anybody would check it."""
        starts = [at for at, line in enumerate(self.lines) if line.startswith("dormie-record")]
        lines = self.lines[starts[0] : starts[1] if starts[1:] else None]
        whole = next(at for at, line in enumerate(lines) if line.startswith("places ")) + 1
        return finish([_MARK.sub("", line) for line in lines[:whole]])

    def check_record(self) -> list[str]:
        """What is wrong about the record of a match that is over."""
        verdict = verify(self.record())
        return [] if verdict.ok else [f"{self.code}: {verdict.because} (line {verdict.line})"]

    async def _is_as_it_was(self, store: Store) -> bool:
        now = await self._document(store)
        if not now and self.frozen:  # a table that was closed is forgotten some minutes later
            return read_table(self.frozen).table.public.phase == "closed"
        return now == self.frozen

    async def _document(self, store: Store) -> bytes:
        document = await store.get(f"table:{self.code}")
        return document.body if document else b""

    def _harm(self, what: str) -> None:
        self.harms.append(f"{self.code}: {what}")
