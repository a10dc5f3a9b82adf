"""What a session asks of the house itself: which tables there are, one's own, and one's matches."""

from collections.abc import AsyncGenerator
from typing import Protocol

from dormie_client.errors import refusing
from dormie_client.table import Table
from dormie_client.told import Asking, told
from dormie_protocol.lobby_view import OwnTable, Played
from dormie_protocol.messages import (
    History,
    HistorySeen,
    Language,
    Lobby,
    LobbySeen,
    Mine,
    MineSeen,
    Quick,
)


class Session(Asking, Protocol):
    """What is needed of a session to ask the house something, and to go to a table."""

    language: Language

    def new_id(self) -> str:
        """An id for the next request."""

    async def enter(self, code: str, version: int | None = None) -> Table:
        """The table, once it can be seen as it was at *version* or later."""


class LobbyCalls:
    """What a session can ask about tables at which it is not, or not now."""

    async def lobby(self: Session, variant: str | None = None, *, free: bool = False) -> LobbySeen:
        """The listed tables, best first, with *free* only those one can join; and who is there."""
        with refusing(self.language):
            message = Lobby(id=self.new_id(), variant=variant, free=free)
        return await told(self, message, LobbySeen)

    async def follow_lobby(
        self: Session, variant: str | None = None, *, free: bool = False
    ) -> AsyncGenerator[LobbySeen, None]:
        """The lobby now, and again when it has changed. One at a time: a second ends the first.

        A slow reader gets the newest.
        """
        with refusing(self.language):
            message = Lobby(id=self.new_id(), variant=variant, free=free, follow=True)
        ear = self.reports.follow(message)
        try:
            await self.answer(self.put(message))
            async for seen in ear:
                yield seen
        finally:
            if self.reports.unfollow(ear):
                self.put(Lobby(id=self.new_id(), follow=False))

    async def quick(self: Session, variant: str | None = None, size: int | None = None) -> Table:
        """Take a seat at the best listed table that waits for players, or at a new one."""
        with refusing(self.language):
            message = Quick(id=self.new_id(), variant=variant, size=size)
        done = await self.answer(self.put(message))
        assert done.table is not None, "a seat is at a table"
        return await self.enter(done.table, done.version)

    async def mine(self: Session) -> tuple[OwnTable, ...]:
        """The tables at which you have a seat, those that wait for you first."""
        return (await told(self, Mine(id=self.new_id()), MineSeen)).tables

    async def history(
        self: Session, *, before: str | None = None, limit: int = 20
    ) -> tuple[Played, ...]:
        """Matches you have played, newest first; *before* is the last record of the page before."""
        with refusing(self.language):
            message = History(id=self.new_id(), before=before, limit=limit)
        return (await told(self, message, HistorySeen)).matches
