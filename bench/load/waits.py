"""How long everybody at a table waits for a move, when the house is far from busy."""

from collections.abc import Mapping, Sequence

from bench.load.pairs import Window, rounds
from bench.load.rows import Row
from bench.load.stage import Place, Sizes, bare, house, told


def latency(sizes: Sizes, place: Place) -> list[Row]:
    """A fixed number of moves a second: from a move's sending until all seats have heard of it."""
    with (
        bare("broadcast") as bar,
        house(place, "calm") as normal,
        house(place, "calm full", "FULL") as full,
    ):
        pairs = (bar, normal, full)
        for pair in pairs:
            pair.sit(sizes.tables)
            pair.mingle()
            pair.do(f"open {sizes.rate} {sizes.calm / 10}")
        order = f"open {sizes.rate} {sizes.calm}"
        windows = told(place.say, rounds(pairs, order, max(2, sizes.times // 2)))
    return [
        _late(name, part, windows, pair.name)
        for pair, name in ((normal, "NORMAL"), (full, "FULL"))
        for part in ("p50", "p99")
    ]


def _late(name: str, part: str, windows: Mapping[str, Sequence[Window]], pair: str) -> Row:
    best = {
        who: min(float(getattr(window.report, part)) for window in of) / 1000
        for who, of in windows.items()
    }
    more = best[pair] - best["broadcast"]
    counts = (name, part) == ("NORMAL", "p99")
    return Row(
        f"{part} at a fixed rate, {name}",
        f"{best[pair]:.2f} ms",
        f"{best['broadcast']:.2f} ms",
        f"{more:+.2f} ms",
        "at most +2 ms" if counts else "",
        more <= 2 if counts else None,
    )
