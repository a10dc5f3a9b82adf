"""The command that opens the house."""

import asyncio
import errno
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from dormie_server import logs
from dormie_server.cli import FLAGS, main
from dormie_server.config import Settings
from dormie_server.store import StoreUnavailable


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logs, "set_up", lambda *_: None)  # the tests have their own


class Opened:
    """Stands for the house; keeps how it was asked to be, and may fail."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.settings: Settings | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self._error = error

    async def __call__(self, settings: Settings) -> None:
        self.settings = settings
        self.loop = asyncio.get_running_loop()
        if self._error is not None:
            raise self._error


def test_the_house_is_opened_as_it_was_asked_for() -> None:
    house = Opened()

    assert 0 == main(["--port", "0", "--host", "127.0.0.1", "--data", ":memory:"], house)
    assert house.settings is not None
    assert ("127.0.0.1", 0, ":memory:") == (
        house.settings.host,
        house.settings.port,
        house.settings.data,
    )


def test_a_file_says_what_no_flag_says() -> None:
    Path("dormie.toml").write_text("port = 1234\nturn_seconds = 33\n", "utf-8")
    house = Opened()

    assert 0 == main(["--config", "dormie.toml", "--turn-seconds", "44"], house)
    assert house.settings is not None
    assert (1234, 44) == (house.settings.port, house.settings.turn_seconds)


def test_a_variable_that_is_mistyped_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a house would open on a file of its own beside the Redis that was meant."""
    monkeypatch.setenv("DORMIE_STROE", "redis://:hush@golf.example")
    monkeypatch.setenv("DORMIE_LIMITS__SOCKETS", "100")
    with capture_logs() as lines:
        assert 0 == main([], Opened())

    assert [("no_such_setting", "DORMIE_STROE")] == [
        (one["event"], one["variable"]) for one in lines
    ]
    assert "hush" not in str(lines)


def test_the_faster_loop_is_used() -> None:
    house = Opened()
    main([], house)

    assert "uvloop" in type(house.loop).__module__


def test_every_flag_is_a_setting() -> None:
    names = {flag.removeprefix("--").replace("-", "_") for flag, _, _ in FLAGS}

    assert names <= set(Settings.model_fields)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.EADDRINUSE, "x"), "0.0.0.0 port 8421 is in use: choose another --port"),
        (OSError(errno.EACCES, "x"), "0.0.0.0 port 8421 may not be used"),
        (OSError(errno.EADDRNOTAVAIL, "x"), "0.0.0.0 is not an address of this machine"),
        (OSError(errno.EACCES, "Permission denied", "/dormie.db"), "[Errno 13] Permission denied"),
        (StoreUnavailable("dormie.db is in use by another server"), "dormie.db is in use"),
    ],
)
def test_a_house_that_cannot_open_says_why_in_one_line(
    error: BaseException, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([], Opened(error))
    told = capsys.readouterr().err

    assert 2 == code
    assert told.startswith(f"dormie-server: {sentence}")
    assert 1 == told.count("\n")


def test_a_port_in_use_is_what_the_system_says_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        async def run(settings: Settings) -> None:
            loop = asyncio.get_running_loop()
            await loop.create_server(asyncio.Protocol, settings.host, settings.port)

        code = main(["--host", "127.0.0.1", "--port", str(port)], run)

    assert 2 == code
    assert f"dormie-server: 127.0.0.1 port {port} is in use" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--port", "many"], "port: Input should be a valid integer"),
        (["--config", "nowhere.toml"], "cannot read nowhere.toml"),
    ],
)
def test_a_bad_value_is_one_line(
    argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(argv, Opened())
    told = capsys.readouterr().err

    assert 2 == code
    assert sentence in told
    assert 1 == told.count("\n")


@pytest.mark.parametrize("argv", [["--prot", "1"], ["--port"], ["table"]])
def test_what_is_no_flag_is_one_line(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(argv, Opened())

    assert 2 == end.value.code
    assert 1 == capsys.readouterr().err.count("\n")


def test_ctrl_c_is_not_a_mistake() -> None:
    assert 130 == main([], Opened(KeyboardInterrupt()))


@pytest.mark.parametrize(
    ("argv", "place"),
    [
        (["admin", "list"], "dormie_server.admin_client.main"),
        (["erase", "Ada"], "dormie_server.office.main"),
    ],
)
def test_ctrl_c_in_the_middle_of_a_command_shows_no_traceback(
    argv: list[str], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_argv: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)

    assert 130 == main(argv)


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    told = capsys.readouterr().out

    assert 0 == end.value.code
    assert "examples:\n  dormie-server " in told
    assert [] == [flag for flag, _, _ in FLAGS if flag not in told]


def test_python_m_is_the_same_command() -> None:
    ask = [sys.executable, "-m", "dormie_server", "--version"]
    answer = subprocess.run(ask, capture_output=True, text=True, check=True)

    assert f"dormie-server {version('dormie')}\n" == answer.stdout
