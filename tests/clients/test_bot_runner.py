import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from dormie_client import ClosedError, Dormie, RefusedError, Table, bot_runner
from dormie_client.bot_runner import main_bot, run_bot
from dormie_client.bot_seat import Manners
from tests.clients.fake_house import CODE, FakeHouse
from tests.clients.fake_server import SOON, FakePace, soon
from tests.waiting import until

QUICK = Manners(thinks=False)


@pytest.fixture
async def house() -> AsyncIterator[FakeHouse]:
    async with FakeHouse() as house:
        yield house


async def open_table(house: FakeHouse, size: int = 2) -> tuple[Dormie, Table]:
    session = await Dormie.connect(house.url, name="Ada", pace=FakePace().pace())
    return session, await session.create(size=size, options={"holes": 1})


async def test_a_bot_joins_by_code_and_goes_when_the_table_closes(house: FakeHouse) -> None:
    session, table = await open_table(house)
    running = asyncio.create_task(run_bot(house.url, "easy", CODE, name="Birdie", manners=QUICK))
    await table.until(lambda t: t.view.seats[1] is not None and t.view.seats[1].ready, within=SOON)
    await table.end()
    await soon(running)
    await session.close()


async def test_a_bot_opens_a_table_and_says_which(house: FakeHouse) -> None:
    seated: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(
        run_bot(house.url, "easy", create={"size": 3}, manners=QUICK, seated=seated.set_result)
    )
    table = await soon(seated)
    await table.end()
    await soon(running)

    assert (CODE, 3) == (table.code, table.about.size)


async def test_a_bot_that_is_stopped_gives_its_seat_up(house: FakeHouse) -> None:
    session, table = await open_table(house)
    running = asyncio.create_task(run_bot(house.url, "easy", CODE, manners=QUICK))
    await table.until(lambda t: t.view.seats[1] is not None and t.view.seats[1].ready, within=SOON)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(running)
    await session.close()

    assert [house.table.owners[0], None] == house.table.owners


async def test_an_unknown_level_is_refused_before_anybody_is_asked() -> None:
    with pytest.raises(RefusedError) as refused:
        await run_bot("ws://nowhere.invalid", "superhuman")

    assert "no_such_bot" == refused.value.word


async def test_no_server_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FakeHouse() as gone:
        pass
    with pytest.raises(ClosedError, match="There is no Dormie server at"):
        await run_bot(gone.url, "easy", patience=0.05)


async def test_the_command_fills_a_new_table_with_bots(
    house: FakeHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [house.url, "--level", "random", "--count", "2", "--size", "2", "--fast", "--explain"]
    running = asyncio.create_task(asyncio.to_thread(main_bot, argv))
    await until(lambda: len(house.moves) >= 8, SOON)
    house.close()
    status = await soon(running)
    said = capsys.readouterr()

    assert 0 == status
    assert "" == said.err
    assert f"Table {CODE}" == said.out.splitlines()[0]
    assert {"p1", "p2"} <= {line.split(":")[0] for line in said.out.splitlines()[1:]}


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["{url}", "ZZZZZZZZ"], "dormie bot: There is no such table, or no seat for you."),
        (["{url}", "nonsense"], "dormie bot: There is no such table, or no seat for you."),
        (["gopher://golf"], "dormie bot: This is not the address of a server:"),
        (["{gone}", CODE], "dormie bot: There is no Dormie server at 127.0.0.1:"),
        (["{url}", CODE, "--level", "superhuman"], "dormie bot: argument --level: invalid choice"),
        (["{url}", CODE, "--count", "0"], "dormie bot: argument --count: invalid choice"),
        ([], "dormie bot: the following arguments are required: URL"),
    ],
)
async def test_a_command_that_cannot_be_says_so_in_one_line(
    house: FakeHouse,
    argv: list[str],
    line: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_runner, "PATIENCE", 0.05)
    async with FakeHouse() as other:
        gone = other.url
    words = [word.format(url=house.url, gone=gone) for word in argv]
    status = await asyncio.to_thread(main_bot, words)
    said = capsys.readouterr()

    assert (2, "") == (status, said.out)
    assert said.err.startswith(line)
    assert 1 == said.err.count("\n")


async def test_help_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main_bot(["--help"])
    assert "--explain" in capsys.readouterr().out


async def test_an_interrupt_ends_quietly_and_frees_the_seat(house: FakeHouse) -> None:
    session, table = await open_table(house)
    run = (
        "import sys; from dormie_client.bot_runner import main_bot as m; sys.exit(m(sys.argv[1:]))"
    )
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-c", run, house.url, CODE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    await table.until(lambda t: t.view.seats[1] is not None and t.view.seats[1].ready, within=30)
    process.send_signal(signal.SIGINT)
    out, err = await asyncio.wait_for(process.communicate(), 30)
    await session.close()

    assert (130, f"Table {CODE}\n", "") == (process.returncode, out.decode(), err.decode())
    assert house.table.owners[1] is None
