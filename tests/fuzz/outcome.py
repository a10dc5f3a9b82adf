"""What a campaign has shown: what came back, who was harmed, and how heavy the house has become."""

from dataclasses import dataclass, field

from tests.fuzz.judge import Findings

ENOUGH = 20
"""Whoever has found so much need not look on."""


@dataclass
class Weight:
    """How heavy the process was after so many frames."""

    frames: int
    kib: int
    objects: int


@dataclass
class Outcome:
    """What a campaign has shown."""

    findings: Findings = field(default_factory=Findings)
    harmed: list[str] = field(default_factory=list)
    """Tables, and honest people, to whom something has happened."""
    exceptions: list[str] = field(default_factory=list)
    """What the house wrote down, and what nobody caught."""
    left_over: list[str] = field(default_factory=list)
    """Tasks, timers and lines that should be gone."""
    weights: list[Weight] = field(default_factory=list)
    attacks: int = 0
    records: int = 0
    """Matches played to the end whose record is right."""
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def frames(self) -> int:
        return sum(self.findings.frames.values())

    @property
    def enough(self) -> bool:
        """Whether so much is wrong that more would not help."""
        found = self.findings
        wrong = (found.wrong, found.leaks, self.harmed, self.exceptions, self.left_over)
        return sum(map(len, wrong)) >= ENOUGH

    @property
    def growth(self) -> int:
        """KiB by which the process has grown since half of the frames: before, the collector warms up."""
        half = self.weights[-1].frames / 2
        then = next(weight for weight in self.weights if weight.frames >= half)
        return self.weights[-1].kib - then.kib

    def add(self, other: "Outcome") -> None:
        """Take in what another process has shown, but for its weights."""
        self.findings.add(other.findings)
        self.harmed += other.harmed
        self.exceptions += other.exceptions
        self.left_over += other.left_over
        self.attacks += other.attacks
        self.records += other.records
        self.seconds = max(self.seconds, other.seconds)
        self.cpu += other.cpu

    def faults(self) -> list[str]:
        """Everything that should not be."""
        leaks = [f"LEAK {what}" for what in self.findings.leaks]
        return [*leaks, *self.exceptions, *self.harmed, *self.findings.wrong, *self.left_over]
