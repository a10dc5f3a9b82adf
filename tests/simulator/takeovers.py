"""Who plays a seat: the line on which its player watched last, whatever older lines still say."""

from collections.abc import Callable
from typing import Any

from tests.simulator.network import Line
from tests.simulator.story import Json


class Takeovers:
    """What was asked by whom to be played from where."""

    def __init__(self, fail: Callable[[str], None]) -> None:
        self._fail = fail
        self._newest: dict[tuple[Any, ...], Line] = {}
        self._runs: dict[tuple[Any, ...], set[str]] = {}

    def forget(self) -> None:
        """Forget every table."""
        self._newest.clear()
        self._runs.clear()

    def watches(self, line: Line, player: str | None, message: Json) -> None:
        """A client asks, on the newest line it has, to follow a table."""
        where = (player, message["table"])
        self._newest[where] = line
        self._runs.setdefault(where, set()).add(message.get("run", ""))

    def replaced(self, line: Line, player: str | None, message: Json) -> None:
        """A line is told that somebody else plays the seat: another program, or a newer line of the same."""
        where = (player, message["table"])
        alone = len(self._runs.get(where, ())) == 1 and "" not in self._runs[where]
        if alone and self._newest[where] is line:
            self._fail(f"{line} is told that it was replaced at {message['table']}, by nobody")
