"""What every server of a house has to do at once: cut the lines of somebody, look at the bans again.

A notice is a note that every server follows. It names nobody: who was erased leaves no trace, so a
player stands there as a mark, which a server that knows the player can make again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Final, Literal, NamedTuple

import structlog

from dormie_server.store import Conflict, Store, StoreUnavailable, WentBack

NOTICES: Final = "house:notices"
"""The store's key of them."""
BANS_CHANGED: Final = "bans"

_LIVES: Final = 3600.0
"""Longer than any server is away from the store and still has its connections."""
_TRIES: Final = 20
_AGAIN: Final = 0.5
_PATIENCE: Final = 60.0

log = structlog.get_logger(__name__)


class Notice(NamedTuple):
    """What to do: look at the bans, or cut the lines of a player or a device."""

    what: Literal["bans", "player", "device"]
    mark: str = ""


def mark_of(name: str) -> str:
    """What a player or a device is called in a notice; the name cannot be found from it.

    >>> mark_of("p-ada") == mark_of("p-ada"), mark_of("p-ada") == mark_of("p-bob")
    (True, False)
    """
    return blake2b(name.encode(), digest_size=16, person=b"dormie notice").hexdigest()


async def post(store: Store, notice: Notice) -> None:
    """Tell every server. Raises StoreUnavailable."""
    text = " ".join(notice).strip().encode()
    for _ in range(_TRIES):
        found = await store.get(NOTICES)
        was = 0 if found is None else found.version
        try:
            await store.put(NOTICES, b"", was, note=text, lifetime=_LIVES)
        except Conflict:
            continue
        return
    raise StoreUnavailable("too many notices at once")


async def post_patiently(store: Store, notice: Notice) -> None:
    """Tell every server as soon as the store lets us; after a minute without it nobody is told."""
    for _ in range(int(_PATIENCE / _AGAIN)):
        try:
            await post(store, notice)
        except StoreUnavailable:
            await asyncio.sleep(_AGAIN)
        else:
            return
    log.warning("notice_not_posted", what=notice.what)


async def follow(store: Store, hear: Callable[[Notice], Awaitable[None]]) -> None:
    """Hear every notice there is and will be, until cancelled.

    A notice for which *hear* finds no store is heard again; one that it cannot bear otherwise is written
    down, and the next one is heard.
    """
    version = 0
    while True:
        try:
            async for note in store.follow(NOTICES, version):
                await _told(hear, _read(note.body))
                version = note.version
            version = 0  # there was none for an hour: the numbers begin again
        except WentBack:
            version = 0  # new ones get the numbers of those that are lost
        except StoreUnavailable:
            log.warning("notices_wait_for_the_store")
        except Exception:
            log.exception("notices_wait")
        await asyncio.sleep(_AGAIN)


async def _told(hear: Callable[[Notice], Awaitable[None]], notice: Notice) -> None:
    try:
        await hear(notice)
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("notice_failed", what=notice.what)


def _read(text: bytes) -> Notice:
    what, _, mark = text.decode().partition(" ")
    if what == "player":
        return Notice("player", mark)
    if what == "device":
        return Notice("device", mark)
    return Notice("bans")  # looking once more does no harm, also for what a newer server meant
