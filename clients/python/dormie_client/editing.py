"""A line that can be edited while news comes in above it: nothing that was half typed is lost.

The library redraws the prompt and what was typed so far below whatever is written meanwhile. It is used
where a person looks at a terminal; pipes, simple terminals and screen readers get plain lines.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.data_structures import Size
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.patch_stdout import patch_stdout

from dormie_client.console import LONGEST_LINE, Console
from dormie_client.wrapping import wrapped


class Editor:
    """The line at the bottom of the screen."""

    def __init__(self) -> None:
        self._message = ""
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            color_depth=ColorDepth.DEPTH_1_BIT,
            output=_output(),
        )

    def ask(self, message: str) -> None:
        """Show *message* before the line from now on."""
        self._message = message
        if self._session.app.is_running:
            self._session.app.invalidate()

    async def line(self) -> str | None:
        """The next line; None when there will be no more."""
        try:
            typed = await self._session.prompt_async(lambda: self._message)
        except EOFError:
            return None
        except KeyboardInterrupt:
            # For the program as a whole, not for the task that happens to read.
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()
            raise
        return typed[:LONGEST_LINE]


def _output() -> Output:
    """The terminal; it is never asked where its cursor is: some never answer, and some read it aloud."""
    if sys.platform == "win32":
        return create_output()
    return Vt100_Output(sys.stdout, _size, term=os.environ.get("TERM"), enable_cpr=False)


def _size() -> Size:
    columns, lines = shutil.get_terminal_size()
    return Size(rows=lines, columns=columns)


class EditedConsole(Console):
    """A console above such a line."""

    def __init__(self, out: TextIO, editor: Editor, width: int | None) -> None:
        super().__init__(out, echo=False, width=width)
        self._editor = editor
        self._room = width

    def say(self, *lines: str) -> None:
        """Write whole lines above the prompt."""
        super().say(*lines)
        if lines:
            self._editor.ask("")

    def ask(self, prompt: str) -> None:
        """Change the prompt; what was typed behind it stays."""
        self.asked = prompt
        self._editor.ask("\n".join(wrapped(f"{prompt} >", self._room)) + " ")

    def heard(self, typed: str) -> None:
        """A line has come in; the prompt it answers has been answered."""
        super().heard(typed)
        self._editor.ask("")


@contextmanager
def above_the_line() -> Iterator[None]:
    """Whatever is written to the standard output inside appears above the line."""
    with patch_stdout(raw=True):
        yield
