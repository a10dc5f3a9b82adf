"""What people ask of a table besides the game itself, written down and always granted."""

import asyncio
from collections.abc import AsyncIterator

from dormie_client.clocks import TimeLeft
from dormie_protocol.clocks import Choice
from dormie_protocol.emotes import EmoteWord
from dormie_protocol.people_messages import Reason, Said
from dormie_protocol.spectators import SpectatorTalk


class FakeWords:
    """The part of a fake table that has nothing to do with cards."""

    left: TimeLeft | None = None
    """What the clocks show."""

    def __post_init__(self) -> None:
        self._spoken: asyncio.Queue[Said | None] = asyncio.Queue()

    async def _take(self, what: str) -> None:
        """Write down what was asked: the fake table that this is a part of does that."""
        raise AssertionError(f"nobody writes down {what}")

    def hear(
        self, text: str, *, name: str = "Birdie", seat: int | None = 1, emote: str = ""
    ) -> None:
        """Somebody says something."""
        said = Said(
            table="PARTEE23",
            number=1,
            seat=seat,
            name=name,
            text=text,
            emote=emote or None,
            when=0.0,
        )
        self._spoken.put_nowait(said)

    async def talk(self) -> AsyncIterator[Said]:
        while (said := await self._spoken.get()) is not None:
            yield said

    def time_left(self) -> TimeLeft | None:
        return self.left

    async def unwatch(self) -> None:
        await self._take("unwatch")

    async def kick(self, seat: int, *, ban: bool = False) -> None:
        await self._take(f"{'ban' if ban else 'kick'} {seat}")

    async def hand_over(self, seat: int) -> None:
        await self._take(f"hand_over {seat}")

    async def lock(self, *, locked: bool = True) -> None:
        await self._take(f"lock {locked}")

    async def set_password(self, password: str | None) -> None:
        await self._take(f"password {password}")

    async def pause(self, seconds: int | None = None) -> None:
        await self._take(f"pause {seconds}")

    async def resume(self) -> None:
        await self._take("resume")

    async def agree(self, *, yes: bool = True) -> None:
        await self._take(f"agree {yes}")

    async def undo(self) -> None:
        await self._take("undo")

    async def vote(self, choice: Choice) -> None:
        await self._take(f"vote {choice}")

    async def say(self, text: str) -> None:
        await self._take(f"say {text}")

    async def emote(self, word: EmoteWord) -> None:
        await self._take(f"emote {word}")

    async def mute(self, seat: int | None = None, *, line: int | None = None) -> None:
        await self._take(f"mute {line if seat is None else seat}")

    async def unmute(self, seat: int | None = None, *, line: int | None = None) -> None:
        await self._take(f"unmute {line if seat is None else seat}")

    async def block(self, seat: int | None = None, *, line: int | None = None) -> None:
        await self._take(f"block {line if seat is None else seat}")

    async def report(
        self, seat: int | None, reason: Reason, text: str = "", *, line: int | None = None
    ) -> None:
        del line
        await self._take(f"report {seat} {reason} {text}")

    @property
    def spectators(self) -> int:
        return 0

    async def set_spectators(
        self,
        *,
        allowed: bool | None = None,
        password: bool | None = None,
        chat: SpectatorTalk | None = None,
        delay: int | None = None,
    ) -> None:
        await self._take(f"spectators {allowed} {password} {chat} {delay}")
