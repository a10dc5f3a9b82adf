"""What tests of every kind may ask for, and `TESTS_STORE=redis` or `file`: where houses in memory are then."""

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import SimpleNamespace

import pytest
import structlog
from hypothesis import settings

from dormie_client import bot_seat, table
from dormie_server.luck_source import SystemLuck
from tests import serving
from tests.diary import as_before
from tests.evening import CountingLuck
from tests.redis_server import RedisServer, running_redis


@pytest.fixture(autouse=True)
def a_diary_of_ones_own() -> Iterator[None]:
    """A program that a test starts in this process writes down everything on a stream that is soon closed."""
    with as_before():
        yield


# Whoever starts the tests in the background of a script lets everybody inherit that an interrupt means nothing.
signal.signal(signal.SIGINT, signal.default_int_handler)

LUCK = os.environ.get("TESTS_LUCK", "1")
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("other", deadline=None)
settings.load_profile("other" if "TESTS_LUCK" in os.environ else "same")


@pytest.fixture(autouse=True)
def the_same_luck_each_time(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test that fails does so again: its houses, players and bots in this process have luck of its own.

    `TESTS_LUCK=2` gives everybody another one, and Hypothesis examples that nobody has seen.
    """
    houses, players = [
        CountingLuck(f"{LUCK} {who} {request.node.nodeid}") for who in ("houses", "players")
    ]
    monkeypatch.setattr(SystemLuck, "draw", lambda _, size=32: houses.draw(size))
    for program in (table, bot_seat):
        monkeypatch.setattr(program, "os", SimpleNamespace(urandom=players.draw))


@pytest.fixture(scope="session")
def one_redis() -> Iterator[RedisServer]:
    """A Redis for all tests of this process; see `redis` for an empty one."""
    with running_redis("--appendonly", "no") as server:
        yield server


@pytest.fixture
def redis(one_redis: RedisServer) -> RedisServer:
    """A Redis with nothing in it."""
    one_redis.empty()
    return one_redis


WHERE = os.environ.get("TESTS_STORE", "memory")


@pytest.fixture(scope="session", autouse=WHERE != "memory")
def every_house_elsewhere() -> Iterator[None]:
    """Each house that a test opens in memory gets a place of its own instead: `redis` or `file`."""
    # What is written down goes to the real stderr: some tests read what a program says.
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.__stderr__))
    with {"redis": _on_redis, "file": _in_files}[WHERE]() as place:
        serving.ELSEWHERE.append(place)
        yield
        serving.ELSEWHERE.clear()


Place = Callable[[], dict[str, object]]


@contextmanager
def _on_redis() -> Iterator[Place]:
    """A database each, in one Redis."""
    with running_redis("--databases", "20000", "--appendonly", "no") as server:
        numbers = count()
        yield lambda: {"store": f"{server.url}/{next(numbers)}"}


@contextmanager
def _in_files() -> Iterator[Place]:
    """A file each, in a folder each."""
    with tempfile.TemporaryDirectory(prefix="dormie-") as folder:
        numbers = count()
        yield lambda: {"data": f"{folder}/{next(numbers)}/dormie.db"}
