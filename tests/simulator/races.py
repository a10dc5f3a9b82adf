"""Races as the referee sees them: everybody's board counted again by the plainest rules there are.

The cards that were dealt and the lines of the record are all it takes: who has seen which card and since
when, what each board must look like, and what the hole is worth. Nothing here asks the rules' own code.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.race_state import RacePlay, RacePocket, RacePublic
from dormie_server.table.draft import Change
from dormie_server.table.state import Table
from tests.leaks import mark
from tests.server.leak_scan import MARK, NEVER, Knowledge, LeakScan, Packs, Reader

RANKS = "A23456789TJQK"
COLUMNS, ROWS = 7, 5
LOST = COLUMNS * ROWS
"""What a hole is charged with that is lost because its time was up."""


def fits(rules: PatienceRules, top: Card | None, card: Card) -> bool:
    """Whether *card* may go on *top*, spelled out."""
    if top is None:
        return True
    if top[0] == "K" and rules.king_rule == "strict":
        return card[0] == "*" and rules.joker_on_strict_king
    if "*" in (top[0], card[0]):
        return True
    if top[0] + card[0] in ("KA", "AK"):
        return rules.king_rule == "wrap"
    return abs(RANKS.index(top[0]) - RANKS.index(card[0])) == 1


@dataclass
class Tray:
    """One player's cards of a hole."""

    columns: list[list[Card]]
    stock: list[Card]
    """The card to be drawn next is the last one."""
    pile: list[Card]
    seen: set[Card] = field(default_factory=set)
    gave_up: bool = False
    past: list[tuple[str, int]] = field(default_factory=list)
    """What was played and not taken back: a column, or the stock."""

    def look(self) -> None:
        """Everything but the stock lies open."""
        self.seen.update(*self.columns, self.pile)

    @property
    def score(self) -> int:
        """The cards left; when there are none, those of the stock count for the player."""
        return sum(map(len, self.columns)) or -len(self.stock)

    def do(self, rules: PatienceRules, words: list[str]) -> str | None:
        """Make a move; what was wrong with it, if anything was."""
        match words:
            case ["play", number]:
                column = self.columns[int(number) - 1]
                if not column or not fits(rules, self.pile[-1] if self.pile else None, column[-1]):
                    return "does not fit"
                self.pile.append(column.pop())
                self.past.append(("play", int(number) - 1))
            case ["draw"]:
                if not self.stock:
                    return "has no stock"
                self.pile.append(self.stock.pop())
                self.past.append(("draw", 0))
            case ["undo"]:
                what, at = self.past.pop()
                (self.columns[at] if what == "play" else self.stock).append(self.pile.pop())
            case ["give", "up"]:
                self.gave_up = True
            case _:
                pass  # conceding a match moves no card
        self.look()
        return None


