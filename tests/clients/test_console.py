import asyncio
import os
from collections.abc import Iterator
from io import StringIO

import pytest

from dormie_client.console import LONGEST_LINE, Console, Keyboard
from tests.clients.screens import Paper


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


async def lines_of(keyboard: Keyboard) -> list[str]:
    lines = []
    async with asyncio.timeout(5):
        while (line := await keyboard.line()) is not None:
            lines.append(line)
    return lines


async def heard(data: bytes) -> list[str]:
    """What a keyboard makes of *data* and the end of it."""
    read, write = os.pipe()
    try:
        os.write(write, data)
        os.close(write)
        return await lines_of(Keyboard(read))
    finally:
        os.close(read)


def test_lines_and_prompts_on_a_terminal() -> None:
    paper = Paper()
    console = Console(paper, echo=False)
    console.say("one", "two")
    console.ask("Your turn: draw")
    console.say("Ben is back.")
    console.ask("Your turn: draw")
    console.heard("draw")
    console.say("You draw.")

    assert (
        "one\ntwo\nYour turn: draw > \nBen is back.\nYour turn: draw > You draw.\n"
        == paper.getvalue()
    )


def test_what_comes_from_elsewhere_is_shown_behind_its_prompt() -> None:
    paper = Paper()
    console = Console(paper, echo=True)
    console.ask("Your turn: draw")
    console.heard("dr\x1b[2Jaw")
    console.say("You draw.")

    assert "Your turn: draw > dr[2Jaw\nYou draw.\n" == paper.getvalue()


def test_a_prompt_for_a_program_is_a_line() -> None:
    paper = StringIO()
    console = Console(paper, echo=True)
    console.ask("Your turn: draw")
    console.heard("draw")
    console.say("You draw.")

    assert "Your turn: draw >\nYou draw.\n" == paper.getvalue()


def test_a_prompt_is_remembered_until_something_comes_after_it() -> None:
    console = Console(Paper(), echo=False)
    console.ask("Next hole: Enter")
    before = console.asked
    console.say("Ben is back.")

    assert ("Next hole: Enter", None) == (before, console.asked)


def test_nothing_that_is_written_can_move_the_cursor() -> None:
    paper = Paper()
    console = Console(paper, echo=True)
    console.say("a\x1b[31mb\rc\nd\x9be\u202ef\u2028g")

    assert "a[31mbcdefg\n" == paper.getvalue()


async def test_lines_are_read_one_by_one() -> None:
    assert ["draw", "swap 4", ""] == await heard(b"draw\nswap 4\n\n")


async def test_the_last_line_needs_no_end() -> None:
    assert ["draw", "pass"] == await heard(b"draw\npass")


async def test_lines_of_another_system_end_in_two_signs() -> None:
    assert ["draw", "pass"] == await heard(b"draw\r\npass\r\n")


async def test_what_is_no_text_is_read_all_the_same() -> None:
    assert ["\ufffd\ufffd", "é"] == await heard(b"\xff\xfe\n\xc3\xa9\n")


async def test_a_line_without_end_is_cut() -> None:
    long = b"x" * (3 * LONGEST_LINE)
    [line] = await heard(long[:60_000])

    assert len(line) <= LONGEST_LINE


async def test_after_the_end_there_is_only_the_end(pipe: tuple[int, int]) -> None:
    keyboard = Keyboard(os.open(os.devnull, os.O_RDONLY))

    assert [None, None] == [await keyboard.line(), await keyboard.line()]


async def test_a_line_may_come_in_pieces(pipe: tuple[int, int]) -> None:
    read, write = pipe
    keyboard = Keyboard(read)
    waiting = asyncio.create_task(keyboard.line())
    for piece in (b"sw", b"ap ", b"4\nd"):
        os.write(write, piece)
        await asyncio.sleep(0)

    assert "swap 4" == await asyncio.wait_for(waiting, 5)


async def test_nobody_is_held_up_while_nothing_is_typed(pipe: tuple[int, int]) -> None:
    read, write = pipe
    keyboard = Keyboard(read)
    waiting = asyncio.create_task(keyboard.line())
    ticks = 0
    while ticks < 10:
        ticks += 1
        await asyncio.sleep(0)
    still = not waiting.done()
    os.write(write, b"d\n")

    assert still
    assert "d" == await asyncio.wait_for(waiting, 5)
