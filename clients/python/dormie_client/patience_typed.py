"""The next line that is typed at a table of Golf Patience, and whether it has to wait."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from dormie_client.patience_words import Unclear, read_patience
from dormie_client.scene import Scene
from dormie_client.typed_lines import may_act


class NextLine:
    """One line is read ahead; what has not been acted on when the evening ends is handed back."""

    def __init__(self, line: Callable[[], Awaitable[str | None]], *, patient: bool) -> None:
        """*line* waits for the next one; *patient* ones come from a program."""
        self._line = line
        self._patient = patient
        self._reading: asyncio.Future[str | None] | None = None

    @property
    def coming(self) -> asyncio.Future[str | None] | None:
        """What can be waited for; None when the line is there already, and it is the table that has to go on."""
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._line())
        return None if self._reading.done() else self._reading

    def may_act(self, scene: Scene | None, *, asked: bool) -> bool:
        """Whether there is a line that can be acted on now, at a table that looks like *scene*.

        A program's line waits until there is a table, and what belongs to the game until something is
        *asked*; the words of the house and its talk do not. Of somebody who watches nothing is asked.
        """
        if self._reading is None or not self._reading.done():
            return False
        if not self._patient:
            return True
        if scene is None:
            return False
        line, language = self._reading.result(), scene.screen.language
        ours = line is not None and _of_the_game(line, scene)
        return may_act(
            None if ours and scene.seat is not None else line,
            language,
            patient=True,
            busy=False,
            asked=asked,
            watching=scene.seat is None,
        )

    def take(self) -> str | None:
        """The line that is there; None is the end."""
        assert self._reading is not None, "taken only when it may be acted on"
        line, self._reading = self._reading.result(), None
        return line

    async def stop(self) -> list[str | None]:
        """Read no more. What was read and not taken, at most one line."""
        reading, self._reading = self._reading, None
        if reading is None:
            return []
        if reading.done() and not reading.cancelled():
            return [reading.result()]
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        return []


def _of_the_game(line: str, scene: Scene) -> bool:
    """Whether a line is one of Golf Patience's own; some of its words mean something else at other tables."""
    with suppress(Unclear):
        read_patience(line, scene.screen.language)
        return True
    return False
