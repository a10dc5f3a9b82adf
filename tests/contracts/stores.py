"""Every store there is, for the contract to run over. A new store is one more line."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from dormie_server.redis_store import RedisStore
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Note, Store
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time

    def advance(self, seconds: float) -> None:
        self.time += seconds


OpenStore = Callable[[pytest.FixtureRequest, Path, Clock], Store]
"""Open an empty store; the folder is empty too, and for this store alone."""

STORES: dict[str, OpenStore] = {
    "memory": lambda _, __, clock: SqliteStore(":memory:", clock=clock),
    "file": lambda _, folder, clock: SqliteStore(
        folder / "store.db", synchronous="NORMAL", clock=clock
    ),
    "safe file": lambda _, folder, clock: SqliteStore(
        folder / "store.db", synchronous="FULL", clock=clock
    ),
    "simulated": lambda _, __, clock: FarStore(Cupboard(clock)),
    "redis": lambda request, _, clock: RedisStore(
        request.getfixturevalue("redis").url, clock=clock
    ),
}


Shared = tuple[Store, Store]
"""Two servers' ways to what they share."""


@asynccontextmanager
async def shared_by_two(request: pytest.FixtureRequest, clock: Clock) -> AsyncIterator[Shared]:
    """An empty store of that name among ``SHARED``, as two servers have it."""
    shared: Shared
    if request.param == "redis":
        url = request.getfixturevalue("redis").url
        shared = RedisStore(url, clock=clock), RedisStore(url, clock=clock)
    else:
        shared = (SqliteStore(":memory:", clock=clock),) * 2
    yield shared
    for one in shared:
        await one.close()


SHARED = ("memory", "redis")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=STORES.values(), ids=list(STORES))
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Clock
) -> AsyncIterator[Store]:
    opened: Store = request.param(request, tmp_path, clock)
    yield opened
    await opened.close()


async def hear(notes: AsyncIterator[Note], count: int) -> list[Note]:
    """The next so many notes."""
    async with asyncio.timeout(5):
        return [await anext(notes) for _ in range(count)]


async def hear_all(notes: AsyncIterator[Note]) -> list[Note]:
    """Every note until there are no more."""
    async with asyncio.timeout(5):
        return [note async for note in notes]


async def write(store: Store, key: str, count: int, was: int = 0) -> int:
    """So many puts, with bodies and notes that say their number; return the last version."""
    for version in range(was + 1, was + count + 1):
        await store.put(key, body(version), version - 1, note=note(version).body)
    return was + count


def body(version: int) -> bytes:
    return f"body {version}".encode()


def note(version: int) -> Note:
    return Note(version, f"note {version}".encode())


async def turns(count: int) -> None:
    """Let the others run so many times."""
    for _ in range(count):
        await asyncio.sleep(0)


async def outcome(asked: Awaitable[object]) -> object:
    """What came of it: a value, or the exception."""
    try:
        return await asked
    except Exception as error:  # noqa: BLE001 - the exception is the answer
        return error
