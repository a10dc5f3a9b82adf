"""Whole races played at random straight on the rules, and their records."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from dormie_rules.game import Deal, Step, act
from dormie_rules.luck import CHAIN_LENGTH, earlier, hole_luck, hole_seed
from dormie_rules.patience_deals import attempt_pack, certify
from dormie_rules.patience_moves import write_patience_move
from dormie_rules.patience_options import choose_race
from dormie_rules.patience_variants import find_patience
from dormie_rules.race import RaceCourse
from dormie_rules.race_record import race_result_lines, time_line
from dormie_rules.race_state import RaceState
from dormie_rules.record import (
    Head,
    Player,
    commit_line,
    entropy_lines,
    finish,
    head,
    hole_line,
    leave_line,
    link_line,
    pack_line,
    places_line,
)
from dormie_rules.solver import solve
from tests.rules.racing import Doing, anything

RECORDS = Path(__file__).parents[1] / "cases" / "records" / "races"
GOLDEN = {path.stem: path.read_text("utf-8") for path in sorted(RECORDS.glob("*.dormie"))}
"""Records of races that were written once and must be right for ever."""
LEVELS = {
    path.stem: path.read_text("utf-8")
    for path in sorted((RECORDS.parent / "levels").glob("*.dormie"))
}
"""Likewise of solo levels, whose deals take a solver to check; one is older than their deals."""

NAMES = ("Ada", "Birdie McPutt", "Zoé", "李", "Dan", "")


class RaceHouse:
    """A house that hosts a race; *skip* deals it turns down without a reason."""

    def __init__(
        self, variant: str, options: Mapping[str, Any], seats: int, luck: Random, skip: int = 0
    ) -> None:
        self.course = RaceCourse(choose_race(find_patience(variant), options, seats), seats)
        self.state: RaceState = self.course.start()
        self.luck, self.skip = luck, skip
        self.given = [luck.randbytes(16) if luck.random() < 0.8 else None for _ in range(seats)]
        self.end = luck.randbytes(32)
        players = tuple(Player(name) for name in NAMES[:seats])
        self.lines = [
            *head(Head("ABCDEFGH", 1, variant, options, players)),
            commit_line(self.link(0)),
            *entropy_lines(self.given),
        ]

    def link(self, hole: int) -> bytes:
        return earlier(self.end, CHAIN_LENGTH - hole)

    def record(self, leaving: float = 0.0, late: float = 0.0) -> str:
        """The record of a whole match."""
        while not self.state.public.places:
            self.do(anything(self.course, self.state, self.luck, leaving, late))
        return finish([*self.lines, places_line(self.state.public.places)])

    def do(self, doing: Doing) -> None:
        """Something that happens; which cards are dealt is the house's own affair."""
        public = self.state.public
        if doing.deal is not None:
            self._deal(public.hole + 1)
        elif doing.move is not None:
            assert doing.seat is not None
            self.lines.append(f"move {doing.seat + 1} {write_patience_move(doing.move)}")
            self._after(act(self.course, self.state, doing.seat, doing.move))
        elif doing.seat is None:
            self.lines.append(time_line(public.hole))
            self._after(self.course.time_is_up(self.state))
        elif doing.seat not in public.withdrawn:
            self.lines.append(leave_line(doing.seat))
            self._after(self.course.withdraw(self.state, doing.seat))

    def _deal(self, hole: int) -> None:
        rules, seed = self.course.rules, hole_seed(self.link(hole), self.given, hole)
        attempt = certify(rules, seed, lambda r, p: solve(r, p).verdict).attempt + self.skip
        self.pack = attempt_pack(rules, seed, attempt)
        self.lines.append(hole_line(hole))
        self._after(self.course.deal(self.state, Deal(self.pack, hole_luck(seed), attempt)))

    def _after(self, step: Step[RaceState]) -> None:
        was_on = not self.course.wants_deal(self.state)
        self.state = step.state
        public = self.state.public
        if was_on and (public.places or self.course.wants_deal(self.state)):
            self.lines += [
                link_line(public.hole, self.link(public.hole)),
                pack_line(public.hole, self.pack),
                *race_result_lines(public),
            ]
