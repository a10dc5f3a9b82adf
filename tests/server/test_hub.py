"""The hub: whoever watches hears of every version once, in order, whatever happened in between."""

import asyncio
import shutil
from pathlib import Path

import pytest

from dormie_protocol.messages import Replaced
from dormie_server import documents
from dormie_server.keeper import table_key
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Leave
from dormie_server.table.refusal import No
from tests.contracts.stores import Clock
from tests.server.backstage import CODE, Backstage, Ear, backstage, caught_up, where
from tests.server.turns import (
    TWO,
    assert_no_hole,
    chains,
    play,
)
from tests.waiting import until

# ------------------------------------------------------------------------ resuming


async def test_whoever_resumes_from_any_version_gets_what_was_missed_and_no_more() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        newest = await play(house, 12)
        known = await chains(house)
        events = [
            documents.read_note(note.body).events
            for note in await house.store.notes(table_key(CODE))
        ]
        for version in range(1, newest + 1):
            ear = Ear("p-eve")
            assert (None, newest) == await house.hub.watch(ear, CODE, version, known[version])
            (seen,) = ear.seen

            assert (version, newest, known[newest]) == (seen.after, seen.version, seen.chain)
            assert (True, False) == (seen.replay, seen.rolled_back)
            missed = [event.public for noted in events[version:] for event in noted]
            assert missed == [heard.all for heard in seen.events]
            assert (await house.table()).public == seen.view
            house.hub.unwatch(ear, CODE)


@pytest.mark.parametrize(("ahead", "chain"), [(0, "00ff"), (-1, None), (1, None), (2**40, None)])
async def test_scenario_whoever_saw_another_past_begins_anew_and_is_told(
    ahead: int, chain: str | None
) -> None:
    """Neither a chain of something else nor a version nobody has kept is taken for ours."""
    async with backstage() as house:
        await house.begin(*TWO)
        newest = await play(house, 3)
        right = (await chains(house))[newest]
        ear = Ear("p-eve")
        await house.hub.watch(ear, CODE, newest + ahead, right if chain is None else chain)
        (seen,) = ear.seen

        assert (newest, newest, right) == (seen.after, seen.version, seen.chain)
        assert (False, True, ()) == (seen.replay, seen.rolled_back, seen.events)
        assert (await house.table()).public == seen.view


async def test_whoever_begins_with_the_present_is_told_of_no_rollback() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        ear = Ear("p-eve")
        await house.hub.watch(ear, CODE, 0, "")

        assert [(False, False)] == [(seen.replay, seen.rolled_back) for seen in ear.seen]


@pytest.mark.parametrize("ours", [True, False])
async def test_whoever_was_told_of_what_is_not_seen_yet_hears_whether_it_is_remembered(
    *, ours: bool
) -> None:
    """An answer may outrun its news, and then a cut and a restored store come between."""
    async with backstage() as house:
        await house.begin(*TWO)
        newest = await play(house, 3)
        known = await chains(house)
        ear = Ear("p-eve")
        told = (newest, known[newest] if ours else "00ff")
        await house.hub.watch(ear, CODE, newest - 1, known[newest - 1], told=told)

        assert [not ours] == [seen.rolled_back for seen in ear.seen]
        assert newest == ear.seen[-1].version


async def test_a_store_restored_from_a_backup_is_said_to_be(tmp_path: Path) -> None:
    """Who saw more than the backup holds begins anew, also when the table has gone on since."""
    file, backup = tmp_path / "dormie.db", tmp_path / "backup.db"
    store = SqliteStore(file, clock=Clock())
    async with backstage(store) as house:
        await house.begin(*TWO)
        saved = await play(house, 2)
        old = await chains(house)
        await store.close()
    shutil.copy(file, backup)
    store = SqliteStore(file, clock=Clock())
    async with backstage(store, "server-2") as house:
        lost = await play(house, 3)
        known = await chains(house)
        await store.close()
    backup.replace(file)
    store = SqliteStore(file, clock=Clock())
    async with backstage(store, "server-3") as house:
        newest = saved
        for more in (0, 1, 20):
            newest = await _go_on_differently(house, more)
            for version, chain, again in [(saved, old[saved], False), (lost, known[lost], True)]:
                ear = Ear("p-eve")
                await house.hub.watch(ear, CODE, version, chain)

                assert (again, newest) == (ear.seen[-1].rolled_back, ear.seen[-1].version)
        assert newest > lost
        await store.close()


async def _go_on_differently(house: Backstage, moves: int) -> int:
    if moves:
        await house.attach("p-bob")
    return await play(house, moves)


async def test_much_that_was_missed_comes_in_pieces_and_the_last_has_the_view() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        for _ in range(250):
            await house.attach("p-bob")
        first, ear = (await chains(house))[1], Ear("p-ada")
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        waiting = asyncio.create_task(others())
        await house.hub.watch(ear, CODE, 1, first)
        waiting.cancel()

        assert turns >= 2, "others have their turn between the pieces"
        assert_no_hole(ear.seen)
        assert 1 == ear.seen[0].after
        assert [False, False, True] == [seen.view is not None for seen in ear.seen]
        assert len(ear.frames[0]) < 64 * 1024


