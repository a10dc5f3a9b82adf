"""Telling a player how little time is left."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from dormie_client.scene import Scene

WARNINGS = (20.0, 10.0, 5.0)
"""When so many seconds of a turn are left, the player is told."""


class Countdown:
    """The warnings of one evening: each deadline has its own."""

    def __init__(
        self,
        now: Callable[[], float],
        begin: Callable[[Coroutine[Any, Any, None]], None],  # a task of any kind
        warn: Callable[[float, float], None],
    ) -> None:
        """*begin* lets something run beside the evening; *warn* hears a deadline and what is left."""
        self._now = now
        self._begin = begin
        self._warn = warn
        self._deadline: float | None = None

    def look(self, scene: Scene) -> None:
        """Set the warnings for the player's own turn."""
        deadline = scene.view.deadline if scene.moves else None
        if deadline is None or deadline == self._deadline:
            return
        self._deadline = deadline
        left = deadline - self._now()
        for seconds in (seconds for seconds in WARNINGS if seconds < left):
            self._begin(self._later(left - seconds, deadline, seconds))

    async def _later(self, delay: float, deadline: float, seconds: float) -> None:
        await asyncio.sleep(delay)
        self._warn(deadline, seconds)
