"""A table in memory for one player in front of a terminal: the real rules, and a house that answers at once.

The others are bots of little ambition: they turn their first cards up, then draw and throw away.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dormie_client.errors import ClosedError, RefusedError
from dormie_client.updates import Summary
from dormie_protocol.games import Move
from dormie_protocol.messages import Heard, Seen
from dormie_protocol.table_view import (
    About,
    BecameReady,
    Closed,
    Joined,
    LeftTable,
    LinkShown,
    MatchBegan,
    Phase,
    Seat,
    TablePublic,
)
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseState
from dormie_rules.drawers import hear, look
from dormie_rules.game import Deal, IllegalMove, Step, act
from dormie_rules.grid_moves import Flip, GridMove
from dormie_rules.grid_options import choose
from dormie_rules.luck import shuffle
from dormie_rules.variants import find
from tests.clients.fake_words import FakeWords
from tests.grid_only import grid_move

CODE = "PARTEE23"
LINK = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


@dataclass
class FakeTable(FakeWords):
    """One table, one player in seat 0 (or a spectator), and bots."""

    names: tuple[str, ...] = ("Ada", "Birdie")
    seat: int | None = 0
    variant: str = "six_card"
    options: dict[str, Any] = field(default_factory=lambda: {"holes": 1})  # any JSON
    deadline: float | None = None
    phase: Phase = "lobby"
    version: int = 0
    replaced: bool = False
    asked: list[str] = field(default_factory=list)
    """What was asked of the table, in words."""
    refuse: dict[str, RefusedError] = field(default_factory=dict)
    """What the house says to the first request of a kind."""
    answers: asyncio.Event | None = None
    """When the house begins to answer; None for at once."""
    late: int = 0
    """How much later than its answer a change can be seen, in rounds of the loop."""
    over: Exception | None = None
    let_others_play: bool = True
    _heard: asyncio.Queue[Seen | None] = field(default_factory=asyncio.Queue)
    _state: CourseState | None = None
    _ready: bool = False
    _empty: int = 0
    """So many of the last seats are free."""

    last: Seen | None = None
    """What was seen last."""

    def __post_init__(self) -> None:
        super().__post_init__()
        rules = choose(find(self.variant), self.options, len(self.names))
        size, seconds = len(self.names), 60.0
        self.about = About(CODE, "grid", self.variant, self.options, rules, size, seconds)
        self.course = GridCourse(rules, size)
        self.tell()

    @property
    def code(self) -> str:
        return CODE

    @property
    def view(self) -> TablePublic:
        taken = len(self.names) - self._empty
        seats = tuple(
            Seat(name, None if at == 0 else "easy", ready=self._ready if at == 0 else True)
            if at < taken
            else None
            for at, name in enumerate(self.names)
        )
        match = self._state.public if self._state else None
        return TablePublic(self.phase, seats, 0, self.deadline, match)

    def tell(self, *heard: Heard, **how: Any) -> None:  # fields of Seen
        """Let the player see a change."""
        playing = self._state is not None and self.phase == "playing" and self.seat is not None
        view = look(self._state, self.seat) if self._state else None
        seen = Seen(
            table=CODE,
            after=self.version,
            version=self.version + 1,
            chain="",
            now=0.0,
            events=heard,
            seat=self.seat,
            view=self.view,
            pocket=view.pocket if view else None,
            moves=self.course.moves(view) if playing and view else (),
        )
        self.version += 1
        self.last = seen
        self._heard.put_nowait(seen.model_copy(update=how))

    async def updates(self) -> AsyncIterator[Seen]:
        while (seen := await self._heard.get()) is not None:
            for _ in range(self.late):
                await asyncio.sleep(0)
            yield seen

    async def until(self, predicate: Callable[[Any], bool]) -> None:
        del predicate  # there is nothing to wait for any more
        raise self.over or ClosedError("The session was closed.")

    async def play(self, move: Move, *, on: Seen | None = None) -> None:
        assert on is not None, "whoever took time to think says what they looked at"
        await self._take("play")
        assert self._state is not None
        try:
            self._follow(act(self.course, self._state, 0, grid_move(move)))
        except IllegalMove as illegal:
            raise RefusedError(illegal.word, illegal.word) from None
        self._let_others_play()

    async def ready(self) -> None:
        await self._take("ready")
        if self.phase not in ("lobby", "starting", "between"):
            raise RefusedError("wrong_time", "Not now.")
        self._ready = True
        self.tell(Heard(all=BecameReady(0)))
        if self.phase != "between":
            self._state = self.course.start(dealer=len(self.names) - 1)
            self.tell(Heard(all=MatchBegan((None,) * len(self.names))))
        self._deal()

    async def start(self) -> None:
        await self._take("start")
        self.phase = "starting"
        self.tell()

    async def bot(self, level: str | None, seat: int | None = None) -> None:
        await self._take(f"bot {level} {seat}")
        self._empty -= 1
        at = len(self.names) - self._empty - 1
        self.tell(Heard(all=Joined(at, self.names[at], level)))

    async def leave(self) -> None:
        await self._take("leave")
        self.tell(Heard(all=LeftTable(0, self.names[0])))

    async def end(self) -> None:
        await self._take("end")
        self.close()

    async def rematch(self) -> None:
        await self._take("rematch")
        self._ready = True
        self.tell(Heard(all=BecameReady(0)))

    async def take_back(self) -> None:
        await self._take("take_back")
        self.replaced = False
        self.tell()

    def let_answer(self) -> None:
        """Answer from now on."""
        assert self.answers is not None, "somebody is kept waiting"
        self.answers.set()

    def free(self, seats: int) -> None:
        """Nobody has taken the last *seats* yet."""
        self._empty = seats
        self.tell()

    def miss(self, events: int) -> None:
        """So much happened that one summary stands for it."""
        self.tell()
        seen = self._heard.get_nowait()
        later: list[Seen | None] = [seen]
        while not self._heard.empty():
            later.append(self._heard.get_nowait())
        last = later.pop()
        assert last is not None, "the table is open"
        summary = Summary.model_construct(**dict(last), missed=events)
        for one in (*later, summary):
            self._heard.put_nowait(one)

    def close(self) -> None:
        """The host closes the table."""
        self.phase = "closed"
        self.tell(Heard(all=Closed("host")))
        self._heard.put_nowait(None)

    def lose(self, why: Exception) -> None:
        """The session is over."""
        self.over = why
        self._heard.put_nowait(None)

    async def _take(self, what: str) -> None:
        self.asked.append(what)
        if self.answers:
            await self.answers.wait()
        if what in self.refuse:
            raise self.refuse.pop(what)

    def _deal(self) -> None:
        assert self._state is not None
        self.phase, self._ready = "playing", False
        seed = bytes([self._state.public.hole]) * 32
        pack = shuffle(seed, self.course.pack(self._state))
        self._follow(self.course.deal(self._state, Deal(pack, seed)))
        self._let_others_play()

    def _let_others_play(self) -> None:
        """Whoever comes before the player does what takes least thought."""
        while (
            self.let_others_play
            and self._state
            and (waiting := self.course.waiting_for(self._state))
        ):
            seat = waiting[-1] if waiting[0] == 0 else waiting[0]
            if seat == 0:
                return
            self._follow(act(self.course, self._state, seat, self._thoughtless(seat)))

    def _thoughtless(self, seat: int) -> GridMove:
        assert self._state is not None
        view = look(self._state, seat)
        flips = [move for move in self.course.moves(view) if isinstance(move, Flip)]
        setting_up = view.public.play is not None and view.public.play.stage == "setup"
        return flips[0] if setting_up else self.course.default(view)

    def _follow(self, step: Step[CourseState]) -> None:
        self._state = step.state
        match = step.state.public
        heard = [
            Heard(all=public, mine=mine)
            for public, mine in (hear(event, self.seat) for event in step.events)
        ]
        if match.play and match.play.stage == "over":
            self.phase = "over" if match.places else "between"
            heard.append(Heard(all=LinkShown(match.hole, LINK)))
        self.tell(*heard)

    def rename(self, seat: int, name: str) -> None:
        """Give somebody another name, as a stranger may choose one."""
        names = list(self.names)
        names[seat] = name
        self.names = tuple(names)
        self.about = replace(self.about)
