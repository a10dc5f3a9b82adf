"""What a talk writes: everything once, in order, and an answer together with what came just before it."""

import asyncio
from typing import Any, cast

from dormie_protocol.codec import write
from dormie_protocol.messages import Done
from dormie_server.guard import GuardedConnection, frame
from dormie_server.metrics import Tally
from dormie_server.talk import Talk

DONE = Done(re="1")
ANSWER = frame(write(DONE).encode())


class Line:
    """A socket that remembers each write."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.writes: list[bytes] = []

    def write_text(self, data: bytes) -> bool:
        return self.write_frame(frame(data))

    def write_frame(self, ready: bytes) -> bool:
        self.writes.append(ready)
        return True


def talk_on(line: Any) -> Talk:
    return Talk(cast("GuardedConnection", line), "p-ada", Tally())


async def test_an_answer_goes_out_with_what_was_pushed_just_before_it() -> None:
    line = Line()
    talk = talk_on(line)
    talk.asking = True
    talk.push(b"one")
    talk.push(b"two")
    talk.answer(DONE)
    talk.push(b"three")
    await asyncio.sleep(0)

    assert [frame(b"one") + frame(b"two") + ANSWER, frame(b"three")] == line.writes
    assert 4 == talk.frames.value


async def test_nothing_waits_for_an_answer_that_takes_its_time() -> None:
    line = Line()
    talk = talk_on(line)
    talk.asking = True
    talk.push(b"one")
    await asyncio.sleep(0)
    talk.push(b"two")
    await asyncio.sleep(0)
    talk.answer(DONE)

    assert [frame(b"one"), frame(b"two"), ANSWER] == line.writes
