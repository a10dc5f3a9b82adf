"""A terminal, or whatever stands in for one: lines go out, lines come in, and nobody is held up."""

import asyncio
import os
import threading
from collections.abc import Mapping
from typing import TextIO

from dormie_client.scene import clean
from dormie_client.wrapping import wrapped

LONGEST_LINE = 4096
_EVERYTHING = 10**6
_SIMPLE = ("dumb", "unknown", "")
"""Terminals that cannot move their cursor."""


def can_edit(keys: int, out: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a person looks at a terminal that can move its cursor."""
    try:
        both = os.isatty(keys) and out.isatty()
    except OSError:
        return False
    return both and environment.get("TERM", "") not in _SIMPLE


class Console:
    """What is written. Whatever comes from elsewhere leaves its control signs behind here."""

    def __init__(self, out: TextIO, *, echo: bool, width: int | None = None) -> None:
        """*echo* is for what nobody typed on this screen: it is written behind its prompt.

        Lines longer than *width* columns are broken between words; None leaves them whole.
        """
        self._out = out
        self._echo = echo
        self._width = width
        self._same_line = out.isatty()
        self._mid_line = False
        self.asked: str | None = None
        """The prompt that was written last, if nothing has come after it."""

    def say(self, *lines: str) -> None:
        """Write whole lines, below a prompt that waits."""
        for line in lines:
            shown = "\n".join(wrapped(clean(line, _EVERYTHING), self._width))
            self._write(("\n" if self._mid_line else "") + shown + "\n")
            self._mid_line, self.asked = False, None

    def ask(self, prompt: str) -> None:
        """Write a prompt; a program that reads the other end gets it as a line of its own."""
        before = "\n" if self._mid_line else ""
        shown = "\n".join(wrapped(f"{clean(prompt, _EVERYTHING)} >", self._width))
        self._write(f"{before}{shown}{' ' if self._same_line else chr(10)}")
        self._mid_line, self.asked = self._same_line, prompt

    def heard(self, typed: str) -> None:
        """A line has come in; a terminal has shown it already, unless it came from elsewhere."""
        if self._echo and self._mid_line:
            self._write(clean(typed, LONGEST_LINE) + "\n")
        self._mid_line, self.asked = False, None

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


class Keyboard:
    """What is typed, line by line; a thread of its own waits for it, and may be left behind."""

    def __init__(self, fd: int) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(fd,), daemon=True).start()

    async def line(self) -> str | None:
        """The next line, or None when there will be no more."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _read(self, fd: int) -> None:
        rest = b""
        try:
            while data := _some(fd):
                *lines, rest = (rest + data).split(b"\n")
                self._put(lines)
                rest = rest[:LONGEST_LINE]
            self._put([rest] if rest else [])
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)
        except RuntimeError:
            return  # the loop has ended, and nobody listens any more

    def _put(self, lines: list[bytes]) -> None:
        for line in lines:
            text = line[:LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")
            self._loop.call_soon_threadsafe(self._lines.put_nowait, text)


def _some(fd: int) -> bytes:
    """What there is to read, as soon as there is something; nothing at the end."""
    try:
        return os.read(fd, LONGEST_LINE)  # not sys.stdin: a thread left behind would hold its lock
    except OSError:
        return b""
