"""What has arrived on one line and waits to be looked at, message by message.

It stands where the library puts an `Assembler`, does for whole messages what that does, and weighs a
quarter of it: a line that is quiet has nothing in its inbox, and should hardly have an inbox.
"""

import asyncio
from typing import Final, Protocol

from websockets.frames import Frame, Opcode

MANY: Final = 16
"""Messages that wait; with more than that, nothing is read from the line."""
FEW: Final = 4
"""With so few it is read on."""


class Road(Protocol):
    """Where frames come from, as far as an inbox needs it."""

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Inbox:
    """The messages of one connection, read by one task."""

    __slots__ = ("_asker", "_closed", "_paused", "_road", "_whole", "frames")

    def __init__(self, road: Road) -> None:
        self.frames: list[Frame] = []
        self._road = road
        self._whole = 0
        """How many messages are complete: at most the last one is not."""
        self._asker: asyncio.Future[None] | None = None
        self._paused = False
        self._closed = False

    def put(self, frame: Frame) -> None:
        """Lay down what has arrived. Raises EOFError when nothing can arrive any more."""
        if self._closed:
            raise EOFError("the line has ended")
        self.frames.append(frame)
        if not frame.fin:
            return
        self._whole += 1
        self._wake()
        if self._whole > MANY and not self._paused:
            self._paused = True
            self._road.pause_reading()

    async def get(self, decode: bool | None = None) -> str | bytes:  # noqa: FBT001 - the library's own
        """Wait for the next message; text is *decode*d, unless asked otherwise.

        Raises EOFError when there will be no more, UnicodeDecodeError when text is none.
        """
        while not self._whole:
            if self._closed:
                raise EOFError("the line has ended")
            assert self._asker is None, "one task reads a line"
            self._asker = asyncio.get_running_loop().create_future()
            try:
                await self._asker
            finally:
                self._asker = None
        kind, data = self._take()
        return data.decode() if (kind is Opcode.TEXT if decode is None else decode) else data

    def close(self) -> None:
        """Nothing more arrives; what has arrived whole may still be taken."""
        self._closed = True
        self._wake()

    def _take(self) -> tuple[Opcode, bytes]:
        """The oldest message: there is one."""
        pieces = 1
        while not self.frames[pieces - 1].fin:
            pieces += 1
        message = self.frames[:pieces]
        del self.frames[:pieces]
        self._whole -= 1
        if self._paused and self._whole <= FEW:
            self._paused = False
            self._road.resume_reading()
        return message[0].opcode, b"".join([frame.data for frame in message])

    def _wake(self) -> None:
        if self._asker is not None and not self._asker.done():
            self._asker.set_result(None)
