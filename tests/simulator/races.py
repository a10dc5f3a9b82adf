"""Races as the referee sees them: everybody's board counted again by the plainest rules there are.

The cards that were dealt and the lines of the record are all it takes: who has seen which card and since
when, what each board must look like, and what the hole is worth. Nothing here asks the rules' own code.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from dormie_rules.cards import Card
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.race_state import RacePlay, RacePocket, RacePublic
from dormie_server.table.draft import Change
from dormie_server.table.state import Table
from tests.leaks import mark
from tests.server.leak_scan import MARK, NEVER, Knowledge, LeakScan, Packs, Reader

RANKS = "A23456789TJQK"
PYRAMID = tuple(tuple(range(-row, row + 1, 2)) for row in range(7))
PEAKS = ((3, 9, 15), (2, 4, 8, 10, 14, 16), tuple(range(1, 18, 2)), tuple(range(0, 19, 2)))
"""How far to the right each place of each row lies, counted in halves of a card, from the top down."""
FACE_DOWN = ("peaks", "elevator")
"""Where all rows but the last begin face-down."""


@cache
def covers(layout: str) -> tuple[tuple[int, ...], ...]:
    """For each place those that lie on it: half a card to the left and to the right, a row further down.

    >>> covers("peaks")[1], covers("escalator")[2], covers("columns")
    ((5, 6), (4, 5), ())
    """
    if layout == "columns":
        return ()
    rows = PEAKS if layout == "peaks" else PYRAMID
    places = [(row, x) for row, of in enumerate(rows) for x in of]
    return tuple(
        tuple(places.index(one) for one in ((row + 1, x - 1), (row + 1, x + 1)) if one in places)
        for row, x in places
    )


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


def is_next(top: Card, card: Card) -> bool:
    """Whether *card* is the next one above *top*, spelled out."""
    return top[0] + card[0] in RANKS + RANKS[0]


@dataclass
class Tray:
    """One player's cards of a hole."""

    rules: PatienceRules
    columns: list[list[Card]]
    stock: list[Card]
    """The card to be drawn next is the last one."""
    pile: list[Card]
    seen: set[Card] = field(default_factory=set)
    gave_up: bool = False
    past: list[tuple[str, int]] = field(default_factory=list)
    """What was played and not taken back: a column, or the stock."""

    def look(self) -> None:
        """Everything but the stock lies open, and what begins face-down and is covered."""
        self.seen.update(*self.open, self.pile)

    @property
    def open(self) -> list[list[Card]]:
        """The columns, without what lies face-down."""
        return [[] if at in self.down else column for at, column in enumerate(self.columns)]

    @property
    def down(self) -> list[int]:
        """The places that lie face-down."""
        if self.rules.layout not in FACE_DOWN:
            return []
        return [at for at, column in enumerate(self.columns) if column and self._covered(at)]

    @property
    def score(self) -> int:
        """The cards left, and one that cannot stay alone; when there are none, the stock counts."""
        return self._left or -len(self.stock)

    @property
    def over(self) -> bool:
        """Whether nothing is left to be done: all is cleared, or nothing fits and nothing can be drawn."""
        return not self._left or not (self.stock or any(map(self._fits, range(len(self.columns)))))

    @property
    def _left(self) -> int:
        return sum(map(len, self.columns)) + (self.rules.build == "up" and self._run == 1)

    @property
    def _run(self) -> int:
        """How many cards go on each other at the end, since the last one was drawn."""
        what = [word for word, _ in self.past]
        played = what[::-1].index("draw") if "draw" in what else len(what)
        run = 0
        for at in range(len(self.pile) - played, len(self.pile)):
            run = run + 1 if at == 0 or is_next(self.pile[at - 1], self.pile[at]) else 1
        return run

    def _covered(self, at: int) -> bool:
        over = covers(self.rules.layout)
        return bool(over) and any(self.columns[other] for other in over[at])

    def _fits(self, at: int) -> bool:
        column, top = self.columns[at], self.pile[-1] if self.pile else None
        if not column or self._covered(at):
            return False
        if self.rules.build == "up" and top is not None:
            return self._run > 1 or is_next(top, column[-1])
        return fits(self.rules, top, column[-1])

    def do(self, words: list[str]) -> str | None:
        """Make a move; what was wrong with it, if anything was."""
        match words:
            case ["play", number]:
                column = self.columns[int(number) - 1]
                if not self._fits(int(number) - 1):
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
        """The same for all: rows over all columns, a card to begin with, and the rest."""
        rules = _rules(table)
        self._pack = self.packs.dealt[table.about.table, table.about.match, hole].pack
        cards = list(self._pack)
        rows = [[cards.pop() for _ in range(rules.columns)] for _ in range(rules.per_column)]
        begun = [] if rules.empty_start else [rules.start or cards.pop()]
        self._trays = {}
        for seat, pocket in enumerate(table.state.pockets):
            if isinstance(pocket, RacePocket) and pocket.board is not None:
                columns = [list(column) for column in zip(*rows, strict=True)]
                tray = self._trays[seat] = Tray(rules, columns, list(cards), list(begun))
                tray.look()

    def _move(self, table: Table, seat: int, words: list[str]) -> None:
        where = f"{table.about.table} {table.version}: seat {seat}, {' '.join(words)}"
        if words == ["undo"] and len(table.public.seats) > 1:
            self._fail(f"{where}: in company nothing is taken back")
        if (wrong := self._trays[seat].do(words)) is not None:
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
            must = tray.open, tray.pile[-1] if tray.pile else None, len(tray.stock)
            if lies != must or list(board.down) != tray.down:
                self._fail(f"{where}: the board of seat {seat} does not follow from its moves")
            if tray.over != (board.ending in ("cleared", "stuck")) and not (
                tray.gave_up or board.ending == "time_up"
            ):
                self._fail(f"{where}: seat {seat} has ended as {board.ending}, over: {tray.over}")
        if play.stage == "play" and all(one.state != "playing" for one in play.progress):
            self._fail(f"{where}: nobody plays the hole any more, and it is not over")
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
            late = board.ending == "time_up" and tray.rules.time_up == "lose"
            lost = tray.rules.columns * tray.rules.per_column
            if charged != (lost if late else tray.score):
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


def layout_of(table: Table) -> str:
    """How the cards lie at a race, or that it is no Golf as everybody knows it."""
    rules = _rules(table)
    return rules.layout if rules.golf or rules.layout != "columns" else rules.build


def _words(change: Change) -> list[str]:
    return [line.partition(" ")[0] for line in change.lines]


def _play(table: Table) -> RacePlay | None:
    match: Any = table.public.match
    return match.play if isinstance(match, RacePublic) else None


def _rules(table: Table) -> PatienceRules:
    rules = table.about.rules
    assert isinstance(rules, PatienceRules), "it is a race"
    return rules
