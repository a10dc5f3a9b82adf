"""How many deals of each kind can be cleared, with the stock known: the solver's figures beside published ones.

`python -m bench patience_rates [--deals N] [--kind NAME]`

The deals are the practice deals from 0 on. The intervals hold with 95 % certainty; what was published has an
error of its own.
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from time import process_time
from typing import Any

from bench.bots import CERTAIN
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_position import lay_out
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_variants import find_patience
from dormie_rules.solver import solve
from dormie_rules.values import replace


@dataclass(frozen=True, slots=True)
class Kind:
    """Rules, and how many of a hundred deals others could clear, where somebody has counted."""

    rules: PatienceRules
    published: float | None = None
    error: float = 0.0


def _kinds(**options: Any) -> dict[KingRule, PatienceRules]:
    kings: tuple[KingRule, ...] = ("strict", "queen", "wrap")
    return {king: replace(PatienceRules(king), **options) for king in kings}


def _published(
    name: str,
    rules: Mapping[KingRule, PatienceRules],
    rates: Mapping[KingRule, tuple[float, float]],
) -> dict[str, Kind]:
    return {f"{name} {king}": Kind(rules[king], *rates[king]) for king in rates}


def _error(percent: float) -> float:
    """The error of a rate that was counted over a thousand deals."""
    return CERTAIN * sqrt(percent * (100 - percent) / 1000)


def _counted(strict: float, queen: float, wrap: float) -> dict[KingRule, tuple[float, float]]:
    return {
        "strict": (strict, _error(strict)),
        "queen": (queen, _error(queen)),
        "wrap": (wrap, _error(wrap)),
    }


KINDS: Mapping[str, Kind] = {
    **_published(
        "golf", _kinds(), {"strict": (26.19, 0.42), "queen": (45.16, 0.48), "wrap": (92.89, 0.25)}
    ),
    **_published("empty start", _kinds(empty_start=True), _counted(58.9, 77.1, 99.2)),
    **_published(
        "one joker",
        _kinds(jokers=1, joker_on_strict_king=True),
        _counted(66.4, 82.4, 99.4),
    ),
    **_published(
        "two jokers",
        _kinds(jokers=2, joker_on_strict_king=True),
        _counted(89.5, 95.9, 100.0),
    ),
    "tripeaks": Kind(find_patience("tripeaks").rules, 96.7, 1.1),
    "elevator, escalator": Kind(find_patience("escalator").rules),
}


def rate(rules: PatienceRules, deals: int) -> float:
    """How many of a hundred deals can be cleared."""
    cleared = 0
    for number in range(deals):
        position = lay_out(rules, attempt_pack(rules, practice_seed(number), 0))
        cleared += solve(rules, position).verdict == "clearable"
    return 100 * cleared / deals


def agrees(kind: Kind, found: float, deals: int) -> bool:
    """Whether two rates lie no further apart than luck explains: three standard errors."""
    if kind.published is None:
        return True
    mine = CERTAIN * sqrt(max(found * (100 - found), 1) / deals)
    return abs(found - kind.published) <= 1.5 * sqrt(mine**2 + kind.error**2)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench patience_rates", description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--kind", choices=KINDS, action="append")
    asked = parser.parse_args()
    print("| deals | can be cleared | published | ms a deal |")
    print("|---|---|---|---|")
    good = True
    for name in asked.kind or KINDS:
        kind, began = KINDS[name], process_time()
        found = rate(kind.rules, asked.deals)
        millis = 1000 * (process_time() - began) / asked.deals
        by = CERTAIN * sqrt(found * (100 - found) / asked.deals)
        there = "" if kind.published is None else f"{kind.published} ± {kind.error:.1f} %"
        good &= agrees(kind, found, asked.deals)
        print(f"| {name} | {found:.1f} ± {by:.1f} % | {there} | {millis:.0f} |", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
