"""The bot on the page for authors plays: an example that is not run is a comment that may lie."""

import ast
import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dormie_client import Dormie
from dormie_client.bot_seat import Manners, play_at
from tests.clients.fake_house import CODE, FakeHouse
from tests.clients.fake_server import FakePace
from tests.serving import serving

PAGE = Path(__file__).parents[2] / "docs" / "sdk.md"


def example(mark: str) -> str:
    found = re.findall(
        rf"^```python {mark}\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    (text,) = found
    return str(text)


async def test_the_bot_of_the_page_plays_a_match_and_goes_when_the_table_closes(
    tmp_path: Path,
) -> None:
    program = tmp_path / "bot.py"
    program.write_text(example("bot"), "utf-8")
    async with (
        FakeHouse() as house,
        await Dormie.connect(house.url, pace=FakePace().pace()) as ada,
    ):
        table = await ada.create(size=2, options={"holes": 2})
        robin = await asyncio.create_subprocess_exec(
            *[sys.executable, str(program), house.url, table.code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        playing = asyncio.create_task(play_at(table, "easy", Manners(thinks=False)))
        await table.until(lambda t: t.view.phase == "over", within=60)
        await table.end()
        said = await asyncio.wait_for(robin.communicate(), 30)
        await playing

    assert (0, (b"", b"")) == (robin.returncode, said)
    assert [] == house.refused
    assert {0, 1} == {seat for seat, _ in house.moves}


async def run(text: str, url: str) -> dict[str, Any]:
    """Run an example as if it stood in the middle of a coroutine, at a server of ours."""
    names: dict[str, Any] = {}
    text = text.replace("http://localhost:8421", url)
    code = compile(text, str(PAGE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    await eval(code, names)  # noqa: S307 - the page is ours
    return names


async def test_the_first_session_of_the_page_opens_a_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with FakeHouse() as house:
        await run(example("session"), house.url)

    assert f"Tell your friends: {CODE}\n" == capsys.readouterr().out


async def test_the_page_says_how_to_be_the_same_player_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DORMIE_HOME", str(tmp_path))
    players = []
    async with FakeHouse() as house:
        for _ in range(2):
            session = (await run(example("identity"), house.url))["house"]
            players.append(session.player)
            await session.close()

    assert ["p1", "p1"] == players


async def test_an_invitation_of_the_page_lets_a_friend_in() -> None:
    async with serving() as app:
        names = await run(example("invitation"), f"http://127.0.0.1:{app.port}")

    assert ["Ada", "Ben"] == [seat.name for seat in names["table"].view.seats]
    assert names["key"] in names["link"].partition("#")[2]


async def test_the_lobby_of_the_page_finds_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    async with serving() as app:
        url = f"http://127.0.0.1:{app.port}"
        async with await Dormie.connect(url, name="Bob") as bob:
            table = await bob.create(size=2, listed=True, options={"holes": 1})
            await run(example("lobby"), url)
    lines = capsys.readouterr().out.splitlines()

    assert [
        f"{table.code} six_card holes 1 1 of 2 free",
        "Waiting with 2",
        "True lobby ('Bob', 'Ada')",
    ] == lines


def test_the_bot_of_the_page_is_short() -> None:
    lines = [line for line in example("bot").splitlines() if line.strip()]

    assert len(lines) <= 24


async def test_the_course_of_the_page_is_played_to_its_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    begin = (
        "from dormie_client import Dormie\nhouse = await Dormie.connect('http://localhost:8421')\n"
    )
    async with serving() as app:
        names = await run(begin + example("patience"), f"http://127.0.0.1:{app.port}")
        totals = names["table"].view.match.totals
        await names["house"].close()

    assert f"{totals}\n" == capsys.readouterr().out
