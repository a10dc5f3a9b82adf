"""Talk at a table: say something, hear what is said, and not hear those one does not want to hear."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator

from dormie_client.errors import refusing
from dormie_client.house import House
from dormie_protocol.emotes import EmoteWord
from dormie_protocol.messages import ClientMessage
from dormie_protocol.people_messages import (
    Block,
    Emote,
    Mute,
    Reason,
    Report,
    Said,
    Say,
    Unmute,
)

MOST = 200
"""So many lines are kept for whoever begins to listen, or listens slowly; the oldest go."""


class Lines(AsyncIterator[Said]):
    """What is said at a table, each line once, until the table or the session ends."""

    def __init__(self, heard: deque[Said]) -> None:
        self._waiting = deque(heard, MOST)
        self._over = False
        self._news = asyncio.Event()

    def put(self, said: Said) -> None:
        """Add a line."""
        self._waiting.append(said)
        self._news.set()

    def end(self) -> None:
        """Nothing comes after what is waiting."""
        self._over = True
        self._news.set()

    async def __anext__(self) -> Said:
        while not self._waiting:
            if self._over:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._waiting.popleft()


class Talking(ABC):
    """What a table has for people among people."""

    _house: House

    @property
    @abstractmethod
    def code(self) -> str:
        """What others type to join."""

    async def say(self, text: str) -> None:
        """Say something to everybody who watches: one line of plain text."""
        with refusing(self._house.language):
            message = Say(id=self._house.new_id(), table=self.code, text=text)
        await self._tell(message)

    async def emote(self, word: EmoteWord) -> None:
        """Say one of the quick words, which everybody reads in their own language."""
        with refusing(self._house.language):
            message = Emote(id=self._house.new_id(), table=self.code, emote=word)
        await self._tell(message)

    async def mute(self, seat: int | None = None, *, line: int | None = None) -> None:
        """Hear no more of whoever sits, or sat, there, or said that *line*. They are not told."""
        with refusing(self._house.language):
            message = Mute(id=self._house.new_id(), table=self.code, seat=seat, line=line)
        await self._tell(message)

    async def unmute(self, seat: int | None = None, *, line: int | None = None) -> None:
        """Hear them again."""
        with refusing(self._house.language):
            message = Unmute(id=self._house.new_id(), table=self.code, seat=seat, line=line)
        await self._tell(message)

    async def block(self, seat: int | None = None, *, line: int | None = None) -> None:
        """Hear nothing of them anywhere, and have them at no table of yours. They are not told."""
        with refusing(self._house.language):
            message = Block(id=self._house.new_id(), table=self.code, seat=seat, line=line)
        await self._tell(message)

    async def report(
        self, seat: int | None, reason: Reason, text: str = "", *, line: int | None = None
    ) -> None:
        """Tell those who run the house, with the last of what everybody saw and heard."""
        with refusing(self._house.language):
            message = Report(
                id=self._house.new_id(),
                table=self.code,
                seat=seat,
                line=line,
                reason=reason,
                text=text,
            )
        await self._tell(message)

    async def _tell(self, message: ClientMessage) -> None:
        await self._house.answer(self._house.put(message))
