"""What players were told, written down by the players themselves, independent of any server.

Several processes may each keep a ledger; they are added up, and compared with the records at the end
(`reckoning.py`). Times are those of `time.monotonic`, which all processes of a machine share.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_core import to_json

from dormie_protocol.messages import Seen
from dormie_protocol.table_view import TablePublic
from dormie_rules.race_state import RacePublic

CARD = re.compile(rb'"(?:[2-9TJQKA][SHDC]|\*)"')
"""A card as it is written in a message; one that turned up is told to its player alone."""


@dataclass
class Card:
    """One player's moves at one table, by their numbers."""

    asked: dict[int, list[str]] = field(default_factory=dict)
    """Sent, or about to be; more than one under a number where the server had to take one back."""
    told: dict[int, str] = field(default_factory=dict)
    """Acknowledged."""
    versions: dict[int, int] = field(default_factory=dict)
    """The version that was named with it, where the client shows it."""
    taken_back: int = 0
    """Acknowledged, and later the server said openly that it does not remember."""
    doubtful: set[int] = field(default_factory=set)
    """Acknowledged before that was said, and perhaps remembered."""
    asked_at: dict[int, float] = field(default_factory=dict)
    """When a number was asked for first."""
    maybe_bot: set[int] = field(default_factory=set)
    """Made while somebody saw a bot sit in here, or saw too little to know."""
    own: set[int] = field(default_factory=set)
    """Made while somebody saw that no bot sat in here."""

    def ask(self, count: int, move: str, now: float = 0.0) -> None:
        """This move, as a record writes it, is about to be sent under that number."""
        asked = self.asked.setdefault(count, [])
        if move not in asked:
            asked.append(move)
        self.asked_at.setdefault(count, now)

    def when(self, count: int) -> float | None:
        """When the player asked for this move, if it is surely one of their own, and was acknowledged."""
        own = count in self.told and count not in self.maybe_bot
        return self.asked_at.get(count) if own else None

    def bots(self) -> set[int]:
        """The moves that only a bot that sat in here can have made, as far as the clients know."""
        return self.maybe_bot - self.own - self.told.keys() - self.asked.keys()

    def roll_back(self, count: int) -> int:
        """The server remembers only so many moves; returns how many acknowledged ones are gone.

        Of the others some may be moves of the clock, made before anybody was back.
        """
        gone = [number for number in self.told if number > count]
        for number in gone:
            del self.told[number]
            self.versions.pop(number, None)
        self.doubtful |= set(self.told)
        self.taken_back += len(gone)
        return len(gone)


@dataclass(frozen=True)
class Absence:
    """From the loss of a connection until the table could be seen again."""

    cut: float
    resumed: float
    rough: bool = False
    """Through the proxy, with its delays and losses."""


@dataclass(frozen=True)
class Loss:
    """A client was told that the server had to take something back."""

    at: float
    moves: int
    """So many of its own moves had been acknowledged, and are gone."""


@dataclass(frozen=True)
class Glimpse:
    """A spectator who is to see everything later saw that somebody had made so many moves."""

    who: str
    count: int
    at: float
    delay: float


