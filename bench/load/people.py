"""What people cost who only sit there, and what they cost when they come."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from bench.load.pairs import Pair, Window, cheapest
from bench.load.rows import Row
from bench.load.stage import Place, Sizes, bare, house

KB = 1000.0
LONG = 36
"""The most holes of a match: an old match should still be the same one."""


def memory(sizes: Sizes, place: Place) -> list[Row]:
    """What a connection and a table with four of them hold on to."""
    lines: dict[str, tuple[float, float]] = {}
    with house(place, "memory") as ours, bare("bare") as bar:
        for pair in (ours, bar):
            pair.sit(5)
            pair.do("until 30")  # whatever is made once is made by now
            empty = pair.house.memory()
            new = max(1, sizes.memory - 5)
            pair.do(f"greet {sizes.memory}")
            idle = pair.house.memory()
            pair.sit(sizes.memory)
            pair.do("until 30")
            full = pair.house.memory()
            lines[pair.name] = ((idle - empty) / new / 4 / KB, (full - empty) / new / KB)
            place.say(f"memory {pair.name}: {empty / KB / KB:.0f} MB before anybody came")
    (ours_idle, ours_table), (bar_idle, bar_table) = lines["memory"], lines["bare"]
    return [
        Row(
            "memory of a connection that only said hello",
            f"{ours_idle:.1f} kB",
            f"{bar_idle:.1f} kB",
            f"{ours_idle / max(bar_idle, 0.1):.1f}",
            "at most 25.6 kB",
            ours_idle <= 25.6,
        ),
        Row(
            "memory of a table of 4 connections",
            f"{ours_table:.0f} kB",
            f"{bar_table:.0f} kB",
            f"{ours_table / max(bar_table, 0.1):.1f}",
            "at most 75 kB",
            ours_table <= 75,
        ),
    ]


def joins(sizes: Sizes, place: Place) -> list[Row]:
    """Connecting, hello and watch for a seat one has: in a young match and in an old one."""
    young, old = sizes.ages
    with (
        house(place, "young", holes=LONG) as fresh,
        house(place, "old", holes=LONG) as aged,
        bare("bare") as bar,
    ):
        for pair, age in ((fresh, young), (aged, old), (bar, young)):
            pair.sit(sizes.joiners)
            pair.do(f"until {age}")
        windows = _come_back((fresh, aged, bar), sizes)
    best = {of: cheapest(found).micros for of, found in windows.items()}
    for (name, how), micros in best.items():
        place.say(f"join {how}, {name}: {micros:.0f} µs")
    first, plain = best["young", "fresh"], best["bare", "fresh"]
    return [
        Row(
            "CPU a join, by a bare connection",
            f"{first / 1000:.2f} ms",
            f"{plain / 1000:.2f} ms",
            f"{first / plain:.1f}",
            "at most 0.5 ms",
            first <= 500,
        ),
        *(
            _aged(f"CPU {what}, {old} moves old, by {young}", best["old", how], best["young", how])
            for how, what in (("fresh", "a join"), ("resume", "a resume"))
        ),
    ]


def _come_back(pairs: Sequence[Pair], sizes: Sizes) -> Mapping[tuple[str, str], list[Window]]:
    """Everybody loses the line, is missed, and comes back, again and again: first anew, then resuming."""
    windows: dict[tuple[str, str], list[Window]] = defaultdict(list)
    for _ in range(sizes.times):
        for how in ("fresh", "resume"):
            for pair in pairs:
                pair.do("leave")
            pairs[0].do(f"sleep {sizes.away}")
            for pair in pairs:
                windows[pair.name, how].append(pair.do(f"join {how}"))
    return windows


def _aged(what: str, old: float, young: float) -> Row:
    grown = old / young
    return Row(
        what,
        f"{old / 1000:.2f} ms",
        f"{young / 1000:.2f} ms",
        f"{grown:.2f}",
        "at most 1.3",
        grown <= 1.3,
    )
