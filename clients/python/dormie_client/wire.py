"""The connection itself: how it is opened, what is heard on it, and what its end means."""

import json
import logging
import os
import ssl
from typing import Any

from pydantic import ValidationError
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from dormie_protocol.codec import Unreadable, read_server
from dormie_protocol.messages import NEAR, SUBPROTOCOL, Heard, ServerMessage
from dormie_protocol.words import REFUSED, SENTENCES

MAX_SIZE = 4 * 1024 * 1024
"""The longest message a server may send."""
PING_SECONDS = 10.0
CLOSE_SECONDS = 2.0
"""How long the other side may take to say goodbye."""

FINAL = {
    1003: "The server does not understand this program.",
    1009: "The server refused a message of this program as too long.",
    4400: "The server could not read what this program said; one of the two is too old.",
    4401: "The server does not know this token.",
}
"""Ways to close after which the next time would be no different, with the reason for people."""
SLOW = frozenset({1008, 4408})
"""Ways to close after which one comes back, but not soon: too much was sent, or too late."""

# The frames that the library would log hold the token, so its logger is not one of the tree.
_SILENT = logging.Logger("dormie_client.wire", logging.CRITICAL + 1)  # noqa: LOG001 - see above


def open_line(url: str, near: str) -> connect:
    """A connection to be awaited, to the server where tables are whose codes end with *near*.

    Pings go both ways: neither side talks to a dead one for long.
    """
    return connect(
        url,
        subprotocols=[Subprotocol(SUBPROTOCOL), Subprotocol(f"{NEAR}{near}")],
        compression=None,
        ping_interval=PING_SECONDS,
        ping_timeout=PING_SECONDS,
        close_timeout=CLOSE_SECONDS,
        max_size=MAX_SIZE,
        logger=_SILENT,
    )


def hear(text: str | bytes) -> ServerMessage | None:
    """The message a server sent, or None for one that this program has no word for.

    >>> hear('{"type":"replaced","table":"ABCDEFGH","since":"a later version"}')
    Replaced(type='replaced', table='ABCDEFGH')
    >>> hear('{"type":"weather","sky":"blue"}')
    """
    try:
        return read_server(text)
    except Unreadable:
        return _without_unknown_events(text)


def close_code(error: Exception) -> int | None:
    """The code with which the server closed, if it was the server and it gave one."""
    received = error.rcvd if isinstance(error, ConnectionClosed) else None
    return received.code if received else None


def trouble(error: Exception) -> str:
    """What went wrong, in a few words without any address.

    >>> trouble(ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 1)"))
    'nobody answers there'
    """
    match error:
        case InvalidStatus():
            return f"it answers with HTTP status {error.response.status_code}"
        case ssl.SSLCertVerificationError():
            return "its certificate cannot be trusted"
        case ssl.SSLError():
            return "it does not speak TLS"
        case ConnectionRefusedError():
            return "nobody answers there"
        case TimeoutError():
            return "it does not answer in time"
        case ConnectionClosed():
            return "it closes the connection"
        case OSError(errno=int(number)) if number > 0:
            return os.strerror(number)  # the error's own words would hold an address
        case OSError():
            return error.strerror or "nobody answers there"
        case _:
            return "it does not speak as it should"


def refused_at_the_door(error: Exception) -> str | None:
    """The word with which a house says no before anybody has said hello, or None.

    >>> from websockets.datastructures import Headers
    >>> from websockets.http11 import Response
    >>> door = Response(403, "Forbidden", Headers({"Dormie-Refused": "banned"}))
    >>> refused_at_the_door(InvalidStatus(door))
    'banned'
    """
    if not isinstance(error, InvalidStatus):
        return None
    word = error.response.headers.get(REFUSED)
    return word if word in SENTENCES else None


def _without_unknown_events(text: str | bytes) -> ServerMessage | None:
    """What a newer server lets us see, without the events that this program has no word for."""
    try:
        loose = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(loose, dict) or not isinstance(loose.get("events"), list):
        return None
    known = [event for event in loose["events"] if _is_known(event)]
    try:
        return read_server(json.dumps({**loose, "events": known}))
    except Unreadable:
        return None


def _is_known(event: Any) -> bool:  # any JSON
    try:
        Heard.model_validate(event)
    except ValidationError:
        return False
    return True