# ------------------------------------------------------------------------- at once


async def test_whoever_watches_has_heard_of_a_move_before_it_is_answered() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        ear = Ear("p-eve")
        await house.hub.watch(ear, CODE, 0, "")
        move = await house.next_move()
        assert move is not None
        change = await house.keeper.do(CODE, move)

        assert change.version == ear.seen[-1].version


async def test_a_move_whose_player_did_not_wait_is_told_all_the_same() -> None:
    """The answer is given up while the move is being kept; it was kept, and everybody hears of it."""
    async with backstage() as house:
        await house.begin(*TWO)
        ear = Ear("p-eve")
        _, before = await house.hub.watch(ear, CODE, 0, "")
        move = await house.next_move()
        assert move is not None
        asking = asyncio.create_task(house.keeper.do(CODE, move))
        await asyncio.sleep(0)
        asking.cancel()
        await caught_up(ear, before + 1)
        await caught_up(ear, await play(house, 3))

        assert_no_hole(ear.seen)


async def test_scenario_E13_whoever_was_left_out_by_a_mistake_is_told_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        ears = [Ear("p-eve"), Ear("p-fay")]
        for ear in ears:
            await house.hub.watch(ear, CODE, 0, "")
        with monkeypatch.context() as patch:
            patch.setattr("dormie_server.hub.Page.text", lambda *_: 1 / 0)
            move = await house.next_move()
            assert move is not None
            change = await house.keeper.do(CODE, move)
        for ear in ears:
            await caught_up(ear, change.version)
            assert_no_hole(ear.seen)


# ----------------------------------------------------------------- who plays, who watches


async def test_a_spectator_sees_no_pocket_and_may_do_nothing() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        ear = Ear("p-eve")
        await house.hub.watch(ear, CODE, 0, "")
        version = await play(house, 8)
        await caught_up(ear, version)

        assert {(None, None, ())} == {(seen.seat, seen.pocket, seen.moves) for seen in ear.seen}
        assert {None} == {heard.mine for seen in ear.seen for heard in seen.events}


async def test_nasty_P08_the_older_connection_is_told_and_hears_no_more() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        old, new = Ear("p-ada"), Ear("p-ada")
        await house.hub.watch(old, CODE, 0, "")
        await house.hub.watch(new, CODE, 0, "")
        await caught_up(new, await play(house, 8))

        assert [Replaced(table=CODE)] == old.heard[1:]
        assert 0 == house.hub.generation(old, CODE)
        assert new.seen[-1].seat == where(await house.table(), "p-ada")
        assert_no_hole(new.seen)


async def test_scenario_A10_a_seat_can_be_taken_back_when_its_player_says_so() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        old, new = Ear("p-ada"), Ear("p-ada")
        for taker, loser in ((old, Ear("")), (new, old), (old, new)):
            await house.hub.watch(taker, CODE, 0, "")
            await _told_of_takeover(loser)

        assert 1 == old.heard.count(Replaced(table=CODE)) == new.heard.count(Replaced(table=CODE))
        assert (0, True) == (house.hub.generation(new, CODE), house.hub.generation(old, CODE) > 0)


async def _told_of_takeover(ear: Ear) -> None:
    await until(lambda: not ear.player or Replaced(table=CODE) in ear.heard)


async def test_whoever_watches_twice_hears_everything_once() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        ear = Ear("p-ada")
        for _ in range(2):
            await house.hub.watch(ear, CODE, 0, "")
        second = len(ear.frames) - 1
        await caught_up(ear, await play(house, 4))

        assert Replaced(table=CODE) not in ear.heard
        assert_no_hole(ear.seen[second:])


async def test_whoever_watches_no_longer_hears_nothing() -> None:
    async with backstage() as house:
        await house.begin(*TWO)
        ear, other = Ear("p-ada"), Ear("p-eve")
        for one in (ear, other):
            await house.hub.watch(one, CODE, 0, "")
        assert house.hub.unwatch(ear, CODE) > 0
        await caught_up(other, await play(house, 4))

        assert 1 == len(ear.frames)
        assert 0 == house.hub.unwatch(ear, CODE)


async def test_scenario_C1_whoever_left_the_seat_only_watches() -> None:
    async with backstage() as house:
        await house.begin("p-ada", "p-bob", "p-cleo")
        ear = Ear("p-cleo")
        await house.hub.watch(ear, CODE, 0, "")
        await house.ask("p-cleo", Leave())
        await caught_up(ear, await play(house, 2))

        assert (None, None) == (ear.seen[-1].seat, ear.seen[-1].pocket)


async def test_there_is_nothing_to_watch_where_there_is_no_table() -> None:
    async with backstage() as house:
        with pytest.raises(No, match="no such table"):
            await house.hub.watch(Ear("p-eve"), CODE, 0, "")
