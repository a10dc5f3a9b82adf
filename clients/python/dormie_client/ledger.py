"""What was asked and not answered yet, in the order in which it was asked.

A request stays in the ledger until its answer comes, over however many connections: on each it is
sent again under the same id, and the server does it once.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator

from dormie_client.errors import RefusedError
from dormie_protocol.messages import AtTable, ClientMessage, Done, FromServer, Refused

IN_FLIGHT = 4
"""A table remembers so many requests of a player, so no more than that are under way at a time."""


class Request:
    """One message to the server, and the answer that it will get."""

    def __init__(self, message: ClientMessage) -> None:
        self.message = message
        self.table = message.table if isinstance(message, AtTable) else None
        self.sent = False
        """Whether it was ever sent: then only the server knows what became of it."""
        self.told: FromServer | None = None
        """What came before the answer and belongs to it."""
        self.answer: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        # Whoever asked may have stopped waiting: that nobody fetches a refusal is no accident.
        self.answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())

    def settle(self, outcome: Done | Exception) -> None:
        """Answer it; only the first answer counts."""
        if self.answer.done():
            return
        if isinstance(outcome, Exception):
            self.answer.set_exception(outcome)
        else:
            self.answer.set_result(outcome)


class Ledger:
    """All requests without an answer."""

    def __init__(self) -> None:
        self._open: dict[str, Request] = {}
        self._waiting: dict[str, Request] = {}
        self._flying: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, message: ClientMessage) -> Request:
        """Write a new request down; it is to be sent."""
        request = Request(message)
        self._open[message.id] = self._waiting[message.id] = request
        request.answer.add_done_callback(lambda _: self._strike(request))
        return request

    def new_line(self) -> None:
        """There is a new connection: everything is to be sent on it."""
        self._waiting = dict(self._open)
        self._flying.clear()

    def waiting(self) -> Iterator[Request]:
        """What may be sent now, oldest first, as far as the ledger knows."""
        for request in list(self._waiting.values()):
            full = request.table is not None and self._flying[request.table] >= IN_FLIGHT
            if not full and not request.answer.done():
                yield request

    def send(self, request: Request) -> None:
        """It is being sent now."""
        request.sent = True
        del self._waiting[request.message.id]
        if request.table is not None:
            self._flying[request.table] += 1

    def answer(self, reply: Done | Refused) -> Request | None:
        """Give a reply to the request it belongs to, and say which that was."""
        request = self._open.get(reply.re or "")
        if request is None:
            return None
        if isinstance(reply, Refused):
            request.settle(RefusedError(reply.word, reply.because, reply.field))
        else:
            request.settle(reply)
        self._strike(request)
        return request

    def tell(self, re: str, message: FromServer) -> None:
        """Something belongs to the answer that a request is about to get."""
        if (request := self._open.get(re)) is not None:
            request.told = message

    def close(self, error: Exception) -> None:
        """Nothing will be answered any more."""
        for request in list(self._open.values()):
            request.settle(error)
            self._strike(request)

    def _strike(self, request: Request) -> None:
        name = request.message.id
        if self._open.pop(name, None) is None:
            return
        if self._waiting.pop(name, None) is None and request.table is not None:
            self._flying -= Counter([request.table])  # one less, and no table is kept with none
