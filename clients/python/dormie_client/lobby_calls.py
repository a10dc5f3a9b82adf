"""What a session asks of the house itself: which tables there are, one's own, and one's matches."""

from collections.abc import AsyncGenerator
from typing import Protocol, TypeVar

from dormie_client.errors import refusing
from dormie_client.ledger import Request
from dormie_client.reports import Reports
from dormie_client.table import Table
from dormie_protocol.lobby_view import OwnTable, Played
from dormie_protocol.messages import (
    ClientMessage,
    Done,
    History,
    HistorySeen,
    Language,
    Lobby,
    LobbySeen,
    Mine,
    MineSeen,
    Quick,
)

R = TypeVar("R", LobbySeen, MineSeen, HistorySeen)


class _Session(Protocol):
    """What is needed of a session."""

    language: Language

    @property
    def reports(self) -> Reports: ...

    def new_id(self) -> str: ...
    def put(self, message: ClientMessage) -> Request: ...
    async def answer(self, request: Request) -> Done: ...
    async def enter(self, code: str, version: int | None = None) -> Table: ...


async def lobby(session: _Session, variant: str | None, *, free: bool) -> LobbySeen:
    """The listed tables, best first, and how many people and tables there are."""
    with refusing(session.language):
        message = Lobby(id=session.new_id(), variant=variant, free=free)
    return await _report(session, message, LobbySeen)


async def follow_lobby(
    session: _Session, variant: str | None, *, free: bool
) -> AsyncGenerator[LobbySeen, None]:
    """The lobby now, and again whenever it has changed; a slow reader gets the newest."""
    with refusing(session.language):
        message = Lobby(id=session.new_id(), variant=variant, free=free, follow=True)
    ear = session.reports.follow(message)
    try:
        await session.answer(session.put(message))
        async for seen in ear:
            yield seen
    finally:
        if session.reports.unfollow(ear):
            session.put(Lobby(id=session.new_id(), follow=False))


async def quick(session: _Session, variant: str | None, size: int | None) -> Table:
    """A seat at the best listed table that waits for players, or at a new one."""
    with refusing(session.language):
        message = Quick(id=session.new_id(), variant=variant, size=size)
    done = await session.answer(session.put(message))
    assert done.table is not None, "a seat is at a table"
    return await session.enter(done.table, done.version)


async def mine(session: _Session) -> tuple[OwnTable, ...]:
    """The tables at which one has a seat, those that wait for one first."""
    return (await _report(session, Mine(id=session.new_id()), MineSeen)).tables


async def history(session: _Session, before: str | None, limit: int) -> tuple[Played, ...]:
    """The matches one has played, newest first."""
    with refusing(session.language):
        message = History(id=session.new_id(), before=before, limit=limit)
    return (await _report(session, message, HistorySeen)).matches


async def _report(session: _Session, message: Lobby | Mine | History, kind: type[R]) -> R:
    """What the house tells in answer to a request: it comes before the answer itself."""
    session.reports.expect(message.id)
    try:
        await session.answer(session.put(message))
        found = session.reports.found(message.id)
    finally:
        session.reports.forget(message.id)
    assert isinstance(found, kind), "the house tells what it was asked, before it says done"
    return found
