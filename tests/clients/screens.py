"""An evening in front of a terminal that is written down, with lines that were decided beforehand."""

import asyncio
from collections.abc import Sequence
from io import StringIO

from dormie_client.console import Console
from dormie_client.play import Evening
from dormie_client.scene import Screen
from dormie_client.show import Show
from dormie_protocol.messages import Language
from dormie_protocol.spoken import Volume
from tests.clients.fake_table import FakeTable

URL = "http://127.0.0.1:8421"


class Paper(StringIO):
    """A terminal that remembers what it showed."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def evening(
    table: FakeTable,
    lines: Sequence[str],
    *,
    language: Language = "en",
    volume: Volume = "normal",
    screen: Screen | None = None,
    paper: StringIO | None = None,
) -> tuple[Evening, StringIO]:
    """An evening at *table* on which these lines are typed, and the paper it is written on."""
    left = list(lines)

    async def line() -> str | None:
        return left.pop(0) if left else None

    paper = Paper() if paper is None else paper
    show = Show(Console(paper, echo=True), screen or Screen(language), URL, volume)
    return Evening(table, show, line, ("easy", "medium"), patient=True, now=lambda: 0.0), paper


async def play(table: FakeTable, *lines: str, language: Language = "en", **how: object) -> str:
    """Everything that is on the screen after an evening on which these lines are typed."""
    game, paper = evening(table, lines, language=language, **how)  # type: ignore[arg-type]  # passed on
    async with asyncio.timeout(5):
        await game.play()
    return paper.getvalue()
