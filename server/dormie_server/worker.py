"""A process beside the server for what takes a processor longer than others should wait: solving, strong bots.

It is started when it is first needed, does one thing at a time, and is started again if it dies. It knows
nothing of tables: plain values go in, plain values come out, and each wait for it has an end.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

T = TypeVar("T")

WITHIN = 20.0
"""Seconds after which nobody waits for an answer any more."""
MOST_WAITING = 64
"""So many questions at most wait for the process at once."""


class Busy(Exception):
    """The process has too much to do, did not answer in time, or died over the question."""


class Worker:
    """At most one process; ``run`` asks it something."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0

    async def run(self, job: Callable[..., T], *given: object, within: float = WITHIN) -> T:
        """What *job*, a function that has a name of its own in a module, makes of what it is given.

        Raises Busy when there is no answer within so many seconds, and whatever *job* raises.
        """
        if self._waiting >= MOST_WAITING:
            raise Busy("too many questions wait")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(within):
                return await loop.run_in_executor(self._process(), job, *given)
        except BrokenProcessPool:
            self.stop()
            raise Busy("the process died") from None
        except TimeoutError:
            self.stop(kill=True)  # it would keep all others waiting
            raise Busy("no answer in time") from None
        finally:
            self._waiting -= 1

    def stop(self, *, kill: bool = False) -> None:
        """Let the process end, at once with *kill*; what is asked afterwards is asked of a new one."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values()) if kill else []  # noqa: SLF001 - 3.14 has a method for it
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()

    def _process(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned: a fork would take the sockets and the store along.
            how = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=how, initializer=_begin)
        return self._pool


def _begin() -> None:
    """In the process: leave Ctrl-C to the server, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent: Any = multiprocessing.parent_process()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:  # a process of multiprocessing
    parent.join()
    os._exit(0)
