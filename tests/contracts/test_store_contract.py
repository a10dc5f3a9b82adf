"""What every store promises about documents, notes and shelves.

`test_store_times.py` goes on with alarms and lifetimes, `test_store_followers.py` with those who
follow; `test_the_store_contract.py` breaks stores to see whether all this would notice.
"""

import asyncio

import pytest

from dormie_server.store import Conflict, Document, Mark, Note, Store, StoreUnavailable
from tests.contracts.stores import Clock, body, clock, note, outcome, store, write

__all__ = ["clock", "store"]  # fixtures

# -------------------------------------------------------------- documents


async def test_a_key_holds_nothing_until_something_is_put(store: Store) -> None:
    assert None is await store.get("table:1")
    assert [] == await store.notes("table:1")


@pytest.mark.parametrize("kept", [b"", bytes(range(256)), b"x" * 100_000], ids=len)
async def test_what_is_put_is_kept_to_the_byte(store: Store, kept: bytes) -> None:
    await store.put("täble:1 '\"%*\n\0", kept, 0, note=kept, shelves={"lobby": kept})

    assert Document(1, kept) == await store.get("täble:1 '\"%*\n\0")
    assert [kept] == [note.body for note in await store.notes("täble:1 '\"%*\n\0")]
    assert {"täble:1 '\"%*\n\0": kept} == await store.on("lobby")


async def test_versions_count_from_one(store: Store) -> None:
    versions = [await store.put("table:1", b"", was) for was in range(3)]

    assert [1, 2, 3] == versions


async def test_one_key_is_not_another(store: Store) -> None:
    await store.put("table:1", b"one", 0, note=b"one")
    await store.put("table:10", b"ten", 0, note=b"ten")
    await store.drop("table:1")

    assert Document(1, b"ten") == await store.get("table:10")
    assert [b"ten"] == [note.body for note in await store.notes("table:10")]


@pytest.mark.parametrize("was", [0, 1, 3, -1])
async def test_a_put_on_another_version_is_a_conflict(store: Store, was: int) -> None:
    await write(store, "table:1", 2)

    with pytest.raises(Conflict) as conflict:
        await store.put("table:1", b"late", was)

    assert ("table:1", was) == (conflict.value.key, conflict.value.was)


async def test_where_others_may_know_another_past_a_number_is_not_enough(store: Store) -> None:
    """A mark names the very document. Whoever knows of no marks says none, and leaves none."""
    assert 1 == await store.put("table:1", b"", 0, mark=Mark("", "a1"))
    if store.shared:
        for wrong in ("", "b2"):
            with pytest.raises(Conflict):
                await store.put("table:1", b"", 1, mark=Mark(wrong, "c3"))
    assert 2 == await store.put("table:1", b"", 1, mark=Mark("a1", "b2"))
    assert 3 == await store.put("table:1", b"", 2)
    assert 4 == await store.put("table:1", b"", 3, mark=Mark("", "d4"))
    assert 5 == await store.put("table:1", b"", 4, mark=Mark("d4", "e5"))


