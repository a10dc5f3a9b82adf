"""What tests of every kind may ask for."""

from collections.abc import Iterator

import pytest

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
