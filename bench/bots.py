"""Which bot is better, and what it costs: holes head to head, straight on the rules.

`python -m bench bots [--holes N] [--seed WORD] [--table NAME] [--levels BETTER WORSE]`

Two seats play one match of so many holes, so the first turn goes round; a halved hole is half a hole won.
The intervals hold with 95 % certainty.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from math import sqrt
from statistics import fmean, stdev
from time import process_time

from dormie_bots import LEVELS, Bot, find_bot
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseView
from dormie_rules.drawers import look
from dormie_rules.game import Deal, act
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_rules import GridRules
from dormie_rules.luck import digest, hole_luck, shuffle
from dormie_rules.variants import find

TABLES: Mapping[str, GridRules] = {
    "six_card": find("six_card").rules,
    "six_card_table": find("six_card_table").rules,
    "playroom 2x3": find("playroom").rules,
    "playroom 3x3": replace(find("playroom").rules, rows=3, cols=3),
    "playroom 4x4": replace(find("playroom").rules, rows=4, cols=4),
}
CERTAIN = 1.96
"""So many standard errors to either side hold 95 %."""


@dataclass(frozen=True, slots=True)
class Duel:
    """What came of one bot's holes against another's."""

    saved: tuple[int, ...]
    """By how many points the first bot was lower, hole by hole."""
    micros: tuple[float, float]
    """The processor's microseconds that a decision cost each bot."""

    @property
    def won(self) -> tuple[float, ...]:
        """1 for each hole won by the first bot, ½ for one halved."""
        return tuple((1 + (points > 0) - (points < 0)) / 2 for points in self.saved)


def duel(rules: GridRules, levels: tuple[str, str], holes: int, seed: bytes) -> Duel:
    """Let two levels play so many holes, an even number; their charged points are compared."""
    rules = replace(rules, end="holes", holes=holes, limit=None, tie_break="share")
    course, players = GridCourse(rules, 2), [_Player(find_bot(of, rules)) for of in levels]
    state = course.start(dealer=0)
    for number in count():
        luck = digest(seed, number.to_bytes(8, "big"))
        if state.public.places:
            break
        if course.wants_deal(state):
            deal = Deal(shuffle(luck, course.pack(state)), hole_luck(luck))
            state = course.deal(state, deal).state
        else:
            (seat, *_) = course.waiting_for(state)
            state = act(
                course, state, seat, players[seat].move(course, look(state, seat), luck)
            ).state
    saved = tuple((theirs or 0) - (ours or 0) for ours, theirs in state.public.card)
    return Duel(saved, (players[0].micros, players[1].micros))


@dataclass(slots=True)
class _Player:
    """A bot, and what its decisions have cost so far."""

    bot: Bot
    decisions: int = 0
    seconds: float = 0.0

    def move(self, course: GridCourse, view: CourseView, luck: bytes) -> GridMove:
        """The bot's move; its legal moves are worked out by the house, as at a table."""
        moves = course.moves(view)
        began = process_time()
        choice = self.bot(view, moves, luck)
        self.seconds += process_time() - began
        self.decisions += 1
        return choice.move

    @property
    def micros(self) -> float:
        return 1e6 * self.seconds / max(1, self.decisions)


def interval(sample: Sequence[float]) -> tuple[float, float]:
    """The mean of *sample* and how far the true mean may be from it."""
    return fmean(sample), CERTAIN * stdev(sample) / sqrt(len(sample))


def row(table: str, levels: tuple[str, str], result: Duel) -> str:
    """A line of the table in ``docs/bots.md``."""
    (won, won_by), (saved, saved_by) = interval(result.won), interval(result.saved)
    better, worse = levels
    mine, theirs = result.micros
    return (
        f"| {table} | `{better}` v `{worse}` | {100 * won:.1f} ± {100 * won_by:.1f} % "
        f"| {saved:+.1f} ± {saved_by:.1f} | {mine:.0f} / {theirs:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench bots", description=__doc__)
    parser.add_argument("--holes", type=_even, default=2000)
    parser.add_argument("--seed", default="dormie")
    parser.add_argument("--table", choices=TABLES, action="append")
    parser.add_argument("--levels", choices=LEVELS, nargs=2, metavar=("BETTER", "WORSE"))
    asked = parser.parse_args()
    pairs = [tuple(asked.levels)] if asked.levels else [(b, a) for a, b in pairwise(LEVELS)]
    print("| table | bots | holes won | points a hole | µs a decision |")
    print("|---|---|---|---|---|")
    for table in asked.table or TABLES:
        for levels in pairs:
            result = duel(TABLES[table], levels, asked.holes, asked.seed.encode())
            print(row(table, levels, result), flush=True)


def _even(text: str) -> int:
    number = int(text)
    if number < 2 or number % 2:
        raise argparse.ArgumentTypeError(
            "each bot plays first as often as the other: an even number"
        )
    return number


if __name__ == "__main__":
    main()
