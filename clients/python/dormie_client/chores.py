"""Things that go on beside an evening, for as long as it lasts."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Chores:
    """Tasks that somebody looks after: none is forgotten, and none outlives the evening."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()  # of any kind

    def keep(self, job: Coroutine[Any, Any, None]) -> None:
        """Let *job* run; nobody waits for it."""
        self.begin(job).add_done_callback(self._tasks.discard)

    def begin(self, job: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Let *job* run, for one who wants to know what comes of it and says ``done`` then."""
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        return task

    def done(self, task: asyncio.Task[Any]) -> None:
        """Forget a task."""
        self._tasks.discard(task)

    async def end(self) -> None:
        """Stop them all, and wait until they have stopped."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
