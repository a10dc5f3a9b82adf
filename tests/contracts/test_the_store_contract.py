"""Whether the contract would notice: each store here breaks one promise, and must be found out."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any

import pytest

from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import NO_CARDS, NOTHING_KNOWN, Conflict, Note, Store
from tests.contracts import test_store_contract as documents
from tests.contracts import test_store_followers as followers
from tests.contracts import test_store_times as times
from tests.contracts.stores import Clock

Whatever = Any  # handed on to the sound store without a look
Promise = Callable[[Store, Clock], Coroutine[Whatever, Whatever, None]]


class Careless(SqliteStore):
    """No compare-and-set: the last one wins."""

    async def put(self, key: str, body: bytes, was: int, **more: Whatever) -> int:  # noqa: ARG002 - so it is
        found = await self.get(key)
        while True:
            try:
                return await super().put(key, body, found.version if found else 0, **more)
            except Conflict:
                found = await self.get(key)


class Hasty(SqliteStore):
    """Acknowledges before it has happened."""

    async def put(self, key: str, body: bytes, was: int, **more: Whatever) -> int:
        self.later = asyncio.gather(super().put(key, body, was, **more), return_exceptions=True)
        return was + 1


class Half(SqliteStore):
    """Lays the cards down first and then looks whether it may."""

    async def put(
        self,
        key: str,
        body: bytes,
        was: int,
        shelves: Mapping[str, bytes | None] = NO_CARDS,
        **more: Whatever,
    ) -> int:
        try:
            return await super().put(key, body, was, shelves=shelves, **more)
        except Conflict:
            found = await self.get(key)
            if found:
                await super().put(key, found.body, found.version, shelves=shelves)
            raise


class Gap(SqliteStore):
    """Reads what is kept, then begins to listen; what came between is lost."""

    async def follow(
        self, key: str, after: int, known: Callable[[], int] = NOTHING_KNOWN
    ) -> AsyncIterator[Note]:
        for note in await self.notes(key, after):
            yield note
        found = await self.get(key)
        async for note in super().follow(key, found.version if found else 0, known):
            yield note


class Echo(SqliteStore):
    """Listens, then reads what is kept, and says twice what came between."""

    async def follow(
        self, key: str, after: int, known: Callable[[], int] = NOTHING_KNOWN
    ) -> AsyncIterator[Note]:
        live = super().follow(key, after, known)
        for note in await self.notes(key, after):
            yield note
        async for note in live:
            yield note


class Undead(SqliteStore):
    """Goes on after a drop with what begins next."""

    async def follow(
        self, key: str, after: int, known: Callable[[], int] = NOTHING_KNOWN
    ) -> AsyncIterator[Note]:
        while not self._closed:
            async for note in super().follow(key, after, known):
                yield note


class Generous(SqliteStore):
    """Gives a due key to everybody."""

    async def due(self, hold: float) -> list[str]:  # noqa: ARG002 - so it is
        return await super().due(0)


class Forgetful(SqliteStore):
    """Gives a due key to somebody and never again."""

    async def due(self, hold: float) -> list[str]:  # noqa: ARG002 - so it is
        return await super().due(1e9)


class Eternal(SqliteStore):
    """Keeps everything for ever."""

    async def put(self, key: str, body: bytes, was: int, **more: Whatever) -> int:
        return await super().put(key, body, was, **more | {"lifetime": None})


FOUND_OUT: list[tuple[type[SqliteStore], Promise]] = [
    (Careless, lambda store, _: documents.test_of_fifty_puts_at_once_one_wins(store)),
    (Careless, lambda store, _: documents.test_a_put_on_another_version_is_a_conflict(store, 1)),
    (Hasty, lambda store, _: documents.test_of_fifty_puts_at_once_one_wins(store)),
    (Half, documents.test_a_conflict_changes_nothing),
    (Gap, lambda store, _: whenever_a_follower_begins(store)),
    (Echo, lambda store, _: whenever_a_follower_begins(store)),
    (Undead, lambda store, _: no_follower_hears_of_two_lives(store)),
    (Generous, times.test_of_two_callers_one_is_given_a_key),
    (Forgetful, times.test_a_key_that_nobody_saw_to_is_due_again),
    (Eternal, times.test_at_the_end_of_its_lifetime_all_of_a_key_is_gone),
]


@pytest.mark.parametrize(("broken", "promise"), FOUND_OUT)
async def test_a_store_that_breaks_a_promise_is_found_out(
    broken: type[SqliteStore], promise: Promise
) -> None:
    clock = Clock()
    store = broken(":memory:", clock=clock)

    with pytest.raises((AssertionError, pytest.fail.Exception)):
        await promise(store, clock)
    await store.close()


@pytest.mark.parametrize("promise", dict.fromkeys(promise for _, promise in FOUND_OUT))
async def test_a_store_that_keeps_them_is_not(promise: Promise) -> None:
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)

    await promise(store, clock)
    await store.close()


async def whenever_a_follower_begins(store: Store) -> None:
    for seed in range(3):
        await followers.test_whenever_a_follower_begins_it_hears_every_note_once(store, seed)
        await store.drop("table:1")


async def no_follower_hears_of_two_lives(store: Store) -> None:
    await followers.test_no_follower_ever_hears_of_two_lives(store, seed=0)
