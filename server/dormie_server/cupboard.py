"""The store that the settings ask for: the embedded one, or a Redis that several servers share."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dormie_server.config import MEMORY, BadSetting, Settings
from dormie_server.folders import make_folder
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Store

if TYPE_CHECKING:
    from dormie_server.redis_store import RedisStore


async def cupboard(settings: Settings) -> Store:
    """Open it. A file's folder is made, the file too; a Redis is checked.

    Raises StoreUnavailable when it cannot be used, BadSetting when it is not named well.
    """
    if settings.store is not None:
        return await shared_cupboard(settings)
    return _embedded(settings)


def place_of(settings: Settings) -> dict[str, str]:
    """Where tables are kept, for the diary: without a password."""
    if settings.store is None:
        return {"data": settings.data, "synchronous": settings.synchronous}
    return {"data": "redis"}


def _embedded(settings: Settings) -> Store:
    if settings.data != MEMORY:
        make_folder(Path(settings.data).absolute().parent)
    return SqliteStore(settings.data, synchronous=settings.synchronous, clock=_steady_clock())


async def shared_cupboard(settings: Settings) -> "RedisStore":
    """The Redis that the settings name. Raises as `cupboard` does."""
    # An embedded house needs none of it, and it is large.
    from dormie_server.redis_store import RedisStore  # noqa: PLC0415
    from dormie_server.redis_wire import BadAddress  # noqa: PLC0415

    assert settings.store is not None, "it was asked for"
    try:
        store = RedisStore(settings.store.get_secret_value(), _password(settings))
    except BadAddress as because:
        raise BadSetting(f"store: {because}") from None
    try:
        await store.open()
    except BaseException:
        await store.close()
        raise
    return store


def _password(settings: Settings) -> str | None:
    if settings.store_password_file is None:
        return None
    try:
        return settings.store_password_file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"store_password_file: cannot be read: {error}") from None


def _steady_clock() -> Callable[[], float]:
    """The time of day when the house opened, and from then on a clock that nobody sets: no deadline jumps."""
    opened = time.time() - time.monotonic()
    return lambda: opened + time.monotonic()
