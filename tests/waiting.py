"""Waiting for the thing, not for the time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Result = TypeVar("Result")


async def until(true: Callable[[], bool], within: float = 5.0) -> None:
    """Return as soon as *true* is; fail loudly if that takes too long."""
    async with asyncio.timeout(within):
        while not true():
            await asyncio.sleep(0.002)


async def awaited(what: Awaitable[Result], within: float, why: Callable[[], str]) -> Result:
    """What *what* comes to; if that takes too long, fail and say *why* anybody waited for it.

    *why* is asked while everybody still waits: afterwards nobody would.
    """
    waiting = asyncio.ensure_future(what)
    try:
        done, _ = await asyncio.wait({waiting}, timeout=within)
        if not done:
            raise AssertionError(f"waited {within:.0f} s in vain: {why()}")
        return await waiting
    finally:
        if not waiting.done():
            waiting.cancel()
            await asyncio.wait({waiting})
