"""Connections that break, and servers that say goodbye."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dormie_client import ClosedError, Dormie, RefusedError, wire
from dormie_protocol.messages import Bye, Create, Hello, Ready, Refused, Watch
from tests.clients.fake_server import (
    SOON,
    TOKEN,
    FakePace,
    FakeServer,
    meet,
    seat,
    sight,
    soon,
    welcome,
)
from tests.waiting import until


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


@pytest.fixture
def pace() -> FakePace:
    return FakePace()


async def test_a_new_guest_is_known_by_the_token_that_was_sent_once(
    server: FakeServer, pace: FakePace
) -> None:
    session, peer = await meet(server, pace.pace(), name="Ada")
    await peer.cut()
    hello = await (await server.peer()).welcome()
    await session.close()

    assert ("Ada", TOKEN) == (hello.name, hello.token)
    assert TOKEN == session.token


async def test_the_token_is_in_no_address_and_nothing_is_compressed(server: FakeServer) -> None:
    session, peer = await meet(server, token=TOKEN)
    await session.close()

    assert peer.socket.request is not None
    assert "/ws" == peer.socket.request.path
    assert "Sec-WebSocket-Extensions" not in peer.socket.request.headers


async def test_scenario_A11_a_line_on_which_nobody_answers_pings_is_left(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After sleep or in a tunnel a half-open line looks alive for hours."""
    monkeypatch.setattr(wire, "PING_SECONDS", 0.03)
    monkeypatch.setattr(wire, "CLOSE_SECONDS", 0.03)
    session, peer = await meet(server)
    peer.socket.transport.pause_reading()
    await (await server.peer()).welcome()
    await session.close()
    await peer.cut()


