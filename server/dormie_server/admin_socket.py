"""The socket on which those who run a house talk to a running server: a file that only its owner may open.

A line of JSON is asked, and a line of JSON is answered: `{"done": {...}}`, or `{"no": word, "because":
sentence}`. Everything that is asked is written down in the diary, without what strangers wrote.
"""

import asyncio
import contextlib
import os
import socket
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import structlog
from pydantic import ValidationError
from pydantic_core import to_json

from dormie_server import admin_words as a
from dormie_server.config import MEMORY, BadSetting, Settings

_NAME: Final = "admin.sock"
_PATIENCE: Final = 60.0
"""Seconds that a line may take to come."""

log = structlog.get_logger(__name__)

Answering = Callable[[a.Asked], Awaitable[a.Answer]]


def place_of_admin(settings: Settings) -> Path | None:
    """Where the socket is, if there is one: beside the file with the tables, unless a setting says where."""
    if settings.admin_socket == "off" or not hasattr(socket, "AF_UNIX"):
        return None
    if settings.admin_socket != "auto":
        return Path(settings.admin_socket)
    if settings.store is not None or settings.data == MEMORY:
        return None
    return Path(settings.data).absolute().parent / _NAME


class AdminSocket:
    """The socket of one server."""

    def __init__(self, path: Path, answer: Answering) -> None:
        self.path = path
        self._answer = answer
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen. What an earlier server left is taken away; another server's is not. Raises BadSetting."""
        try:
            line = _bound(self.path)
        except OSError as error:
            raise BadSetting(f"admin_socket: {self.path}: {error.strerror or error}") from None
        self._server = await asyncio.start_unix_server(self._come, sock=line, limit=a.LONGEST_LINE)

    async def close(self) -> None:
        """Answer nothing more, and take the file away."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        with contextlib.suppress(OSError):
            self.path.unlink()
        asking = asyncio.current_task()
        talks = [task for task in self._talks if task is not asking]
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begin to talk. The task is ours: asyncio's own, before 3.12, complains when one is cancelled."""
        task = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._talks.add(task)
        task.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (line := await _line(reader)) is not None:
                writer.write(await self._answered(line) + b"\n")
                await writer.drain()
        except ConnectionError:
            pass  # gone, as connections go
        finally:
            writer.close()

    async def _answered(self, line: bytes) -> bytes:
        try:
            asked = a.ASKED.validate_json(line)
        except ValidationError as error:
            log.warning("admin", command="unreadable")
            return _no(a.AdminNo("unreadable", _sentence(error)))
        try:
            answer = await self._answer(asked)
        except a.AdminNo as no:
            log.info("admin", **_audit(asked), outcome=no.word)
            return _no(no)
        except Exception:
            log.exception("admin", **_audit(asked), outcome="failed")
            return _no(a.AdminNo("failed", "something went wrong here; the diary has it"))
        log.info("admin", **_audit(asked), outcome="done")
        return to_json({"done": answer})


async def _line(reader: asyncio.StreamReader) -> bytes | None:
    """The next line, or None at the end, which a line that is too long or too slow is as well."""
    try:
        async with asyncio.timeout(_PATIENCE):
            line = await reader.readline()
    except (TimeoutError, ValueError):
        return None
    return line or None


def _no(no: a.AdminNo) -> bytes:
    return to_json({"no": no.word, "because": str(no)})


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def _audit(asked: a.Asked) -> dict[str, str]:
    """What the diary has of a command: neither an address nor a text that somebody wrote."""
    match asked:
        case a.Inspect() | a.CloseTable():
            return {"command": asked.command, "table": asked.table[:20]}
        case a.OneReport():
            return {"command": "close_report" if asked.close else "report", "report": asked.id[:20]}
        case a.AddBan(what="player"):
            return {"command": "ban", "player": asked.who}
        case a.AddBan():
            return {"command": "ban", "what": "address"}
        case _:
            return {"command": asked.command}


def _bound(path: Path) -> socket.socket:
    """A socket that listens at *path* and that nobody else may use. Raises OSError."""
    _make_room(path)
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        line.bind(str(path))
    except BaseException:
        line.close()
        raise
    finally:
        os.umask(before)
    return line


def _make_room(path: Path) -> None:
    """Take away the socket of a server that is dead. Raises OSError for anything else that is there."""
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(kind):
        raise FileExistsError(None, "there is a file of that name, and it is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise FileExistsError(None, "another server listens there")
