"""Bugs planted on purpose: a simulator that does not find them would find no others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Unpack
from unittest.mock import patch

from dormie_rules import patience_board, race
from dormie_rules.game import Deal, Step
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import Board
from dormie_rules.race_hole import deal_hole, move_in_hole
from dormie_rules.race_state import HoleState
from dormie_server import keeper
from dormie_server.documents import Kept, write_pocket
from dormie_server.erasing import Eraser
from dormie_server.gallery import Gallery, Held
from dormie_server.porter import Porter
from dormie_server.seen import Page
from dormie_server.store import Beside
from dormie_server.table.commands import Asked, Command, PlayMove
from dormie_server.table.draft import Change
from dormie_server.table.handle import handle
from dormie_server.table.state import Table, seat_of
from dormie_server.tail import Ear, Hint, Tail
from dormie_server.telling import Telling
from dormie_server.watching import Room
from tests.simulator.plan import Plan, with_dead_deals
from tests.simulator.servers import WatchedFarStore


def _with_devices(plan: Plan) -> Plan:
    """Two servers in fair weather, and people with several devices."""
    evenings = tuple(replace(evening, devices=True) for evening in plan.evenings)
    fair = replace(plan.weather, until=60.0, every=1e9)
    return replace(plan, servers=2, sqlite=False, evenings=evenings, weather=fair)


@dataclass(frozen=True, slots=True)
class Plant:
    """A bug, and where it sits."""

    store: type[WatchedFarStore] = WatchedFarStore
    compares: bool = True
    patches: Callable[[], AbstractContextManager[None]] | None = None
    where: Callable[[Plan], Plan] = lambda plan: plan
    """What a plan is made into, so that what shows it is not rare."""


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


@contextmanager
def _without_notices() -> Iterator[None]:
    """Nobody looks whether a line has to end whose device was forgotten at another server."""

    async def heard(*_: object) -> None:
        pass

    with patch.object(Porter, "_heard", heard):
        yield


@contextmanager
def _half_forgotten() -> Iterator[None]:
    """Whoever is erased is still named in what happened at their tables."""

    async def in_notes(*_: object) -> None:
        pass

    with patch.object(Eraser, "_in_notes", in_notes):
        yield


@contextmanager
def _seeing_rivals() -> Iterator[None]:
    """At a race everybody is sent a rival's board beside the own one."""
    own = Page._own  # noqa: SLF001 - a leak respects nothing

    def leaky(page: Page, seat: int | None) -> bytes:
        kept = page._kept  # noqa: SLF001 - as above
        is_race = kept is not None and kept.table.about.game == "patience" and seat is not None
        pockets = kept.table.state.pockets if kept and is_race else ()
        more = write_pocket(pockets[((seat or 0) + 1) % len(pockets)]) if pockets else b"null"
        return own(page, seat) + b',"more":' + more

    with patch.object(Page, "_own", leaky):
        yield


def _drawn_twice(rules: PatienceRules, state: HoleState, seat: int, move: Any) -> Step[HoleState]:
    """A card is drawn from a stock, and another one."""
    step = move_in_hole(rules, state, seat, move)
    board = step.state.pockets[seat].board
    if not isinstance(move, Draw) or board is None or board.ending or not board.stock:
        return step
    again = move_in_hole(rules, step.state, seat, move)
    return Step(again.state, (*step.events, *again.events))


@contextmanager
def _drawing_twice() -> Iterator[None]:
    with patch.object(race, "move_in_hole", _drawn_twice):
        yield


def _never_over(rules: PatienceRules, playing: Sequence[bool], deal: Deal) -> Step[HoleState]:
    """A hole at which nothing can be done is finished for everybody as it is dealt, and goes on."""
    state = deal_hole(rules, playing, deal).state
    return Step(replace(state, public=replace(state.public, stage="play", shown=None)))


@contextmanager
def _waiting_for_nobody() -> Iterator[None]:
    with patch.object(race, "deal_hole", _never_over):
        yield


def _going_on(rules: PatienceRules, board: Board, ended: Any = patience_board._ended) -> Board:  # noqa: SLF001 - a bug respects nothing
    """Whoever can do nothing but give up is left to find that out."""
    after: Board = ended(rules, board)
    return board if after.ending == "stuck" else after


@contextmanager
def _never_stuck() -> Iterator[None]:
    with patch.object(patience_board, "_ended", _going_on):
        yield


@contextmanager
def _hoping() -> Iterator[None]:
    """Whoever was told of what is lost is told what comes next, as if it followed."""

    def as_before(_rooms: Telling, _code: str, room: Room, kept: Kept, _now: float) -> None:
        room.told, room.chain = kept.table.version, kept.chain

    with patch.object(Telling, "_begin_anew", as_before):
        yield


def _with_losses(plan: Plan) -> Plan:
    """Two servers whose store dies now and then in the middle of a move."""
    return replace(plan, servers=2, sqlite=False, weather=replace(plan.weather, deaths=3.0))


PLANTED: Mapping[str, Plant] = {
    "acknowledge-before-commit": Plant(store=Hasty),
    "no-compare-and-set": Plant(compares=False),
    "no-gap-check": Plant(store=FollowsBlindly),
    "no-position-check": Plant(store=WaitsForBells),
    "no-deduplication": Plant(patches=_without_memory),
    "no-delay": Plant(patches=_impatient),
    "no-notices": Plant(patches=_without_notices, where=_with_devices),
    "half-forgotten": Plant(patches=_half_forgotten),
    "rivals-board": Plant(patches=_seeing_rivals),
    "never-stuck": Plant(patches=_never_stuck),
    "waits-for-nobody": Plant(
        patches=_waiting_for_nobody,
        where=lambda plan: with_dead_deals(plan, Random(f"dormie dead {plan.seed}")),
    ),
    "hopes-for-the-best": Plant(patches=_hoping, where=_with_losses),
    "race-move-twice": Plant(patches=_drawing_twice),
}
