"""What every store promises to those who follow a key: each note once, in order, none missing."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from dormie_server.store import Conflict, Note, Store
from tests.contracts.stores import Clock, clock, hear, hear_all, note, store, turns, write

__all__ = ["clock", "store"]  # fixtures


async def test_a_follower_hears_what_is_kept_and_then_what_comes(store: Store) -> None:
    await write(store, "table:1", 3)
    notes = store.follow("table:1", after=0)
    kept = await hear(notes, 3)
    await write(store, "table:1", 3, was=3)

    assert [note(n) for n in range(1, 7)] == kept + await hear(notes, 3)


@pytest.mark.parametrize("after", range(6))
async def test_a_follower_resumes_from_any_version(store: Store, after: int) -> None:
    await write(store, "table:1", 4)
    notes = store.follow("table:1", after)
    task = asyncio.create_task(hear(notes, 7 - after))
    await asyncio.sleep(0)
    await write(store, "table:1", 3, was=4)

    assert [note(n) for n in range(after + 1, 8)] == await task


async def test_a_follower_waits_for_what_comes(store: Store) -> None:
    await write(store, "table:1", 1)
    task = asyncio.create_task(hear(store.follow("table:1", after=1), 1))
    await turns(10)
    waited = not task.done()
    await write(store, "table:1", 1, was=1)

    assert (True, [note(2)]) == (waited, await task)


async def test_what_a_note_brings_along_is_what_was_put_with_it(store: Store) -> None:
    """A store may bring the document or not; another than that it must not."""
    task = asyncio.create_task(hear(store.follow("table:1", after=0), 3))
    await turns(10)
    for version in range(3):
        await store.put("table:1", b"body\n%d" % version, version, note=b"note\n %d" % version)

    heard = await task
    assert [b"note\n %d" % version for version in range(3)] == [note.body for note in heard]
    assert all(note.document in (None, b"body\n%d" % (note.version - 1)) for note in heard)


async def test_a_follower_waits_for_a_key_to_begin(store: Store) -> None:
    task = asyncio.create_task(hear(store.follow("chat:1", after=0), 2))
    await asyncio.sleep(0)
    await write(store, "chat:1", 2)

    assert [note(1), note(2)] == await task


async def test_a_key_has_many_followers_and_they_do_not_mix(store: Store) -> None:
    ears = [
        asyncio.create_task(hear(store.follow(key, after=0), 5))
        for key in ("table:1", "table:2")
        for _ in range(10)
    ]
    await asyncio.sleep(0)
    await asyncio.gather(write(store, "table:1", 5), write(store, "table:2", 5, was=0))

    assert [[note(n) for n in range(1, 6)]] * 20 == await asyncio.gather(*ears)


async def test_a_put_without_a_note_is_not_heard(store: Store) -> None:
    await write(store, "table:1", 1)
    notes = store.follow("table:1", after=0)
    await hear(notes, 1)
    await store.put("table:1", b"", 1)
    await write(store, "table:1", 1, was=2)

    assert [note(3)] == await hear(notes, 1)


async def test_a_conflict_is_not_heard(store: Store) -> None:
    await write(store, "table:1", 1)
    notes = store.follow("table:1", after=1)
    with suppress(Conflict):
        await store.put("table:1", b"", 7, note=b"never")
    await write(store, "table:1", 1, was=1)

    assert [note(2)] == await hear(notes, 1)


async def test_a_slow_follower_misses_nothing(store: Store) -> None:
    """It went for a coffee after the first note, and more came than any queue may hold."""
    await write(store, "table:1", 1)
    notes = store.follow("table:1", after=0)
    first = await hear(notes, 1)
    await write(store, "table:1", 600, was=1)

    assert [note(n) for n in range(1, 602)] == first + await hear(notes, 600)


async def test_a_follower_that_goes_away_is_no_trouble_to_the_others(store: Store) -> None:
    await write(store, "table:1", 1)
    gone, stays = store.follow("table:1", after=1), store.follow("table:1", after=1)
    leaving, staying = (asyncio.create_task(hear(notes, 2)) for notes in (gone, stays))
    await asyncio.sleep(0)
    await write(store, "table:1", 1, was=1)
    leaving.cancel()
    await write(store, "table:1", 1, was=2)

    assert [note(2), note(3)] == await staying


async def test_a_follower_that_knows_some_notes_hears_at_least_the_others(store: Store) -> None:
    """It may be told what it knows, but what it does not know comes, each once and in order."""
    await write(store, "table:1", 2)
    known = 0
    notes = store.follow("table:1", 2, lambda: known)
    listening = asyncio.create_task(_until(notes, 8))
    await turns(10)
    known = 5
    await write(store, "table:1", 3, was=2)
    await turns(10)
    known = 6
    await write(store, "table:1", 3, was=5)
    heard = await listening

    assert sorted(set(heard)) == heard
    assert {7, 8} <= set(heard) <= set(range(3, 9))


async def _until(notes: AsyncIterator[Note], last: int) -> list[int]:
    """The numbers of notes, until the *last*."""
    heard = list[int]()
    async with asyncio.timeout(5):
        async for one in notes:
            heard.append(one.version)
            if one.version == last:
                break
    return heard


# -------------------------------------------------------------------- ends


async def test_a_drop_ends_the_followers(store: Store) -> None:
    await write(store, "table:1", 2)
    ears = [asyncio.create_task(hear_all(store.follow("table:1", n))) for n in range(3)]
    await turns(10)
    await store.drop("table:1")

    assert [[note(1), note(2)], [note(2)], []] == await asyncio.gather(*ears)


async def test_the_last_note_before_a_drop_is_heard(store: Store) -> None:
    await write(store, "table:1", 1)
    ear = asyncio.create_task(hear_all(store.follow("table:1", after=1)))
    await asyncio.sleep(0)
    await asyncio.gather(write(store, "table:1", 1, was=1), store.drop("table:1"))

    assert await ear in ([note(2)], []), "the drop may come before the put, but never between"


async def test_who_followed_a_dropped_key_does_not_hear_what_begins_after_it(store: Store) -> None:
    await write(store, "table:1", 1)
    notes, late = store.follow("table:1", after=0), store.follow("table:1", after=0)
    await hear(notes, 1)
    await store.drop("table:1")
    await write(store, "table:1", 3)

    assert [] == await hear_all(notes)
    assert [] == await hear_all(late), "it had not begun to read, but it was asked for the old one"
    assert [note(1), note(2), note(3)] == await hear(store.follow("table:1", after=0), 3)


async def test_the_end_of_a_lifetime_ends_the_followers(store: Store, clock: Clock) -> None:
    await store.put("chat:1", b"", 0, note=note(1).body, lifetime=10)
    ear = asyncio.create_task(hear_all(store.follow("chat:1", after=0)))
    await asyncio.sleep(0)
    clock.advance(10)
    await store.due(hold=5)

    assert [note(1)] == await ear


async def test_closing_the_store_ends_the_followers(store: Store) -> None:
    await write(store, "table:1", 2)
    keys = ("table:1", "not yet")
    ears = [asyncio.create_task(hear_all(store.follow(key, after=0))) for key in keys]
    await turns(10)
    await store.close()

    assert [[note(1), note(2)], []] == await asyncio.gather(*ears)
    assert [] == await hear_all(store.follow("table:1", after=0))


# ----------------------------------------------------- in any order at all


@pytest.mark.parametrize("seed", range(10))
async def test_whenever_a_follower_begins_it_hears_every_note_once(store: Store, seed: int) -> None:
    """Four players race for the same versions; six followers join at any moment, from anywhere."""
    luck = random.Random(seed)
    players = [asyncio.create_task(race(store, luck, player, puts=25)) for player in range(4)]
    ears = [asyncio.create_task(join(store, luck, until=100)) for _ in range(6)]
    await asyncio.gather(*players)
    kept = await store.notes("table:1")

    assert list(range(1, 101)) == [note.version for note in kept]
    for after, heard in await asyncio.gather(*ears):
        assert kept[after:] == heard


async def race(store: Store, luck: random.Random, player: int, puts: int) -> None:
    while puts:
        await turns(luck.randrange(4))
        found = await store.get("table:1")
        with suppress(Conflict):
            await store.put("table:1", b"", found.version if found else 0, note=b"%d" % player)
            puts -= 1


async def join(store: Store, luck: random.Random, until: int) -> tuple[int, list[Note]]:
    await turns(luck.randrange(200))
    found = await store.get("table:1")
    after = luck.randint(0, min(found.version, until - 1) if found else 0)
    heard: list[Note] = []
    async with asyncio.timeout(5):
        while not heard or heard[-1].version < until:
            async for told in store.follow("table:1", heard[-1].version if heard else after):
                heard.append(told)
                assert told.version == after + len(heard)
                await turns(luck.choice((0, 0, 0, 1, 9)))
                if told.version == until or luck.random() < 0.02:  # the wire was cut: resume
                    break
    return after, heard


@pytest.mark.parametrize("later", range(3))
@pytest.mark.parametrize("heard", [1, 64, 65, 128, 192])
async def test_closing_ends_a_follower_that_has_not_read_all(
    store: Store, heard: int, later: int
) -> None:
    """It may end before the last note, but it ends, also when it wanted to read at that moment."""
    await write(store, "table:1", 260)
    notes = store.follow("table:1", after=0)
    told = await hear(notes, heard)
    closing = asyncio.create_task(store.close())
    await turns(later)
    async with asyncio.timeout(5):
        told += [late async for late in notes]
    await closing

    assert [note(n) for n in range(1, len(told) + 1)] == told


@pytest.mark.parametrize("seed", range(10))
async def test_no_follower_ever_hears_of_two_lives(store: Store, seed: int) -> None:
    """One plays and drops the table now and then; four follow it, life after life."""
    luck = random.Random(seed)
    playing = asyncio.create_task(live(store, luck, lives=40))
    ears = [asyncio.create_task(follow_lives(store, luck, playing)) for _ in range(4)]
    await playing
    await store.close()

    for after, heard in [story for stories in await asyncio.gather(*ears) for story in stories]:
        assert 1 >= len({note.body for note in heard})
        assert [after + n + 1 for n in range(len(heard))] == [note.version for note in heard]


async def live(store: Store, luck: random.Random, lives: int) -> None:
    for life in range(lives):
        puts = luck.randrange(1, 12)
        end = luck.randrange(1, 12)
        for version in range(puts):
            dropping = [asyncio.create_task(store.drop("table:1"))] if version == end else []
            with suppress(Conflict):
                await store.put("table:1", b"", version, note=b"life %d" % life)
            await asyncio.gather(*dropping)
            await turns(luck.randrange(3))
        await store.drop("table:1")


async def follow_lives(
    store: Store, luck: random.Random, playing: asyncio.Task[None]
) -> list[tuple[int, list[Note]]]:
    stories: list[tuple[int, list[Note]]] = []
    while not playing.done():
        after, heard = luck.choice((0, 0, 1, 3)), []
        async for told in store.follow("table:1", after):
            heard.append(told)
            await turns(luck.randrange(4))
        stories.append((after, heard))
        await turns(1)
    return stories
