"""Looking through every frame of races for cards that their reader has not seen.

The cards have names nobody can guess. What each seat has seen follows from the deal and the lines of the
record alone: its columns and the first card of the foundation when the hole is dealt, a card of the stock
with every draw, and everything when the hole is over. Whoever watches sees nothing before that.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from dormie_rules.cards import Card
from dormie_server.table.draft import Change
from dormie_server.table.state import Table
from tests.leaks import Leak
from tests.server.leak_scan import MARK, NEVER, SEEN, Packs

TABLEAU = 35
"""So many cards lie open from the beginning, and one more is the foundation's."""


@dataclass
class RaceKnowledge:
    """Who has seen what at one table, and from which version on."""

    packs: Packs
    since: dict[str | None, dict[str, int]] = field(default_factory=dict)
    """For each reader the marks of the cards seen; None is everybody."""
    _stock: list[Card] = field(default_factory=list)
    _pack: list[Card] = field(default_factory=list)
    _drawn: dict[str, int] = field(default_factory=dict)

    def follow(self, change: Change) -> None:
        """Take in what the record says of a change."""
        for line in change.lines:
            word, _, rest = line.partition(" ")
            if word == "hole":
                self._deal(change.table, int(rest))
            elif word == "link":
                self._sees(None, self._pack, change.version)
            elif word in ("move", "auto") and rest.endswith(" draw"):
                self._draw(change.table, rest.split(" ")[0], change.version)

    def hidden(self, reader: str, version: int, text: str) -> list[str]:
        """The cards that *text* names and *reader* cannot have seen by *version*."""
        known = self.since.get(None, {}), self.since.get(reader, {})
        return [
            name
            for name in MARK.findall(text)
            if min(one.get(name, NEVER) for one in known) > version
        ]

    def _deal(self, table: Table, hole: int) -> None:
        deal = self.packs.dealt[table.about.table, table.about.match, hole]
        self._pack, self._drawn = list(deal.pack[::-1]), {}
        self._stock = self._pack[TABLEAU + 1 :]
        for sitter in table.secret.sitters:
            if sitter is not None and sitter.player:
                self._sees(sitter.player, self._pack[: TABLEAU + 1], table.version)

    def _draw(self, table: Table, seat: str, version: int) -> None:
        drawn = self._drawn[seat] = self._drawn.get(seat, 0) + 1
        sitter = table.secret.sitters[int(seat) - 1]
        if sitter is not None and sitter.player:
            self._sees(sitter.player, self._stock[drawn - 1 : drawn], version)

    def _sees(self, reader: str | None, cards: Iterable[Card], version: int) -> None:
        known = self.since.setdefault(reader, {})
        for card in cards:
            known.setdefault(re.sub(".*~", "", card), version)


class RaceScan:
    """The eyes on all races of a house."""

    def __init__(self) -> None:
        self.packs = Packs()
        self.tables: dict[str, RaceKnowledge] = {}
        self.marks = 0
        """Cards that were rightly shown: a scan that sees none is blind."""

    def follow(self, change: Change) -> None:
        """A change was kept."""
        if change.version:
            code = change.table.about.table
            self.tables.setdefault(code, RaceKnowledge(self.packs)).follow(change)

    def check(self, reader: str, frames: Iterable[str]) -> None:
        """Raise Leak for the first frame that tells *reader* what it cannot know."""
        for frame in frames:
            found = SEEN.match(frame)
            if found is None:
                if MARK.search(frame):
                    raise Leak(f"{reader} is told a card by {frame[:200]}")
                continue
            code, version = found[1], int(found[2])
            self.marks += frame.count("~")
            if hidden := self.tables[code].hidden(reader, version, frame):
                raise Leak(f"{reader} is told {hidden[0]} at {code} {version}: {frame[:300]}")
