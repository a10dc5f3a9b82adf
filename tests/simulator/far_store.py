"""A server's way to the cupboard: it takes time, answers get lost, and sometimes nobody answers.

Asking is a message that travels, what is asked happens at the cupboard in one moment, and the answer
travels back. So a put may have happened though whoever asked is told that the store is unavailable, or
is dead by then. Bells travel, too: late, doubled, overtaking each other, or not at all.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import contextmanager, suppress
from contextvars import Context
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar, Unpack

from dormie_server.store import (
    NO_CARDS,
    NOTHING_KNOWN,
    Beside,
    Conflict,
    Document,
    Note,
    StoreUnavailable,
)
from dormie_server.tail import Ear, Hint, Kept, Tail
from tests.simulator.cupboard import Cupboard
from tests.simulator.machine import HERE, Machine

T = TypeVar("T")
_GONE = StoreUnavailable("the store is gone")


@dataclass
class Way:
    """What may happen between a server and the store; nothing does if nothing is said."""

    luck: Random = field(default_factory=Random)
    latency: float = 0.0
    """Seconds there and back, at most."""
    failing: float = 0.0
    """How often what is asked never arrives."""
    forgetting: float = 0.0
    """How often it is done and the answer is lost."""
    late: float = 0.0
    """How often what nobody has answered is done all the same, when nobody waits for it any longer."""
    latest: float = 5.0
    """Seconds after which that happens, at most."""
    patience: float = 0.5
    """Seconds until a lost answer counts as lost."""
    bell_delay: float = 0.0
    """Seconds that a bell may take at most."""
    bell_loss: float = 0.0
    """How often a bell is never heard."""
    bell_echo: float = 0.0
    """How often it is heard twice."""
    bare: float = 0.0
    """How often it does not carry its note."""
    away: bool = False
    """Whether the store answers nobody."""
    happened: Callable[[str], None] = lambda _: None
    """Who is told of everything that goes wrong on the way."""


class FarStore:
    """`Store`, as one server sees the cupboard."""

    shared = True
    tail_class: type[Tail] = Tail
    ear_class: type[Ear] = Ear

    def __init__(self, cupboard: Cupboard, way: Way | None = None) -> None:
        self.way = way or Way()
        self.machine: Machine | None = HERE.get()
        self.cupboard = cupboard
        self._ears: dict[str, list[Ear]] = {}
        self._closed = False
        cupboard.bells[self] = self._rung

    async def get(self, key: str) -> Document | None:
        return await self._ask(lambda: self.cupboard.get(key))

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        return await self._ask(lambda: self.cupboard.put(key, body, was, **beside))

    def follow(
        self,
        key: str,
        after: int,
        known: Callable[[], int] = NOTHING_KNOWN,  # noqa: ARG002 - everything is said, known or not
    ) -> AsyncIterator[Note]:
        life = self.cupboard.life(key)
        return self._follow(key, after, life.name if life else None)

    async def notes(self, key: str, after: int = 0) -> list[Note]:
        return await self._ask(lambda: self.cupboard.notes(key, after))

    async def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None] = NO_CARDS
    ) -> None:
        await self._ask(lambda: self.cupboard.rewrite(key, notes, shelves))

    async def scrub(self) -> None:
        """What this store forgets is nowhere."""

    async def drop(self, key: str) -> None:
        await self._ask(lambda: self.cupboard.drop(key))

    async def due(self, hold: float) -> list[str]:
        return await self._ask(lambda: self.cupboard.due(hold))

    async def next_due(self) -> float | None:
        return await self._ask(self.cupboard.next_due)

    async def on(self, shelf: str) -> dict[str, bytes]:
        return await self._ask(lambda: self.cupboard.on(shelf))

    async def now(self) -> float:
        """The store's clock; a closed store still has one, and of a dead one it is remembered for a while."""
        if self._closed or self.cupboard.dead:
            return self.cupboard.clock()
        return await self._ask(self.cupboard.clock)

    async def close(self) -> None:
        self._closed = True
        self.cupboard.bells.pop(self, None)
        for ear in [ear for ears in self._ears.values() for ear in ears]:
            ear.end()

    # following

    async def _follow(self, key: str, after: int, life: str | None) -> AsyncIterator[Note]:
        ear = self.ear_class()
        if self._closed:
            ear.end()

        async def read(after: int) -> Kept | None:
            return await self._ask(lambda: self.cupboard.read(key, after))

        tail = self.tail_class(read, ear, after, life)
        with self._listening(key, ear):
            async for note in tail.notes():
                yield note

    @contextmanager
    def _listening(self, key: str, ear: Ear) -> Any:  # a context of nothing
        self._ears.setdefault(key, []).append(ear)
        try:
            yield
        finally:
            self._ears[key].remove(ear)
            if not self._ears[key]:
                del self._ears[key]

    def _rung(self, key: str, hint: Hint) -> None:
        """A bell rings at the cupboard; it may be heard here."""
        way = self.way
        if key not in self._ears or self._hears_nothing(way):
            return
        if way.bare and way.luck.random() < way.bare:
            hint = Hint(hint.life, hint.version, bare=True, ended=hint.ended)
        for _ in range(1 + (way.luck.random() < way.bell_echo)):
            if way.bell_delay:
                delay = way.luck.random() * way.bell_delay
                self._later(delay, lambda: self._hear(key, hint))
            else:
                self._hear(key, hint)

    def _hears_nothing(self, way: Way) -> bool:
        if way.away or (way.bell_loss and way.luck.random() < way.bell_loss):
            way.happened("bell lost")
            return True
        return self._gone

    def _hear(self, key: str, hint: Hint) -> None:
        for ear in self._ears.get(key, ()):
            ear.hear(hint)

    # asking

    @property
    def _gone(self) -> bool:
        return self._closed or (self.machine is not None and self.machine.died)

    async def _ask(self, what: Callable[[], T]) -> T:
        """Have something done at the cupboard. Raises StoreUnavailable when no answer comes."""
        if self._gone:
            raise StoreUnavailable("the store is closed")
        way = self.way
        fate = way.luck.random() if way.failing or way.forgetting else 1.0
        if way.away or self.cupboard.dead or fate < way.failing:
            way.happened("asked in vain")
            self._linger(what)
            await asyncio.sleep(way.patience * way.luck.random())
            raise StoreUnavailable("nobody answered")
        if not way.latency:
            return what()
        return await self._from_afar(what, lost=fate < way.failing + way.forgetting)

    async def _from_afar(self, what: Callable[[], T], *, lost: bool) -> T:
        way = self.way
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def happen() -> None:
            outcome: T | Exception
            try:
                outcome = what() if not self.cupboard.dead else _GONE
            except Exception as error:  # noqa: BLE001 - it is the answer
                outcome = error
            if lost:
                way.happened("answer lost")
                outcome = StoreUnavailable("the answer was lost")
            delay = way.patience if lost else way.latency / 2 * way.luck.random()
            self._later(delay, lambda: _settle(answer, outcome))

        # What travels is no longer on the machine that sent it.
        loop.call_later(way.latency / 2 * way.luck.random(), happen, context=Context())
        return await answer

    def _linger(self, what: Callable[[], object]) -> None:
        """What was asked may still be on its way: a Redis that stood still does it when it goes on."""
        way = self.way
        if not way.late or way.luck.random() >= way.late:
            return

        def happen() -> None:
            if self.cupboard.dead:
                return
            way.happened("done late")
            self.cupboard.doing_late = True
            with suppress(Conflict, StoreUnavailable):
                what()
            self.cupboard.doing_late = False

        delay = way.patience + (way.latest - way.patience) * way.luck.random()
        asyncio.get_running_loop().call_later(delay, happen, context=Context())

    def send(self, what: Callable[[], object]) -> None:
        """Have something done at the cupboard without waiting for it: how it should not be."""

        def happen() -> None:
            with suppress(Conflict, StoreUnavailable):
                what()

        delay = self.way.latency / 2 * self.way.luck.random()
        asyncio.get_running_loop().call_later(delay, happen, context=Context())

    def _later(self, delay: float, what: Callable[[], None]) -> None:
        context = self.machine.context() if self.machine else None
        asyncio.get_running_loop().call_later(delay, what, context=context)


def _settle(answer: "asyncio.Future[T]", outcome: T | Exception) -> None:
    if answer.done():
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
