"""The one table at the end of an evening of chaos, and the figures in it."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from tests.chaos.house import Outage
from tests.chaos.ledger import Absence, Ledger, Loss
from tests.chaos.reckoning import Reckoning


def percentile(values: Sequence[float], share: float) -> float:
    """The value that *share* of *values* do not pass.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 0.5), percentile([3.0, 1.0, 2.0, 4.0], 0.99)
    (2.0, 4.0)
    """
    ranked = sorted(values)
    return ranked[max(0, -int(-len(ranked) * share // 1) - 1)]


def spread(values: Sequence[float]) -> str:
    """
    >>> spread([1.0, 2.0, 3.0])
    '2.0 / 3.0 / 3.0 s (3)'
    """
    if not values:
        return "never"
    p50, p99 = percentile(values, 0.5), percentile(values, 0.99)
    return f"{p50:.1f} / {p99:.1f} / {max(values):.1f} s ({len(values)})"


def since_ready(absences: Iterable[Absence], outages: Iterable[Outage]) -> list[float]:
    """How long after the server was ready those came back whom it had left, in fine weather.

    >>> killed = Outage("killed", 10.0, 11.0)
    >>> since_ready([Absence(10.0, 12.5), Absence(10.1, 11.5, rough=True)], [killed])
    [1.5]
    """
    return _since(absences, [one.ready for one in outages if one.kind != "frozen"])


def since_over(absences: Iterable[Absence], outages: Iterable[Outage]) -> list[float]:
    """The same after the last fault of any kind that they met: whoever has left a server that was killed may
    come to one that stands still.

    >>> since_over([Absence(10.0, 19.0)], [Outage("killed", 10.0, 11.0), Outage("frozen", 9.0, 17.0)])
    [2.0]
    """
    return _since(absences, [one.ready for one in outages])


def _since(absences: Iterable[Absence], ends: Sequence[float]) -> list[float]:
    waits = []
    for one in absences:
        last = max((at for at in ends if one.cut <= at <= one.resumed), default=None)
        if last is not None and not one.rough:
            waits.append(one.resumed - last)
    return waits


def lost_by_cut(losses: Iterable[Loss], outages: Sequence[Outage]) -> list[int]:
    """How many acknowledged moves each power cut took, as the clients were told after it.

    >>> outages = [Outage("power cut", 1.0, 2.0), Outage("power cut", 5.0, 6.0)]
    >>> lost_by_cut([Loss(2.5, 3), Loss(4.0, 1)], outages)
    [4, 0]
    """
    ready = [one.ready for one in outages if one.kind == "power cut"]
    lost = [0] * len(ready)
    for loss in losses:
        lost[sum(at <= loss.at for at in ready) - 1] += loss.moves
    return lost


def rows(
    result: Reckoning,
    ledger: Ledger,
    outages: Sequence[Outage],
    faults: Mapping[str, int],
) -> list[tuple[str, str]]:
    """What is told at the end, line by line."""
    fine = [one.resumed - one.cut for one in ledger.absences if not one.rough]
    rough = [one.resumed - one.cut for one in ledger.absences if one.rough]
    away = [one.ready - one.began for one in outages if one.kind != "frozen"]
    cuts = lost_by_cut(ledger.losses, outages)
    told = [(f"faults: {name}", f"{number:,}") for name, number in faults.items() if number]
    return [
        *told,
        ("moves acknowledged", f"{ledger.acknowledged:,}"),
        ("lost", str(result.lost)),
        ("doubled, or never asked for", f"{result.doubled}, {result.ghosts}"),
        *([("taken back openly", _by_cut(cuts, result.taken_back))] if cuts else []),
        *([("made by bots that sat in", f"{result.by_bots:,}")] if result.by_bots else []),
        ("made by the clock", f"{result.by_clock:,} (foreseen: {result.foreseen})"),
        ("sent again without need", f"{ledger.repeats:,}"),
        ("left out of a match: too long away when it began", f"{ledger.left_out}"),
        ("without a server, p50 / p99 / max", spread(away)),
        ("back after the cut, p50 / p99 / max", spread(fine)),
        ("back once the server was ready", spread(since_ready(ledger.absences, outages))),
        ("back once every fault was over", spread(since_over(ledger.absences, outages))),
        ("back after the cut, bad weather", spread(rough)),
        ("matches ended", f"{result.matches:,}"),
        ("records verified", f"{result.verified:,}"),
        *((what, f"{number:,}") for what, number in sorted(ledger.deeds.items())),
        *([("moves whose spectators waited", f"{result.glimpses:,}")] if result.glimpses else []),
    ]


def _by_cut(cuts: Sequence[int], moves: int) -> str:
    hit = sum(map(bool, cuts))
    return (
        f"{moves} moves; a cut: median {median(cuts):.0f}, max {max(cuts)}; in {hit} of {len(cuts)}"
    )


def table(told: Iterable[tuple[str, str]]) -> str:
    """
    >>> print(table([("lost", "0")]))
    | lost | 0 |
    """
    return "\n".join(f"| {name} | {value} |" for name, value in told)
