"""A table as it is known here, and those who wait for something to happen at it."""

import asyncio
from collections import deque
from collections.abc import Callable
from weakref import WeakSet

from dormie_client.errors import ClosedError
from dormie_client.follow import Copy, Unchanged, follow
from dormie_client.ledger import Request
from dormie_client.own_moves import OwnMoves
from dormie_client.talking import MOST, Lines
from dormie_client.updates import Updates
from dormie_protocol.messages import Audience, Seen
from dormie_protocol.people_messages import Said


class Mirror:
    """The copy of one table, moved on by what the server lets us see."""

    def __init__(self, code: str, language: str) -> None:
        self.code = code
        self.copy = Copy()
        self.replaced = False
        self.over: Exception | None = None
        """Why nothing more will be seen, once that is so."""
        self.rolled_back = 0
        """How often the server had to take something back."""
        self.spectators = 0
        """How many watch without a seat."""
        self.heard = 0
        """The number of the last line of talk that was heard."""
        self._said: deque[Said] = deque(maxlen=MOST)
        self._ears: WeakSet[Lines] = WeakSet()
        self._moves = OwnMoves(language)
        self._listeners: WeakSet[Updates] = WeakSet()
        self._hopes: dict[asyncio.Future[None], Callable[[], bool]] = {}

    def hear(self, seen: Seen) -> bool:
        """Take in what was seen; False when something before it is missing."""
        after = follow(self.copy, seen)
        if after is Unchanged.GAP:
            return False
        if isinstance(after, Copy):
            self.copy = after
            self.rolled_back += seen.rolled_back
            self._moves.look(after, rolled_back=seen.rolled_back)
            self._tell(seen)
            if seen.view is not None and seen.view.phase == "closed":
                self.end(ClosedError("The table is closed."))
        return True

    def replace(self) -> None:
        """The seat is played from elsewhere now; whoever listens gets another look."""
        if not self.replaced:
            self.replaced = True
            self._tell(self.look())

    def end(self, why: Exception) -> None:
        """Nothing more will be seen."""
        if self.over is not None:
            return
        self.over = why
        for listener in list(self._listeners):
            listener.end()
        for ear in list(self._ears):
            ear.end()
        for waiting in list(self._hopes):
            if not waiting.done():
                waiting.set_exception(why)

    def hear_aside(self, message: Said | Audience) -> None:
        """Take in what is no part of the table: talk, and how many watch."""
        if isinstance(message, Said):
            self.hear_said(message)
            return
        self.spectators = message.spectators
        self.ask_hopes()

    def hear_said(self, said: Said) -> None:
        """Take in what somebody said; a line that was heard before is the same line."""
        if said.number <= self.heard:
            return
        self.heard = said.number
        self._said.append(said)
        for ear in list(self._ears):
            ear.put(said)

    def talk(self) -> Lines:
        """A new listener to what is said."""
        ear = Lines(self._said)
        self._ears.add(ear)
        if self.over is not None:
            ear.end()
        return ear

    def look(self) -> Seen:
        """The table as it is known now, without events."""
        copy = self.copy
        return Seen(
            table=self.code,
            after=copy.version,
            version=copy.version,
            chain=copy.chain,
            now=copy.now,
            seat=copy.seat,
            view=copy.view,
            pocket=copy.pocket,
            moves=copy.moves,
            about=copy.about,
            fairness=copy.fairness,
        )

    def updates(self) -> Updates:
        """A new listener. Whoever forgets it has nothing else to do: it is not kept alive here."""
        listener = Updates(self.look())
        if self.over is None:
            self._listeners.add(listener)
        else:
            listener.end()
        return listener

    async def until(self, hope: Callable[[], bool]) -> None:
        """Wait until *hope* is true, asked after every single change.

        Raises what ended the table if that comes first.
        """
        if hope():
            return
        if self.over is not None:
            raise self.over
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._hopes[waiting] = hope
        try:
            await waiting
        finally:
            del self._hopes[waiting]

    def next_count(self, chosen_on: Seen | None) -> int:
        """The number of the own move to be sent now. Raises RefusedError when none can be."""
        return self._moves.next_count(self.copy, chosen_on)

    def move_sent(self, request: Request) -> None:
        """A move under that number is on its way."""
        self._moves.sent(request, self.copy)

    def ask_hopes(self) -> None:
        """Something changed that a hope may be about."""
        for waiting, hope in list(self._hopes.items()):
            if not waiting.done():
                _ask(waiting, hope)

    def _tell(self, seen: Seen) -> None:
        for listener in list(self._listeners):
            listener.put(seen, self.look)
        self.ask_hopes()


def _ask(waiting: asyncio.Future[None], hope: Callable[[], bool]) -> None:
    try:
        if hope():
            waiting.set_result(None)
    except Exception as error:  # noqa: BLE001 - a predicate's mistake belongs to whoever gave it
        waiting.set_exception(error)
