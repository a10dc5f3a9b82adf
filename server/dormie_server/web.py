"""What a browser, a monitor or a curious person gets from the port on which the game is played.

`Web.process_request` stands at the door of every connection: `/ws` goes on to the game once its
papers are in order, everything else is answered here, and the line is closed. No answer tells a
stranger more than it must, and no answer lets a page elsewhere do anything with ours.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from dormie_server.addresses import LOOPBACK, Network, among, behind, shared_by
from dormie_server.answers import PLAIN, SAFE, Answer, not_let_in, of_file, response, short
from dormie_server.assets import Asset, load
from dormie_server.guard import GuardedConnection
from dormie_server.ids import is_record_id
from dormie_server.limits import Misses
from dormie_server.metrics import CONTENT_TYPE
from dormie_server.store import StoreUnavailable

COME_BACK: Final = "5"
"""Seconds."""
WELL_WITHIN: Final = 2.0
RECORDS: Final = "/record/"
FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")


async def _nobody(_address: str) -> bool:
    """Whom a house without bans keeps out."""
    return False


@dataclass(frozen=True, slots=True)
class House:
    """What the web asks of the house."""

    well: Callable[[], Awaitable[bool]]
    """Whether the store answers."""
    draining: Callable[[], bool]
    figures: Callable[[], bytes]
    record: Callable[[str], Awaitable[str | None]]
    clock: Callable[[], float] = time.monotonic
    barred: Callable[[str], Awaitable[bool]] = _nobody
    """Whether nobody is let in from an address."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who is let in, beside those who come from a page of this house."""

    origins: Sequence[str] = ()
    trusted: Sequence[Network] = ()
    """Proxies that are believed."""
    metrics_for: Sequence[Network] = LOOPBACK


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks."""

    address: str
    by_proxy: bool
    """Through a proxy that is believed."""
    by_stranger: bool
    """Through a proxy that is not: it may stand anywhere, and whoever asks is not at *address*."""


def client_address(
    connection: ServerConnection, request: Request, trusted: Sequence[Network]
) -> str:
    """Return where the client really is. Only a *trusted* proxy is believed."""
    return behind(_peer(connection), request.headers.get_all("X-Forwarded-For"), trusted)


def _peer(connection: ServerConnection) -> str:
    peer = connection.remote_address  # a pair, four things, or the path of a Unix socket
    return str(peer[0]) if isinstance(peer, tuple) else ""


def welcome() -> dict[str, Asset]:
    """Return the page that stands at `/` as long as the game has none."""
    return load(files("dormie_server") / "welcome")


class Web:
    """The answers to everything that is asked over HTTP.

    *misses* are the wrong guesses at table codes: a record's name begins with one, so they are
    counted together.
    """

    def __init__(
        self,
        house: House,
        access: Access,
        misses: Misses,
        assets: Mapping[str, Asset] | None = None,
    ) -> None:
        self._house = house
        self._access = access
        self._origins = frozenset(origin.lower() for origin in access.origins)
        self._misses = misses
        self._assets = welcome() if assets is None else assets
        self._rooms = {"/healthz": self._health, "/readyz": self._ready, "/metrics": self._metrics}

    async def process_request(
        self, connection: ServerConnection, request: Request
    ) -> Response | None:
        """Return what to answer; None lets the connection go on to the game."""
        if connection.connection_lost_waiter.done():
            return None  # gone already: nobody to count, who would never be taken off again
        visitor = self._visitor(connection, request)
        answer = self._count(connection, visitor) or await self._answer(request, visitor)
        if answer is None:
            return None
        connection.close_timeout = None  # a page may take as long as a handshake may
        return response(request, answer)

    async def process_response(
        self, connection: ServerConnection, _request: Request, answer: Response
    ) -> None:
        """Make the library's own refusals as safe as ours."""
        if answer.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            for name, value in SAFE.items():
                if name not in answer.headers:
                    answer.headers[name] = value
        if connection.protocol.eof_sent:
            # What came behind the request has ended the line: the library must not answer on it.
            connection.transport.abort()
            await asyncio.shield(connection.connection_lost_waiter)

    # the door of the game

    def _visitor(self, connection: ServerConnection, request: Request) -> Visitor:
        relayed = any(name in request.headers for name in FORWARDED)
        known = among(_peer(connection), self._access.trusted)
        address = client_address(connection, request, self._access.trusted)
        return Visitor(address, by_proxy=known, by_stranger=relayed and not known)

    def _count(self, connection: ServerConnection, visitor: Visitor) -> Answer | None:
        """Count who comes through a proxy; the others were counted when they came."""
        if not visitor.by_proxy or not isinstance(connection, GuardedConnection):
            return None
        if connection.comes_from(visitor.address):
            return None
        return short(HTTPStatus.TOO_MANY_REQUESTS, {"Retry-After": COME_BACK})

    def _game(self, request: Request, *, asked: bool) -> Answer | None:
        """Return why this connection may not play, if so."""
        if request.method != "GET":
            return short(HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "GET"})
        if asked:
            return short(HTTPStatus.BAD_REQUEST)
        if self._house.draining():
            return short(HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": COME_BACK})
        match request.headers.get_all("Origin"):
            case []:
                return None  # a program: it has no visitor whose rights it could borrow
            case [origin] if self._is_ours(origin.lower(), request.headers.get_all("Host")):
                return None
            case [_]:
                return short(HTTPStatus.FORBIDDEN)
            case _:
                return short(HTTPStatus.BAD_REQUEST)

    def _is_ours(self, origin: str, hosts: list[str]) -> bool:
        scheme, _, place = origin.partition("://")
        here = [host.lower() for host in hosts]
        return origin in self._origins or (scheme in {"http", "https"} and [place] == here)

    # everything else

    async def _answer(self, request: Request, visitor: Visitor) -> Answer | None:
        path, asked, _ = request.path.partition("?")
        if path not in self._rooms and await self._house.barred(visitor.address):
            return not_let_in()
        if path == "/ws":
            return self._game(request, asked=bool(asked))
        if request.method not in {"GET", "HEAD"}:
            return short(HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "GET, HEAD"})
        if room := self._rooms.get(path):
            return await room(visitor)
        if path.startswith(RECORDS):
            return await self._record(path.removeprefix(RECORDS), visitor)
        asset = self._assets.get(path)
        return short(HTTPStatus.NOT_FOUND) if asset is None else of_file(request, asset)

    async def _health(self, _visitor: Visitor) -> Answer:
        try:
            async with asyncio.timeout(WELL_WITHIN):
                well = await self._house.well()
        except TimeoutError:
            well = False
        return short(HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE)

    async def _ready(self, _visitor: Visitor) -> Answer:
        if self._house.draining():
            return short(HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": COME_BACK})
        return short(HTTPStatus.OK)

    async def _metrics(self, visitor: Visitor) -> Answer:
        """For a few only, and for nobody whom an unknown proxy has let in."""
        if visitor.by_stranger or not among(visitor.address, self._access.metrics_for):
            return short(HTTPStatus.NOT_FOUND)
        return Answer(HTTPStatus.OK, self._house.figures(), {"Content-Type": CONTENT_TYPE})

    async def _record(self, name: str, visitor: Visitor) -> Answer:
        guesser, now = shared_by(visitor.address), self._house.clock()
        if self._misses.blocked(guesser, now):
            return short(HTTPStatus.TOO_MANY_REQUESTS, {"Retry-After": "60"})
        try:
            text = await self._house.record(name) if is_record_id(name) else None
        except StoreUnavailable:
            return short(HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": COME_BACK})
        if text is None:
            self._misses.missed(guesser, now)
            return short(HTTPStatus.NOT_FOUND)
        return Answer(HTTPStatus.OK, text.encode(), {"Content-Type": PLAIN})
