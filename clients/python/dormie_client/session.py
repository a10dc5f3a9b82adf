"""A session with a server that keeps itself alive.

One connection at a time carries it. When that breaks, the next one says hello with the same token,
takes up every table at the version seen last, and sends again whatever has no answer yet.
"""

import asyncio
import itertools
import secrets
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from dormie_client.address import server_name, socket_url
from dormie_client.backoff import Pace, delay
from dormie_client.day_calls import DayCalls
from dormie_client.desk import Desk
from dormie_client.errors import ClosedError, no, refusing
from dormie_client.facts import Facts
from dormie_client.ledger import Request
from dormie_client.lifeline import Lifeline
from dormie_client.lobby_calls import LobbyCalls
from dormie_client.own_affairs import OwnAffairs
from dormie_client.place import Place
from dormie_client.reports import Reports
from dormie_client.table import Table
from dormie_protocol.codec import write
from dormie_protocol.messages import (
    MAX_MESSAGE,
    ClientMessage,
    ClockWish,
    Create,
    Done,
    Hello,
    Join,
    Language,
    Watch,
)
from dormie_protocol.spectators import SpectatorWish
from dormie_protocol.table_view import Chatter


class Dormie(Facts, LobbyCalls, DayCalls, OwnAffairs):
    """A session with a server. ``connect`` begins one; ``close`` or ``async with`` ends it."""

    def __init__(self, url: str, hello: Hello, pace: Pace, on_state: Callable[[str], None]) -> None:
        self.language: Language = hello.language
        self._server = server_name(url)
        self._pace = pace
        self._ids = itertools.count(1)
        # Another run with the same token must not use the same ids for something else.
        self._run = secrets.token_hex(6)
        self._desk = Desk(self.language, self._run, self.new_id, self._look_later)
        self._line = Lifeline(socket_url(url), hello, self._desk, pace, on_state)
        self._chores: set[asyncio.Task[None]] = set()
        self._life = asyncio.get_running_loop().create_task(self._line.live())

    @classmethod
    async def connect(  # noqa: PLR0913 - one address, and what few people ever change by its name
        cls,
        url: str,
        *,
        name: str | None = None,
        token: str | None = None,
        claim: str | None = None,
        language: str = "en",
        patience: float | None = None,
        on_state: Callable[[str], None] | None = None,
        pace: Pace | None = None,
        code: str | None = None,
    ) -> Self:
        """Begin a session, as the player *token* belongs to or as a new guest.

        *claim*, in place of a token, is a code that another device of yours was told.
        *patience* is for the first connection only: after so many seconds ClosedError says in a
        sentence what was wrong; None waits for ever. A refused hello (``bad_name``,
        ``unknown_token``) raises RefusedError. *on_state* hears ``connected``, ``reconnecting``
        and ``closed``. *code* is that of the table you are going to, if you know it: a house of
        several servers has its people at one, which is faster for all of them.
        """
        spoken: Language = "fr" if language.startswith("fr") else "en"
        with refusing(spoken):
            hello = Hello(id="hello", token=token, name=name, language=spoken, claim=claim)
        session = cls(url, hello, pace or Pace(), on_state or (lambda _: None))
        session.comes_to(code or "")
        try:
            async with asyncio.timeout(patience):
                await asyncio.shield(session._line.welcomed)
        except TimeoutError:
            await session.close()
            where, why = session._server, session._line.trouble
            raise ClosedError(f"There is no Dormie server at {where}: {why}.") from None
        except BaseException:
            await session.close()
            raise
        return session

    def __repr__(self) -> str:
        state = "connected" if self.connected else "not connected"
        return f"<Dormie session with {self._server}, {state}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def server_time(self) -> float:
        """What time it is for the server, which is what its deadlines mean."""
        return self._pace.clock() + self.clock_offset

    async def create(  # noqa: PLR0913 - what a host can choose, by its name
        self,
        variant: str = "six_card",
        *,
        options: Mapping[str, Any] | None = None,  # any JSON the rules accept
        size: int = 4,
        turn_seconds: int | None = None,
        bots: Iterable[str] = (),
        password: str | None = None,
        listed: bool = False,
        clock: Mapping[str, Any] | None = None,  # as ClockWish checks it
        chat: Chatter = "on",
        spectators: Mapping[str, Any] | None = None,  # as SpectatorWish checks it
        undo: bool = False,
        practice: int | None = None,
    ) -> Table:
        """Open a table and take its first seat; bots of the named levels take the next ones.

        Only who has the code finds it, or everybody if it is *listed*; with a *password* of 4 to 64
        characters nobody else joins or watches without knowing it.
        *clock* says how its clocks differ from the usual ones, ``{"when_out": "bot"}``, and
        *spectators* how their switches do: ``{"delay": 60}``.
        *practice* is the number of a hole of Golf Patience, for one who plays alone.
        """
        with refusing(self.language):
            message = Create(
                id=self.new_id(),
                variant=variant,
                options=dict(options or {}),
                size=size,
                turn_seconds=turn_seconds,
                bots=tuple(bots),
                password=password,
                listed=listed,
                clock=None if clock is None else ClockWish(**clock),
                chat=chat,
                spectators=SpectatorWish(**(spectators or {})),
                undo=undo,
                practice=practice,
                near=self.near,
            )
        if len(write(message).encode()) > MAX_MESSAGE:
            raise no("unreadable", self.language, "options")
        done = await self.answer(self.put(message))
        assert done.table is not None, "a table that was opened has a code"
        self.comes_to(done.table)
        return await self.enter(done.table, done.version, password)

    async def join(self, code: str, seat: int | None = None, password: str | None = None) -> Table:
        """Take a seat: the one wished for, or the first that is free. Whoever has one keeps it."""
        with refusing(self.language):
            message = Join(id=self.new_id(), table=_tidy(code), seat=seat, password=password)
        self.comes_to(message.table)
        place = self._desk.place(message.table)
        if place is not None and place.mirror.replaced:
            await self.take_seat(message.table)
        done = await self.answer(self.put(message))
        return await self.enter(message.table, done.version, password)

    async def watch(self, code: str, password: str | None = None) -> Table:
        """Follow a table, in your own seat if you have one there and as a spectator if not."""
        with refusing(self.language):
            code = Watch(id=self.new_id(), table=_tidy(code), password=password).table
        self.comes_to(code)
        return await self.enter(code, password=password)

    async def close(self) -> None:
        """End the session. Your seats stay yours."""
        self._line.end(ClosedError("The session was closed."))
        jobs = [self._life, *self._chores]
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)

    def new_id(self) -> str:
        """An id for the next request, used by nobody else."""
        return f"{self._run}-{next(self._ids)}"

    def put(self, message: ClientMessage) -> Request:
        """Send *message* as soon as that is possible. Raises ClosedError when it never will be."""
        if self._line.over is not None:
            raise self._line.over
        return self._desk.put(message)

    async def answer(self, request: Request) -> Done:
        """The answer to a request. Raises RefusedError or ClosedError.

        Whoever stops waiting takes back what was not sent yet; what was sent may still be done.
        """
        try:
            return await asyncio.shield(request.answer)
        except asyncio.CancelledError:
            if not request.sent:
                request.answer.cancel()
            raise

    async def take_seat(self, code: str) -> None:
        """Play the seat at a table from this session, wherever it was played before."""
        await self.enter(code)

    def know(self, code: str, password: str | None) -> None:
        """From now on this is the password of a table."""
        if (place := self._desk.place(code)) is not None:
            place.password = password

    def forget(self, code: str) -> None:
        """Follow a table no longer."""
        self._desk.forget(code)

    @property
    def reports(self) -> Reports:
        """What the house has told that is about no single table."""
        return self._desk.reports

    def password_of(self, code: str) -> str | None:
        """The password of a table, as far as it was said here."""
        place = self._desk.place(code)
        return place.password if place is not None else None

    async def enter(
        self, code: str, version: int | None = None, password: str | None = None
    ) -> Table:
        """The table, once it can be seen as it was at *version* or later."""
        if self._line.over is not None:
            raise self._line.over
        place = self._desk.follow(code, again=version is not None, password=password)
        mirror, at_least = place.mirror, version or 0
        try:
            await mirror.until(lambda: mirror.replaced or place.shows(at_least))
        except ClosedError as over:
            raise place.refused or over from None
        if mirror.replaced:
            raise no("replaced", self.language)
        return Table(mirror, self)

    def _look_later(self, place: Place) -> None:
        chore = asyncio.get_running_loop().create_task(self._wait_and_look(place))
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    async def _wait_and_look(self, place: Place) -> None:
        await self._pace.sleep(delay(place.tries, self._pace.luck()))
        if place.state == "later":
            place.want()
            self._desk.work.set()


def _tidy(code: str) -> str:
    """A table's code as it is written, however it was typed."""
    return code.strip().upper()
