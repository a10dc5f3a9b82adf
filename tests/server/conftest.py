"""The tests of what touches sockets run on both event loops: the two differ where it hurts."""

import asyncio
from collections.abc import Callable, Mapping

import pytest
import uvloop

Factory = Callable[[], asyncio.AbstractEventLoop]

ON_BOTH_LOOPS = {"test_guard.py", "test_guard_stuck.py", "test_web.py", "test_web_door.py"}


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Factory]:
    factories: dict[str, Factory] = {"asyncio": asyncio.new_event_loop}
    if item.path.name in ON_BOTH_LOOPS:
        factories["uvloop"] = uvloop.new_event_loop
    return factories