@dataclass
class Ledger:
    """Everything that the clients of one process were told."""

    cards: dict[str, dict[str, Card]] = field(default_factory=dict)
    """By table and the player's name there; seats may change when a match begins."""
    matches: dict[str, int] = field(default_factory=dict)
    """How many matches each table has ended."""
    absences: list[Absence] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)
    surprises: list[str] = field(default_factory=list)
    """What must not happen, in words."""
    acknowledged: int = 0
    clock_moves: int = 0
    """Turns that clients saw the clock end, counted once for each client."""
    repeats: int = 0
    """How often something was sent again that had been sent before."""
    left_out: int = 0
    """How many came back too late for the beginning of a match, and the others began without them."""
    deeds: dict[str, int] = field(default_factory=dict)
    """What was done besides the game, and how often."""
    glimpses: dict[str, list[Glimpse]] = field(default_factory=dict)
    """By table."""
    erased: dict[str, str] = field(default_factory=dict)
    """By table, who asked the house to be forgotten there."""
    traces: list[str] = field(default_factory=list)
    """Words that must be nowhere in what the house keeps."""

    def card(self, code: str, who: str) -> Card:
        return self.cards.setdefault(code, {}).setdefault(who, Card())

    def acknowledge(
        self, code: str, who: str, count: int, move: str, version: int | None = None
    ) -> None:
        """A move was acknowledged; once for each number, and with one version each."""
        card = self.card(code, who)
        if count in card.told:
            self.surprise(f"{code} {who}: move {count} was acknowledged as if it were new")
        card.told[count] = move
        if version is not None:
            card.versions[count] = version
        self.acknowledged += 1

    def refuse(self, word: str) -> None:
        self.refusals[word] = self.refusals.get(word, 0) + 1

    def deed(self, what: str, times: int = 1) -> None:
        self.deeds[what] = self.deeds.get(what, 0) + times

    def surprise(self, what: str) -> None:
        self.surprises.append(what)

    def save(self, path: Path) -> None:
        path.write_bytes(_LEDGER.dump_json(self))

    @classmethod
    def load(cls, path: Path) -> "Ledger":
        return _LEDGER.validate_json(path.read_bytes())


_LEDGER = TypeAdapter(Ledger)


def together(ledgers: Iterable[Ledger]) -> Ledger:
    """One ledger of several, which know different tables."""
    whole = Ledger()
    for one in ledgers:
        assert not whole.cards.keys() & one.cards.keys(), "each table is kept in one ledger"
        whole.cards |= one.cards
        whole.matches |= one.matches
        whole.absences += one.absences
        whole.losses += one.losses
        whole.refusals = dict(Counter(whole.refusals) + Counter(one.refusals))
        whole.surprises += one.surprises
        whole.acknowledged += one.acknowledged
        whole.clock_moves += one.clock_moves
        whole.repeats += one.repeats
        whole.left_out += one.left_out
        whole.deeds = dict(Counter(whole.deeds) + Counter(one.deeds))
        whole.glimpses |= one.glimpses
        whole.erased |= one.erased
        whole.traces += one.traces
    return whole


COUNTED = {
    "kicked": "sent away by the host",
    "lock_turned": "locks turned",
    "password_changed": "passwords changed",
    "new_host": "hosts that changed",
    "pause_began": "pauses",
    "move_undone": "moves taken back by consent",
    "sat_in": "bots that sat in",
    "handed_back": "seats handed back",
    "vote_decided": "votes decided",
    "forfeited": "out of a match by a vote",
    "left_table": "left a table",
    "conceded": "matches conceded",
}
"""Events besides the game, as the table at the end calls them."""


