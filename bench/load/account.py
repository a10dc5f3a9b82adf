"""Where each microsecond of a move goes: a house with a stopwatch, beside one without."""

import json
import os
import signal
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from bench.load.pairs import Pair, Window, cheapest
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
    """What the moves of one window cost, stage by stage, in microseconds each."""

    window: Window
    stages: Mapping[str, float]

    @property
    def micros(self) -> float:
        """All stages together."""
        return sum(self.stages.values())


def account(sizes: Sizes, place: Place) -> list[Row]:
    """What each stage of a move costs by itself; all stages together, beside a house that nobody watches."""
    plain, bills = list[Window](), list[Bill]()
    with (
        house(place, "plain") as other,
        house(place, "watched", program="bench.load.watched") as watched,
    ):
        for pair in (other, watched):
            pair.sit(sizes.tables)
            pair.mingle()
        for _ in range(sizes.times):
            plain.append(other.do(f"closed {sizes.seconds}"))
            bills.append(_bill(watched, sizes.seconds))
    windows = {"plain": tuple(plain), "watched": tuple(bill.window for bill in bills)}
    told(place.say, windows)
    return _rows(min(bills, key=lambda bill: bill.micros), cheapest(plain).micros)


def _bill(pair: Pair, seconds: float) -> Bill:
    before = _ask(pair)
    window = pair.do(f"closed {seconds}")
    after = _ask(pair)
    busy = after.thread - before.thread
    counted = after.account - before.account
    # A house with so much to do never waits: what its thread did not have, other programs had.
    share = busy / sum(counted.spent.values())
    stages = counted.without(after.inner / share, after.outer / share)
    stages = {name: spent * share for name, spent in stages.items()}
    stages[LOOP] = stages.pop(OUTSIDE)
    stages[BESIDE] = 1e9 * window.cpu - busy
    return Bill(window, {name: spent / window.times / 1000 for name, spent in stages.items()})


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
