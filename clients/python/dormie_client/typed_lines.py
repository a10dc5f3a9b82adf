"""Lines that were typed and have not been acted on yet, and which of them may be acted on now."""

from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import get_args

from dormie_client.commands import LookVerb, Unclear, Verb, read_command
from dormie_client.words import does
from dormie_protocol.messages import Language

MOST = 64
"""So many lines wait; more are not read before some of them are done."""
_AT_ONCE = ("quit", *get_args(LookVerb))
"""What can be done while the table has not answered yet."""


@dataclass
class Lines:
    """What comes from a keyboard or a pipe, with what was handed back."""

    source: Callable[[], Awaitable[str | None]]
    back: deque[str | None] = field(default_factory=deque)

    async def next(self) -> str | None:
        """The next line; None is the end."""
        if self.back:
            return self.back.popleft()
        return await self.source()


def may_act(  # noqa: PLR0913 - everything that can hold a line up
    line: str | None,
    language: Language,
    *,
    patient: bool,
    busy: bool,
    asked: bool,
    watching: bool,
) -> bool:
    """Whether a line can be acted on now.

    *patient* lines come from a program: what belongs to the game waits until something is *asked*, all
    the rest does not. Nobody asks anything of somebody who is *watching*, and the end of such lines is
    not the end of watching. While the table is *busy* with an answer only a look at it does not wait.
    """
    verb = _verb(line, language)
    if busy:
        return not patient and (line is None or verb in _AT_ONCE)
    if not patient:
        return True
    if watching:
        return line is not None
    return asked or (verb is not None and does(verb) is not None)


def _verb(line: str | None, language: Language) -> Verb | None:
    with suppress(Unclear):
        return None if line is None else read_command(line, language).verb
    return None
