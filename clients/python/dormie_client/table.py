"""A table, for one who plays or watches: how it looks now, what may be done, what happens next."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from dormie_client.errors import ClosedError, RefusedError, no, refusing
from dormie_client.house import House
from dormie_client.ledger import Request
from dormie_client.mirror import Mirror
from dormie_client.patience_calls import PatienceCalls
from dormie_client.spectator_calls import SpectatorCalls
from dormie_client.talking import Talking
from dormie_client.time_calls import TimeCalls
from dormie_protocol.games import Move, Pocket
from dormie_protocol.messages import (
    Bot,
    ClientMessage,
    End,
    HandOver,
    Kick,
    Leave,
    Lock,
    Play,
    Ready,
    Rematch,
    Seen,
    SetPassword,
    Start,
    Unwatch,
)
from dormie_protocol.people_messages import Said
from dormie_protocol.table_view import About, Fairness, TablePublic

ENTROPY_BYTES = 32


class Table(PatienceCalls, TimeCalls, SpectatorCalls, Talking):
    """A table as this session sees it; made by the session's create, join and watch."""

    def __init__(self, mirror: Mirror, house: House) -> None:
        self._mirror = mirror
        self._house = house

    def __repr__(self) -> str:
        return f"<Table {self.code} at version {self.version}, seat {self.seat}>"

    @property
    def code(self) -> str:
        """What others type to join."""
        return self._mirror.code

    @property
    def seat(self) -> int | None:
        """Where you sit, or None for a spectator."""
        return self._mirror.copy.seat

    @property
    def version(self) -> int:
        """The number of the last change that was seen."""
        return self._mirror.copy.version

    @property
    def chain(self) -> str:
        """The hash over the notes up to that version."""
        return self._mirror.copy.chain

    @property
    def about(self) -> About:
        """What does not change while a match lasts: the variant, its rules, the time for a turn."""
        about = self._mirror.copy.about
        assert about is not None, "a table is handed out once it was seen"
        return about

    @property
    def fairness(self) -> Fairness:
        """What makes the deals checkable."""
        fairness = self._mirror.copy.fairness
        assert fairness is not None, "a table is handed out once it was seen"
        return fairness

    @property
    def view(self) -> TablePublic:
        """How the table looks to everybody."""
        view = self._mirror.copy.view
        assert view is not None, "a table is handed out once it was seen"
        return view

    @property
    def pocket(self) -> Pocket | None:
        """What only you know."""
        return self._mirror.copy.pocket

    @property
    def moves(self) -> tuple[Move, ...]:
        """Everything you may play now."""
        return self._mirror.copy.moves

    @property
    def replaced(self) -> bool:
        """Whether your seat is played from another connection now; ``take_back`` changes that."""
        return self._mirror.replaced

    @property
    def closed(self) -> bool:
        """Whether nothing more will be seen here."""
        return self._mirror.over is not None

    def my_turn(self) -> bool:
        """Whether the table waits for you, here."""
        return bool(self.moves) and not self.replaced and not self.closed

    def awaits_ready(self) -> bool:
        """Whether the table waits for you to be ready: to start, to add to luck, or to go on."""
        mine = self.view.seats[self.seat] if self.seat is not None else None
        asked = self.view.phase in ("lobby", "starting", "between")
        return asked and mine is not None and not mine.ready and not self.replaced

    async def ready(self, entropy: bytes | None = None) -> None:
        """Be ready to start, with something for luck (None: from the system); or to go on."""
        luck = os.urandom(ENTROPY_BYTES) if entropy is None else entropy
        given = None if self.view.phase == "between" else luck.hex()
        with refusing(self._house.language):
            message = Ready(id=self._house.new_id(), table=self.code, entropy=given)
        await self._ask(message)

    async def start(self) -> None:
        """Start with the players who are here (the host)."""
        await self._ask(Start(id=self._house.new_id(), table=self.code))

    async def play(self, move: Move, *, on: Seen | None = None) -> None:
        """Make a move, and return when it was made and is seen.

        Raises RefusedError with the rules' word for a move that is not legal, and with ``stale``,
        without sending it, for one that was overtaken. Whoever took time to think says with *on*
        what they looked at.
        """
        self._check()
        with refusing(self._house.language):
            message = Play(
                id=self._house.new_id(),
                table=self.code,
                count=self._mirror.next_count(on),
                move=move,
            )
        request = self._house.put(message)
        self._mirror.move_sent(request)
        await self._settle(request)

    async def bot(self, level: str | None, seat: int | None = None) -> None:
        """Seat a bot, or send the bot in *seat* away when *level* is None (the host)."""
        with refusing(self._house.language):
            message = Bot(id=self._house.new_id(), table=self.code, level=level, seat=seat)
        await self._ask(message)

    async def kick(self, seat: int, *, ban: bool = False) -> None:
        """Send the person in *seat* away, with *ban* for good (the host)."""
        with refusing(self._house.language):
            name = self._name(seat)
            message = Kick(id=self._house.new_id(), table=self.code, seat=seat, ban=ban, name=name)
        await self._ask(message)

    async def hand_over(self, seat: int) -> None:
        """Make the person in *seat* the host (the host)."""
        with refusing(self._house.language):
            name = self._name(seat)
            message = HandOver(id=self._house.new_id(), table=self.code, seat=seat, name=name)
        await self._ask(message)

    async def lock(self, *, locked: bool = True) -> None:
        """Let nobody new join, or let them join again (the host)."""
        await self._ask(Lock(id=self._house.new_id(), table=self.code, locked=locked))

    async def set_password(self, password: str | None) -> None:
        """Change the table's password, or lift it with None (the host)."""
        with refusing(self._house.language):
            message = SetPassword(id=self._house.new_id(), table=self.code, password=password)
        await self._ask(message)
        self._house.know(self.code, password)

    async def undo(self) -> None:
        """Take your last move back, alone at Golf Patience; in grid Golf ask all others, as ``ask_undo``."""
        await (self.ask_undo() if self.about.game == "grid" else super().undo())

    async def leave(self) -> None:
        """Give your seat up, for good; you may go on watching."""
        await self._ask(Leave(id=self._house.new_id(), table=self.code))

    async def end(self) -> None:
        """Close the table (the host)."""
        await self._ask(End(id=self._house.new_id(), table=self.code))

    async def rematch(self) -> None:
        """Ask for another match with those who are here."""
        await self._ask(Rematch(id=self._house.new_id(), table=self.code))

    async def take_back(self) -> None:
        """Play your seat from here again, after it was played from elsewhere."""
        await self._house.take_seat(self.code)

    async def unwatch(self) -> None:
        """Follow the table no longer; your seat stays yours."""
        request = self._house.put(Unwatch(id=self._house.new_id(), table=self.code))
        self._house.forget(self.code)
        with suppress(RefusedError):  # whatever the house says, nothing is followed here any more
            await self._house.answer(request)

    def look(self) -> Seen:
        """The table as it is known now, in one piece."""
        return self._mirror.look()

    def updates(self) -> AsyncIterator[Seen]:
        """Every change in order, first the present one; it ends with the table or the session.

        Whoever fetches too slowly gets a ``Summary`` in place of what did not fit.
        """
        return self._mirror.updates()

    def talk(self) -> AsyncIterator[Said]:
        """What is said at the table: first what was heard already, then as it comes.

        Whoever listens too slowly misses the oldest lines. Text is a stranger's: print it as it is,
        never as anything that does something (`dormie_client.one_line.plain` strips the rest).
        """
        return self._mirror.talk()

    async def until(
        self, predicate: Callable[["Table"], bool], within: float | None = None
    ) -> None:
        """Wait until *predicate* is true of this table; it is asked after every single change.

        Raises TimeoutError after *within* seconds, and ClosedError when there is nothing more to
        wait for.
        """
        async with asyncio.timeout(within):
            await self._mirror.until(lambda: predicate(self))

    def _name(self, seat: int) -> str | None:
        """Who sits there as far as is known here: somebody else who came meanwhile is not meant."""
        seats = self.view.seats
        who = seats[seat] if 0 <= seat < len(seats) else None
        return who.name if who else None

    async def _ask(self, message: ClientMessage) -> None:
        self._check()
        await self._settle(self._house.put(message))

    def _check(self) -> None:
        if self._mirror.over is not None:
            raise self._mirror.over
        if self.replaced:
            raise no("replaced", self._house.language)

    async def _settle(self, request: Request) -> None:
        """Wait for the answer, and then until what it did can be seen."""
        back = self._mirror.rolled_back
        done = await self._house.answer(request)
        mirror, version = self._mirror, done.version or 0
        try:
            await mirror.until(
                lambda: self.version >= version or mirror.replaced or mirror.rolled_back != back
            )
        except ClosedError:
            return  # it was done, and nobody will see it
