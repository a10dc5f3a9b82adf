"""A server of one's own, on this machine and for as long as one plays."""

import asyncio
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import IO

from dormie_client.errors import ClosedError

COMMAND = (
    *(sys.executable, "-m", "dormie_server"),
    *("--host", "127.0.0.1", "--port", "0", "--data", ":memory:"),
)
STARTS_WITHIN = 20.0
"""Seconds until it has said where it is."""
STOPS_WITHIN = 5.0
"""Seconds it has to say goodbye; then it is ended."""

LISTENS_TO = 65_536

_ADDRESS = re.compile(rb"https?://\S+")


@asynccontextmanager
async def local_server(command: Sequence[str] = COMMAND) -> AsyncIterator[str]:
    """The address of a server that runs as long as the block does. Raises ClosedError if none does."""
    with tempfile.TemporaryFile() as diary:
        server = await _started(command, diary)
        try:
            address = await _address(server, diary)
            listening = asyncio.get_running_loop().create_task(_listen(server))
            yield address
        finally:
            await _stopped(server)
        await listening


async def _started(command: Sequence[str], diary: IO[bytes]) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=diary,
            start_new_session=True,  # Ctrl-C is for the player's program, which then stops this one
        )
    except OSError as error:
        raise ClosedError(f"The server could not be started: {error.strerror}.") from None


async def _address(server: asyncio.subprocess.Process, diary: IO[bytes]) -> str:
    """The first address that the server says."""
    assert server.stdout is not None, "it is a pipe"
    with suppress(TimeoutError):
        async with asyncio.timeout(STARTS_WITHIN):
            async for line in server.stdout:
                found = _ADDRESS.search(line)
                if found:
                    return found[0].decode("ascii", "replace")
    diary.seek(0)
    *_, last = [b"it said nothing", *diary.read().splitlines()]
    raise ClosedError(f"The server could not be started: {last.decode('utf-8', 'replace')}")


async def _listen(server: asyncio.subprocess.Process) -> None:
    """Read what the server says later: whom nobody reads is held up in the end."""
    assert server.stdout is not None, "it is a pipe"
    while await server.stdout.read(LISTENS_TO):
        pass


async def _stopped(server: asyncio.subprocess.Process) -> None:
    """End the server: politely, then not."""
    if server.returncode is None:
        with suppress(ProcessLookupError):
            server.terminate()
    try:
        async with asyncio.timeout(STOPS_WITHIN):
            await server.wait()
    except TimeoutError:
        server.kill()
        await server.wait()
