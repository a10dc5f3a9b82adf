"""One end of a line: who talks there, and how what is said to them goes out."""

import asyncio
from dataclasses import dataclass, field

from dormie_protocol import messages as m
from dormie_protocol.codec import written
from dormie_server.guard import GuardedConnection, frame
from dormie_server.metrics import Tally

POLICY, RESTART, UNKNOWN = 1008, 1012, 4401


@dataclass(eq=False, slots=True)
class Talk:
    """The hub's peer: a socket and whose it is."""

    socket: GuardedConnection
    player: str
    frames: Tally
    asking: bool = False
    """Whether an answer is due: then what is pushed goes out together with it, if it comes at once."""
    device: str = ""
    """The hash of the token that said hello."""
    ending: asyncio.Task[None] | None = None
    """Says goodbye to whoever was sent away: what they say meanwhile is not done any more."""
    _held: list[bytes] = field(default_factory=list)

    def push(self, text: bytes) -> None:
        """Send without waiting; who does not read is cut off by the guard."""
        self.frames.value += 1
        if not self.asking:
            self.socket.write_text(text)
            return
        if not self._held:
            self.socket.loop.call_soon(self._release)
        self._held.append(frame(text))

    def answer(self, message: m.FromServer) -> None:
        """Send the answer that was due, behind whatever was pushed before it."""
        self.asking = False
        self.frames.value += 1
        self._held.append(frame(written(message)))
        self._release()

    def hang_up(self, reason: str) -> None:
        """End the line soon: whose it was is not known here any more."""
        self.ending = self.socket.loop.create_task(self.socket.close(UNKNOWN, reason))

    def refuse(self, reason: str) -> None:
        """End the line soon: whose it is is not let in."""
        self.ending = self.socket.loop.create_task(self.socket.close(POLICY, reason))

    def begin_anew(self, reason: str) -> None:
        """End the line soon: whose it is comes again, and is known then or not."""
        self.ending = self.socket.loop.create_task(self.socket.close(RESTART, reason))

    async def drained(self) -> None:
        """Let others go first, and the line take what was pushed."""
        await asyncio.sleep(0)
        await self.socket.drain()

    def _release(self) -> None:
        held, self._held = self._held, []
        if held:
            self.socket.write_frame(b"".join(held))
