"""An inbox gives out whole messages, in order, and says when the line should wait."""

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from dormie_server.inbox import FEW, MANY, Inbox


class Road:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")


def text(data: bytes, *, fin: bool = True) -> Frame:
    return Frame(Opcode.TEXT, data, fin)


def more(data: bytes, *, fin: bool = True) -> Frame:
    return Frame(Opcode.CONT, data, fin)


async def test_messages_come_out_whole_and_in_order() -> None:
    inbox = Inbox(Road())
    for piece in (text(b"one"), text(b"t", fin=False), more(b"w", fin=False), more(b"o")):
        inbox.put(piece)
    inbox.put(Frame(Opcode.BINARY, b"\xff"))

    assert ["one", "two", b"\xff"] == [await inbox.get() for _ in range(3)]
    assert [] == inbox.frames


async def test_who_asks_waits_for_the_last_piece() -> None:
    inbox = Inbox(Road())
    waiting = asyncio.ensure_future(inbox.get())
    await asyncio.sleep(0)
    inbox.put(text(b"t", fin=False))
    await asyncio.sleep(0)

    assert not waiting.done()

    inbox.put(more(b"wo"))
    inbox.put(text(b"three"))

    assert "two" == await waiting
    assert "three" == await inbox.get()


async def test_who_gives_up_waiting_has_lost_nothing() -> None:
    inbox = Inbox(Road())
    waiting = asyncio.ensure_future(inbox.get())
    await asyncio.sleep(0)
    inbox.put(text(b"one"))
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    assert "one" == await inbox.get()


async def test_with_many_messages_waiting_the_line_waits_until_there_are_few() -> None:
    road = Road()
    inbox = Inbox(road)
    for _ in range(MANY):
        inbox.put(text(b"x"))

    assert [] == road.told

    inbox.put(text(b"x"))
    inbox.put(text(b"x"))

    assert ["pause"] == road.told

    for _ in range(MANY + 1 - FEW):
        await inbox.get()

    assert ["pause"] == road.told

    await inbox.get()

    assert ["pause", "resume"] == road.told


async def test_a_message_in_many_pieces_does_not_stop_the_line_before_it_is_whole() -> None:
    road = Road()
    inbox = Inbox(road)
    inbox.put(text(b"x", fin=False))
    for _ in range(3 * MANY):
        inbox.put(more(b"x", fin=False))
    inbox.put(more(b""))

    assert [] == road.told
    assert "x" * (3 * MANY + 1) == await inbox.get()


async def test_what_arrived_before_the_end_is_still_given_out() -> None:
    inbox = Inbox(Road())
    inbox.put(text(b"one"))
    inbox.put(text(b"unfinished", fin=False))
    inbox.close()

    assert "one" == await inbox.get()
    with pytest.raises(EOFError):
        await inbox.get()
    with pytest.raises(EOFError):
        inbox.put(more(b"!"))


async def test_the_end_wakes_who_waits() -> None:
    inbox = Inbox(Road())
    waiting = asyncio.ensure_future(inbox.get())
    await asyncio.sleep(0)
    inbox.close()

    with pytest.raises(EOFError):
        await waiting


async def test_what_is_no_text_is_said_to_be_none() -> None:
    inbox = Inbox(Road())
    inbox.put(text(b"\xff"))
    inbox.put(text(b"\xff"))
    inbox.put(Frame(Opcode.BINARY, b"x"))

    with pytest.raises(UnicodeDecodeError):
        await inbox.get()
    assert b"\xff" == await inbox.get(decode=False)
    assert "x" == await inbox.get(decode=True)
