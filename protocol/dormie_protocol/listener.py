"""Who is listening: what a spoken line must know besides the event it speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_protocol.table_view import PocketEvent
from dormie_rules.cards import Card
from dormie_rules.grid_events import DrewCard

Verbosity: TypeAlias = Literal["brief", "normal", "full"]
"""brief: as few words as will do; normal: a sentence for everything that happens; full: rows,
columns, every card at the end of a hole, and what makes the deals checkable."""


@dataclass(frozen=True, slots=True)
class Listener:
    """One pair of ears at the table."""

    names: Sequence[str | None]
    """Who sits where."""
    seat: int | None
    """The listener's own seat, None for a spectator."""
    detail: Verbosity = "normal"
    cols: int = 0
    """How many columns the grids have, 0 where that is not known."""
    mine: PocketEvent | None = None
    """What of the event only this listener is told."""

    @property
    def drawn(self) -> Card | None:
        """The card just drawn, for the one who drew it."""
        return self.mine.card if isinstance(self.mine, DrewCard) else None

    def me_first(self, seats: Sequence[int]) -> list[int]:
        """The same seats, the listener's own before the others.

        >>> Listener(("Ada", "Ben", "Cleo"), seat=1).me_first((0, 1, 2))
        [1, 0, 2]
        """
        return sorted(seats, key=lambda seat: seat != self.seat)

    def row_and_column(self, at: int) -> tuple[int, int] | None:
        """Where card *at* lies, counted from 1, for a listener who wants to know that much.

        >>> Listener((), None, "full", cols=3).row_and_column(3)
        (2, 1)
        >>> Listener((), None, "normal", cols=3).row_and_column(3) is None
        True
        """
        if self.detail != "full" or not self.cols:
            return None
        return at // self.cols + 1, at % self.cols + 1
