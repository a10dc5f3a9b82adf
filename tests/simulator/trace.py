"""What happened, moment by moment: the same seed gives the same lines, byte for byte."""

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b


class Violation(AssertionError):
    """A promise was broken."""


class Trace:
    """The lines of one run, and how often each kind of thing happened."""

    def __init__(self, now: Callable[[], float], step: Callable[[], int]) -> None:
        self.counts: Counter[str] = Counter()
        self.broken: Violation | None = None
        self.kept: int | None = None
        """How many lines are remembered; None is all of them."""
        self._now = now
        self._step = step
        self._lines: list[tuple[float, int, str, str]] = []

    def note(self, kind: str, what: str = "") -> None:
        """Something happened."""
        self.counts[kind] += 1
        self._lines.append((self._now(), self._step(), kind, what))
        if self.kept is not None and len(self._lines) > 2 * self.kept:
            del self._lines[: -self.kept]

    def lines(self, last: int | None = None) -> list[str]:
        """The lines, or the last so many."""
        some = self._lines if last is None else self._lines[-last:]
        return [f"{at:11.6f} {step:7d} {kind}: {what}" for at, step, kind, what in some]

    def digest(self) -> str:
        """What two runs must have in common."""
        return blake2b("\n".join(self.lines()).encode(), digest_size=16).hexdigest()

    def fail(self, because: str) -> None:
        """A promise was broken; the first one counts."""
        if self.broken is None:
            self.note("broken", because)
            self.broken = Violation(f"at step {self._step()}, {self._now():.3f} s: {because}")
