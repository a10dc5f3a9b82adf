"""What the house counts for whoever looks after it: how many, how often, how long, how late.

Each server has a registry of its own. What is counted on the way of every move is bound once, here,
so that counting costs an addition.
"""

from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

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


class Metrics:
    """The figures of one server. The *refusals* and *phases* named are shown from the start.

    >>> metrics = Metrics(refusals=["stale"])
    >>> metrics.moves.inc()
    >>> metrics.refused("stale")
    >>> text = metrics.render().decode()
    >>> "dormie_moves_total 1.0" in text, 'dormie_refusals_total{word="stale"} 1.0' in text
    (True, True)
    """

    def __init__(self, refusals: Iterable[str] = (), phases: Iterable[str] = PHASES) -> None:
        self._registry = home = CollectorRegistry()

        def count(name: str, what: str) -> Counter:
            return Counter(f"dormie_{name}", what, registry=home)

        self.connections = Gauge("dormie_connections", "Open connections.", registry=home)
        self.moves = count("moves", "Moves that were made.")
        self.events = count("events", "Events that happened at tables.")
        self.frames_out = count("frames_out", "Messages written to connections.")
        self.conflicts = count("conflicts", "Changes that came too late and were tried again.")
        self.commit_seconds = Histogram(
            "dormie_commit_seconds",
            "From a change to its safe keeping.",
            buckets=_COMMIT_SECONDS,
            registry=home,
        )
        self.late_seconds = Histogram(
            "dormie_deadline_late_seconds",
            "How late a deadline rang.",
            buckets=_LATE_SECONDS,
            registry=home,
        )
        tables = Gauge("dormie_tables", "Tables by phase.", ["phase"], registry=home)
        self._tables = {phase: tables.labels(phase) for phase in phases}
        self._all_refused = Counter("dormie_refusals", "Refusals.", ["word"], registry=home)
        self._refused = {word: self._all_refused.labels(word) for word in refusals}
        self._all_cut = Counter("dormie_cuts", "Lines given up.", ["reason"], registry=home)
        self._cut = {reason: self._all_cut.labels(reason) for reason in CUTS}

    def tables(self, by_phase: Mapping[str, int]) -> None:
        """Say how many tables there are in each phase; the phases not named have none."""
        for phase, gauge in self._tables.items():
            gauge.set(by_phase.get(phase, 0))

    def refused(self, word: str) -> None:
        if word not in self._refused:
            self._refused[word] = self._all_refused.labels(word)
        self._refused[word].inc()

    def cut(self, reason: str) -> None:
        if reason not in self._cut:
            self._cut[reason] = self._all_cut.labels(reason)
        self._cut[reason].inc()

    def render(self) -> bytes:
        """Return everything in the text form that Prometheus reads."""
        return generate_latest(self._registry)
