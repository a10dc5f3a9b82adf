"""What one asks at a table about time: how much is left, for a pause, for a player whose time is over."""

from typing import Protocol

from dormie_client.clocks import TimeLeft, clocks_of, time_left
from dormie_client.errors import refusing
from dormie_protocol.clocks import Choice, Clocks
from dormie_protocol.messages import Agree, ClientMessage, Pause, Resume, Undo, Vote
from dormie_protocol.table_view import About, TablePublic


class _House(Protocol):
    """What is needed of the session."""

    @property
    def language(self) -> str: ...

    def new_id(self) -> str: ...
    def server_time(self) -> float: ...


class _Table(Protocol):
    """What is needed of the table."""

    @property
    def _house(self) -> _House: ...
    @property
    def code(self) -> str: ...
    @property
    def about(self) -> About: ...
    @property
    def view(self) -> TablePublic: ...

    async def _ask(self, message: ClientMessage) -> None: ...


class TimeCalls:
    """The part of a table that has to do with its clocks."""

    @property
    def clocks(self: _Table) -> Clocks:
        """How the clocks stand, as of the moment at which the deadline was set."""
        return clocks_of(self.about, self.view)

    def time_left(self: _Table) -> TimeLeft | None:
        """What the clocks show now; an offset of this machine's clock makes no difference."""
        return time_left(self.about, self.view, self._house.server_time())

    async def pause(self: _Table, seconds: int | None = None) -> None:
        """Ask the others for a pause of at most so many *seconds*, or of all that is left."""
        with refusing(self._house.language):
            message = Pause(id=self._house.new_id(), table=self.code, seconds=seconds)
        await self._ask(message)

    async def resume(self: _Table) -> None:
        """Go on: end a pause, or ask the others to; or take your seat back from a bot that sits in."""
        await self._ask(Resume(id=self._house.new_id(), table=self.code))

    async def agree(self: _Table, *, yes: bool = True) -> None:
        """Agree with what is asked of all, or not."""
        await self._ask(Agree(id=self._house.new_id(), table=self.code, yes=yes))

    async def ask_undo(self: _Table) -> None:
        """Ask the others to let you take your last move back: the last one made, if it showed no card."""
        await self._ask(Undo(id=self._house.new_id(), table=self.code))

    async def vote(self: _Table, choice: Choice) -> None:
        """Say what shall come of a player whose time is over."""
        with refusing(self._house.language):
            message = Vote(id=self._house.new_id(), table=self.code, choice=choice)
        await self._ask(message)
