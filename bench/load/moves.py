"""What a move costs: beside the yardsticks, and at one table as at a thousand."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from bench.load.pairs import Window, cheapest, rounds
from bench.load.rows import Row
from bench.load.stage import Place, Sizes, bare, house, told


def glance(sizes: Sizes, place: Place) -> list[Row]:
    """What a move costs beside the broadcast, and nothing else: for somebody who is making it faster."""
    with bare("broadcast") as bar, house(place, "NORMAL") as normal:
        for pair in (bar, normal):
            pair.sit(sizes.tables)
            pair.mingle()
        windows = told(place.say, rounds((bar, normal), f"closed {sizes.seconds}", sizes.times))
    return [_cost({name: cheapest(of) for name, of in windows.items()})]


def moves(sizes: Sizes, place: Place) -> list[Row]:
    """As many moves as the server makes: what one costs, and how many a second."""
    with ExitStack() as stack:
        enter = stack.enter_context
        normal = enter(house(place, "NORMAL"))
        normal.sit(sizes.tables)
        normal.mingle()
        trial = normal.do(f"closed {sizes.seconds}")
        said, heard = round(trial.said), round(trial.heard / 4)
        pairs = [
            enter(bare("broadcast")),
            normal,
            enter(house(place, "FULL", "FULL")),
            enter(bare("echo", "echo")),
            enter(bare("same bytes", message=said, size=heard)),
            enter(bare("naive", "dump")),
        ]
        for pair in pairs:
            pair.sit(sizes.tables)
            pair.mingle()
        windows = told(place.say, rounds(pairs, f"closed {sizes.seconds}", sizes.times))
    return _move_rows(windows, said, heard)


def growth(sizes: Sizes, place: Place) -> list[Row]:
    """Whether a move costs the same at many tables as at few, with as many moves under way."""
    with ExitStack() as stack:
        pairs = []
        for many in sizes.growth:
            for pair in (house(place, f"{many}"), bare(f"bare {many}")):
                pairs.append(stack.enter_context(pair))
                pairs[-1].sit(many)
                pairs[-1].mingle()
        # All thousand at once would measure how long the queue is; it costs the bare server twice as much.
        order = f"closed {sizes.seconds} {sizes.growth[1]}"
        windows = told(place.say, rounds(pairs, order, max(2, sizes.times // 2)))
    best = {name: cheapest(of).micros for name, of in windows.items()}
    few, most = sizes.growth[1], sizes.growth[-1]
    grown = best[f"{most}"] / best[f"{few}"]
    grown_bare = best[f"bare {most}"] / best[f"bare {few}"]
    return [
        *(
            Row(
                f"CPU a move, NORMAL, tables: {many}",
                f"{best[f'{many}']:.0f} µs",
                f"{best[f'bare {many}']:.0f} µs",
                f"{best[f'{many}'] / best[f'bare {many}']:.2f}",
            )
            for many in sizes.growth
        ),
        Row(
            f"growth of CPU a move from {few} to {most} tables",
            f"{grown:.2f}",
            f"{grown_bare:.2f}",
            f"{grown / grown_bare:.2f}",
            "at most 1.3",
            grown <= 1.3,
        ),
    ]


def _cost(best: Mapping[str, Window]) -> Row:
    """The promise itself."""
    one, other = best["NORMAL"].micros, best["broadcast"].micros
    return Row(
        "CPU a move, NORMAL, by the broadcast",
        f"{one:.0f} µs",
        f"{other:.0f} µs",
        f"{one / other:.2f}",
        "at most 2.0",
        one <= 2 * other,
    )


def _move_rows(windows: Mapping[str, Sequence[Window]], said: int, heard: int) -> list[Row]:
    best = {name: cheapest(of) for name, of in windows.items()}
    most = {name: max(window.rate for window in of) for name, of in windows.items()}
    own = f"broadcast of Dormie's own {said} B in, {heard} B out"
    busiest = max(window.load_share for of in windows.values() for window in of)

    def cost(what: str, here: str, by: str) -> Row:
        one, other = best[here].micros, best[by].micros
        return Row(what, f"{one:.0f} µs", f"{other:.0f} µs", f"{one / other:.2f}")

    return [
        _cost(best),
        cost("CPU a move, FULL, by the broadcast", "FULL", "broadcast"),
        cost(f"CPU a move, NORMAL, by a {own}", "NORMAL", "same bytes"),
        cost("CPU a move, NORMAL, by the naive server in memory", "NORMAL", "naive"),
        *(
            Row(
                f"moves a second, {name}, by the echo",
                f"{most[name]:.0f}",
                f"{most['echo']:.0f}",
                f"{most[name] / most['echo']:.3f}",
            )
            for name in ("NORMAL", "FULL", "broadcast")
        ),
        Row("the load generator's share of its core, at most", f"{100 * busiest:.0f} %"),
    ]
