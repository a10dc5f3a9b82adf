"""A house over real sockets, and terminals at which people come to it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from dormie_server.app import App
from tests.serving import serving
from tests.terminals import Sit, Terminal, terminal


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


@pytest.fixture
async def sit(house: App, tmp_path: Path) -> AsyncIterator[Sit]:
    """Starts a terminal of somebody, with the house's address before what else is said."""
    async with AsyncExitStack() as stack:

        async def sit(name: str, *argv: str, where: str = "") -> Terminal:
            said = (where or f"http://127.0.0.1:{house.port}", "--letters", *argv)
            return await stack.enter_async_context(terminal(name, tmp_path, *said))

        yield sit
