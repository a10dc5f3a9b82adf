"""How rare the deals of the solo levels are, what it costs to find one, and how the bots fare at them.

`python -m bench patience_levels [--deals N] [--king RULE] [--policy NAME] [--bot NAME]`

Each row looks for the hole of so many practice deals, from number 0 on: *one of* says how many attempts it
took on average, *most* how many at most. The times are those of this processor, on one core.
"""

import argparse
from dataclasses import dataclass, field
from time import process_time
from typing import get_args

from bench.bots import interval
from bench.patience_bots import play
from dormie_bots import PATIENCE_LEVELS
from dormie_rules.patience_deals import certify, practice_seed
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import DealPolicy, KingRule, PatienceRules
from dormie_rules.patience_solution import Verdict
from dormie_rules.solver import solve

POLICIES: tuple[DealPolicy, ...] = ("clearable", "gentle", "par_4_5")


@dataclass(slots=True)
class Found:
    """What came of looking for some deals."""

    attempts: list[int] = field(default_factory=list)
    """How many it took, the one that was kept among them."""
    millis: list[float] = field(default_factory=list)


def find(rules: PatienceRules, deals: range) -> Found:
    """Look for the holes of some practice deals."""
    found = Found()
    for number in deals:
        began = process_time()
        attempt = certify(rules, practice_seed(number), _solved).attempt
        found.millis.append(1000 * (process_time() - began))
        found.attempts.append(attempt + 1)
    return found


def row(rules: PatienceRules, found: Found, bots: list[str]) -> str:
    """A line of the table in ``docs/par.md``."""
    millis, holes = sorted(found.millis), len(found.attempts)
    cells = [
        f"`{rules.king_rule}`",
        f"`{rules.deal_policy}`",
        f"{sum(found.attempts) / holes:.1f}",
        str(max(found.attempts)),
        f"{sum(millis) / holes:.0f} / {millis[holes * 99 // 100]:.0f}",
    ]
    for bot in bots:
        scores = [
            play(rules, bot, number, [], attempts - 1)
            for number, attempts in enumerate(found.attempts)
        ]
        mean, by = interval(scores)
        cleared = 100 * sum(score <= 0 for score in scores) / holes
        cells.append(f"{mean:.2f} ± {by:.2f}, {cleared:.0f} %")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    kings: tuple[KingRule, ...] = get_args(KingRule)
    parser = argparse.ArgumentParser(prog="python -m bench patience_levels", description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--king", choices=kings, action="append")
    parser.add_argument("--policy", choices=POLICIES, action="append")
    parser.add_argument("--bot", choices=PATIENCE_LEVELS, action="append")
    asked = parser.parse_args()
    bots = asked.bot or ["easy", "medium"]
    print(f"| Kings | deals | one of | most | ms mean / p99 | {' | '.join(bots)} |")
    print(f"|---|---|---|---|---|{'---|' * len(bots)}")
    for king_rule in asked.king or kings:
        for policy in asked.policy or POLICIES:
            rules = PatienceRules(king_rule, deal_policy=policy)
            print(row(rules, find(rules, range(asked.deals)), bots), flush=True)


def _solved(rules: PatienceRules, position: Position) -> Verdict:
    return solve(rules, position).verdict


if __name__ == "__main__":
    main()
