"""A session's own affairs: devices, the people one blocks, and being forgotten."""

from abc import ABC, abstractmethod

from dormie_client.errors import refusing
from dormie_client.ledger import Request
from dormie_protocol.messages import ClientMessage, Done, Language
from dormie_protocol.people_messages import (
    BlockedList,
    BlockedPlayer,
    Blocks,
    ClaimCode,
    ClaimTicket,
    DeviceInfo,
    DeviceList,
    Devices,
    Erase,
    ForgetDevice,
    Unblock,
)


class OwnAffairs(ABC):
    """What a session can ask about nobody but its own player."""

    language: Language

    async def claim_code(self) -> ClaimTicket:
        """A code with which another device becomes you, once and soon; an older one is void.

        The other device begins its session with ``Dormie.connect(url, claim=code)``.
        """
        told = await self._told(ClaimCode(id=self.new_id()))
        assert isinstance(told, ClaimTicket), "that is what the house answers"
        return told

    async def devices(self) -> tuple[DeviceInfo, ...]:
        """The devices on which you are known, by made-up names."""
        told = await self._told(Devices(id=self.new_id()))
        assert isinstance(told, DeviceList), "that is what the house answers"
        return told.devices

    async def forget_device(self, device: str) -> None:
        """Let a device be you no longer: its connections end, and its token is worth nothing."""
        with refusing(self.language):
            message = ForgetDevice(id=self.new_id(), device=device)
        await self.answer(self.put(message))

    async def blocked(self) -> tuple[BlockedPlayer, ...]:
        """The people you block, by the names they had."""
        told = await self._told(Blocks(id=self.new_id()))
        assert isinstance(told, BlockedList), "that is what the house answers"
        return told.players

    async def unblock(self, entry: str) -> None:
        """Block somebody no longer: an *entry* of that list."""
        with refusing(self.language):
            message = Unblock(id=self.new_id(), entry=entry)
        await self.answer(self.put(message))

    async def erase(self, name: str) -> None:
        """Be forgotten by the house, for good; *name* is yours, so that it is no slip.

        The session is over afterwards.
        """
        with refusing(self.language):
            message = Erase(id=self.new_id(), name=name)
        await self.answer(self.put(message))

    @abstractmethod
    def new_id(self) -> str:
        """An id for the next request."""

    @abstractmethod
    def put(self, message: ClientMessage) -> Request:
        """Send *message* as soon as that is possible."""

    @abstractmethod
    async def answer(self, request: Request) -> Done:
        """The answer to a request."""

    async def _told(self, message: ClientMessage) -> object:
        """What the house tells before it says that a request is done."""
        request = self.put(message)
        await self.answer(request)
        return request.told
