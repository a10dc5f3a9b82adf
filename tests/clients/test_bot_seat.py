"""Bots in their seats: whole matches in a small house, and single scenes against a script."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from dormie_bots import Choice, because, find_bot
from dormie_client import Dormie, bot_seat
from dormie_client.bot_seat import Manners, play_at
from dormie_protocol.messages import Play, Ready, Rematch, Replaced, Seen
from dormie_protocol.table_view import Phase, Seat
from dormie_rules.cards import Card
from dormie_rules.course_state import CoursePublic, CourseView
from dormie_rules.drawers import View
from dormie_rules.grid_moves import Discard, Draw, GridMove, Swap, Take
from dormie_rules.grid_state import GridPocket, GridPublic, Stage
from tests.clients.fake_house import FakeHouse
from tests.clients.fake_server import (
    CODE,
    SIX_CARD,
    SOON,
    FakePace,
    FakeServer,
    meet,
    seat,
    sight,
    soon,
    view,
)

QUICK = Manners(thinks=False, luck=lambda: b"luck")
GRID = tuple(Card(c) for c in ("5S", "KD", "9H", "5D", "3C"))


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


def hole(stage: Stage, **changes: Any) -> CoursePublic:
    """A hole in which seat 0 has one card left to turn up."""
    play = GridPublic(
        stage="turn",
        playing=(0, 1),
        grids=((*GRID, None), (*GRID, None)),
        showing=(0, 0),
        stock=20,
        discard=Card("2S"),
        pile=1,
        turn=0,
    )
    played = replace(play, stage=stage, **changes)
    return CoursePublic(1, 1, 0, (0, 0), (None, None), survived=(0, 0), play=played)


def scene(
    after: int,
    version: int,
    match: CoursePublic,
    moves: tuple[GridMove, ...],
    *,
    count: int = 0,
) -> Seen:
    shown = replace(view(count), match=match)
    return sight(after, version, view=shown, moves=moves, pocket=GridPocket())


async def test_a_bot_plays_a_whole_match_and_agrees_to_another() -> None:
    async with FakeHouse() as house, await Dormie.connect(house.url, pace=FakePace().pace()) as ada:
        table = await ada.create(size=2, options={"holes": 2})
        async with await Dormie.connect(house.url, pace=FakePace().pace()) as ben:
            playing = [
                asyncio.create_task(play_at(table, "easy", QUICK)),
                asyncio.create_task(play_at(await ben.join(table.code), "random", QUICK)),
            ]
            await table.until(lambda t: t.view.phase == "over", within=20)
            await asyncio.sleep(0)
            assert 1 == table.about.match, "bots alone ask for no other match"
            await table.rematch()
            await table.until(lambda t: t.about.match == 2, within=20)
            await table.until(lambda t: t.view.phase == "over", within=20)
            await table.end()
            await soon(asyncio.gather(*playing))

    assert [] == house.refused


async def test_scenario_R27_a_taken_card_is_placed_where_the_newest_view_says(
    server: FakeServer,
) -> None:
    session, peer = await meet(server)
    before = hole("turn")
    table = await seat(session, peer, scene(0, 3, before, (Draw(), Take())))
    playing = asyncio.create_task(play_at(table, "easy", QUICK))
    first = await peer.do(Play, version=4)
    taken = hole("taken", taken=Card("2S"), discard=Card("9C"))
    swaps = tuple(Swap(at) for at in range(6))
    await peer.say(scene(3, 4, taken, swaps, count=1))
    second = await peer.do(Play, version=5)
    await peer.say(scene(4, 5, hole("turn", turn=1), (), count=2))
    await peer.hears_nothing()
    playing.cancel()
    await session.close()

    expected = find_bot("easy", SIX_CARD)(View(0, taken, GridPocket()), swaps, b"luck").move
    assert (Take(), 1) == (first.move, first.count)
    assert (expected, 2) == (second.move, second.count)


async def test_scenario_R27_what_was_chosen_for_one_card_is_not_done_with_another(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a strong bot thinks, the time-out plays for it, and it is its turn again."""
    thinking, thought = threading.Event(), threading.Event()

    def slow_bot(seen: CourseView, moves: Sequence[GridMove], luck: bytes) -> Choice:
        thinking.set()
        thought.wait(SOON)
        return Choice(moves[0], because("any"))

    monkeypatch.setattr(bot_seat, "find_bot", lambda *_: slow_bot)
    session, peer = await meet(server)
    table = await seat(session, peer, scene(0, 3, hole("drawn"), (Swap(5), Discard())))
    playing = asyncio.create_task(play_at(table, "slow", QUICK))
    await asyncio.to_thread(thinking.wait, SOON)
    await peer.say(scene(3, 4, hole("drawn"), (Swap(1), Swap(5), Discard()), count=2))
    await table.until(lambda t: t.version == 4, within=SOON)
    thought.set()
    play = await peer.hear(Play)
    playing.cancel()
    await session.close()

    assert (3, Swap(1)) == (play.count, play.move)


