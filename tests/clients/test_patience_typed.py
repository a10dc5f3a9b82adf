"""Lines of a program at a table of Golf Patience: which of them wait, and which do not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import StringIO

from dormie_client import Dormie, Pace, Table
from dormie_client.console import Console
from dormie_client.here import Here
from dormie_client.patience_evening import PatienceEvening
from dormie_client.patience_news import News
from dormie_client.patience_show import PatienceShow
from dormie_client.scene import Screen
from dormie_client.show import Show
from tests.serving import serving, url_of
from tests.waiting import until

FAST = Pace(a_second=1_000_000, at_once=1_000_000)


@dataclass
class Two:
    """Ada's lines come from a program; Ben plays by hand and is slower."""

    game: PatienceEvening
    evening: "asyncio.Task[str]"
    ben: Table
    left: list[str | None]
    paper: StringIO
    heard: list[str]


@asynccontextmanager
async def race(*lines: str | None) -> AsyncIterator[Two]:
    """Ada's *lines* at a hole that both play."""
    screen, paper, left, heard = Screen(symbols=False), StringIO(), list(lines), list[str]()
    async with (
        serving() as app,
        await Dormie.connect(url_of(app), name="Ben", pace=FAST) as ben,
        await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada,
    ):
        theirs = await ben.create("golf_patience_queen", size=2, options={"holes": 1})
        seat = await ada.join(theirs.code)

        async def line() -> str | None:
            return left.pop(0) if left else await asyncio.Future()

        async def listen() -> None:
            async for said in theirs.talk():
                heard.append(said.text)

        console = Console(paper, echo=True)
        show = PatienceShow(console, screen, url_of(app))
        here = Here(Show(console, screen, url_of(app)), ada, at=seat)
        game = PatienceEvening(seat, show, line, patient=True, here=here)
        tasks = [asyncio.ensure_future(listen()), asyncio.ensure_future(game.play())]
        try:
            await theirs.ready()
            await theirs.until(lambda table: table.my_turn(), within=30)
            yield Two(game, tasks[1], theirs, left, paper, heard)  # type: ignore[arg-type]  # what it plays returns
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def test_talk_from_a_program_waits_for_no_prompt_and_a_word_of_the_game_does() -> None:
    """Ada has finished the hole and is asked nothing while Ben plays."""
    async with race("", "g", "g", "say well played", "marks", None) as two:
        await until(lambda: two.heard == ["well played"], within=30)
        await until(lambda: two.left == [None], within=30)

        assert two.ben.my_turn(), "Ben still plays"
        assert "Nothing is marked." not in two.paper.getvalue(), "a word of the game waits"
        assert not two.evening.done()
        await two.ben.give_up()
        async with asyncio.timeout(30):
            assert "quit" == await two.evening
        assert "Nothing is marked." in two.paper.getvalue()


async def test_a_line_that_still_waits_when_the_evening_ends_is_handed_back() -> None:
    """It may be meant for whatever comes next."""
    async with race("", "g", "g", "score", "lobby") as two:
        await until(lambda: two.left == ["lobby"], within=30)
        two.evening.cancel()
        await asyncio.gather(two.evening, return_exceptions=True)

        assert ["score"] == two.game.typed_ahead


async def test_whoever_waits_no_longer_leaves_nothing_behind_that_waits() -> None:
    news = News(None)  # type: ignore[arg-type]  # nothing is heard of the table
    waiting = asyncio.create_task(news.wait(None, None))
    await until(lambda: len(asyncio.all_tasks()) == 3)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    await until(lambda: len(asyncio.all_tasks()) == 1)
