"""How far a long job is: a bar on a terminal, a line now and then anywhere else."""

from dataclasses import dataclass
from typing import TextIO

WIDE = 24
PARTS = 10
"""Where there is no terminal the job says so often how far it is."""
_ERASE = "\r\x1b[K"


@dataclass(frozen=True, slots=True)
class ProgressBar:
    """What is told on *out* of so many steps; nothing of a single one.

    >>> import sys
    >>> ProgressBar(sys.stdout, steps=2).after(1, "1 of 2 deals solved")
    1 of 2 deals solved
    """

    out: TextIO
    steps: int

    def make_room(self) -> None:
        """Take the bar away, so that something else can be written in its place."""
        if self.steps > 1 and self.out.isatty():
            self.out.write(_ERASE)
            self.out.flush()

    def after(self, done: int, line: str) -> None:
        """So many steps are *done*; *line* says so in words."""
        if self.steps < 2:  # noqa: PLR2004 - one step has no progress
            return
        if self.out.isatty():
            filled = WIDE * done // self.steps
            end = "\n" if done == self.steps else ""
            self.out.write(f"{_ERASE}[{'#' * filled}{'.' * (WIDE - filled)}] {line}{end}")
            self.out.flush()
        elif done * PARTS // self.steps > (done - 1) * PARTS // self.steps:
            self.out.write(f"{line}\n")
