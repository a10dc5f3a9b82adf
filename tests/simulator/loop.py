"""An event loop whose time is a number: when there is nothing to do, it is the next timer's moment.

It has no threads, no sockets and no clock. What is ready is done in the order in which it became
ready, and timers of one moment in the order in which they were set, so that a run can be repeated.
"""

import asyncio
import heapq
import sys
from asyncio import AbstractEventLoop, Future, Task, TimerHandle
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakKeyDictionary

from tests.simulator.machine import HERE, Machine

if TYPE_CHECKING:
    from tests.simulator.network import Network, SimulatedServer

T = TypeVar("T")
Anything = Any  # callbacks take whatever they were given

THREAD_SECONDS = 0.001
"""How long a job takes that is given to a thread."""


class Stuck(AssertionError):
    """Everybody waits, and nothing will ever happen again."""


class Call(TimerHandle):
    """Something to be done, at its time, on its machine."""

    __slots__ = ("_at", "_does", "_gone", "_inside", "_told", "machine")

    def __init__(  # the base class would ask a loop of its own kind
        self, at: float, does: Callable[..., object], told: tuple[Anything, ...], inside: Context
    ) -> None:
        self._at = at
        self._does: Callable[..., object] | None = does
        self._told = told
        self._inside = inside
        self._gone = False
        self.machine: Machine | None = inside.get(HERE)

    def __repr__(self) -> str:
        return f"<{self._does} at {self._at}>"

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def cancel(self) -> None:
        self._gone = True
        self._does, self._told = None, ()

    def cancelled(self) -> bool:
        return self._gone

    def when(self) -> float:
        return self._at

    def run(self) -> None:
        if self._does is not None:
            self._inside.run(self._does, *self._told)


