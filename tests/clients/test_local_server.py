import asyncio
import os
import sys
from pathlib import Path

import pytest

from dormie_client import local_server as house
from dormie_client.errors import ClosedError
from tests.waiting import until

READY = "import sys, time; print('Dormie is ready: http://127.0.0.1:1234/', flush=True);"
PYTHON = (sys.executable, "-c")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_the_address_is_the_one_the_server_says() -> None:
    async with house.local_server((*PYTHON, READY + "time.sleep(60)")) as url:
        assert "http://127.0.0.1:1234/" == url


async def test_the_server_ends_with_the_game(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    program = f"import os; open({str(note)!r}, 'w').write(str(os.getpid()));{READY}time.sleep(60)"
    async with house.local_server((*PYTHON, program)):
        pid = int(note.read_text("utf-8"))
        running = alive(pid)

    assert running
    await until(lambda: not alive(pid))


async def test_the_server_ends_when_the_game_fails(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    program = f"import os; open({str(note)!r}, 'w').write(str(os.getpid()));{READY}time.sleep(60)"
    with pytest.raises(RuntimeError):
        async with house.local_server((*PYTHON, program)):
            raise RuntimeError
    pid = int(note.read_text("utf-8"))

    await until(lambda: not alive(pid))


async def test_a_server_that_will_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "STOPS_WITHIN", 0.1)
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + READY
    async with asyncio.timeout(10), house.local_server((*PYTHON, stubborn + "time.sleep(60)")):
        pass


async def test_a_server_that_talks_much_is_not_held_up(tmp_path: Path) -> None:
    note = tmp_path / "done"
    talk = f"{READY}[print('x' * 1000) for _ in range(1000)]; open({str(note)!r}, 'w')"
    async with house.local_server((*PYTHON, talk)):
        await until(note.exists)


@pytest.mark.parametrize(
    ("program", "because"),
    [
        ("import sys; sys.exit('the port is in use')", "the port is in use"),
        ("pass", "it said nothing"),
        ("print('hello')", "it said nothing"),
    ],
)
async def test_a_server_that_does_not_start_says_why(program: str, because: str) -> None:
    with pytest.raises(ClosedError, match=f"The server could not be started: {because}"):
        async with house.local_server((*PYTHON, program)):
            pass


async def test_a_server_that_never_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "STARTS_WITHIN", 0.1)
    with pytest.raises(ClosedError, match="could not be started"):
        async with house.local_server((*PYTHON, "import time; time.sleep(60)")):
            pass


async def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ClosedError, match="could not be started"):
        async with house.local_server(("/nowhere/dormie-server",)):
            pass
