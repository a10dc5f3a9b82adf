"""What the house counts for whoever looks after it: how many, how often, how long, how late.

Each server has a registry of its own. Counting is on the way of every move, on one thread: it costs an
addition, and the library is asked only when somebody reads.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

PHASES = ("lobby", "starting", "playing", "between", "over")
CUTS = (
    "crowded",
    "early",
    "lingering",
    "overflow",
    "stalled",
    "text messages only",
    "too many control frames",
    "too many fragments",
    "too many messages",
    "unanswered",
)

_COMMIT_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0)
_LATE_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 30.0)


@dataclass(slots=True)
class Tally:
    """How many, or how often."""

    value: float = 0

    def inc(self, by: float = 1) -> None:
        self.value += by

    def dec(self) -> None:
        self.value -= 1


@dataclass(slots=True)
class Times:
    """How long things took, in seconds, sorted into buckets."""

    bounds: tuple[float, ...]
    counts: list[int] = field(init=False)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds


class Metrics(Collector):
    """The figures of one server. The *refusals* and *phases* named are shown from the start.

    >>> metrics = Metrics(refusals=["stale"])
    >>> metrics.moves.inc()
    >>> metrics.refused("stale")
    >>> text = metrics.render().decode()
    >>> "dormie_moves_total 1.0" in text, 'dormie_refusals_total{word="stale"} 1.0' in text
    (True, True)
    """

    def __init__(self, refusals: Iterable[str] = (), phases: Iterable[str] = PHASES) -> None:
        self.connections = Tally()
        self.store_answers = Tally(1)
        self.moves = Tally()
        self.events = Tally()
        self.frames_out = Tally()
        self.conflicts = Tally()
        self.commit_seconds = Times(_COMMIT_SECONDS)
        self.late_seconds = Times(_LATE_SECONDS)
        self._tables = dict.fromkeys(phases, 0)
        self._people = dict.fromkeys(("seated", "online", "spectators"), 0)
        self._refused = dict.fromkeys(refusals, 0)
        self._cut = dict.fromkeys(CUTS, 0)
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def tables(self, by_phase: Mapping[str, int]) -> None:
        """Say how many tables there are in each phase; the phases not named have none."""
        self._tables = {phase: by_phase.get(phase, 0) for phase in self._tables}

    def people(self, seated: int, online: int, spectators: int) -> None:
        """Say how many seats belong to persons, how many players are connected, how many watch."""
        self._people = {"seated": seated, "online": online, "spectators": spectators}

    def refused(self, word: str) -> None:
        self._refused[word] = self._refused.get(word, 0) + 1

    def cut(self, reason: str) -> None:
        self._cut[reason] = self._cut.get(reason, 0) + 1

    def render(self) -> bytes:
        """Return everything in the text form that Prometheus reads."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Everything, as the library asks for it."""
        yield _gauge("connections", "Open connections.", self.connections)
        yield _gauge(
            "store_answers", "1 while the store answers, 0 while it is away.", self.store_answers
        )
        yield _counter("moves", "Moves that were made.", self.moves)
        yield _counter("events", "Events that happened at tables.", self.events)
        yield _counter("frames_out", "Messages written to connections.", self.frames_out)
        yield _counter(
            "conflicts", "Changes that came too late and were tried again.", self.conflicts
        )
        yield _times("commit_seconds", "From a change to its safe keeping.", self.commit_seconds)
        yield _times("deadline_late_seconds", "How late a deadline rang.", self.late_seconds)
        tables = GaugeMetricFamily("dormie_tables", "Tables by phase.", labels=["phase"])
        for phase, number in self._tables.items():
            tables.add_metric([phase], number)
        yield tables
        people = GaugeMetricFamily("dormie_people", "People by where they are.", labels=["where"])
        for where, number in self._people.items():
            people.add_metric([where], number)
        yield people
        yield _counters("refusals", "Refusals.", "word", self._refused)
        yield _counters("cuts", "Lines given up.", "reason", self._cut)


def _gauge(name: str, what: str, tally: Tally) -> Metric:
    return GaugeMetricFamily(f"dormie_{name}", what, value=tally.value)


def _counter(name: str, what: str, tally: Tally) -> Metric:
    return CounterMetricFamily(f"dormie_{name}", what, value=tally.value)


def _counters(name: str, what: str, label: str, numbers: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(f"dormie_{name}", what, labels=[label])
    for key, number in numbers.items():
        family.add_metric([key], number)
    return family


def _times(name: str, what: str, times: Times) -> Metric:
    bounds = (*map(str, times.bounds), "+Inf")
    buckets = list(zip(bounds, accumulate(times.counts), strict=True))
    return HistogramMetricFamily(f"dormie_{name}", what, buckets=buckets, sum_value=times.total)
