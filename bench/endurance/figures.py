"""Figures of a bench: percentiles, slopes, and the one plain table at the end."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


def percentile(sample: Sequence[float], part: float) -> float:
    """The value that *part* of the sample does not exceed.

    >>> percentile([3, 1, 2, 4], 0.5), percentile(range(1000), 0.99)
    (2, 989)
    """
    assert sample, "of nothing there is no percentile"
    ordered = sorted(sample)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def slope(points: Sequence[tuple[float, float]]) -> float:
    """By how much y rises with each x, by least squares.

    >>> slope([(0, 5), (1, 7), (2, 9)])
    2.0
    """
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a report: what was measured, what came out, and the most it may be."""

    what: str
    value: float
    unit: str
    most: float | None = None

    @property
    def good(self) -> bool:
        return self.most is None or self.value <= self.most


def report(rows: Sequence[Row]) -> str:
    """The plain table at the end of a bench.

    >>> print(report([Row("an idle connection", 16.25, "KiB", 25), Row("cut after", 3, "s", 1)]))
    | what               | measured  | at most |          |
    |--------------------|-----------|---------|----------|
    | an idle connection | 16.25 KiB | 25      |          |
    | cut after          | 3 s       | 1       | too much |
    """
    lines = [("what", "measured", "at most", "")]
    for row in rows:
        most = "" if row.most is None else f"{row.most:,g}"
        verdict = "" if row.good else "too much"
        lines.append((row.what, f"{_short(row.value)} {row.unit}".strip(), most, verdict))
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    cells = [_line(line, widths) for line in lines]
    return "\n".join(
        (cells[0], "|" + "|".join("-" * (wide + 2) for wide in widths) + "|", *cells[1:])
    )


def _line(line: Sequence[str], widths: Sequence[int]) -> str:
    padded = (text.ljust(wide) for text, wide in zip(line, widths, strict=True))
    return "| " + " | ".join(padded) + " |"


def _short(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:,.4g}"
