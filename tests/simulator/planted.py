"""Bugs planted on purpose: a simulator that does not find them would find no others."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Unpack
from unittest.mock import patch

from dormie_server import keeper
from dormie_server.gallery import Gallery, Held
from dormie_server.store import Beside
from dormie_server.table.commands import Asked, Command, PlayMove
from dormie_server.table.draft import Change
from dormie_server.table.handle import handle
from dormie_server.table.state import Table, seat_of
from dormie_server.tail import Ear, Hint, Tail
from tests.simulator.servers import WatchedFarStore


@dataclass(frozen=True, slots=True)
class Plant:
    """A bug, and where it sits."""

    store: type[WatchedFarStore] = WatchedFarStore
    compares: bool = True
    patches: Callable[[], AbstractContextManager[None]] | None = None


class Hasty(WatchedFarStore):
    """A put is acknowledged when it was sent, not when it was done."""

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        def do() -> None:
            version = self.cupboard.put(key, body, was, **beside)
            note, alarm = beside.get("note"), beside.get("alarm")
            self.referee.kept(key, version, body, note, alarm, self.machine)

        self.send(do)
        return was + 1


class NoGapCheck(Tail):
    """Whatever comes next is taken for the next thing."""

    def is_gap(self, version: int) -> bool:  # noqa: ARG002 - so it is
        return False


class Deaf(Ear):
    """Waits for a hint as long as it takes: nobody looks whether the last one was lost."""

    async def next(self, within: float) -> Hint | None:  # noqa: ARG002 - so it is
        return await super().next(1e9)


class FollowsBlindly(WatchedFarStore):
    tail_class = NoGapCheck


class WaitsForBells(WatchedFarStore):
    ear_class = Deaf


def _forgetful(table: Table, command: Command, now: float) -> Change:
    """A command sent twice is done twice."""
    if isinstance(command, PlayMove):
        seat = seat_of(table, command.player)
        who = table.public.seats[seat] if seat is not None else None
        if who is not None and command.count <= who.count:
            command = replace(command, count=who.count + 1)
    if isinstance(command, Asked):
        secret = replace(table.secret, answers=())
        table = replace(table, state=replace(table.state, secret=secret))
    return handle(table, command, now)


@contextmanager
def _without_memory() -> Iterator[None]:
    with patch.object(keeper, "handle", _forgetful):
        yield


def _at_once(gallery: Gallery, now: float, due: Any = Gallery.due) -> list[Held]:
    """Spectators need not wait."""
    held: list[Held] = due(gallery, now + gallery.delay)
    return held


@contextmanager
def _impatient() -> Iterator[None]:
    with patch.object(Gallery, "due", _at_once):
        yield


PLANTED: Mapping[str, Plant] = {
    "acknowledge-before-commit": Plant(store=Hasty),
    "no-compare-and-set": Plant(compares=False),
    "no-gap-check": Plant(store=FollowsBlindly),
    "no-position-check": Plant(store=WaitsForBells),
    "no-deduplication": Plant(patches=_without_memory),
    "no-delay": Plant(patches=_impatient),
}
