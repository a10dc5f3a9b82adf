"""How tableaus that are no columns lie: which card lies on which, and which begin face-down.

Such a tableau is a row of places, each a column of one card, and a graph says by which places each is
covered. A card is free when nothing covers it, and a face-down card is turned up in that moment.
"""

from collections.abc import Mapping
from typing import Literal

Layout = Literal["columns", "peaks", "elevator", "escalator"]
"""columns: the last card of each is free; peaks: three small pyramids on a common row; elevator and
escalator: one pyramid, with its upper rows face-down or all face-up."""

PEAKS = 3
PYRAMID_ROWS = 7
PLACES = 28
"""Of the peaks and of the pyramid alike."""


def _peaks() -> tuple[tuple[int, ...], ...]:
    """Rows of three, six, nine and ten places, from the tops down; the last one covers and is not covered.

    >>> _peaks()[0], _peaks()[4], _peaks()[17], _peaks()[27]
    ((3, 4), (10, 11), (26, 27), ())
    """
    tops = [(3 + 2 * peak, 4 + 2 * peak) for peak in range(PEAKS)]
    second = [(9 + 3 * peak + at, 10 + 3 * peak + at) for peak in range(PEAKS) for at in (0, 1)]
    third = [(18 + at, 19 + at) for at in range(9)]
    return (*tops, *second, *third, *[()] * 10)


def _pyramid() -> tuple[tuple[int, ...], ...]:
    """Rows of one to seven places, from the top down.

    >>> _pyramid()[0], _pyramid()[20], _pyramid()[21]
    ((1, 2), (26, 27), ())
    """
    first = [row * (row + 1) // 2 for row in range(PYRAMID_ROWS + 1)]
    covered = [
        (first[row + 1] + at, first[row + 1] + at + 1)
        for row in range(PYRAMID_ROWS - 1)
        for at in range(row + 1)
    ]
    return (*covered, *[()] * PYRAMID_ROWS)


COVERS: Mapping[Layout, tuple[tuple[int, ...], ...]] = {
    "columns": (),
    "peaks": _peaks(),
    "elevator": _pyramid(),
    "escalator": _pyramid(),
}
"""For each place the places that lie on it; nothing for columns, which cover themselves."""

FACE_DOWN: Mapping[Layout, range] = {
    "columns": range(0),
    "peaks": range(18),
    "elevator": range(21),
    "escalator": range(0),
}
"""The places whose cards begin face-down."""
