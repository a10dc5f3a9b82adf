"""What a table needs of the session it belongs to."""

from typing import Protocol

from dormie_client.ledger import Request
from dormie_client.reports import Reports
from dormie_protocol.messages import ClientMessage, Done


class House(Protocol):
    """What a table needs of the session it belongs to."""

    @property
    def language(self) -> str:
        """In which refusals are said."""

    def server_time(self) -> float:
        """What time it is for the server."""

    @property
    def reports(self) -> Reports:
        """What the house tells in answer to a question."""

    def new_id(self) -> str:
        """An id for the next request."""

    def put(self, message: ClientMessage) -> Request:
        """Send *message*, as soon as that is possible."""

    async def answer(self, request: Request) -> Done:
        """The answer to a request. Raises RefusedError or ClosedError."""

    async def take_seat(self, code: str) -> None:
        """Play the seat at a table from this session."""

    def forget(self, code: str) -> None:
        """Follow a table no longer."""

    def know(self, code: str, password: str | None) -> None:
        """From now on this is the password of a table."""
