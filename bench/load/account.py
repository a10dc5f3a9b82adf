"""Where each microsecond of a move goes: a house with a stopwatch, beside one without."""

import json
import os
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

from bench.load.pairs import Pair, Window
from bench.load.rows import Row
from bench.load.stage import Place, Sizes, house, told
from bench.load.stopwatch import OUTSIDE, Account

LOOP = "the loop: polling, receiving, waking tasks"
BESIDE = "a thread beside: moving the log into the file"


class Told(NamedTuple):
    """What a watched house says of itself."""

    account: Account
    thread: int
    """Nanoseconds of processor time of the thread that is watched."""
    inner: float
    outer: float


class Bill(NamedTuple):
    """What moves cost, stage by stage, in microseconds each."""

    stages: Mapping[str, float]

    @property
    def micros(self) -> float:
        """All stages together."""
        return sum(self.stages.values())


def account(sizes: Sizes, place: Place) -> list[Row]:
    """What each stage of a move costs by itself; all stages together, beside a house that nobody watches."""
    plain, watched, bills = list[Window](), list[Window](), list[Bill]()
    with (
        house(place, "plain") as other,
        house(place, "watched", program="bench.load.watched") as pair,
    ):
        for one in (other, pair):
            one.sit(sizes.tables)
            one.mingle()
        for _ in range(sizes.times):
            plain.append(other.do(f"closed {sizes.seconds}"))
            before = _ask(pair)
            watched.append(pair.do(f"closed {sizes.seconds}"))
            bills.append(_bill(before, _ask(pair), watched[-1]))
    told(place.say, {"plain": tuple(plain), "watched": tuple(watched)})
    return _rows(_usual(bills), median(window.micros for window in plain))


def _bill(before: Told, after: Told, window: Window) -> Bill:
    busy = after.thread - before.thread
    counted = after.account - before.account
    # A house with so much to do never waits: what its thread did not have, other programs had.
    share = busy / sum(counted.spent.values())
    stages = counted.without(after.inner / share, after.outer / share)
    stages = {name: spent * share for name, spent in stages.items()}
    stages[LOOP] = stages.pop(OUTSIDE)
    stages[BESIDE] = 1e9 * window.cpu - busy
    return Bill({name: spent / window.times / 1000 for name, spent in stages.items()})


def _usual(bills: Sequence[Bill]) -> Bill:
    """Stage by stage the middle one: what other programs do falls on one stage here, on another there."""
    return Bill({name: median(bill.stages[name] for bill in bills) for name in bills[0].stages})


def _ask(pair: Pair) -> Told:
    """Ask the house what its stopwatch shows."""
    os.kill(pair.house.pid, signal.SIGUSR1)
    while not (line := pair.house.line()).startswith("{"):
        pass  # how friends reach it
    said = json.loads(line)
    counted = Account(*(Counter(said[name]) for name in Account._fields))
    return Told(counted, said["thread"], said["inner"], said["outer"])


def _rows(bill: Bill, plain: float) -> list[Row]:
    by_cost = sorted(bill.stages.items(), key=lambda stage: -stage[1])
    ratio = bill.micros / plain
    return [
        *(
            Row(name, f"{micros:.1f} µs", "", f"{micros / bill.micros:.3f}")
            for name, micros in by_cost
        ),
        Row(
            "all of it, by the same house without a stopwatch",
            f"{bill.micros:.0f} µs",
            f"{plain:.0f} µs",
            f"{ratio:.2f}",
            "0.9 to 1.1",
            0.9 <= ratio <= 1.1,
        ),
    ]
