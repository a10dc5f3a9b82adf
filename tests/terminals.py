"""Terminals at which people type, through pipes, at a real house over real sockets."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import TypeAlias

from dormie_client.play_command import play
from dormie_client.play_wish import read_wish
from tests.clients.screens import Paper

PATIENCE = 20.0
"""Seconds until what somebody waits to see is missed."""


class Terminal:
    """One `dormie` command under way; what it shows is read from where one has read so far."""

    def __init__(self, name: str, *, looked_at: bool = False) -> None:
        """*looked_at* is for a paper like a screen: prompts wait, and what is typed is seen."""
        self.name = name
        self.paper = Paper() if looked_at else StringIO()
        self._looked_at = looked_at
        self._read = 0
        self._theirs, self._ours = os.pipe()
        self._open = True
        self._playing: asyncio.Task[None] | None = None

    def start(self, home: Path, *argv: str) -> None:
        """Begin; *home* is where this person's token is kept."""
        wish = read_wish(argv, {})
        self._playing = asyncio.create_task(play(wish, self._theirs, self.paper, home))

    @property
    def shown(self) -> str:
        """Everything so far."""
        return self.paper.getvalue()

    def type(self, *lines: str) -> None:
        """Type whole lines."""
        for line in lines:
            if self._looked_at and not self.shown.endswith("> "):
                self.paper.write(f"{line}\n")  # behind a prompt the program itself shows it
            os.write(self._ours, f"{line}\n".encode())

    async def sees(self, text: str) -> str:
        """Wait until *text* is shown below what was read so far; the whole line that has it."""
        begun = asyncio.get_running_loop().time()
        while text not in self.shown[self._read :]:
            self._complain(text, begun)
            await asyncio.sleep(0.002)
        at = self.shown.index(text, self._read)
        end = self.shown.find("\n", at)
        begin = self.shown.rfind("\n", 0, at) + 1
        self._read = at + len(text)
        return self.shown[begin : None if end < 0 else end]

    async def says(self, typed: str, *seen: str) -> str:
        """Type a line and wait until all of this is seen, in order; the last line that was."""
        self.type(typed)
        line = ""
        for text in seen:
            line = await self.sees(text)
        return line

    async def prompted(self, end: str, shown_to: "Terminal") -> str | None:
        """The next prompt; None as soon as *end* is shown to somebody."""
        begun = asyncio.get_running_loop().time()
        while True:
            if end in shown_to.news:
                return None
            if self.news.endswith(" > "):
                prompt = self.news.splitlines()[-1].removesuffix(" > ")
                self._read = len(self.shown)
                return prompt
            self._complain(f"a prompt or {end!r}", begun)
            await asyncio.sleep(0.002)

    async def asked(self, prompt: str) -> None:
        """Wait until this is the prompt that stands last."""
        begun = asyncio.get_running_loop().time()
        while not self.shown.endswith(f"{prompt} > "):
            self._complain(f"the prompt {prompt!r}", begun)
            await asyncio.sleep(0.002)
        self._read = len(self.shown)

    async def next_prompt(self) -> str:
        """Everything that is shown until something is asked again."""
        begun = asyncio.get_running_loop().time()
        while not self.news.endswith((" > ", " >\n")):
            self._complain("a prompt", begun)
            await asyncio.sleep(0.002)
        news, self._read = self.news, len(self.shown)
        return news

    @property
    def news(self) -> str:
        """What was not read yet."""
        return self.shown[self._read :]

    async def ended(self) -> None:
        """Wait until the command has ended; raises what ended it."""
        assert self._playing is not None, "it was started"
        async with asyncio.timeout(PATIENCE):
            await self._playing

    async def close(self) -> None:
        """Pull the plug."""
        if self._open:
            self._open = False
            os.close(self._ours)
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)

    def _complain(self, text: str, begun: float) -> None:
        assert self._playing is not None, "it was started"
        where = f"{text!r} after:\n{self.shown}"
        if asyncio.get_running_loop().time() - begun > PATIENCE:
            raise AssertionError(f"{self.name} waited in vain for {where}")
        if self._playing.done() and not self._playing.cancelled():
            raise AssertionError(
                f"{self.name} has ended ({self._playing.exception()}) before {where}"
            )


Sit: TypeAlias = Callable[..., Awaitable[Terminal]]
"""Starts somebody's terminal: the name, and what is typed after `dormie play`."""


@asynccontextmanager
async def terminal(
    name: str, home: Path, *argv: str, looked_at: bool = False
) -> AsyncIterator[Terminal]:
    """A terminal for as long as the block lasts."""
    one = Terminal(name, looked_at=looked_at)
    try:
        one.start(home / name, *argv)
        yield one
    finally:
        await one.close()
