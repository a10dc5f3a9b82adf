"""The line to Redis: what is asked in one moment goes there together, and the answers come back in order.

While one group is on its way, whatever else is asked waits and goes with the next: nobody waits for
company. Nothing is asked twice by itself. When no answer comes in time the line is given up, everybody
who waits is told that the store is not available, and the next one to ask has a new line made; not
too often, so that a Redis that is just coming up is not stormed.
"""

import asyncio
import random
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

import hiredis
import redis.asyncio.connection as rc
from redis.asyncio.sentinel import Sentinel
from redis.exceptions import NoScriptError, ReadOnlyError, RedisError, ResponseError

from dormie_server.redis_scripts import ALL, Script
from dormie_server.store import StoreUnavailable

PATIENCE: Final = 1.5
"""Seconds within which a group is answered, making the line included."""
LARGEST_GROUP: Final = 256
FIRST_REST, LONGEST_REST = 0.05, 0.5
"""Seconds in which no new line is tried after one was lost."""

LOST: Final = (RedisError, OSError)
"""What it looks like when Redis cannot be reached."""

Words = tuple[bytes | str | int | float, ...]
Answer = Any  # whatever Redis says: bytes, a number, None, or a list of these


class BadAddress(ValueError):
    """An address of a store that cannot be used, with a sentence without secrets."""


class Wire(Protocol):
    """One connection, as far as this house uses it."""

    async def connect(self) -> None: ...
    async def disconnect(self, nowait: bool = ...) -> None: ...  # noqa: FBT001 - theirs
    async def send_packed_command(self, command: Any, check_health: bool = ...) -> None: ...  # noqa: FBT001
    async def read_response(self) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Address:
    """Where Redis is. Its text has no password."""

    shown: str
    dial: Callable[[], Awaitable[Wire]]
    """A connection that is not connected yet. Raises what asking a Sentinel raises."""


def address(url: str, password: str | None = None) -> Address:
    """Read ``redis://``, ``rediss://`` (TLS), ``unix://`` or ``redis+sentinel://HOST,HOST:PORT/NAME/DB``.

    >>> address("rediss://:secret@golf.example/2").shown
    'rediss://golf.example/2'
    >>> address("redis+sentinel://a,b:26380/golf").shown
    'redis+sentinel://a,b:26380/golf'
    >>> address("http://golf.example")
    Traceback (most recent call last):
        ...
    dormie_server.redis_line.BadAddress: a store is at redis://, rediss://, unix:// or redis+sentinel://
    """
    parts = urlsplit(url)
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    if parts.scheme.startswith("redis+sentinel"):
        return Address(shown, _by_sentinel(url, password))
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise BadAddress("a store is at redis://, rediss://, unix:// or redis+sentinel://")
    try:
        wishes: dict[str, Any] = dict(rc.parse_url(url))
    except ValueError as because:
        raise BadAddress(f"{shown}: {because}") from None
    kind = wishes.pop("connection_class", rc.Connection)
    if password is not None:
        wishes["password"] = password

    async def dial() -> Wire:
        return _wire(kind, wishes)

    return Address(shown, dial)


def _wire(kind: Any, wishes: dict[str, Any]) -> Wire:  # Any: the library's classes share no type
    # No time limit of the library's: it would end a bell that is silent. The line has its own.
    made: Wire = kind(
        protocol=2, socket_timeout=None, socket_connect_timeout=PATIENCE, driver_info=None, **wishes
    )
    return made


def _by_sentinel(url: str, password: str | None) -> Callable[[], Awaitable[Wire]]:
    """The sentinels say where the master is, anew for each connection."""
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, inline = login.partition(":")
    name, _, db = parts.path.strip("/").partition("/")
    if not name or not hosts or (db and not db.isdecimal()):
        raise BadAddress("sentinels are asked like redis+sentinel://host:26379,host:26379/name/0")
    places = [
        (host or "localhost", int(port or 26379)) for host, port in map(_split, hosts.split(","))
    ]
    wishes: dict[str, Any] = {"db": int(db or 0)}
    if user:
        wishes["username"] = unquote(user)
    if password or inline:
        wishes["password"] = password or unquote(inline)
    secure = dict(parse_qsl(parts.query)).get("tls") == "1"
    own: dict[str, Any] = {"ssl": True, "ssl_cert_reqs": ssl.CERT_REQUIRED} if secure else {}

    async def dial() -> Wire:
        asked: Any = Sentinel(  # type: ignore[no-untyped-call]  # it has no types
            places, socket_timeout=PATIENCE / 3, protocol=2, **own
        )
        try:
            host, port = await asked.discover_master(name)
        finally:
            await asyncio.gather(*(one.aclose() for one in asked.sentinels))
        kind = rc.SSLConnection if secure else rc.Connection
        return _wire(kind, {"host": host, "port": port, **wishes})

    return dial


