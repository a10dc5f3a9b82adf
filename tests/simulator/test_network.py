"""The network of the simulator: bytes arrive late, in pieces and in order, or not at all."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.simulator.loop import VirtualLoop
from tests.simulator.machine import Machine
from tests.simulator.network import FRONT, Line, Manner, Network

PORT = 9001


class Nobody:
    """A witness who does not care."""

    def opened(self, line: Line) -> None: ...
    def written(self, line: Line, data: bytes, *, by_server: bool) -> None: ...
    def ended(self, line: Line) -> None: ...


class Talker(asyncio.Protocol):
    """One end, which writes down what happens to it."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self.heard = b""
        self.pieces = 0
        self.happened: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.heard += data
        self.pieces += 1

    def eof_received(self) -> bool:
        self.happened.append("eof")
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self.happened.append(type(exc).__name__ if exc else "closed")

    def pause_writing(self) -> None:
        self.happened.append("pause")

    def resume_writing(self) -> None:
        self.happened.append("resume")


class Wire:
    """A server and a client, connected."""

    def __init__(self, manner: Manner) -> None:
        self.loop = VirtualLoop.begin()
        self.network = Network(self.loop, "test", Nobody())
        self.network.manner = lambda: manner
        self.machine = Machine("server")
        self.client, self.server = Talker(), Talker()

    @property
    def line(self) -> Line:
        return self.network.lines[1]

    async def connect(self) -> None:
        self.machine.do(lambda: self.network.listen(lambda: self.server, "", PORT))
        await self.loop.create_connection(lambda: self.client, "", PORT)
        await asyncio.sleep(0.1)


Story = Callable[[Wire], Coroutine[Any, Any, None]]


def told(story: Story, manner: Manner | None = None) -> Wire:
    """What came of a story on a line."""
    wire = Wire(manner or Manner(0.01, 0.02))

    async def whole() -> None:
        await wire.connect()
        await story(wire)

    wire.loop.run(whole())
    return wire


async def a_long_speech(wire: Wire) -> None:
    for number in range(100):
        wire.client.transport.write(b"%04d" % number)
    await asyncio.sleep(5)


def test_bytes_arrive_in_order_and_in_pieces() -> None:
    wire = told(a_long_speech, Manner(0.01, 0.5, piece=7))

    assert b"".join(b"%04d" % number for number in range(100)) == wire.server.heard
    assert wire.server.pieces >= 100


def test_nothing_arrives_before_its_time() -> None:
    async def story(wire: Wire) -> None:
        wire.client.transport.write(b"hello")
        await asyncio.sleep(0.2)
        assert wire.server.heard == b""
        await asyncio.sleep(0.2)

    assert b"hello" == told(story, Manner(0.3, 0.0)).server.heard


def test_who_does_not_read_fills_the_line_and_then_the_buffer() -> None:
    async def story(wire: Wire) -> None:
        wire.server.transport.pause_reading()
        wire.client.transport.set_write_buffer_limits(1000)
        wire.client.transport.write(b"x" * 4000)
        await asyncio.sleep(1)
        assert ["pause"] == wire.client.happened
        assert 2000 == wire.client.transport.get_write_buffer_size()
        wire.server.transport.resume_reading()
        await asyncio.sleep(1)

    wire = told(story, Manner(window=2000))

    assert (4000, ["pause", "resume"]) == (len(wire.server.heard), wire.client.happened)


def test_a_slow_line_takes_its_time() -> None:
    async def story(wire: Wire) -> None:
        wire.line.slow_down(100.0)
        wire.client.transport.write(b"x" * 1000)
        await asyncio.sleep(8)
        assert len(wire.server.heard) < 1000
        await asyncio.sleep(4)

    assert 1000 == len(told(story).server.heard)


def test_on_a_silent_line_everything_vanishes_and_nobody_is_told() -> None:
    async def story(wire: Wire) -> None:
        wire.line.fall_silent()
        wire.client.transport.write(b"hello?")
        wire.server.transport.abort()
        await asyncio.sleep(60)

    wire = told(story)

    assert (b"", []) == (wire.server.heard, wire.client.happened)


def test_a_stuck_line_goes_on_later() -> None:
    async def story(wire: Wire) -> None:
        wire.line.stall(10.0)
        wire.client.transport.write(b"hello")
        await asyncio.sleep(9)
        assert wire.server.heard == b""
        await asyncio.sleep(2)

    assert b"hello" == told(story).server.heard


def test_a_broken_line_is_told_to_both() -> None:
    async def story(wire: Wire) -> None:
        wire.line.break_off()
        await asyncio.sleep(1)

    wire = told(story)

    assert [["ConnectionResetError"]] * 2 == [wire.client.happened, wire.server.happened]
    assert {} == wire.network.lines


def test_closing_sends_what_was_written_and_then_the_end() -> None:
    async def story(wire: Wire) -> None:
        wire.client.transport.write(b"bye")
        wire.client.transport.close()
        wire.client.transport.write(b"too late")
        await asyncio.sleep(1)

    wire = told(story)

    assert (b"bye", ["eof"]) == (wire.server.heard, wire.server.happened)
    assert ["closed"] == wire.client.happened


def test_who_writes_to_somebody_who_is_gone_is_told() -> None:
    async def story(wire: Wire) -> None:
        wire.client.transport.close()
        await asyncio.sleep(1)
        wire.server.transport.write(b"still there?")
        await asyncio.sleep(1)

    assert ["eof", "ConnectionResetError"] == told(story).server.happened


def test_half_a_line_can_close() -> None:
    async def story(wire: Wire) -> None:
        wire.line.half_close(wire.line.server)
        wire.server.transport.write(b"go on")
        await asyncio.sleep(1)

    wire = told(story)

    assert (["eof"], b"go on") == (wire.server.happened, wire.client.heard)


def test_whoever_has_said_that_nothing_more_will_come_can_still_close() -> None:
    async def story(wire: Wire) -> None:
        wire.server.transport.write_eof()
        await asyncio.sleep(1)
        wire.server.transport.close()
        await asyncio.sleep(1)

    wire = told(story)

    assert (["closed"], ["eof"]) == (wire.server.happened, wire.client.happened)


@pytest.mark.parametrize("quietly", [True, False])
def test_the_death_of_a_machine_is_heard_unless_it_is_quiet(*, quietly: bool) -> None:
    async def story(wire: Wire) -> None:
        wire.machine.state = "dead"
        wire.network.machine_died(wire.machine, quietly=quietly)
        wire.client.transport.write(b"hello?")
        await asyncio.sleep(60)

    wire = told(story)

    assert (b"", []) == (wire.server.heard, wire.server.happened)
    assert ([] if quietly else ["ConnectionResetError"]) == wire.client.happened


def test_what_is_sent_to_a_frozen_machine_waits_for_it() -> None:
    async def story(wire: Wire) -> None:
        wire.machine.state = "frozen"
        wire.client.transport.write(b"hello?")
        await asyncio.sleep(60)
        assert wire.server.heard == b""
        wire.loop.thaw(wire.machine)
        await asyncio.sleep(1)

    assert b"hello?" == told(story).server.heard


def test_where_nobody_listens_nobody_is_met() -> None:
    async def story(wire: Wire) -> None:
        for port in (FRONT, PORT):
            wire.network.listeners.pop(PORT, None)
            with pytest.raises(ConnectionRefusedError):
                await wire.network.connect(Talker, port)

    told(story)
