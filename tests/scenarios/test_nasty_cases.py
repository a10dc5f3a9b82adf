"""Nasty cases that need a whole table over real sockets; others live beside what they are about."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Unpack

import pytest

from dormie_protocol.messages import Done, Refused, Replaced, Seen
from dormie_protocol.table_view import Dropped
from dormie_rules.grid_events import Drew, Flipped
from dormie_rules.grid_moves import Draw, Flip
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Beside, StoreUnavailable
from tests.fuzz.grammar import TYPES, message
from tests.fuzz.lexicon import Lexicon
from tests.grid_only import grid_pocket
from tests.nasty import CASES
from tests.scenarios.tables import begin, first_turn, hole_of, on_turn, reach, started, view_of
from tests.server.guest import Guest, guests, play_alone
from tests.server.moody_store import MoodyStore
from tests.serving import ServerProcess, serving
from tests.waiting import until
from tests.wire import TEXT, Place, Wire, framed


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def version_of(house: App, code: str) -> int:
    kept = await house.keeper.table(code)
    assert kept is not None, "there is such a table"
    return kept.table.version


def word_of(answer: Done | Refused) -> str:
    return answer.word if isinstance(answer, Refused) else "done"


def happened(guest: Guest, code: str, kind: type[object]) -> int:
    return sum(isinstance(one.all, kind) for seen in guest.of(code) for one in seen.events)


# ----------------------------------------------------------------------------- protocol


async def test_nasty_P04_nobody_plays_in_a_lobby_out_of_turn_from_outside_or_after_the_end(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob", "Eve", "Zoe") as (ada, bob, eve, zoe):
        lobby = await zoe.create()
        over = await zoe.create(bots=["random"])
        await play_alone(zoe, over)
        code = await first_turn(ada, bob)
        await eve.do("watch", table=code)
        _, waits = await on_turn(code, ada, bob)
        tables = (lobby, over, code)
        await until(lambda: house.keeper.phases() == {"lobby": 1, "over": 1, "playing": 1})
        before = [await version_of(house, one) for one in tables]
        wrong = [
            await zoe.refused("play", table=lobby, count=1, move=Draw()),
            word_of(await zoe.play(over, Draw())),
            await eve.refused("play", table=code, count=1, move=Draw()),
            await waits.refused("play", table=code, count=3, move=Draw()),
        ]

        assert ["wrong_time", "wrong_time", "not_seated", "not_your_turn"] == wrong
        assert before == [await version_of(house, one) for one in tables]


@pytest.mark.parametrize("ahead", [2, 10, 2**31 - 2])
async def test_nasty_P05_a_number_from_the_future_is_stale_and_changes_nothing(
    house: App, ahead: int
) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await first_turn(ada, bob)
        first, _ = await on_turn(code, ada, bob)
        before = await version_of(house, code)

        assert "stale" == await first.refused("play", table=code, count=2 + ahead, move=Draw())
        assert before == await version_of(house, code)
        assert isinstance(await first.play(code, Draw()), Done), "the next number still counts"


async def test_nasty_F26_whoever_is_cut_off_in_mid_frame_keeps_the_seat(house: App) -> None:
    house.reception.drop_grace = 0.01
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        hello = f'{{"type":"hello","id":"h","token":"{bob.token}"}}'
        watch = f'{{"type":"watch","id":"w","table":"{code}"}}'
        with Wire(Place("127.0.0.1", house.port)) as wire:
            await asyncio.to_thread(wire.greet, "", framed(TEXT, hello.encode()))
            wire.say(framed(TEXT, watch.encode()) + framed(TEXT, b"never finished")[:-4])
            await bob.hear(Replaced)
        await ada.see(code, lambda seen: any(isinstance(h.all, Dropped) for h in seen.events))
        seat = view_of(ada.last(code)).seats[1]

        assert seat is not None
        assert ("Bob", False) == (seat.name, seat.here)


# ------------------------------------------------------------------------- the store


class LosesAnswers(MoodyStore):
    """What is put is kept, and then the answer gets lost, so many times."""

    lost = 0
    blackout = False
    """After that nothing is answered at all."""

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        version = await super().put(key, body, was, **beside)
        if self.lost:
            self.lost -= 1
            self.away = self.blackout
            raise StoreUnavailable("it was kept, and nobody hears of it")
        return version


async def twice(
    store: LosesAnswers, guest: Guest, kind: str, **fields: object
) -> tuple[str, Done, Done]:
    """Ask while the answer gets lost, then twice more in the same words."""
    store.lost = 1
    word = word_of(await guest.ask(kind, **fields))
    store.away = False
    return word, await guest.do(kind, **fields), await guest.do(kind, **fields)


@pytest.mark.parametrize("blackout", [False, True])
async def test_nasty_C15_what_was_kept_without_an_answer_is_done_once_and_answered_again(
    *, blackout: bool
) -> None:
    """A house that can look finds out that it was kept; one that cannot acknowledges nothing."""
    store = LosesAnswers(SqliteStore(":memory:"))
    store.blackout = blackout
    async with serving({"store": store}) as app, guests(app.port, "Ada", "Bob") as (ada, bob):
        opening = {"options": {"holes": 1}, "size": 2}
        told = [await twice(store, ada, "create", id="open", **opening)]
        code = told[0][1].table
        assert code is not None
        told.append(await twice(store, bob, "join", id="join", table=code))
        for guest in (ada, bob):
            await guest.do("watch", table=code)
            told.append(await twice(store, guest, "ready", id="ready", table=code))
        await reach(ada, code, lambda seen: bool(seen.moves))
        told.append(await twice(store, ada, "play", table=code, count=1, move=Flip(0)))
        assert isinstance(await ada.play(code, Flip(1), count=2), Done)
        await reach(bob, code, lambda _: happened(bob, code, Flipped) == 2)

        words = {word for word, _, _ in told}
        assert (
            words == {"store_unavailable"} if blackout else words <= {"store_unavailable", "done"}
        )
        assert [first.version for _, first, _ in told] == [again.version for _, _, again in told]
        assert [True, True, False, False, False, False] == list(
            map(bool, hole_of(bob.last(code)).grids[0])
        )


@pytest.mark.parametrize("mood", ["away", "refusing_puts"])
async def test_nasty_C07_and_nasty_C14_and_nasty_C20_a_store_that_is_away_or_full_acknowledges_nothing(
    mood: str,
) -> None:
    """Nobody is sent away meanwhile, and afterwards everything goes on from where it was."""
    store = MoodyStore(SqliteStore(":memory:"))
    async with serving({"store": store}) as app, guests(app.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        before = await version_of(app, code)
        setattr(store, mood, True)
        words = [await ada.refused("play", table=code, count=1, move=Flip(0)) for _ in range(3)]
        words += [await bob.refused("create", size=2), await bob.refused("end", table=code)]
        setattr(store, mood, False)
        made = await ada.do("play", table=code, count=1, move=Flip(0))
        await reach(bob, code, lambda seen: seen.version >= before + 1)

        assert {"store_unavailable", "not_host"} >= set(words)
        assert ["store_unavailable"] * 4 == words[:4]
        assert (before + 1, 1) == (made.version, happened(bob, code, Flipped))
        assert {None} == {guest.socket.close_code for guest in (ada, bob)}


async def test_nasty_C14_whatever_is_asked_of_a_store_that_is_away_has_one_typed_answer() -> None:
    """Every message there is: at most the store's trouble is told, and nobody is sent away for it."""
    store, luck = MoodyStore(SqliteStore(":memory:")), Random("away")
    async with serving({"store": store}) as app, guests(app.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        words = Lexicon((code,), (ada.token,), ada.last(code).version)
        store.away = True
        for kind in sorted(TYPES.keys() - {"hello"}):
            for _ in range(5):
                asked = message(luck, words, kind)
                del asked["id"]
                answer = await ada.ask(asked.pop("type"), **asked)
                assert isinstance(answer, Done) or answer.word not in ("failed", "unreadable")
        store.away = False

        assert isinstance(await ada.ask("mine"), Done)
        assert ada.socket.close_code is None


def lose(folder: Path) -> None:
    """Delete every file of a store."""
    for file in folder.glob("dormie.db*"):
        file.unlink()


async def test_nasty_C09_a_store_that_has_lost_everything_does_not_pass_for_the_old_one(
    tmp_path: Path,
) -> None:
    """Neither a player nor a version of before the loss is taken for one of afterwards."""
    server = ServerProcess(tmp_path / "dormie.db")
    async with started(server):
        ada, bob = [await Guest.come(server.port, name) for name in ("Ada", "Bob")]
        code = await begin(ada, bob)
        past = ada.last(code)
        await server.kill()
        lose(tmp_path)
        await server.start()
        again = await Guest.connect(server.port)
        await again.say({"type": "hello", "id": "h", "token": ada.token})
        assert 4401 == await again.closed()
        eve = await Guest.come(server.port, "Eve")

        assert "no_table" == await eve.refused(
            "watch", table=code, after=past.version, chain=past.chain
        )
        await eve.leave()
        await server.stop()


# ------------------------------------------------------------------------ names and spies


@pytest.mark.parametrize("name", CASES["S07"]["input"]["each"])
async def test_nasty_S07_a_name_that_looks_like_a_program_is_only_text(
    house: App, name: str
) -> None:
    """It arrives as it was sent, or it is refused for its length; no page shows names yet."""
    ada = await Guest.connect(house.port)
    await ada.say({"type": "hello", "id": "hello", "name": name})
    if len(name) > 24:
        assert 1008 == await ada.closed()
        return
    code = (await ada.do("create", size=2)).table
    assert code is not None
    await ada.do("watch", table=code)
    seat = view_of(ada.last(code)).seats[0]
    assert seat is not None

    assert name == seat.name
    await ada.leave()


async def test_nasty_S13_a_friend_who_watches_sees_what_lies_on_the_table_and_no_more(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code = await begin(ada, bob)
        await eve.do("watch", table=code)
        for guest in (ada, bob):
            for at in (0, 1):
                await guest.do("play", table=code, count=at + 1, move=Flip(at))
        first, _ = await on_turn(code, ada, bob)
        drawn = await first.play(code, Draw())
        assert isinstance(drawn, Done)
        version = drawn.version or 0
        await reach(eve, code, lambda seen: seen.version >= version)
        mine = await reach(first, code, lambda seen: seen.version >= version)
        watched: list[Seen] = eve.of(code)

        assert grid_pocket(mine.pocket).drawn is not None, "there is something to spy on"
        assert {(None, None, ())} == {(seen.seat, seen.pocket, seen.moves) for seen in watched}
        assert {None} == {one.mine for seen in watched for one in seen.events}
        assert view_of(mine) == view_of(watched[-1])
        assert 1 == happened(eve, code, Drew)
