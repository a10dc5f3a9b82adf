"""Where each kilobyte of a table goes: asked for by which module, or held by allocators and free.

Two houses do the same: in one every piece of memory is traced, which costs memory itself; the other
is weighed.
"""

import json
import os
import signal
from collections import Counter
from typing import NamedTuple

from bench.load.pairs import Pair
from bench.load.rows import Row
from bench.load.stage import Place, Sizes, house
from bench.load.weighed import LARGE

KB = 1000.0
SHOWN = 0.5
"""kB: smaller modules are added up."""


class Told(NamedTuple):
    """What two houses hold at one moment, in bytes."""

    modules: Counter[str]
    used: int
    """In the system's allocator."""
    free: int
    """The same, given back and kept."""
    resident: int


def weight(sizes: Sizes, place: Place) -> list[Row]:
    """What four connections and their table hold on to, by who asked for it."""
    with (
        house(place, "plain", program="bench.endurance.counted") as plain,
        house(place, "traced", program="bench.load.weighed") as traced,
    ):
        for pair in (plain, traced):
            pair.sit(5)
            pair.do("until 30")  # whatever is made once is made by now
        empty = _ask(plain, traced)
        for pair in (plain, traced):
            pair.do(f"greet {sizes.memory}")
        idle = _ask(plain, traced)
        for pair in (plain, traced):
            pair.sit(sizes.memory)
            pair.do("until 30")
        full = _ask(plain, traced)
    new = max(1, sizes.memory - 5)
    place.say(
        f"{(full.resident - empty.resident) / new / KB:.1f} kB for a table and its connections"
    )
    return [*_rows("four connections", empty, idle, new), *_rows("a table", idle, full, new)]


def _ask(plain: Pair, traced: Pair) -> Told:
    modules, counted = _said(traced), _said(plain)
    used, free = (1024 * counted[name] for name in ("used_kib", "free_kib"))
    return Told(Counter(modules), used, free, plain.house.memory())


def _said(pair: Pair) -> dict[str, int]:
    os.kill(pair.house.pid, signal.SIGUSR1)
    while not (line := pair.house.line()).startswith("{"):
        pass  # how friends reach it
    said: dict[str, int] = json.loads(line)
    return said


def _rows(what: str, before: Told, after: Told, new: int) -> list[Row]:
    def each(more: float) -> float:
        return more / new / KB

    modules = after.modules.copy()
    modules.subtract(before.modules)
    large = each(modules.pop(LARGE, 0))
    shown = {name: each(more) for name, more in modules.most_common() if each(more) >= SHOWN}
    resident = each(after.resident - before.resident)
    used, free = each(after.used - before.used) - large, each(after.free - before.free)
    asked = each(modules.total())
    lines = {
        **shown,
        "smaller modules": asked - sum(shown.values()),
        "libraries in C: SQLite's pages, libuv": used,
        "free, kept by the system's allocator": free,
        "free, kept in Python's pools, and what is left": resident - asked - used - free,
    }
    return [
        Row(f"{what}: all of it", f"{resident:.1f} kB"),
        *(Row(f"{what}: {name}", f"{kb:.1f} kB") for name, kb in lines.items()),
    ]
