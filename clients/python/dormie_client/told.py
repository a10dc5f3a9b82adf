"""What the house tells in answer to a question, before it says that it is done."""

from typing import Protocol, TypeVar

from dormie_client.ledger import Request
from dormie_client.reports import Report, Reports
from dormie_protocol.messages import ClientMessage, Done

R = TypeVar("R", bound=Report)


class Asking(Protocol):
    """What is needed of a session to ask something."""

    @property
    def reports(self) -> Reports:
        """What the house tells in answer to a question."""

    def put(self, message: ClientMessage) -> Request:
        """Send *message*, as soon as that is possible."""

    async def answer(self, request: Request) -> Done:
        """The answer to a request. Raises RefusedError or ClosedError."""


async def told(session: Asking, message: ClientMessage, kind: type[R]) -> R:
    """What the house tells when it is asked *message*. Raises RefusedError or ClosedError."""
    session.reports.expect(message.id)
    try:
        await session.answer(session.put(message))
        found = session.reports.found(message.id)
    finally:
        session.reports.forget(message.id)
    assert isinstance(found, kind), "the house tells what it was asked, before it says done"
    return found
