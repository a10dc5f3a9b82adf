"""How many deals of each kind can be cleared, with the stock known: the solver's figures beside published ones.

`python -m bench patience_rates [--deals N] [--kind NAME]`

The deals are the practice deals from 0 on, and where it is known which thousand others have counted, theirs:
then the count must be the same. The intervals hold with 95 % certainty; what was published has an error of its
own.
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from time import process_time
from typing import Any

from bench.bots import CERTAIN
from bench.solver import deal
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_variants import find_patience
from dormie_rules.solver import solve
from dormie_rules.values import replace

THEIR_DEALS = 1000


@dataclass(frozen=True, slots=True)
class Kind:
    """Rules, and how many of a hundred deals others could clear, where somebody has counted."""

    rules: PatienceRules
    published: float | None = None
    error: float = 0.0
    theirs: bool = False
    """The deals of whoever published, `bench.solver.deal` from seed 0 on, a thousand of them."""


def _kinds(**options: Any) -> dict[KingRule, PatienceRules]:
    kings: tuple[KingRule, ...] = ("strict", "queen", "wrap")
    return {king: replace(PatienceRules(king), **options) for king in kings}


def _estimated(
    name: str,
    rules: Mapping[KingRule, PatienceRules],
    rates: Mapping[KingRule, tuple[float, float]],
) -> dict[str, Kind]:
    """Rates over deals that nobody can deal again, each with its error."""
    return {f"{name} {king}": Kind(rules[king], *rates[king]) for king in rates}


def _counted(
    name: str, rules: Mapping[KingRule, PatienceRules], strict: float, queen: float, wrap: float
) -> dict[str, Kind]:
    """Rates over a thousand deals that are known, and so no luck is left."""
    rates: dict[KingRule, float] = {"strict": strict, "queen": queen, "wrap": wrap}
    return {f"{name} {king}": Kind(rules[king], rates[king], theirs=True) for king in rates}


KINDS: Mapping[str, Kind] = {
    **_estimated(
        "golf", _kinds(), {"strict": (26.19, 0.42), "queen": (45.16, 0.48), "wrap": (92.89, 0.25)}
    ),
    **_counted("empty start", _kinds(empty_start=True), 58.9, 77.1, 99.2),
    **_counted("one joker", _kinds(jokers=1, joker_on_strict_king=True), 66.4, 82.4, 99.4),
    **_counted("two jokers", _kinds(jokers=2, joker_on_strict_king=True), 89.5, 95.9, 100.0),
    "tripeaks": Kind(find_patience("tripeaks").rules, 96.7, 1.1),
    "elevator, escalator": Kind(find_patience("escalator").rules),
}


def rate(kind: Kind, deals: int) -> float:
    """How many of a hundred deals can be cleared."""
    cleared = sum(
        solve(kind.rules, _deal(kind, number)).verdict == "clearable" for number in range(deals)
    )
    return 100 * cleared / deals


def _deal(kind: Kind, number: int) -> Position:
    rules = kind.rules
    if kind.theirs:
        return deal(number, rules.jokers, empty_start=rules.empty_start)
    return lay_out(rules, attempt_pack(rules, practice_seed(number), 0))


def agrees(kind: Kind, found: float, deals: int) -> bool:
    """Whether two rates are the same over the same deals, or no further apart than three standard errors."""
    if kind.published is None:
        return True
    if kind.theirs and deals == THEIR_DEALS:
        return abs(found - kind.published) < 0.05
    mine = CERTAIN * sqrt(max(found * (100 - found), 1) / deals)
    return abs(found - kind.published) <= 1.5 * sqrt(mine**2 + _error(kind) ** 2)


def _error(kind: Kind) -> float:
    """The error of what was published: of a thousand deals, if they are known."""
    published = kind.published or 0.0
    return (
        CERTAIN * sqrt(published * (100 - published) / THEIR_DEALS) if kind.theirs else kind.error
    )


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
        found = rate(kind, asked.deals)
        millis = 1000 * (process_time() - began) / asked.deals
        by = CERTAIN * sqrt(found * (100 - found) / asked.deals)
        there = "" if kind.published is None else f"{kind.published} ± {_error(kind):.1f} %"
        if kind.theirs:
            there = f"{kind.published} % of these"
        good &= agrees(kind, found, asked.deals)
        print(f"| {name} | {found:.1f} ± {by:.1f} % | {there} | {millis:.0f} |", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
