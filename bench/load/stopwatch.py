"""Where a process spends its time, exactly: one clock, and one stage at a time that it runs for.

Whenever a function at a seam is called the clock goes over to its stage, and back when it returns. So
every moment belongs to one stage, and the stages add up. What the stopwatch itself takes is measured
first, on functions that do nothing, and taken off again.
"""

import functools
import inspect
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Generator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, NamedTuple, TypeAlias

Seam: TypeAlias = tuple[str, object, str]
"""A stage, and where one of its functions is: the module or class, and the name."""

OUTSIDE = "outside"
"""The stage of whatever no seam encloses: the event loop."""


class Account(NamedTuple):
    """What a stopwatch has counted so far, in nanoseconds and times."""

    spent: Counter[str]
    entered: Counter[str]
    """How often a stage was gone into."""
    left: Counter[str]
    """How often a stage was interrupted by another one."""

    def __sub__(self, other: "Account") -> "Account":
        """What was counted since *other*."""
        both = zip(self, other, strict=True)
        return Account(*(Counter({k: one[k] - two[k] for k in one}) for one, two in both))

    def without(self, inner: float, outer: float) -> dict[str, float]:
        """What the stages took by themselves; a call costs its own stage *inner*, its caller *outer*."""
        return {
            name: spent - inner * self.entered[name] - outer * self.left[name]
            for name, spent in self.spent.items()
        }


@dataclass(slots=True, eq=False)
class _Stage:
    """One stage's figures, within reach: looking them up would cost more than counting."""

    name: str
    closed: bool = False
    spent: int = 0
    entered: int = 0
    left: int = 0


class Stopwatch:
    """A clock that always runs for one stage."""

    def __init__(self, closed: Collection[str] = ()) -> None:
        """Seams within a *closed* stage are not looked at: whatever it calls is its own."""
        self._closed = frozenset(closed)
        self._now = _Stage(OUTSIDE)
        self._stages = {OUTSIDE: self._now}
        self._since = perf_counter_ns()

    @property
    def counted(self) -> Account:
        """What was counted up to this moment."""
        self.back(self._now)
        stages = self._stages.values()
        return Account(
            Counter({stage.name: stage.spent for stage in stages}),
            Counter({stage.name: stage.entered for stage in stages}),
            Counter({stage.name: stage.left for stage in stages}),
        )

    def stage(self, name: str) -> _Stage:
        """The stage of this name."""
        return self._stages.setdefault(name, _Stage(name, name in self._closed))

    def enter(self, stage: _Stage) -> _Stage:
        """From now on time is *stage*'s; returns the stage to go ``back`` to."""
        before = self._now
        if before.closed:
            stage = before
        before.left += 1
        stage.entered += 1
        now = perf_counter_ns()
        before.spent += now - self._since
        self._now, self._since = stage, now
        return before

    def back(self, stage: _Stage) -> None:
        """The stage before goes on."""
        now = perf_counter_ns()
        self._now.spent += now - self._since
        self._now, self._since = stage, now

    def watch(self, seam: Seam) -> None:
        """Put a function, or a method, that *seam* names under the stopwatch."""
        stage, owner, name = seam
        function = inspect.getattr_static(owner, name)
        wrap = self._slow if inspect.iscoroutinefunction(function) else self._quick
        setattr(owner, name, wrap(self.stage(stage), function))

    def _quick(self, stage: _Stage, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            before = self.enter(stage)
            try:
                return function(*args, **kwargs)
            finally:
                self.back(before)

        return watched

    def _slow(self, stage: _Stage, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            return _Steps(self, stage, function(*args, **kwargs))

        return watched


class _Steps(Coroutine[Any, Any, Any]):
    """A coroutine whose steps are watched, and its waiting is not."""

    def __init__(self, watch: Stopwatch, stage: _Stage, work: Coroutine[Any, Any, Any]) -> None:
        self._watch = watch
        self._stage = stage
        self._work = work

    def send(self, value: Any) -> Any:
        before = self._watch.enter(self._stage)
        try:
            return self._work.send(value)
        finally:
            self._watch.back(before)

    def throw(self, *why: Any) -> Any:
        before = self._watch.enter(self._stage)
        try:
            return self._work.throw(*why)
        finally:
            self._watch.back(before)

    def close(self) -> None:
        self._work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self

    def __iter__(self) -> "_Steps":
        return self

    def __next__(self) -> Any:
        return self.send(None)


def cost(times: int = 1000, tries: int = 100) -> tuple[float, float]:
    """What a watched call costs its own stage and the stage it was called from, in nanoseconds."""
    # Short tries: one that another program has interrupted should be one of many.
    return sorted((_cost(times) for _ in range(tries)), key=sum)[tries // 4]


def _cost(times: int) -> tuple[float, float]:
    watch = Stopwatch()

    class Idle:
        def nothing(self, _value: object) -> None:
            """Do nothing."""

        def call(self) -> None:
            for _ in range(times):
                self.nothing(None)

    began = perf_counter_ns()
    Idle().call()
    bare = perf_counter_ns() - began
    watch.watch(("within", Idle, "nothing"))
    watch.watch(("around", Idle, "call"))
    Idle().call()
    spent = watch.counted.spent
    return spent["within"] / times, (spent["around"] - bare) / times