class RaceKnowledge(Knowledge):
    """Who has seen what at a race, and from which version on; and whether all is as it should be."""

    def __init__(self, packs: Packs, fail: Callable[[str], None]) -> None:
        super().__init__(packs)
        self._fail = fail
        self._before: Table | None = None
        self._trays: dict[int, Tray] = {}
        self._pack: tuple[Card, ...] = ()
        self._timed: set[tuple[int, int]] = set()
        """The holes that have ended because their time was up."""

    def follow(self, change: Change) -> None:
        """Take in what the record says of a change, and hold the table against it."""
        self._remember_secrets(change)
        table, movers = change.table, set[int]()
        for line in change.lines:
            word, _, rest = line.partition(" ")
            if word == "hole":
                self._deal(table, int(rest))
            elif word in ("move", "auto"):
                seat, *words = rest.split(" ")
                movers.add(int(seat) - 1)
                self._move(table, int(seat) - 1, words)
            elif word == "link":
                self._tell_all(table.version)
        if (play := _play(table)) is not None and play.stage == "over":  # void ones, too, are shown
            self._tell_all(table.version)
        self._note(table)
        self._hold_against(table)
        self._check_rivals(change, movers)
        self._before = table

    def hidden(self, reader: str, version: int, text: str) -> list[str]:
        """What *text* names that *reader* cannot have seen by *version*."""
        known = self.since.get(None, {}), self.since.get(reader, {})
        cards = [
            name
            for name in MARK.findall(text)
            if min(one.get(name, NEVER) for one in known) > version
        ]
        return cards + [
            secret for secret, told in self.secrets.items() if told > version and secret in text
        ]

    # ---------------------------------------------------------------- what must have happened

    def _deal(self, table: Table, hole: int) -> None:
        """The same for all: five rows over seven columns, a card to begin with, and the rest."""
        rules = _rules(table)
        self._pack = self.packs.dealt[table.about.table, table.about.match, hole].pack
        cards = list(self._pack)
        rows = [[cards.pop() for _ in range(COLUMNS)] for _ in range(ROWS)]
        begun = [] if rules.empty_start else [cards.pop()]
        self._trays = {}
        for seat, pocket in enumerate(table.state.pockets):
            if isinstance(pocket, RacePocket) and pocket.board is not None:
                columns = [list(column) for column in zip(*rows, strict=True)]
                tray = self._trays[seat] = Tray(columns, list(cards), list(begun))
                tray.look()

    def _move(self, table: Table, seat: int, words: list[str]) -> None:
        where = f"{table.about.table} {table.version}: seat {seat}, {' '.join(words)}"
        if words == ["undo"] and len(table.public.seats) > 1:
            self._fail(f"{where}: in company nothing is taken back")
        if (wrong := self._trays[seat].do(_rules(table), words)) is not None:
            self._fail(f"{where}: {wrong}")

    def _tell_all(self, version: int) -> None:
        """The hole is over for everybody, and shown."""
        known = self.since.setdefault(None, {})
        for card in self._pack:
            known.setdefault(mark(card).decode(), version)

    def _note(self, table: Table) -> None:
        """Whoever sits there has seen what lies on the own board, since now at the latest."""
        for seat, sitter in enumerate(table.secret.sitters):
            tray = self._trays.get(seat)
            if tray is not None and sitter is not None and sitter.player:
                self._learn(sitter.player, tray.seen, table.version)

    def _learn(self, reader: Reader, cards: set[Card], version: int) -> None:
        known = self.since.setdefault(reader, {})
        for card in cards:
            known.setdefault(mark(card).decode(), version)

    # -------------------------------------------------------------- what the server has of it

    def _hold_against(self, table: Table) -> None:
        """Every board lies as it must, and an ended hole is worth what was left of it."""
        play, where = _play(table), f"{table.about.table} {table.version}"
        if play is None or not self._trays:
            return
        for seat, tray in self._trays.items():
            pocket = table.state.pockets[seat]
            board = pocket.board if isinstance(pocket, RacePocket) else None
            if board is None or board.ending == "left":
                continue
            lies = [list(column) for column in board.columns], board.foundation, board.stock
            if lies != (tray.columns, tray.pile[-1] if tray.pile else None, len(tray.stock)):
                self._fail(f"{where}: the board of seat {seat} does not follow from its moves")
        match = table.public.match
        if play.stage == "over" and isinstance(match, RacePublic) and not play.void:
            self._check_scores(table, match, play)

    def _check_scores(self, table: Table, match: RacePublic, play: RacePlay) -> None:
        boards = play.shown.boards if play.shown else ()
        if len(match.card) != match.hole or not boards:
            return
        for seat, tray in self._trays.items():
            board, charged = boards[seat], match.card[-1][seat]
            if board is None or board.ending == "left" or charged is None:
                continue
            late = board.ending == "time_up" and _rules(table).time_up == "lose"
            if charged != (LOST if late else tray.score):
                self._fail(
                    f"{table.about.table} {table.version}: seat {seat} is charged {charged},"
                    f" and has {tray.score}"
                )

    def _check_rivals(self, change: Change, movers: set[int]) -> None:
        """A move changes nothing that anybody else sees, but for the mover's progress."""
        before, table = self._before, change.table
        play, was = _play(table), _play(before) if before else None
        if before is None or was is None or play is None or {was.stage, play.stage} != {"play"}:
            return
        match, old = table.public.match, before.public.match
        if not movers or not isinstance(match, RacePublic) or not isinstance(old, RacePublic):
            return
        if match.hole != old.hole:
            return
        others = set(range(len(table.public.seats))) - movers
        where = f"{table.about.table} {table.version}: the moves of seats {sorted(movers)}"
        told = {seat for event in change.events for seat, _ in event.pockets}
        changed = [s for s in others if table.state.pockets[s] != before.state.pockets[s]]
        if changed or told & others:
            self._fail(f"{where} are felt in the pockets of {changed or told & others}")
        seen = [s for s in others if play.progress[s] != was.progress[s]]
        if seen and not any(word in ("leave", "time") for word in _words(change)):
            self._fail(f"{where} change the progress of {seen}")


class Scan(LeakScan):
    """The eyes on a whole house in which both games are played."""

    def __init__(self, fail: Callable[[str], None]) -> None:
        super().__init__()
        self._fail = fail

    def follow(self, change: Change) -> None:
        """A change was kept."""
        about = change.table.about
        if change.version and about.game == "patience" and about.table not in self.tables:
            self.tables[about.table] = RaceKnowledge(self.packs, self._fail)
        super().follow(change)


def check_time(before: Table, change: Change, at: float, fail: Callable[[str], None]) -> None:
    """The time of a hole is not up before it is."""
    deadline = before.public.deadline
    if any(word == "time" for word in _words(change)) and (deadline is None or at < deadline):
        fail(f"{before.about.table} {change.version}: a hole has ended before {deadline}")


def _words(change: Change) -> list[str]:
    return [line.partition(" ")[0] for line in change.lines]


def _play(table: Table) -> RacePlay | None:
    match: Any = table.public.match
    return match.play if isinstance(match, RacePublic) else None


def _rules(table: Table) -> PatienceRules:
    rules = table.about.rules
    assert isinstance(rules, PatienceRules), "it is a race"
    return rules
