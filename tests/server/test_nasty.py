"""Nasty frames and handshakes, against the parts of the shell alone and against the whole house."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.nasty import CASES, ON_THE_WIRE, faults, observe
from tests.wire import Place

ROOT = Path(__file__).resolve().parents[2]
HANDSHAKE_SECONDS = 0.5
SMALL = ("tests.server.small_house", "--handshake-seconds", str(HANDSHAKE_SECONDS))
WHOLE = ("dormie_server", "--host", "127.0.0.1", "--port", "0", "--data", ":memory:")
HOUSES = {"asyncio": SMALL, "uvloop": (*SMALL, "--uvloop"), "the whole house": WHOLE}


@dataclass
class Running:
    place: Place
    pid: int
    diary: Path


@pytest.fixture(scope="module", params=HOUSES)
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """A server in a process of its own, so that its weight and its log are its own."""
    diary = tmp_path_factory.mktemp("nasty") / "diary.jsonl"
    command = [sys.executable, "-m", *HOUSES[request.param]]
    whole = {"HANDSHAKE_SECONDS": str(HANDSHAKE_SECONDS), "LOG_FORMAT": "json"}
    environment = {**os.environ, **{f"DORMIE_{name}": value for name, value in whole.items()}}
    pipe = subprocess.PIPE
    with (
        diary.open("w") as pen,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=pipe, stderr=pen, text=True
        ) as house,
    ):
        assert house.stdout is not None, "it is a pipe"
        port = re.search(r"(\d+)/?$", house.stdout.readline().strip())
        assert port, diary.read_text("utf-8")
        yield Running(Place("127.0.0.1", int(port[1])), house.pid, diary)
        house.terminate()


@pytest.mark.parametrize("name", ON_THE_WIRE, ids=lambda name: f"nasty_{name}")
def test_a_nasty_input_harms_only_itself(running: Running, name: str) -> None:
    case, read = CASES[name], len(running.diary.read_text("utf-8"))
    seen = observe(running.place, case, running.pid)
    diary = running.diary.read_text("utf-8")[read:]

    assert [] == faults(case, seen, diary, HANDSHAKE_SECONDS)
    assert seen.neighbour
    assert "Traceback" not in diary
