"""Where a word is typed: the house, the table if there is one, and the screen that answers."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from dormie_client.at_table import AtTable
from dormie_client.commands import Command, Unclear
from dormie_client.scene import Scene
from dormie_client.show import Show
from dormie_client.terminal_view import seat_called

if TYPE_CHECKING:
    from dormie_client.session import Dormie


@dataclass(frozen=True, slots=True)
class Here:
    """What a typed word can reach."""

    show: Show
    session: "Dormie | None" = None
    home: Path | None = None
    """Where one's token is kept; None where it is not."""
    at: AtTable | None = None
    seen: Scene | None = None

    @property
    def house(self) -> "Dormie":
        """The house. Raises Unclear where there is only a table."""
        if self.session is None:
            raise Unclear("no_house_here")
        return self.session

    @property
    def table(self) -> AtTable:
        """The table. Raises Unclear where one is at none."""
        if self.at is None:
            raise Unclear("no_table_here")
        return self.at

    @property
    def scene(self) -> Scene:
        """How the table looks. Raises Unclear where one is at none."""
        if self.seen is None:
            raise Unclear("no_table_here")
        return self.seen

    def text(self, key: str, **fields: object) -> None:
        """Say one of the terminal's sentences."""
        self.show.text(key, **fields)

    def word(self, key: str, **fields: object) -> str:
        """One of the terminal's sentences, to be put into another."""
        return self.show.screen.text(key, **fields)

    def seat(self, whose: str) -> int:
        """The seat that is meant by a number or the beginning of a name. Raises Unclear."""
        seat = seat_called(self.scene, whose) if whose else None
        if seat is None:
            raise Unclear("which_seat")
        return seat


End: TypeAlias = AtTable | Literal["quit", "over"]
"""How an evening at a table ends: another table, enough for today, or the table is over for us."""
Does: TypeAlias = Callable[[Here, Command], Coroutine[Any, Any, End | None]]
"""What a word does. It returns where one goes, if one goes anywhere.

Raises Unclear for what makes no sense, RefusedError for what the house refuses, and ClosedError.
"""
Group: TypeAlias = Mapping[str, Does]
