"""Moves and other wishes at a table, on real sockets."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from dormie_client import RefusedError, Summary, Table
from dormie_client.updates import MOST
from dormie_protocol.messages import (
    Agree,
    AtTable,
    Bot,
    Done,
    End,
    Heard,
    Leave,
    Pause,
    Play,
    Ready,
    Rematch,
    Resume,
    Start,
    Vote,
    Watch,
)
from dormie_protocol.table_view import BecameReady, Phase, Seat
from dormie_rules.grid_moves import Discard, Draw, Swap
from tests.clients.fake_server import SOON, FakeServer, about, lose, meet, seat, sight, soon, view


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


WISHES: list[tuple[Callable[[Table], Awaitable[None]], type[AtTable], dict[str, Any]]] = [
    (lambda t: t.ready(bytes(16)), Ready, {"entropy": "00" * 16}),
    (lambda t: t.start(), Start, {}),
    (lambda t: t.bot("easy"), Bot, {"level": "easy", "seat": None}),
    (lambda t: t.bot(None, 1), Bot, {"level": None, "seat": 1}),
    (lambda t: t.leave(), Leave, {}),
    (lambda t: t.end(), End, {}),
    (lambda t: t.rematch(), Rematch, {}),
    (lambda t: t.pause(90), Pause, {"seconds": 90}),
    (lambda t: t.resume(), Resume, {}),
    (lambda t: t.agree(yes=False), Agree, {"yes": False}),
    (lambda t: t.vote("bot"), Vote, {"choice": "bot"}),
    (lambda t: t.play(Swap(3)), Play, {"count": 1, "move": Swap(3)}),
]


@pytest.mark.parametrize(("wish", "kind", "fields"), WISHES)
async def test_a_wish_becomes_its_message_and_waits_until_it_is_seen(
    server: FakeServer,
    wish: Callable[[Table], Awaitable[None]],
    kind: type[AtTable],
    fields: dict[str, Any],
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer, sight(0, 3, phase="lobby"))
    wishing = asyncio.ensure_future(wish(table))
    said = await peer.hear(kind)
    await peer.say(sight(3, 4), Done(re=said.id, version=5))
    await peer.hears_nothing()
    assert not wishing.done(), "what was done can be seen when the wish returns"
    await peer.say(sight(4, 5))
    await soon(wishing)
    await session.close()

    assert fields == {name: getattr(said, name) for name in fields}
    assert 5 == table.version


@pytest.mark.parametrize(("wish", "kind", "fields"), WISHES)
async def test_a_wish_that_is_refused_says_why(
    server: FakeServer,
    wish: Callable[[Table], Awaitable[None]],
    kind: type[AtTable],
    fields: dict[str, Any],
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    wishing = asyncio.ensure_future(wish(table))
    await peer.refuse(kind, "wrong_time", "This cannot be done now.")
    with pytest.raises(RefusedError, match="cannot be done now"):
        await soon(wishing)
    await session.close()


@pytest.mark.parametrize(
    ("phase", "ready", "asked"),
    [
        ("lobby", False, True),
        ("starting", False, True),
        ("between", False, True),
        ("between", True, False),
        ("playing", False, False),
        ("over", False, False),
    ],
)
async def test_a_table_that_waits_for_us_to_be_ready_says_so(
    server: FakeServer, *, phase: Phase, ready: bool, asked: bool
) -> None:
    shown = replace(view(phase=phase), seats=(Seat("Ada", ready=ready), None))
    session, peer = await meet(server)
    table = await seat(session, peer, sight(0, 3, view=shown, moves=()))

    assert asked == table.awaits_ready()
    await session.close()


async def test_real_luck_is_sent_once_and_differs(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer, sight(0, 3, phase="lobby"))
    sent = []
    for _ in range(2):
        readying = asyncio.create_task(table.ready())
        sent.append((await peer.do(Ready)).entropy)
        await soon(readying)
    await peer.say(sight(3, 4, phase="between"))
    await table.until(lambda t: t.version == 4, within=SOON)
    going_on = asyncio.create_task(table.ready())
    after_a_hole = await peer.do(Ready)
    await soon(going_on)
    await session.close()

    assert [64, 64] == [len(luck or "") for luck in sent]
    assert sent[0] != sent[1]
    assert after_a_hole.entropy is None


async def test_what_cannot_be_written_is_refused_here(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    words = []
    for wish in (table.ready(b"too short"), table.bot("No Such Level"), table.bot(None, 9)):
        with pytest.raises(RefusedError) as refused:
            await wish
        words.append(refused.value.word)
    await peer.hears_nothing()
    await session.close()

    assert ["unreadable", "no_such_bot", "no_such_seat"] == words


async def test_a_move_that_was_refused_leaves_its_number_free(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    refused = asyncio.create_task(table.play(Discard()))
    first = await peer.refuse(Play, "nothing_drawn")
    with pytest.raises(RefusedError):
        await soon(refused)
    playing = asyncio.create_task(table.play(Draw()))
    second = await peer.do(Play)
    await soon(playing)
    await session.close()

    assert (1, 1) == (first.count, second.count)
    assert first.id != second.id


async def test_a_second_move_is_not_sent_under_the_same_number(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    await peer.hear(Play)
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(table.play(Draw()))
    await peer.hears_nothing()
    playing.cancel()
    await session.close()


async def test_scenario_A1_a_move_that_waited_too_long_is_not_sent(server: FakeServer) -> None:
    """The time-out has moved for us while we were away."""
    session, peer = await meet(server)
    table = await seat(session, peer)
    await lose(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 5, count=1, moves=(Discard(),)), version=5)
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(playing)
    await again.hears_nothing()
    await session.close()


async def test_a_move_sent_in_another_match_is_not_sent_in_this_one(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    await peer.hear(Play)
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 50, about=about(match=2)), version=50)
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(playing)
    await again.hears_nothing()
    await session.close()


async def test_scenario_R27_a_move_chosen_on_an_older_view_is_not_sent(server: FakeServer) -> None:
    """What was chosen for one card must not be done with another."""
    session, peer = await meet(server)
    table = await seat(session, peer)
    listening = aiter(table.updates())
    chosen_on = await anext(listening)
    await peer.say(sight(3, 4, count=1))
    await table.until(lambda t: t.version == 4, within=SOON)
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(table.play(Draw(), on=chosen_on))
    await peer.hears_nothing()
    newest = await anext(listening)
    await peer.say(sight(4, 5, count=1))  # somebody else did something
    await table.until(lambda t: t.version == 5, within=SOON)
    playing = asyncio.create_task(table.play(Draw(), on=newest))
    await peer.do(Play)
    await soon(playing)
    await session.close()


async def test_a_view_of_the_last_match_is_an_older_view(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    chosen_on = await anext(aiter(table.updates()))
    await peer.say(sight(3, 4, about=about(match=2)))
    await table.until(lambda t: t.about.match == 2, within=SOON)
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(table.play(Draw(), on=chosen_on))
    await session.close()


async def test_a_spectator_plays_nothing(server: FakeServer) -> None:
    session, peer = await meet(server)
    watching = asyncio.create_task(session.watch("ABCDEFGH"))
    await peer.show(sight(0, 3, moves=(), seat=None), version=3)
    table = await soon(watching)
    with pytest.raises(RefusedError) as refused:
        await table.play(Draw())
    await session.close()

    assert "not_seated" == refused.value.word
    assert not table.my_turn()


async def test_while_events_are_replayed_nobody_acts_on_what_was(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(sight(3, 8, view=None, replay=True))
    await table.until(lambda t: t.version == 8, within=SOON)
    assert not table.my_turn()
    await peer.say(sight(8, 8, count=2))
    await table.until(lambda t: t.my_turn(), within=SOON)
    playing = asyncio.create_task(table.play(Draw()))
    play = await peer.do(Play)
    await soon(playing)
    await session.close()

    assert 3 == play.count


async def test_a_listener_that_sleeps_finds_a_summary(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    listening = aiter(table.updates())
    event = Heard(all=BecameReady(0))
    last = 3 + 10 * MOST
    for version in range(3, last):
        await peer.say(sight(version, version + 1, events=(event, event)))
    await table.until(lambda t: t.version == last, within=SOON)
    await peer.say(sight(last, last + 1))
    await table.until(lambda t: t.version == last + 1, within=SOON)
    heard = [await anext(listening)]
    while heard[-1].version <= last:
        heard.append(await anext(listening))
    await session.close()

    assert len(heard) <= MOST
    first, rest = heard[0], heard[1:]
    assert isinstance(first, Summary)
    assert (3, ()) == (first.after, first.events)
    assert 2 * 10 * MOST == first.missed + sum(len(seen.events) for seen in rest)
    assert [seen.version for seen in heard[:-1]] == [seen.after for seen in rest]


async def test_until_asks_after_every_single_change(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    waiting = asyncio.create_task(table.until(lambda t: t.version == 4))
    await asyncio.sleep(0)
    await peer.say(sight(3, 4), sight(4, 5), sight(5, 6))
    await soon(waiting)
    with pytest.raises(TimeoutError):
        await table.until(lambda t: t.version == 4, within=0.01)
    await session.close()


async def test_a_hope_that_cannot_be_asked_fails_alone(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    broken = asyncio.create_task(table.until(lambda t: 1 // (4 - t.version) < 0))
    await asyncio.sleep(0)
    await peer.say(sight(3, 4), sight(4, 5))
    await table.until(lambda t: t.version == 5, within=SOON)
    with pytest.raises(ZeroDivisionError):
        await broken
    await session.close()


async def test_a_seat_may_move_up_when_a_match_starts(server: FakeServer) -> None:
    """Empty seats are taken away before a match, and the view says where one sits then."""
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(sight(3, 4, seat=1, moves=()))
    await table.until(lambda t: t.version == 4, within=SOON)
    await session.close()

    assert 1 == table.seat


async def test_a_gap_holds_moves_back_until_it_is_filled(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(sight(4, 5, count=1, moves=()))
    watch = await peer.hear(Watch)
    playing = asyncio.create_task(table.play(Draw()))
    await peer.hears_nothing()
    await peer.say(sight(3, 5, count=1, moves=()), Done(re=watch.id, version=5))
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(playing)
    await session.close()
