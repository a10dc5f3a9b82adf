"""Every line is asked in its turn, by one timer."""

import asyncio

from dormie_server.pulse import Pulse
from tests.waiting import until

EVERY = 0.02


class Line:
    """Counts how often it is asked, and can be gone."""

    def __init__(self, most: int = 1_000) -> None:
        self.asked: list[float] = []
        self.most = most

    def ask(self) -> bool:
        self.asked.append(asyncio.get_running_loop().time())
        return len(self.asked) < self.most


async def test_every_line_is_asked_again_and_again_and_never_too_early() -> None:
    pulse, lines, began = Pulse(), [Line(), Line()], asyncio.get_running_loop().time()
    for line in lines:
        pulse.begin(line, EVERY)
    await until(lambda: min(len(line.asked) for line in lines) >= 3)
    for line in lines:
        pulse.end(line)
        gaps = [after - before for before, after in zip([began, *line.asked], line.asked)]  # noqa: B905 - the last has no gap

        assert all(gap >= EVERY for gap in gaps)


async def test_who_has_gone_is_not_asked() -> None:
    pulse, gone, here = Pulse(), Line(), Line()
    pulse.begin(gone, EVERY)
    pulse.begin(here, EVERY)
    pulse.end(gone)
    await until(lambda: bool(here.asked))

    assert [] == gone.asked
    pulse.end(here)
    pulse.end(here)
    assert 0 == len(pulse)


async def test_who_wants_no_more_questions_is_forgotten() -> None:
    pulse, line = Pulse(), Line(most=2)
    pulse.begin(line, EVERY)
    await until(lambda: len(line.asked) == 2)

    assert 0 == len(pulse)


async def test_a_line_that_comes_later_is_asked_later() -> None:
    pulse, first, second = Pulse(), Line(), Line()
    pulse.begin(first, EVERY)
    await until(lambda: bool(first.asked))
    pulse.begin(second, EVERY)
    await until(lambda: bool(second.asked))
    pulse.end(first)
    pulse.end(second)

    assert first.asked[0] + EVERY <= second.asked[0]