def _split(place: str) -> tuple[str, str]:
    host, _, port = place.partition(":")
    return host, port


@dataclass(slots=True)
class _Call:
    words: Words
    script: Script | None
    answer: asyncio.Future[Answer]


class Line:
    """One connection for everything that is answered; bells have their own."""

    def __init__(self, where: Address, patience: float = PATIENCE) -> None:
        self.where = where
        self.groups = 0
        """How many groups have travelled."""
        self.lost = 0
        """How often the line was lost."""
        self.closed = False
        self._patience = patience
        self._wire: Wire | None = None
        self._waiting: list[_Call] = []
        self._worker: asyncio.Task[None] | None = None
        self._rest, self._rests_until = 0.0, 0.0

    def ask(
        self, *words: bytes | str | float, script: Script | None = None
    ) -> asyncio.Future[Answer]:
        """Have something done; with a *script*, *words* are its home and its arguments.

        The future may raise StoreUnavailable: then nobody knows whether it was done.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        if self.closed:
            answer.set_exception(StoreUnavailable("the store is closed"))
        elif loop.time() < self._rests_until:
            answer.set_exception(StoreUnavailable("Redis cannot be reached"))
        else:
            self._waiting.append(_Call(words, script, answer))
            if self._worker is None:
                self._worker = loop.create_task(self._work())
        return answer

    async def close(self) -> None:
        """Finish what was asked, and hang up. Fine to call twice."""
        self.closed = True
        if self._worker is not None:
            await asyncio.gather(self._worker, return_exceptions=True)
        await self._hang_up()

    async def _work(self) -> None:
        """For as long as anything is asked."""
        try:
            while self._waiting:
                group = self._waiting[:LARGEST_GROUP]
                del self._waiting[:LARGEST_GROUP]
                await self._together(group)
        finally:
            self._worker = None

    async def _together(self, group: Sequence[_Call]) -> None:
        because = "Redis does not answer"
        try:
            async with asyncio.timeout(self._patience):
                wire = self._wire = self._wire or await _connected(self.where)
                await _send(wire, [_packed(call) for call in group])
                for call in group:
                    await self._hear(wire, call)
            self._rest = 0.0
            self.groups += 1
        except LOST as error:
            because = _in_short(error)
            await self._give_up(group, because)
        except BaseException:  # also when this task is cancelled nobody may wait for ever
            await self._give_up(group, because)
            raise

    async def _hear(self, wire: Wire, call: _Call) -> None:
        try:
            said = await wire.read_response()
        except NoScriptError:  # somebody has emptied Redis of scripts
            await self._say_whole(call)
        except ReadOnlyError:  # no longer the master: another one is
            raise
        except ResponseError as error:
            _settle(call.answer, StoreUnavailable(f"Redis says: {error}"))
        else:
            _settle(call.answer, said)

    async def _say_whole(self, call: _Call) -> None:
        """Ask again, with all of the script, behind those who wait."""
        assert call.script is not None, "only scripts are unknown"
        words = ("EVAL", call.script.text, 1, *call.words)
        self._waiting.append(_Call(words, None, call.answer))

    async def _give_up(self, group: Sequence[_Call], because: str) -> None:
        self.lost += 1
        self._rest = min(max(FIRST_REST, 2 * self._rest), LONGEST_REST)
        now = asyncio.get_running_loop().time()
        self._rests_until = now + self._rest * random.uniform(0.5, 1)  # noqa: S311 - spreads servers
        everybody = [*group, *self._waiting]
        self._waiting.clear()
        for call in everybody:
            _settle(call.answer, StoreUnavailable(because))
        await self._hang_up()

    async def _hang_up(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            with suppress(*LOST):
                await wire.disconnect(nowait=True)


async def _connected(where: Address) -> Wire:
    """A connection that knows our scripts."""
    wire = await where.dial()
    try:
        await wire.connect()
        await _send(wire, [packed("SCRIPT", "LOAD", one.text) for one in ALL])
        for _ in ALL:
            await wire.read_response()
    except BaseException:
        with suppress(*LOST):
            await wire.disconnect(nowait=True)
        raise
    return wire


def packed(*words: bytes | str | float) -> bytes:
    """Words as they go to Redis."""
    text: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # it takes any number
    return text


def _packed(call: _Call) -> bytes:
    if call.script is None:
        return packed(*call.words)
    return packed("EVALSHA", call.script.name, 1, *call.words)


async def _send(wire: Wire, packed: Sequence[bytes]) -> None:
    await wire.send_packed_command([b"".join(packed)], check_health=False)


def _settle(answer: "asyncio.Future[Answer]", outcome: Answer) -> None:
    if answer.done():  # whoever asked has gone away
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)


def _in_short(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "Redis does not answer"
    return f"Redis cannot be used: {str(error).strip() or type(error).__name__}"[:200]