async def test_a_put_on_nothing_is_a_conflict_unless_it_says_so(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.put("table:1", b"", 1)


async def test_of_fifty_puts_at_once_one_wins(store: Store) -> None:
    """Two players press at the same moment; the table goes on from one of the two moves."""
    await write(store, "table:1", 1)
    puts = [store.put("table:1", b"%d" % n, 1, note=b"%d" % n) for n in range(50)]
    outcomes = await asyncio.gather(*map(outcome, puts))

    winners = [n for n, result in enumerate(outcomes) if result == 2]
    assert 1 == len(winners)
    assert 49 == sum(isinstance(result, Conflict) for result in outcomes)
    assert Document(2, b"%d" % winners[0]) == await store.get("table:1")
    assert [b"%d" % winners[0]] == [note.body for note in await store.notes("table:1", 1)]


async def test_of_fifty_puts_that_begin_a_key_one_wins(store: Store) -> None:
    outcomes = await asyncio.gather(*(outcome(store.put("cup:1", b"", 0)) for _ in range(50)))

    assert 1 == outcomes.count(1)


async def test_a_conflict_changes_nothing(store: Store, clock: Clock) -> None:
    await store.put(
        "table:1", b"kept", 0, note=b"kept", alarm=clock() + 10, shelves={"lobby": b"kept"}
    )
    with pytest.raises(Conflict):
        await store.put(
            "table:1",
            b"late",
            7,
            note=b"late",
            alarm=clock() + 5,
            shelves={"lobby": None, "cups": b"late"},
            lifetime=6,
        )
    clock.advance(7)

    assert Document(1, b"kept") == await store.get("table:1")
    assert [b"kept"] == [note.body for note in await store.notes("table:1")]
    assert ({"table:1": b"kept"}, {}) == (await store.on("lobby"), await store.on("cups"))
    assert [] == await store.due(1)


async def test_a_conflict_hurts_no_put_beside_it(store: Store) -> None:
    puts = [store.put(f"table:{n}", b"", n % 2, note=b"") for n in range(20)]
    outcomes = await asyncio.gather(*map(outcome, puts))

    assert [1, Conflict] * 10 == [r if r == 1 else type(r) for r in outcomes]
    assert 10 == len([n for n in range(20) if await store.get(f"table:{n}") == Document(1, b"")])


async def test_a_caller_that_is_cancelled_breaks_nothing(store: Store) -> None:
    """A connection is cut while its move is being kept: either is fine, half of it is not."""
    task = asyncio.create_task(store.put("table:1", body(1), 0, note=note(1).body))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await store.put("table:2", b"", 0)
    found = await store.get("table:1")
    version = found.version if found else 0
    await write(store, "table:1", 2, was=version)

    assert [note(n + 1) for n in range(version + 2)] == await store.notes("table:1")


# ------------------------------------------------------------------ notes


async def test_notes_are_numbered_like_the_versions_they_made(store: Store) -> None:
    await write(store, "table:1", 4)

    assert [note(1), note(2), note(3), note(4)] == await store.notes("table:1")
    assert [note(3), note(4)] == await store.notes("table:1", after=2)
    assert [] == await store.notes("table:1", after=4)


async def test_a_put_without_a_note_leaves_a_hole(store: Store) -> None:
    await write(store, "table:1", 1)
    await store.put("table:1", b"", 1)
    await write(store, "table:1", 1, was=2)

    assert [note(1), note(3)] == await store.notes("table:1")


# ---------------------------------------------------------------- shelves


async def test_a_card_stays_until_it_is_replaced_or_taken_away(store: Store) -> None:
    await store.put("table:1", b"", 0, shelves={"lobby": b"2 of 4", "mine": b"one", "cups": None})
    await store.put("table:2", b"", 0, shelves={"lobby": b"1 of 4"})
    await store.put("table:1", b"", 1, shelves={"lobby": b"3 of 4"})
    await store.put("table:2", b"", 1)

    assert {"table:1": b"3 of 4", "table:2": b"1 of 4"} == await store.on("lobby")
    assert ({"table:1": b"one"}, {}) == (await store.on("mine"), await store.on("cups"))

    await store.put("table:1", b"", 2, shelves={"lobby": None})

    assert {"table:2": b"1 of 4"} == await store.on("lobby")
    assert {"table:1": b"one"} == await store.on("mine")


async def test_what_the_caller_does_to_its_cards_later_is_its_own_business(store: Store) -> None:
    cards: dict[str, bytes | None] = {"lobby": b"2 of 4"}
    put = asyncio.create_task(store.put("table:1", b"", 0, shelves=cards))
    await asyncio.sleep(0)
    cards["lobby"] = b"3 of 4"
    await put

    assert {"table:1": b"2 of 4"} == await store.on("lobby")


# ------------------------------------------------------------ drop, close


async def test_what_is_dropped_is_gone_and_may_begin_again(store: Store, clock: Clock) -> None:
    await store.put("t", b"old", 0, note=b"old", alarm=clock(), shelves={"lobby": b"old"})
    await store.drop("t")

    assert (None, []) == (await store.get("t"), await store.notes("t"))
    assert ({}, []) == (await store.on("lobby"), await store.due(hold=5))

    await store.put("t", b"new", 0)

    assert (Document(1, b"new"), []) == (await store.get("t"), await store.notes("t"))
    assert {} == await store.on("lobby")


async def test_nothing_can_be_dropped_twice(store: Store) -> None:
    await store.drop("table:1")
    await store.drop("table:1")

    assert None is await store.get("table:1")


async def test_the_store_has_one_clock(store: Store, clock: Clock) -> None:
    clock.advance(5)

    assert clock() == await store.now()


async def test_a_store_finishes_what_was_asked_before_it_closes(store: Store) -> None:
    puts = [asyncio.create_task(store.put(f"table:{n}", b"", 0)) for n in range(20)]
    await asyncio.sleep(0)
    await store.close()

    assert [1] * 20 == await asyncio.gather(*puts)


async def test_a_closed_store_answers_nothing(store: Store) -> None:
    await store.close()
    await store.close()
    verbs = (store.get("t"), store.put("t", b"", 0), store.notes("t"), store.drop("t"))
    outcomes = [await outcome(verb) for verb in (*verbs, store.due(1), store.on("lobby"))]

    assert [StoreUnavailable] * 6 == [type(result) for result in outcomes]


async def test_a_rewritten_note_keeps_its_number_and_its_place(store: Store) -> None:
    await write(store, "a", 3)
    await store.rewrite("a", {2: b"other words", 9: b"nobody"}, {"shelf": b"card"})

    assert [note(1), Note(2, b"other words"), note(3)] == await store.notes("a")
    assert 4 == await store.put("a", b"x", 3), "the version stayed"


async def test_cards_are_laid_down_and_taken_away_without_a_put(store: Store) -> None:
    await store.put("a", b"x", 0, shelves={"old": b"1"})
    await store.rewrite("a", {}, {"old": None, "new": b"2"})

    assert ({}, {"a": b"2"}) == (await store.on("old"), await store.on("new"))


async def test_nothing_is_rewritten_under_a_key_that_is_not_there(store: Store) -> None:
    await store.rewrite("a", {1: b"x"}, {"shelf": b"1"})

    assert (None, {}) == (await store.get("a"), await store.on("shelf"))


async def test_a_scrubbed_store_goes_on_as_before(store: Store) -> None:
    await write(store, "a", 3)
    await asyncio.gather(store.scrub(), store.put("b", b"x", 0), store.scrub())
    await store.drop("b")
    await store.scrub()

    assert [note(1), note(2), note(3)] == await store.notes("a")
    assert None is await store.get("b")
