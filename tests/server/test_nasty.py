"""Nasty frames and handshakes, against a server that stands on the parts of the shell alone."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.nasty import CASES, faults, observe
from tests.wire import Place

ROOT = Path(__file__).resolve().parents[2]
HANDSHAKE_SECONDS = 0.5
ON_THE_WIRE = [name for name in CASES if name[0] in "FH" or name == "J20"]


@dataclass
class Running:
    place: Place
    pid: int
    diary: Path


@pytest.fixture(scope="module", params=["asyncio", "uvloop"])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """A server in a process of its own, so that its weight and its log are its own."""
    if request.param == "uvloop":
        pytest.importorskip("uvloop")
    diary = tmp_path_factory.mktemp("nasty") / "diary.jsonl"
    command = [sys.executable, "-m", "tests.server.small_house", "--handshake-seconds"]
    command += [str(HANDSHAKE_SECONDS)]
    command += ["--uvloop"] if request.param == "uvloop" else []
    with (
        diary.open("w") as pen,
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=pen, text=True) as house,
    ):
        assert house.stdout is not None, "it is a pipe"
        port = int(house.stdout.readline())
        yield Running(Place("127.0.0.1", port), house.pid, diary)
        house.terminate()


@pytest.mark.parametrize("name", ON_THE_WIRE, ids=lambda name: f"nasty_{name}")
def test_a_nasty_input_harms_only_itself(running: Running, name: str) -> None:
    case, read = CASES[name], len(running.diary.read_text("utf-8"))
    seen = observe(running.place, case, running.pid)
    diary = running.diary.read_text("utf-8")[read:]

    assert [] == faults(case, seen, diary, HANDSHAKE_SECONDS)
    assert seen.neighbour
    assert "Traceback" not in diary