class Story:
    """What the clients at one table were told of its versions: all of them the same.

    After a power cut some hear a new story while others have not heard yet that theirs is over; so
    a contradiction is settled at the end: whoever was rolled back meanwhile has withdrawn.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self._counted = 0
        self._told: dict[int, tuple[str, Sight, int]] = {}
        self._doubts: list[tuple[int, Sight, int]] = []

    def hear(self, version: int, chain: str, sight: "Sight") -> None:
        """*sight* was told this chain."""
        known, witness, stories = self._told.setdefault(version, (chain, sight, sight.stories))
        if known != chain:
            self._doubts.append((version, witness, stories))
            self._told[version] = (chain, sight, sight.stories)

    def count(self, seen: Seen, ledger: Ledger) -> None:
        """Count what happened besides the game, once, whoever tells of it first."""
        if seen.after == self._counted or not self._counted:
            for heard in seen.events:
                if heard.all.event in COUNTED:
                    ledger.deed(COUNTED[heard.all.event])
            self._counted = seen.version

    def contradictions(self) -> list[str]:
        """What two clients were told differently, and none of the two has withdrawn."""
        real = (version for version, sight, stories in self._doubts if sight.stories == stories)
        return [f"{self.code}: two stories of version {version}" for version in real]


class Sight:
    """What one client sees of one table: version by version, nothing missing and nothing twice."""

    def __init__(self, ledger: Ledger, story: Story, *, rough: bool = False) -> None:
        self.ledger = ledger
        self._story = story
        self._code = story.code
        self._rough = rough
        self._cut: float | None = None
        self._connected = True
        self._before: TablePublic | None = None
        self._sat = set[int]()
        self.version = 0
        self.stories = 1
        """One more each time the server said that it had to take something back."""

    def away(self, now: float) -> None:
        """The connection is lost."""
        self._connected = False
        if self._cut is None:
            self._cut = now

    def back(self) -> None:
        """There is a new connection; the table is not seen yet."""
        self._connected = True

    def look(self, seen: Seen, now: float, *, asked: int | None = None) -> None:
        """Take in what the server has sent, in the order in which it came.

        Whoever has *asked* for everything after a version is told all of it, also what came meanwhile.
        """
        again = seen.replay and seen.after == asked
        if self._cut is not None and self._connected:
            self.ledger.absences.append(Absence(self._cut, now, self._rough))
            self._cut = None
        if seen.rolled_back:
            self._roll_back(seen, now)
        elif self.version and again and seen.after <= self.version:
            pass
        elif self.version and seen.version > self.version and seen.after != self.version:
            self.ledger.surprise(f"{self._code}: from {self.version} to {_in_short(seen)}: a gap")
        elif self.version and seen.events and seen.version <= self.version:
            self.ledger.surprise(
                f"{self._code}: at {self.version} {_in_short(seen)} was told twice"
            )
        self.version = seen.version
        self._story.hear(seen.version, seen.chain, self)
        self._story.count(seen, self.ledger)
        self._mind_bots(seen)
        check_race(seen, self._before, self.ledger)
        self._before = seen.view or self._before
        self.ledger.clock_moves += sum(heard.all.event == "time_out" for heard in seen.events)

    def _roll_back(self, seen: Seen, now: float) -> None:
        self.stories += 1
        seat = seen.view.seats[seen.seat] if seen.view and seen.seat is not None else None
        if seen.seat is not None and seat is not None:
            card = self.ledger.card(self._code, seat.name)
            card.own = {count for count in card.own if count <= seat.count}
            self.ledger.losses.append(Loss(now, card.roll_back(seat.count)))

    def _mind_bots(self, seen: Seen) -> None:
        """Write down which moves may be those of a bot that sits in: the record does not say."""
        self._sat |= {heard.all.seat for heard in seen.events if heard.all.event == "sat_in"}
        before, view = self._before, seen.view
        if view is None:
            return
        sat, self._sat = self._sat, set()
        if before is None or seen.rolled_back:
            return
        for seat, (was, who) in enumerate(zip(before.seats, view.seats, strict=False)):
            if was is None or who is None or was.name != who.name or who.count <= was.count:
                continue
            bot = seat in sat or (before.clocks is not None and bool(before.clocks.sits_in[seat]))
            card = self.ledger.card(self._code, who.name)
            made = range(was.count + 1, who.count + 1)
            (card.maybe_bot if bot else card.own).update(made)


def _in_short(seen: Seen) -> str:
    """What somebody was told, for whoever has to find out why."""
    how = "a replay" if seen.replay else "news"
    with_view = "a view" if seen.view else "no view"
    return (
        f"{seen.after}-{seen.version} ({type(seen).__name__}, {how}, {len(seen.events)} events, "
        f"{with_view}, seat {seen.seat})"
    )


def check_race(seen: Seen, before: TablePublic | None, ledger: Ledger) -> None:
    """While a hole of a race is played nothing that everybody sees or hears names a card."""
    match = seen.view.match if seen.view else None
    was = before.match if before else None
    if not isinstance(match, RacePublic) or not isinstance(was, RacePublic) or match.play is None:
        return
    if match.play.stage == "over" or match.hole != was.hole or was.play is None:
        return
    if was.play.stage == "over":
        return
    shown = to_json([match.play, [heard.all for heard in seen.events]])
    if named := CARD.search(shown):
        ledger.surprise(f"{seen.table}: card {named[0].decode()} is told in the middle of a hole")
