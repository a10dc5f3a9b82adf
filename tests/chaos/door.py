"""A door in front of several servers: whoever comes is sent to one after the other, past those that are dead.

It stands for the proxy that people put there; it looks into nothing and remembers nobody.
"""

import asyncio
from contextlib import suppress

PIECE = 1 << 16


class Door:
    """Listens on a port of its own, in this process."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        self._turn = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def port(self) -> int:
        """Where clients connect to."""
        assert self._server is not None, "it was opened"
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0, limit=PIECE)

    async def close(self) -> None:
        """Let nobody in any more, and throw out whoever is."""
        assert self._server is not None, "it was opened"
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        await self._server.wait_closed()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError, asyncio.CancelledError):  # dead, or the evening is over
            far_reader, far_writer = await self._somebody()
            self._writers.add(far_writer)
            try:
                await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
            finally:
                self._writers.discard(far_writer)
                far_writer.close()
        self._writers.discard(writer)
        writer.close()

    async def _somebody(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A line to the next server that answers. Raises OSError when none does."""
        for _ in self.ports[1:]:
            self._turn += 1
            with suppress(OSError):
                return await self._line()
        self._turn += 1
        return await self._line()

    async def _line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        port = self.ports[self._turn % len(self.ports)]
        return await asyncio.open_connection("127.0.0.1", port, limit=PIECE)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry one direction until its end, which ends the other, too."""
    with suppress(OSError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()
