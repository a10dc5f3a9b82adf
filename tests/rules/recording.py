"""Whole matches played at random straight on the rules, and their records.

A house deals as Dormie promises to; the houses below it each break one promise and write their
record as if they had kept it.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from random import Random

from dormie_rules.cards import Card
from dormie_rules.course_state import CourseState
from dormie_rules.drawers import look
from dormie_rules.game import Deal, Step, act
from dormie_rules.grid_moves import GridMove
from dormie_rules.luck import CHAIN_LENGTH, earlier, hole_luck, hole_seed, shuffle
from dormie_rules.record import (
    END,
    Head,
    Player,
    commit_line,
    entropy_lines,
    finish,
    head,
    hole_line,
    leave_line,
    link_line,
    move_line,
    pack_line,
    places_line,
    result_lines,
)
from dormie_rules.replay import verify
from tests.rules.playing import Table

RECORDS = Path(__file__).parents[1] / "cases" / "records"
GOLDEN = {path.stem: path.read_text("utf-8") for path in sorted(RECORDS.glob("*.dormie"))}
"""Records that were written once and must be right for ever."""

TWO_HOLES = GOLDEN["two_holes"]
THREE_HOLES = Table("six_card", 3, (("holes", 3), ("max_laps", 10)))
ENDLESS = Table(
    "playroom",
    2,
    (
        ("closer_penalty", "none"),
        ("cols", 2),
        ("limit", 2000),
        ("max_laps", 1),
        ("rows", 2),
        ("values", dict.fromkeys("A23456789TJQK", 0)),
    ),
)
"""Nobody ever goes out, so the match is over when the chain is used up."""

NAMES = ("Ada", "Birdie McPutt", "Zoé", "李", "Dan", "")


def lines_of(text: str) -> list[str]:
    """The lines of a record that say something."""
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def sealed_again(lines: list[str]) -> str:
    """A record of these lines with a seal that fits, whatever became of the old one."""
    return finish([line for line in lines if line != END and not line.startswith("seal ")])


def complaint(text: str) -> str:
    """The line that is wrong, and why."""
    verdict = verify(text)
    if verdict.ok or verdict.line is None:
        return verdict.because
    return f"{text.split(chr(10))[verdict.line - 1]}: {verdict.because}"


def changed(old: str, new: str, text: str = TWO_HOLES) -> str:
    """The record with one line changed, or with more or fewer lines in its place."""
    assert 1 == text.count(f"\n{old}\n"), "the example names one line"
    return sealed_again(lines_of(text.replace(f"\n{old}\n", f"\n{new}\n" if new else "\n")))


class House:
    """An honest house, which draws its secrets from *luck*."""

    def __init__(self, table: Table, luck: Random, *, dealer: int | None = None) -> None:
        bots = [luck.choice((None, None, "medium")) for _ in range(table.seats)]
        names = zip(NAMES, bots, strict=False)
        players = tuple(Player(name, bot) for name, bot in names)
        options = dict(table.options)
        self.about = Head("ABCDEFGH", 1, table.variant, options, players, dealer)
        self.table = table
        self.luck = luck
        self.contributions = [
            luck.randbytes(16) if luck.random() < 0.8 else None for _ in range(table.seats)
        ]
        self.end = luck.randbytes(32)

    def link(self, hole: int) -> bytes:
        """Link number 0 of the chain is what the house promises."""
        return earlier(self.end, CHAIN_LENGTH - hole)

    @property
    def commitment(self) -> bytes:
        return earlier(self.end, CHAIN_LENGTH)

    def deal(self, hole: int, pack: Sequence[Card]) -> Deal:
        seed = hole_seed(self.link(hole), self.contributions, hole)
        return Deal(shuffle(seed, pack), hole_luck(seed))


class ChangesTheDeck(House):
    """Looks at the deal of the second hole, and deals another one."""

    def deal(self, hole: int, pack: Sequence[Card]) -> Deal:
        deal = super().deal(hole, pack)
        if hole != 2:
            return deal
        *rest, below, top = deal.pack
        return Deal((*rest, top, below), deal.luck)


class OmitsAContribution(House):
    """Says that everybody has added to luck, and leaves out what the last seat added."""

    def deal(self, hole: int, pack: Sequence[Card]) -> Deal:
        seed = hole_seed(self.link(hole), [*self.contributions[:-1], None], hole)
        return Deal(shuffle(seed, pack), hole_luck(seed))


class DealsTwiceFromALink(House):
    """Deals the second hole from the link that everybody has seen after the first."""

    def link(self, hole: int) -> bytes:
        return super().link(1 if hole == 2 else hole)


class Match:
    """A match in the hands of luck: seats now and then sleep or leave, and all is written down."""

    def __init__(self, house: House, *, leaving: float = 0.0, sleeping: float = 0.1) -> None:
        self.house = house
        self.course = house.table.course
        self.state: CourseState = self.course.start(house.about.dealer)
        self.leaving = leaving
        self.sleeping = sleeping
        self.heard: list[str] = []
        self.lines = [
            *head(house.about),
            commit_line(house.commitment),
            *entropy_lines(house.contributions),
        ]
        self._play()

    @cached_property
    def record(self) -> str:
        return finish(self.lines)

    def _play(self) -> None:
        while not self.state.public.places:
            still_in = [s for s, out in enumerate(self.state.public.out) if out is None]
            if self.house.luck.random() < self.leaving:
                self._leave(self.house.luck.choice(still_in))
            elif self.course.wants_deal(self.state):
                self._deal()
            else:
                self._move()
        self.lines.append(places_line(self.state.public.places))

    def _leave(self, seat: int) -> None:
        self.lines.append(leave_line(seat))
        self._after(self.course.withdraw(self.state, seat))

    def _deal(self) -> None:
        hole = self.state.public.hole + 1
        self.lines.append(hole_line(hole))
        self.dealt = self.house.deal(hole, self.course.pack(self.state))
        self._after(self.course.deal(self.state, self.dealt))

    def _move(self) -> None:
        seat = self.house.luck.choice(self.course.waiting_for(self.state))
        view = look(self.state, seat)
        auto = self.house.luck.random() < self.sleeping
        move: GridMove = (
            self.course.default(view) if auto else self.house.luck.choice(self.course.moves(view))
        )
        self.lines.append(move_line(seat, move, auto=auto))
        self._after(act(self.course, self.state, seat, move))

    def _after(self, step: Step[CourseState]) -> None:
        was_on = not self.course.wants_deal(self.state)
        self.state = step.state
        self.heard += [event.public.event for event in step.events]
        public = self.state.public
        if was_on and (public.places or self.course.wants_deal(self.state)):
            self.lines += [
                link_line(public.hole, self.house.link(public.hole)),
                pack_line(public.hole, self.dealt.pack),
                *result_lines(public),
            ]
