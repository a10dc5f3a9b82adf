"""What one asks, and knows, about those who watch a table without a seat."""

from typing import Protocol

from dormie_client.errors import refusing
from dormie_client.mirror import Mirror
from dormie_protocol.messages import ClientMessage, SetSpectators
from dormie_protocol.spectators import SpectatorTalk


class _House(Protocol):
    """What is needed of the session."""

    @property
    def language(self) -> str: ...

    def new_id(self) -> str: ...


class _Table(Protocol):
    """What is needed of the table."""

    @property
    def _house(self) -> _House: ...
    @property
    def _mirror(self) -> Mirror: ...
    @property
    def code(self) -> str: ...

    async def _ask(self, message: ClientMessage) -> None: ...


class SpectatorCalls:
    """The part of a table that has to do with spectators."""

    @property
    def spectators(self: _Table) -> int:
        """How many watch here without a seat, as far as this server knows."""
        return self._mirror.spectators

    async def set_spectators(
        self: _Table,
        *,
        allowed: bool | None = None,
        password: bool | None = None,
        chat: SpectatorTalk | None = None,
        delay: int | None = None,
    ) -> None:
        """Turn the switches for spectators (the host); what is None stays as it is."""
        with refusing(self._house.language):
            message = SetSpectators(
                id=self._house.new_id(),
                table=self.code,
                allowed=allowed,
                password=password,
                chat=chat,
                delay=delay,
            )
        await self._ask(message)