async def test_scenario_R37_the_last_lap_is_an_ordinary_turn(server: FakeServer) -> None:
    session, peer = await meet(server)
    last = hole(
        "turn", ending="closed", closer=1, last=(0,), grids=((*GRID, None), (*GRID, GRID[0]))
    )
    table = await seat(session, peer, scene(0, 3, last, (Draw(), Take())))
    playing = asyncio.create_task(play_at(table, "medium", QUICK))
    play = await peer.hear(Play)
    playing.cancel()
    await session.close()

    assert play.move in (Draw(), Take())


async def test_nothing_is_played_when_time_has_moved_for_us(server: FakeServer) -> None:
    """The time-out plays while the bot is thinking."""
    session, peer = await meet(server)
    table = await seat(session, peer, scene(0, 3, hole("turn"), (Draw(), Take())))
    thinking, thought = asyncio.Event(), asyncio.Event()

    async def think(_: float) -> None:
        thinking.set()
        await thought.wait()

    manners = Manners(luck=lambda: b"luck", sleep=think)
    playing = asyncio.create_task(play_at(table, "easy", manners, lambda: 0.0))
    await soon(thinking.wait())
    await peer.say(scene(3, 4, hole("turn", turn=1), (), count=2))
    await table.until(lambda t: t.version == 4)
    thought.set()
    await peer.hears_nothing()
    drawn = scene(4, 5, hole("drawn"), (Swap(0), Discard()), count=2)
    await peer.say(drawn)
    play = await peer.hear(Play)
    playing.cancel()
    await session.close()

    assert 3 == play.count


async def test_only_the_newest_of_many_views_is_looked_at(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer, scene(0, 3, hole("turn"), (Draw(), Take())))
    await peer.say(
        scene(3, 4, hole("drawn"), (Discard(),), count=1),
        scene(4, 5, hole("turn", turn=1), (), count=2),
    )
    await table.until(lambda t: t.version == 5)
    playing = asyncio.create_task(play_at(table, "easy", QUICK))
    await peer.hears_nothing()
    playing.cancel()
    await session.close()


@pytest.mark.parametrize("phase", ["lobby", "starting", "between"])
async def test_a_bot_is_ready_once(server: FakeServer, phase: Phase) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer, sight(0, 3, phase=phase, moves=()))
    playing = asyncio.create_task(play_at(table, "easy", QUICK))
    await peer.do(Ready, version=4)
    ready = replace(view(phase=phase), seats=(Seat("Ada", ready=True), Seat("Ben")))
    await peer.say(sight(3, 4, view=ready, moves=()), sight(4, 5, view=ready, moves=()))
    await peer.hears_nothing()
    playing.cancel()
    await session.close()


async def test_a_rematch_is_for_people_to_ask_for(server: FakeServer) -> None:
    over = view(phase="over")
    robot = replace(over, seats=(Seat("Ada"), Seat("Birdie", bot="easy", ready=True)))
    asked = replace(over, seats=(Seat("Ada"), Seat("Ben", ready=True)))
    session, peer = await meet(server)
    table = await seat(session, peer, sight(0, 3, view=robot, moves=()))
    playing = asyncio.create_task(play_at(table, "easy", QUICK))
    await peer.hears_nothing()
    await peer.say(sight(3, 4, view=asked, moves=()))
    await peer.hear(Rematch)
    playing.cancel()
    await session.close()


async def test_a_bot_whose_seat_is_played_from_elsewhere_goes(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer, sight(0, 3, moves=()))
    playing = asyncio.create_task(play_at(table, "easy", QUICK))
    await peer.say(Replaced(table=CODE))
    await soon(playing)
    await peer.hears_nothing()
    await session.close()


@pytest.mark.parametrize(
    "last", [sight(3, 4, seat=None, moves=()), sight(3, 4, phase="closed", moves=())]
)
async def test_a_bot_without_a_seat_or_a_table_goes(server: FakeServer, last: Seen) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer, sight(0, 3, moves=()))
    playing = asyncio.create_task(play_at(table, "easy", QUICK))
    await peer.say(last)
    await soon(playing)
    await session.close()


async def test_what_the_house_cannot_do_just_now_is_asked_again(server: FakeServer) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    session, peer = await meet(server)
    table = await seat(session, peer, scene(0, 3, hole("turn"), (Draw(), Take())))
    manners = Manners(thinks=False, luck=lambda: b"luck", sleep=sleep)
    playing = asyncio.create_task(play_at(table, "easy", manners))
    first = await peer.refuse(Play, "store_unavailable")
    second = await peer.hear(Play)
    playing.cancel()
    await session.close()

    assert [1.0] == pauses
    assert (first.count, first.move) == (second.count, second.move)


async def test_a_bot_says_why(server: FakeServer) -> None:
    said: list[str] = []
    session, peer = await meet(server)
    table = await seat(session, peer, scene(0, 3, hole("turn"), (Draw(), Take())))
    playing = asyncio.create_task(play_at(table, "easy", replace(QUICK, explain=said.append)))
    await peer.do(Play)
    await peer.say(scene(3, 4, hole("turn"), (Draw(), Take()), count=1))
    await peer.refuse(Play, "out", "You are out of this match.")
    await peer.hears_nothing()
    playing.cancel()
    await session.close()

    assert said[0].startswith("Ada: take. ")
    assert "The house says no: You are out of this match." == said[1]
