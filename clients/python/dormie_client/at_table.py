"""What somebody in front of a terminal needs of a table; the session's tables have all of it."""

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

from dormie_client.clocks import TimeLeft
from dormie_client.errors import RefusedError
from dormie_protocol.clocks import Choice
from dormie_protocol.emotes import EmoteWord
from dormie_protocol.games import Move
from dormie_protocol.messages import Seen
from dormie_protocol.people_messages import Reason, Said
from dormie_protocol.spectators import SpectatorTalk
from dormie_protocol.table_view import About

Request: TypeAlias = Coroutine[Any, Any, None]
"""Something that is asked of the table, once it is awaited."""


class AtTable(Protocol):
    """A table one sits at, or watches."""

    @property
    def code(self) -> str:
        """What others type to join."""

    @property
    def about(self) -> About:
        """The variant and its rules."""

    @property
    def version(self) -> int:
        """The number of the last change that is known."""

    @property
    def replaced(self) -> bool:
        """Whether the seat is played from elsewhere."""

    def updates(self) -> AsyncIterator[Seen]:
        """Every change, first the present one."""

    async def until(self, predicate: Callable[[Any], bool]) -> None:  # of the table itself
        """Wait; raises what ended the table."""

    async def play(self, move: Move, *, on: Seen | None = None) -> None:
        """Make a move."""

    async def ready(self) -> None:
        """Be ready, with something for luck."""

    async def start(self) -> None:
        """Start with the players who are here."""

    async def bot(self, level: str | None, seat: int | None = None) -> None:
        """Seat a bot or send one away."""

    async def leave(self) -> None:
        """Give the seat up."""

    async def end(self) -> None:
        """Close the table."""

    async def rematch(self) -> None:
        """Ask for another match."""

    async def take_back(self) -> None:
        """Play the seat from here again."""

    async def unwatch(self) -> None:
        """Follow the table no longer."""

    async def kick(self, seat: int, *, ban: bool = False) -> None:
        """Send somebody away."""

    async def hand_over(self, seat: int) -> None:
        """Make somebody the host."""

    async def lock(self, *, locked: bool = True) -> None:
        """Let nobody new in, or let them."""

    async def set_password(self, password: str | None) -> None:
        """Change the password, or lift it."""

    async def pause(self, seconds: int | None = None) -> None:
        """Ask for a pause."""

    async def resume(self) -> None:
        """Go on."""

    async def agree(self, *, yes: bool = True) -> None:
        """Agree with what is asked, or not."""

    async def vote(self, choice: Choice) -> None:
        """Vote about one whose time is over."""

    async def undo(self) -> None:
        """Ask to take the last move back."""

    def time_left(self) -> TimeLeft | None:
        """What the clocks show now."""

    def talk(self) -> AsyncIterator[Said]:
        """What is said here."""

    async def say(self, text: str) -> None:
        """Say something."""

    async def emote(self, word: EmoteWord) -> None:
        """Say a quick word."""

    @property
    def spectators(self) -> int:
        """How many watch."""

    async def set_spectators(
        self,
        *,
        allowed: bool | None = None,
        password: bool | None = None,
        chat: SpectatorTalk | None = None,
        delay: int | None = None,
    ) -> None:
        """Turn the switches for those who watch."""

    async def mute(self, seat: int | None = None, *, line: int | None = None) -> None:
        """Hear no more of somebody."""

    async def unmute(self, seat: int | None = None, *, line: int | None = None) -> None:
        """Hear them again."""

    async def block(self, seat: int | None = None, *, line: int | None = None) -> None:
        """Have nothing to do with somebody."""

    async def report(
        self, seat: int | None, reason: Reason, text: str = "", *, line: int | None = None
    ) -> None:
        """Tell those who run the house."""


def request(
    table: AtTable, verb: str, bots: Sequence[str], level: str = "", seat: int | None = None
) -> Request | None:
    """What *verb* asks of the table, in any game; None for a bot of a *level* there is not.

    *seat* is whose bot is sent away, counted from 1; without, it is the first.
    """
    match verb:
        case "ready":
            return table.ready()
        case "start":
            return table.start()
        case "rematch":
            return table.rematch()
        case "back":
            return table.take_back()
        case "leave":
            return table.leave()
        case "end":
            return table.end()
        case "nobot":
            return table.bot(None, (seat or 1) - 1)
        case "bot":
            return table.bot(level) if level in bots else None
        case _:
            raise AssertionError(f"{verb} asks nothing of the table")


async def send_luck(table: AtTable) -> None:
    """Be ready, for whoever need not say so; if that is too late, the match has begun without."""
    with suppress(RefusedError):
        await table.ready()