async def test_a_long_message_of_the_server_is_read(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.socket.send(f'{{"type":"forecast","text":"{"x" * 3_000_000}"}}')
    await peer.say(sight(3, 4))
    await table.until(lambda t: t.version == 4, within=SOON)
    await session.close()


async def test_a_wait_begins_with_a_second_and_a_half_and_grows_by_half_to_fifteen(
    server: FakeServer, pace: FakePace
) -> None:
    session, peer = await meet(server, pace.pace())
    for _ in range(7):
        await peer.cut()
        peer = await server.peer()
    await peer.welcome()
    await session.close()

    assert [1.5, 2.25, 3.375, 5.0625, 7.59375, 11.390625, 15.0] == pace.slept


async def test_a_welcome_makes_the_next_wait_short_again(
    server: FakeServer, pace: FakePace
) -> None:
    session, peer = await meet(server, pace.pace())
    await peer.cut()
    await (await server.peer()).cut()
    again = await server.peer()
    await again.welcome()
    await again.cut()
    await server.peer()
    await session.close()

    assert [1.5, 2.25, 1.5] == pace.slept


async def test_a_server_that_asks_for_time_gets_it(server: FakeServer, pace: FakePace) -> None:
    session, peer = await meet(server, pace.pace())
    await peer.say(Bye(word="stopping", because="The server is restarting.", retry_after=20.0))
    await peer.close(1012)
    await server.peer()
    await session.close()

    assert [21.5] == pace.slept


@pytest.mark.parametrize("asked", [float("inf"), float("nan"), -5.0, 1e9])
async def test_a_server_cannot_ask_for_ever(
    server: FakeServer, pace: FakePace, asked: float
) -> None:
    session, peer = await meet(server, pace.pace())
    bye = f'{{"type":"bye","word":"stopping","because":"","retry_after":{asked}}}'
    await peer.socket.send(bye.replace("inf", "Infinity").replace("nan", "NaN"))
    await peer.close(1012)
    await server.peer()
    await session.close()

    assert all(0.0 <= wait <= 601.5 for wait in pace.slept)


@pytest.mark.parametrize("code", [1008, 4408])
async def test_whoever_overdoes_it_comes_back_late(
    server: FakeServer, pace: FakePace, code: int
) -> None:
    session, peer = await meet(server, pace.pace())
    await peer.close(code)
    await server.peer()
    await session.close()

    assert [15.0] == pace.slept


@pytest.mark.parametrize("code", [1003, 1009, 4400, 4401])
async def test_a_final_goodbye_ends_the_session(server: FakeServer, code: int) -> None:
    states: list[str] = []
    session, peer = await meet(server, on_state=states.append)
    table = await seat(session, peer)
    listening = asyncio.create_task(count(table.updates()))
    asking = asyncio.create_task(session.create())
    await peer.hear(Create)
    await peer.close(code)

    with pytest.raises(ClosedError):
        await soon(asking)
    with pytest.raises(ClosedError):
        await session.join("ABCDEFGH")
    assert 1 == await soon(listening)
    assert "closed" == states[-1]
    assert table.closed
    await session.close()


async def count(updates: AsyncIterator[object]) -> int:
    return len([update async for update in updates])


async def test_a_hello_that_is_refused_says_why(server: FakeServer) -> None:
    connecting = asyncio.create_task(Dormie.connect(server.url, token=TOKEN))
    peer = await server.peer()
    await peer.refuse(Hello, "unknown_token", "This token is not known here.")

    with pytest.raises(RefusedError) as refused:
        await soon(connecting)
    assert ("unknown_token", "This token is not known here.") == (
        refused.value.word,
        str(refused.value),
    )
    assert 1000 == await peer.left()


async def test_a_token_that_is_forgotten_later_ends_the_session(server: FakeServer) -> None:
    session, peer = await meet(server)
    await peer.cut()
    creating = asyncio.create_task(session.create())
    await (await server.peer()).refuse(Hello, "unknown_token", "This token is not known here.")

    with pytest.raises(ClosedError, match="not known here"):
        await soon(creating)
    await session.close()


async def test_a_server_that_is_stopping_is_asked_again(server: FakeServer, pace: FakePace) -> None:
    connecting = asyncio.create_task(Dormie.connect(server.url, pace=pace.pace()))
    await (await server.peer()).refuse(Hello, "stopping")
    await (await server.peer()).welcome()
    session = await soon(connecting)
    await session.close()

    assert [1.5] == pace.slept


async def test_a_server_that_never_answers_hello_is_left(
    server: FakeServer, pace: FakePace
) -> None:
    connecting = asyncio.create_task(Dormie.connect(server.url, pace=pace.pace(answer=0.01)))
    silent = await server.peer()
    await silent.left()
    await (await server.peer()).welcome()
    session = await soon(connecting)
    await session.close()

    assert 1.5 == pace.slept[0]


async def test_patience_ends_with_a_sentence(pace: FakePace) -> None:
    async with FakeServer() as server:
        gone = server.url
    with pytest.raises(ClosedError) as closed:
        await Dormie.connect(gone, patience=0.05, pace=pace.pace())

    host = gone.removeprefix("ws://").removesuffix("/ws")
    assert f"There is no Dormie server at {host}: nobody answers there." == str(closed.value)


async def test_a_server_of_something_else_is_not_ours() -> None:
    async with FakeServer(subprotocols=()) as other:
        with pytest.raises(ClosedError, match="There is no Dormie server at"):
            await Dormie.connect(other.url)


async def test_an_address_that_is_none_is_a_sentence() -> None:
    with pytest.raises(ClosedError, match="not the address of a server"):
        await Dormie.connect("gopher://example")


async def test_states_are_told_in_order(server: FakeServer) -> None:
    states: list[str] = []
    session, peer = await meet(server, on_state=states.append)
    assert session.connected
    await peer.cut()
    await (await server.peer()).welcome()
    await until(lambda: session.connected, SOON)
    await session.close()

    assert ["connected", "reconnecting", "connected", "closed"] == states
    assert not session.connected


async def test_a_listener_that_fails_does_no_harm(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(state: str) -> None:
        raise ValueError(state)

    session, _ = await meet(server, on_state=fail)

    assert session.connected
    assert "whoever listens" in caplog.text
    await session.close()


async def test_closing_is_a_farewell_and_may_be_done_twice(server: FakeServer) -> None:
    session, peer = await meet(server)
    await session.close()
    await session.close()

    assert 1000 == await peer.left()


async def test_leaving_the_block_closes_the_session(server: FakeServer) -> None:
    session, peer = await meet(server)
    async with session:
        assert session.connected

    assert 1000 == await peer.left()
    with pytest.raises(ClosedError, match="was closed"):
        await session.create()


async def test_closing_ends_a_wait_for_the_server(server: FakeServer) -> None:
    async def for_ever(_: float) -> None:
        await asyncio.Event().wait()

    session, peer = await meet(server, FakePace().pace(sleep=for_ever))
    await peer.cut()
    creating = asyncio.create_task(session.create())
    await soon(session.close())

    with pytest.raises(ClosedError, match="was closed"):
        await creating


async def test_whoever_gives_up_connecting_leaves_nothing_behind(server: FakeServer) -> None:
    connecting = asyncio.create_task(Dormie.connect(server.url))
    peer = await server.peer()
    await peer.hear(Hello)
    connecting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await connecting
    assert 1000 == await peer.left()


async def test_the_servers_clock_is_compared_with_ours(server: FakeServer) -> None:
    """The most hurried message knows best: the others were under way for longer."""
    ours = iter([100.0, 103.0, 107.0])
    begun = asyncio.create_task(
        Dormie.connect(server.url, pace=FakePace().pace(clock=lambda: next(ours)))
    )
    peer = await server.peer()
    hello = await peer.hear(Hello)
    await peer.say(welcome(hello, now=149.0))
    session = await soon(begun)
    table = await seat(session, peer, sight(0, 3, now=152.9))
    await peer.say(sight(3, 4, now=1.0, replay=True), sight(4, 5, now=155.5))
    await table.until(lambda t: t.version == 5, within=SOON)

    assert 49.9 == pytest.approx(session.clock_offset)
    await session.close()


async def test_nobody_hears_the_token(
    server: FakeServer, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """The library logs every frame at DEBUG, hello among them."""
    caplog.set_level("DEBUG")
    session, peer = await meet(server, token=TOKEN, name="Ada")
    table = await seat(session, peer)
    await peer.cut()
    await (await server.peer()).welcome()
    await session.close()

    ours = [r.getMessage() for r in caplog.records if r.name != "websockets.server"]
    said = "".join([*ours, repr(session), repr(table), *capsys.readouterr()])
    assert TOKEN[:6] not in said


async def test_a_token_that_cannot_be_one_is_not_sent_and_not_shown(server: FakeServer) -> None:
    with pytest.raises(RefusedError) as refused:
        await Dormie.connect(server.url, token="not a token")

    assert ("unknown_token", "token") == (refused.value.word, refused.value.field)
    assert "not a token" not in str(refused.value)


async def test_a_complaint_without_a_request_is_logged(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(Refused(word="too_fast", because="Wait."), sight(3, 4))
    await table.until(lambda t: t.version == 4, within=SOON)
    await session.close()

    assert "too_fast" in caplog.text


async def test_the_line_is_not_flooded(server: FakeServer) -> None:
    """A server takes 20 messages a second, 40 at once; whoever has many tables must come back."""
    pace = FakePace()
    session, peer = await meet(server, pace.pace(a_second=16.0, at_once=32))
    watching = [asyncio.create_task(session.watch("ABCDEFG" + last)) for last in "ABCDEFGH" * 5]
    asking = [asyncio.create_task(session.create()) for _ in range(40)]
    for _ in range(8):
        await peer.hear(Watch)
    for _ in range(40):
        await peer.hear(Create)
    await session.close()
    await asyncio.gather(*watching, *asking, return_exceptions=True)

    assert 48 - 31 == len(pace.slept)
    assert 0 < min(pace.slept) < 0.1


async def test_what_was_asked_before_the_welcome_is_said_after_it(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.cut()
    readying = asyncio.create_task(table.ready(bytes(16)))
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 4), version=4)
    await again.do(Ready, version=4)
    await soon(readying)
    await session.close()
