"""A server with its load, and what one window of work cost it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from bench.load.processes import Crowd, Ended, House, Load, Report

A_HOLE = 100
"""About so many moves it has, when four people play anything that is legal."""


@dataclass(frozen=True, slots=True)
class Window:
    """What one order cost the server and the load."""

    cpu: float
    """Seconds of the server's processor time."""
    report: Report

    @property
    def times(self) -> int:
        """How many moves it was, or joins and the like where nobody moved."""
        return max(1, self.report.moves or self.report.jobs)

    @property
    def micros(self) -> float:
        """The server's processor time for each, in microseconds."""
        return 1e6 * self.cpu / self.times

    @property
    def rate(self) -> float:
        """How many a second."""
        return self.times / self.report.seconds

    @property
    def share(self) -> float:
        """How much of its core the server had."""
        return self.cpu / self.report.seconds

    @property
    def load_share(self) -> float:
        """How much of its core the load generator had: well under 1, or it is what was measured."""
        return self.report.cpu / self.report.seconds

    @property
    def heard(self) -> float:
        """Bytes of text that went out for each, to all seats together."""
        return self.report.bytes_in / self.times

    @property
    def said(self) -> float:
        """Bytes of text that came in for each."""
        return self.report.bytes_out / self.times


@dataclass(frozen=True, slots=True)
class Pair:
    """A server and the load on it."""

    name: str
    house: House
    load: Load
    others: tuple[House, ...] = ()
    """More servers of the same store: one seat after the other goes to the next of them."""

    def cpu(self) -> float:
        """Seconds of processor time that all its servers have had."""
        return sum(house.cpu() for house in (self.house, *self.others))

    def do(self, order: str) -> Window:
        """Carry an order out and say what it cost. Raises Ended, with what both sides say."""
        before = self.cpu()
        try:
            report = self.load.do(order)
        except Ended as ended:
            said = [house.complaints() for house in (self.house, *self.others)]
            raise Ended("\n".join([f"{self.name}: {ended}", *said])) from None
        return Window(self.cpu() - before, report)

    def sit(self, tables: int) -> Window:
        """Have so many tables playing; returns what it cost to open the new ones."""
        self.do(f"greet {tables}")
        return self.do(f"seat {tables}")

    def mingle(self) -> None:
        """Bring tables to all moments of a hole: those opened together would go through it together."""
        self.do(f"spread {A_HOLE}")


@contextmanager
def playing(
    name: str, house: House, crowd: Crowd, core: int | None, others: tuple[House, ...] = ()
) -> Iterator[Pair]:
    """Let *crowd* play in *house*, or in several that share a store; all are ended in the end."""
    with ExitStack() as ends:
        for one in (house, *others):
            ends.enter_context(one)
        load = Load([house.port, *(other.port for other in others)], crowd, core)
        yield Pair(name, house, ends.enter_context(load), others)


def rounds(pairs: Sequence[Pair], order: str, times: int) -> Mapping[str, tuple[Window, ...]]:
    """The same order for each pair in turn, again and again: what troubles the machine troubles all."""
    windows: dict[str, tuple[Window, ...]] = {pair.name: () for pair in pairs}
    for _ in range(times):
        for pair in pairs:
            windows[pair.name] += (pair.do(order),)
    return windows


def cheapest(windows: Sequence[Window]) -> Window:
    """The window in which each cost the server least."""
    return min(windows, key=lambda window: window.micros)
