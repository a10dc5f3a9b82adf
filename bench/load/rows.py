"""The table at the end of a bench: what was measured, beside what it is measured by."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line: texts as they are printed."""

    what: str
    here: str
    beside: str = ""
    """The yardstick of the same run."""
    ratio: str = ""
    goal: str = ""
    reached: bool | None = None
    """None where there is no goal."""

    def cells(self) -> tuple[str, ...]:
        verdict = {None: "", True: "reached", False: "**not yet**"}[self.reached]
        return self.what, self.here, self.beside, self.ratio, self.goal, verdict


HEAD = ("", "Dormie", "yardstick", "ratio", "goal", "")


def table(rows: Sequence[Row]) -> str:
    """The rows as a table in Markdown, its columns aligned.

    >>> print(table([Row("CPU a move", "88 µs", "44 µs", "2.0", "at most 2.0", reached=True)]))
    |            | Dormie | yardstick | ratio | goal        |         |
    |------------|--------|-----------|-------|-------------|---------|
    | CPU a move | 88 µs  | 44 µs     | 2.0   | at most 2.0 | reached |
    """
    cells = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(HEAD))]
    rule = "|".join("-" * (width + 2) for width in widths)
    lines = [
        "| "
        + " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True))
        + " |"
        for line in cells
    ]
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])
