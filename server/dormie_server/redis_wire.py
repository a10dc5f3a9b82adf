"""The wires to Redis, as the library makes them: addresses, passwords, TLS and sentinels.

The only module that knows the library; what is said over a wire is `redis_line`'s and `redis_bells`'s.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import hiredis
import redis.asyncio.connection as rc
from redis.asyncio.sentinel import Sentinel
from redis.exceptions import NoScriptError, ReadOnlyError, RedisError, ResponseError

__all__ = ["NoScriptError", "ReadOnlyError", "ResponseError"]  # what Redis says no with

PATIENCE: Final = 1.5
"""Seconds within which a group is answered, making the line included."""
LOST: Final = (RedisError, OSError)
"""What it looks like when Redis cannot be reached."""

SENTINELS: Final = "redis+sentinel"
ASKED_LIKE: Final = (
    "sentinels are asked like redis+sentinel://host:26379,host:26379/name/0, with ?tls=1 or without"
)
UNREADABLE: Final = (
    "this is no address like redis://:password@host:6379/0; in a password # is written %23, / %2F,"
    " ? %3F, @ %40, [ %5B and % %25"
)

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
    dormie_server.redis_wire.BadAddress: a store is at redis://, rediss://, unix:// or redis+sentinel://
    """
    parts = _read(url)
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    if parts.scheme == SENTINELS:
        return Address(shown, _by_sentinel(parts, password))
    try:
        wishes: dict[str, Any] = dict(rc.parse_url(url))
        kind = wishes.pop("connection_class", rc.Connection)
        if password is not None:
            wishes["password"] = password
        _wire(kind, wishes)  # an option that it does not know is better known of now
    except (ValueError, TypeError, RedisError):
        options = ", ".join(name for name, _ in parse_qsl(parts.query))
        raise BadAddress(f"{shown}: these options cannot be used: {options}") from None

    async def dial() -> Wire:
        return _wire(kind, wishes)

    return Address(shown, dial)


def _read(url: str) -> SplitResult:
    """The parts of an address that looks like one; of another no word is repeated: it may be a password."""
    try:
        parts = urlsplit(url)
        parse_qsl(parts.query, strict_parsing=bool(parts.query))
        port = None if parts.scheme == SENTINELS else parts.port
    except ValueError:
        raise BadAddress(UNREADABLE) from None
    if parts.scheme not in ("redis", "rediss", "unix", SENTINELS):
        raise BadAddress("a store is at redis://, rediss://, unix:// or redis+sentinel://")
    place = "" if parts.scheme == "unix" else parts.path
    if parts.fragment or "@" in place or port == 0:
        raise BadAddress(UNREADABLE)
    if parts.scheme in ("redis", "rediss") and place.strip("/") and not place[1:].isdecimal():
        raise BadAddress("the number of a database is last in redis://host:6379/0")
    return parts


def _wire(kind: Any, wishes: dict[str, Any]) -> Wire:  # Any: the library's classes share no type
    # No time limit of the library's: it would end a bell that is silent. The line has its own.
    made: Wire = kind(
        protocol=2, socket_timeout=None, socket_connect_timeout=PATIENCE, driver_info=None, **wishes
    )
    return made


def _by_sentinel(parts: SplitResult, password: str | None) -> Callable[[], Awaitable[Wire]]:
    """The sentinels say where the master is, anew for each connection."""
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, inline = login.partition(":")
    name, _, db = parts.path.strip("/").partition("/")
    options = dict(parse_qsl(parts.query))
    if not name or not hosts or (db and not db.isdecimal()) or options.keys() - {"tls"}:
        raise BadAddress(ASKED_LIKE)
    places = [_place(one) for one in hosts.split(",")]
    wishes: dict[str, Any] = {"db": int(db or 0)}
    if user:
        wishes["username"] = unquote(user)
    if password or inline:
        wishes["password"] = password or unquote(inline)
    secure = options.get("tls") == "1"
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


def _place(text: str) -> tuple[str, int]:
    """Where a sentinel is."""
    try:
        said = urlsplit(f"//{text}")
        port = said.port or 26379
    except ValueError:
        raise BadAddress(ASKED_LIKE) from None
    return said.hostname or "localhost", port


def packed(*words: bytes | str | float) -> bytes:
    """Words as they go to Redis."""
    text: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # it takes any number
    return text


async def send(wire: Wire, *texts: bytes) -> None:
    """Send what was packed. Raises one of LOST."""
    try:
        await wire.send_packed_command([b"".join(texts)], check_health=False)
    except RuntimeError as error:  # uvloop's way to say that the other side has reset the line
        raise ConnectionError(str(error)) from None


async def hang_up(wire: Wire) -> None:
    """Close a connection, in whatever state it is."""
    with suppress(*LOST, RuntimeError):
        await wire.disconnect(nowait=True)
