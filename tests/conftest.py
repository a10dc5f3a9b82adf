"""What tests of every kind may ask for, and `TESTS_STORE=redis`: houses in memory keep their things there."""

import os
from collections.abc import Iterator
from itertools import count

import pytest

from tests import serving
from tests.redis_server import RedisServer, running_redis


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


@pytest.fixture(scope="session", autouse=os.environ.get("TESTS_STORE") == "redis")
def every_house_on_redis() -> Iterator[None]:
    """Each house that a test opens in memory gets a database of its own in one Redis instead."""
    with running_redis("--databases", "20000", "--appendonly", "no") as server:
        numbers = count()
        serving.ELSEWHERE.append(lambda: f"{server.url}/{next(numbers)}")
        yield
        serving.ELSEWHERE.clear()
