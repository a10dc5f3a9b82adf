"""How fast the patience solver is, beside a plain depth-first search over the same deals in the same run.

`python -m bench solver [DEALS]`; 300 deals take some minutes, nearly all of them the search's.
"""

import random
import resource
import statistics
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import TypeAlias, get_args

from dormie_rules.cards import JOKER, RANKS, Card, rank
from dormie_rules.patience_deals import certify, practice_seed
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import KingRule, PatienceRules, followers
from dormie_rules.patience_solution import Verdict, next_position
from dormie_rules.solver import Study, solve

RATIO: dict[KingRule, float] = {"strict": 0.06, "queen": 0.06, "wrap": 0.15}
"""What all deals together may cost, of what the search takes."""
CLEARABLE: dict[KingRule, int] = {"strict": 81, "queen": 140, "wrap": 282}
"""Of the first 300 deals, as others have counted them."""
P99_MS, HINT_MS, MEMORY_MB, CERTIFIED_A_MINUTE = 60.0, 1.0, 100.0, 1000.0

Lengths: TypeAlias = tuple[int, ...]


def deal(seed: int, jokers: int = 0, *, empty_start: bool = False) -> Position:
    """Deal number *seed* as others have counted them: Python's own luck, column by column."""
    deck = [Card(RANKS[at]) for at in range(13) for _ in range(4)] + [Card(JOKER)] * jokers
    random.Random(seed).shuffle(deck)
    columns = tuple(tuple(deck[5 * at : 5 * at + 5]) for at in range(7))
    if empty_start:
        return Position(columns, None, tuple(deck[35:]))
    return Position(columns, deck[35], tuple(deck[36:]))


def depth_first(rules: PatienceRules, position: Position) -> bool:
    """Whether a clearing order exists: the yardstick, which stops at the first that it finds."""
    after = followers(rules)
    columns = [[rank(card) for card in column] for column in position.columns]
    stock = [rank(card) for card in position.stock]
    first = (tuple(map(len, columns)), 0, rank(position.foundation or Card("*")))
    seen, waiting = {first}, [first]
    while waiting:
        lengths, drawn, top = waiting.pop()
        if not any(lengths):
            return True
        if drawn < len(stock):
            _see((lengths, drawn + 1, stock[drawn]), seen, waiting)
        fit = after[top]
        for at, length in enumerate(lengths):
            if length and columns[at][length - 1] in fit:
                less = (*lengths[:at], length - 1, *lengths[at + 1 :])
                _see((less, drawn, columns[at][length - 1]), seen, waiting)
    return False


State: TypeAlias = tuple[Lengths, int, str]


def _see(state: State, seen: set[State], waiting: list[State]) -> None:
    if state not in seen:
        seen.add(state)
        waiting.append(state)


def milliseconds(what: Callable[[], object]) -> float:
    """The processor time that *what* takes."""
    began = process_time()
    what()
    return (process_time() - began) * 1000


def compare(king_rule: KingRule, number: int) -> bool:
    """Solve so many deals in both ways; whether the goals are reached."""
    rules = PatienceRules(king_rule)
    mine, theirs, cleared = [], [], 0
    for seed in range(number):
        position = deal(seed)
        mine.append(milliseconds(partial(solve, rules, position)))
        began = process_time()
        clearable = depth_first(rules, position)
        theirs.append((process_time() - began) * 1000)
        if clearable != (solve(rules, position).verdict == "clearable"):
            sys.exit(f"{king_rule}: deal {seed} is judged differently")
        cleared += clearable
    ratio = sum(mine) / sum(theirs)
    for name, times in (("solver", mine), ("depth first", theirs)):
        print(f"{king_rule:>7} {name:>12}: {_figures(times)}")
    print(f"{king_rule:>7} {cleared} of {number} clearable, {ratio:.3f} of the search's time")
    right = number != 300 or cleared == CLEARABLE[king_rule]
    return right and ratio <= RATIO[king_rule] and _p99(mine) < P99_MS


def _figures(times: list[float]) -> str:
    median, mean = statistics.median(times), statistics.mean(times)
    return f"median {median:6.1f} ms, mean {mean:6.1f} ms, p99 {_p99(times):6.1f} ms"


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def hints(king_rule: KingRule) -> bool:
    """Ask for a hint at every step of a deal's line; whether each comes soon enough."""
    rules, position = PatienceRules(king_rule), deal(6)
    line = solve(rules, position).line
    began = process_time()
    study = Study(rules, position)
    whole = (process_time() - began) * 1000
    times = []
    for move in line:
        times.append(milliseconds(partial(study.keeping, position)))
        position = next_position(position, move)
    print(f"{king_rule:>7} hints: {max(times):.3f} ms at most, after {whole:.0f} ms for the deal")
    return max(times) < HINT_MS


def certified(king_rule: KingRule, number: int) -> bool:
    """Find so many certified deals; whether two such processes would find enough in a minute."""
    rules = PatienceRules(king_rule, deal_policy="clearable")

    def judge(rules: PatienceRules, position: Position) -> Verdict:
        return solve(rules, position).verdict

    began = process_time()
    attempts = sum(certify(rules, practice_seed(at), judge).attempt + 1 for at in range(number))
    a_minute = 2 * 60 * number / (process_time() - began)
    print(f"{king_rule:>7} certified: {a_minute:.0f} a minute on two cores, {attempts} attempts")
    return a_minute >= CERTIFIED_A_MINUTE


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for king_rule in get_args(KingRule):
        Study(PatienceRules(king_rule), deal(0))
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"memory over imports: {memory:.0f} MB for passes both ways")
    began = perf_counter()
    good = [memory < MEMORY_MB]
    for king_rule in get_args(KingRule):
        good += [
            compare(king_rule, number),
            hints(king_rule),
            certified(king_rule, max(1, number // 6)),
        ]
    print(f"{number} deals three times in {perf_counter() - began:.0f} s")
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
