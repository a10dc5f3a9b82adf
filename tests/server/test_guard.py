"""Guarded connections, over real sockets: what they send, and what they bear."""

import asyncio
import logging
import socket
import sys
from ipaddress import IPv4Network

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from dormie_server.guard import GuardedConnection, frame
from dormie_server.limits import Limits
from tests.server.peers import friend, ours, stay, stuck
from tests.server.small_house import Wishes, small_house
from tests.waiting import until
from tests.wire import CLOSE, HELLO, PING, PONG, TEXT, Place, Wire, framed, request

# frames


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_a_frame_is_what_the_library_would_send(size: int) -> None:
    data = b"x" * size

    assert Frame(Opcode.TEXT, data).serialize(mask=False) == frame(data)


async def test_one_frame_reaches_many_in_the_order_in_which_it_was_written() -> None:
    async with small_house(handler=stay) as house, friend(house) as ada, friend(house) as bob:
        for text in (b"one", b"two"):
            for client in (ada, bob):
                assert (await ours(house, client)).write_frame(frame(text))
        (await ours(house, ada)).write_text("trois €".encode())

        assert ["one", "two", "trois €"] == [await ada.recv() for _ in range(3)]
        assert ["one", "two"] == [await bob.recv() for _ in range(2)]


async def test_nothing_is_written_to_whom_we_have_said_goodbye() -> None:
    async with small_house(handler=stay) as house, friend(house) as client:
        connection = await ours(house, client)
        await connection.close()

        assert not connection.write_text(b"one more thing")


async def test_nothing_is_written_to_whom_we_have_cut(caplog: pytest.LogCaptureFixture) -> None:
    """The loop writes a warning for each attempt; a table has many."""
    async with small_house(handler=stay) as house:
        wire, connection = await stuck(house)
        connection.cut("test")
        with wire:
            answers = {connection.write_text(b"hello?") for _ in range(20)}

    assert {False} == answers
    assert [] == [record for record in caplog.records if record.levelno >= logging.WARNING]


# whoever shouts


async def test_a_flood_of_messages_in_one_breath_is_not_kept_to_be_read() -> None:
    """250 KB of empty messages would be 40,000 objects before the first of them is looked at."""
    async with small_house(handler=stay) as house:
        wire, connection = await stuck(house)
        with wire:
            wire.say(framed(TEXT) * 40_000)
            code = await asyncio.to_thread(wire.close_code)

        assert 1008 == code
        assert len(connection.recv_messages.frames) <= Limits().unread_frames + 1


@pytest.mark.parametrize(("pieces", "end"), [(64, HELLO.decode()), (65, 1009)])
async def test_a_message_may_come_in_so_many_pieces(pieces: int, end: object) -> None:
    text = HELLO.decode()
    async with small_house() as house, friend(house) as client:
        await client.send([text[:5], *[""] * (pieces - 3), text[5:]])  # and an empty one at the end
        try:
            answer: object = await client.recv()
        except ConnectionClosed:
            answer = client.close_code

        assert end == answer


async def test_a_few_pings_are_answered() -> None:
    async with small_house(handler=stay) as house, friend(house) as client:
        for _ in range(50):
            await (await client.ping())

        assert (await ours(house, client)).was_cut is None


async def test_a_flood_of_pings_in_one_breath_is_not_answered_before_it_is_counted() -> None:
    async with small_house() as house:
        with await asyncio.to_thread(Wire, Place("127.0.0.1", house.port)) as wire:
            await asyncio.to_thread(wire.greet)
            await asyncio.to_thread(wire.say, framed(PING) * 20_000)
            answers = [opcode for opcode, _ in await asyncio.to_thread(list, wire.frames())]

    assert CLOSE in answers
    assert answers.count(PONG) < 1000


@pytest.mark.parametrize(
    "more",
    [framed(3), framed(PING) * 200, framed(TEXT, b"x" * 5000), b"GET / HTTP/1.1\r\n\r\n"],
    ids=["nonsense", "pings", "too big", "another request"],
)
async def test_whoever_does_not_wait_for_our_greeting_leaves_no_traceback(
    more: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The library reads on while it greets, ends the line on a mistake, and then trips over it."""
    async with small_house() as house:
        place = Place("127.0.0.1", house.port)
        with await asyncio.to_thread(Wire, place) as wire:
            await asyncio.to_thread(wire.say, request(place) + more)
            assert await asyncio.to_thread(wire.ended)
        await until(lambda: not house.made.alive)

    assert [] == [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert 1 == house.cuts.reasons.total()


@pytest.mark.parametrize("path", ["/ws", "/healthz", "/nothing"])
async def test_whoever_spoils_a_line_is_not_greeted_however_late_its_end_is_heard_of(
    path: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between giving a line up and hearing that it is lost the library would answer on it, and trip."""
    cut = GuardedConnection.cut

    def cut_late(line: GuardedConnection, reason: str) -> None:
        line.loop.call_later(0.02, cut, line, reason)

    monkeypatch.setattr(GuardedConnection, "cut", cut_late)
    async with small_house() as house:
        place = Place("127.0.0.1", house.port)
        with await asyncio.to_thread(Wire, place) as wire:
            asked = request(place).replace(b"GET /ws ", b"GET %b " % path.encode())
            await asyncio.to_thread(wire.say, asked + framed(CLOSE))
            assert await asyncio.to_thread(wire.ended)
        await until(lambda: not house.made.alive)

    assert [] == [record for record in caplog.records if record.levelno >= logging.WARNING]


# how many


async def test_an_address_has_so_many_lines_and_no_more() -> None:
    async with small_house(Wishes(Limits(sockets_per_address=2)), handler=stay) as house:
        async with friend(house), friend(house):
            with await asyncio.to_thread(Wire, Place("127.0.0.1", house.port)) as wire:
                assert await asyncio.to_thread(wire.ended)

            assert {"crowded": 1} == house.cuts.reasons
        await until(lambda: not house.made.alive)
        async with friend(house) as client:
            assert (await ours(house, client)).write_text(b"room again")


async def test_a_trusted_proxy_is_not_counted_itself() -> None:
    wishes = Wishes(Limits(sockets_per_address=1), trusted=(IPv4Network("127.0.0.0/8"),))
    async with small_house(wishes, handler=stay) as house:
        place = Place("127.0.0.1", house.port)
        heads = []
        wires = [await asyncio.to_thread(Wire, place) for _ in range(3)]
        for wire, client in zip(wires, ("192.0.2.1", "192.0.2.2", "192.0.2.1"), strict=True):
            head = await asyncio.to_thread(wire.greet, f"X-Forwarded-For: {client}\r\n")
            heads.append(head.split(" ")[1])
        for wire in wires:
            wire.line.close()

    assert ["101", "101", "429"] == heads


# the line itself


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has TCP_USER_TIMEOUT, which is what is tested"
)
async def test_a_silent_network_is_noticed_by_the_system() -> None:
    async with small_house(handler=stay) as house, friend(house) as client:
        line = (await ours(house, client)).transport.get_extra_info("socket")

        assert 20_000 == line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