class VirtualLoop(AbstractEventLoop):
    """The loop. ``run`` is its whole life."""

    @classmethod
    def begin(cls, start: float = 0.0) -> Self:
        """A new loop, whose time is *start*; what nobody here asks of a loop, it cannot do."""
        return cls(start)

    def __init__(self, start: float = 0.0) -> None:
        self.steps = 0
        """How many calls were made."""
        self.failure: BaseException | None = None
        """What ends the run at once, when somebody sets it."""
        self.network: Network | None = None
        self.mistakes: Callable[[dict[str, Anything]], None] = _raise
        """Who is told of an exception that nobody caught."""
        self._now = start
        self._ready: deque[Call] = deque()
        self._timers: list[tuple[float, int, Call]] = []
        self._homes: WeakKeyDictionary[Task[Anything], Machine] = WeakKeyDictionary()
        self._count = 0
        self._running = False
        self._closed = False

    # time, and what is done in it

    def time(self) -> float:
        return self._now

    def call_soon(  # type: ignore[override]  # a callback may take anything
        self,
        callback: Callable[..., object],
        *args: Anything,
        context: Context | None = None,
    ) -> Call:
        call = Call(self._now, callback, args, copy_context() if context is None else context)
        self._ready.append(call)
        return call

    call_soon_threadsafe = call_soon  # type: ignore[assignment]  # there is one thread

    def call_later(  # type: ignore[override]  # a callback may take anything
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Anything,
        context: Context | None = None,
    ) -> Call:
        return self.call_at(self._now + max(0.0, delay), callback, *args, context=context)

    def call_at(  # type: ignore[override]  # a callback may take anything
        self,
        when: float,
        callback: Callable[..., object],
        *args: Anything,
        context: Context | None = None,
    ) -> Call:
        call = Call(when, callback, args, copy_context() if context is None else context)
        self._count += 1
        heapq.heappush(self._timers, (when, self._count, call))
        return call

    def thaw(self, machine: Machine) -> None:
        """Let a machine go on where it stopped: first what it has missed, in order."""
        machine.state = "running"
        self._ready.extend(machine.waiting)
        machine.waiting.clear()

    async def bury(self, machine: Machine) -> None:
        """Let the tasks of a dead machine come to their end, which nobody will notice."""
        machine.died = True
        self.thaw(machine)
        # What ends may begin something else, which ends in its turn.
        while tasks := [
            task for task in asyncio.all_tasks(self) if self._homes.get(task) is machine
        ]:
            for task in tasks:
                task.cancel()
            await asyncio.sleep(0)
        machine.state = "buried"

    def pending(self) -> int:
        """How many timers are set and not taken back."""
        return sum(not call.cancelled() for _, _, call in self._timers)

    # running

    def run(self, main: Coroutine[Anything, Anything, T]) -> T:
        """Run until *main* is done. Raises Stuck when it never would be, or what ``failure`` says."""
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(finalizer=self._close_generator)
        asyncio._set_running_loop(self)  # noqa: SLF001 - it is there for loops
        self._running = True
        try:
            done = self.create_task(main)
            while not done.done():
                self._step()
                if self.failure is not None:
                    raise self.failure
            return done.result()
        finally:
            self._end()
            self._running = False
            asyncio._set_running_loop(None)  # noqa: SLF001 - as above
            sys.set_asyncgen_hooks(*hooks)

    def _end(self, most: int = 20_000) -> None:
        """Let every task that is left come to its end, so that none is found unfinished later."""
        self.mistakes, self.failure, steps = _ignore, None, self.steps
        for machine in {id(m): m for m in self._homes.values()}.values():
            machine.died = True
            self.thaw(machine)
        while most and (tasks := asyncio.all_tasks(self)):
            for task in tasks:
                task.cancel()
            for _ in range(len(self._ready) + 1):
                most = max(0, most - 1)
                try:
                    self._step()
                except Stuck:
                    most = 0
        self.steps = steps

    def _step(self) -> None:
        if not self._ready:
            self._jump()
        call = self._ready.popleft()
        machine = call.machine
        if machine is not None and machine.state != "running":
            machine.hold(call)
            return
        self.steps += 1
        try:
            call.run()
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
            self.call_exception_handler({"message": f"in {call!r}", "exception": error})

    def _jump(self) -> None:
        """Go to the moment of the next timer."""
        timers = self._timers
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
        if not timers:
            raise Stuck("everybody waits, and no timer is set")
        self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            self._ready.append(heapq.heappop(timers)[2])

    def _close_generator(self, generator: AsyncGenerator[Anything, Anything]) -> None:
        if self._running:
            self.call_soon(self.create_task, generator.aclose())

    # what asyncio and the libraries ask of a loop

    def create_future(self) -> Future[Anything]:
        return Future(loop=self)

    def create_task(
        self,
        coro: Coroutine[Anything, Anything, T] | Generator[Anything, None, T],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> Task[T]:
        task = Task(coro, loop=self, name=name, context=context)
        here = HERE.get() if context is None else context.get(HERE)
        if here is not None:
            self._homes[task] = here
        return task

    def run_in_executor(  # type: ignore[override]  # the base class is no coroutine function either
        self,
        executor: object,  # noqa: ARG002 - no job is done elsewhere
        func: Callable[..., T],
        *args: Anything,
    ) -> Future[T]:
        """The job is done here, a moment later; no thread ever runs beside the loop."""
        asked: Future[T] = self.create_future()

        def work() -> None:
            if asked.done():
                return
            try:
                asked.set_result(func(*args))
            except Exception as error:  # noqa: BLE001 - whoever asked gets it
                asked.set_exception(error)

        self.call_later(THREAD_SECONDS, work)
        return asked

    async def create_server(  # type: ignore[override]  # only what our server asks for
        self,
        protocol_factory: Callable[[], asyncio.Protocol],
        host: str,
        port: int,
        **_: Anything,
    ) -> "SimulatedServer":
        assert self.network is not None, "there is a network"
        return self.network.listen(protocol_factory, host, port)

    async def create_connection(  # type: ignore[override]  # only what our clients ask for
        self,
        protocol_factory: Callable[[], asyncio.Protocol],
        host: str,  # noqa: ARG002 - there is one network, and it is the whole world
        port: int,
        **_: Anything,
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        assert self.network is not None, "there is a network"
        return await self.network.connect(protocol_factory, port)

    def call_exception_handler(self, context: dict[str, Anything]) -> None:
        self.mistakes(context)

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._ready.clear()
        self._timers.clear()
        self._closed = True

    def get_debug(self) -> bool:
        return False


def _ignore(_context: dict[str, Anything]) -> None:
    """When all is over, nobody minds."""


def _raise(context: dict[str, Anything]) -> None:
    raise context.get("exception") or AssertionError(context["message"])
