"""Waiting for the thing, not for the time."""

import asyncio
from collections.abc import Callable


async def until(true: Callable[[], bool], within: float = 5.0) -> None:
    """Return as soon as *true* is; fail loudly if that takes too long."""
    async with asyncio.timeout(within):
        while not true():
            await asyncio.sleep(0.002)
