"""People at tables: they play anything legal, match after match, and never give up.

Everybody is an ordinary client of the SDK; one at a table may be `Stubborn` instead. Those of one
table live in one process and write into one ledger.
"""

import asyncio
import time
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dormie_client import ClosedError, Dormie, Pace, RefusedError, Table
from dormie_client.errors import TRY_AGAIN
from dormie_protocol.messages import Seen
from dormie_rules.grid_moves import write_move
from tests.chaos.ledger import Ledger, Sight, Story
from tests.chaos.stubborn import OVERTAKEN, Stubborn
from tests.grid_only import grid_move
from tests.simulator.company import mingle
from tests.waiting import Result, awaited

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
"""A house of chaos lets anybody send as much as they like."""

STUCK = 180.0
"""Nobody at a table waits longer than this for any one thing, in whatever weather."""


@dataclass(frozen=True)
class Plan:
    """What kind of table it is."""

    number: int
    variant: str = "six_card"
    seats: int = 4
    bots: int = 0
    """So many of the seats are played by the house."""
    stubborn: bool = False
    """One of the people says everything several times."""
    rough: bool = False
    """Its people come through the proxy."""
    holes: int = 3
    turn_seconds: int = 60
    company: bool = False
    """People talk, rule, pause and take moves back, at a table that asks for a password."""
    think: float = 0.0
    """Everybody thinks for up to so many seconds before a move."""
    far_store: bool = False
    """What the house writes into may be away for a while, and then it says so."""


@dataclass
class Fourball:
    """The people of one table."""

    plan: Plan
    url: str
    ledger: Ledger
    finishing: asyncio.Event
    """Once it is set, nobody begins another match."""
    pace: Pace = FAST
    story: Story = field(default_factory=lambda: Story(""))
    seated: asyncio.Event = field(default_factory=asyncio.Event)
    people: list["Person"] = field(default_factory=list)
    stubborn: list[Stubborn] = field(default_factory=list)
    _goes_on: dict[int, bool] = field(default_factory=dict)

    async def play(self) -> None:
        """Sit down and play until the last match is over."""
        people, stubborn = self.people, self.stubborn
        try:
            await self._open()
            for seat in range(1, self.plan.seats - self.plan.bots):
                if self.plan.stubborn and not stubborn:
                    stubborn.append(self._stubborn(seat))
                else:
                    await self._join(seat)
            async with asyncio.TaskGroup() as group:
                for person in people:
                    group.create_task(person.live())
                for other in stubborn:
                    group.create_task(other.live())
                    await awaited(other.seated.wait(), STUCK, self.waits_for)
                self.seated.set()
        except* (ClosedError, RefusedError, AssertionError) as errors:
            self.ledger.surprise(f"{self.code}: somebody gave up: {errors.exceptions}")
        finally:
            self.ledger.surprises += self.story.contradictions()
            self.seated.set()
            for person in people:
                await person.leave()

    @property
    def code(self) -> str:
        """The table's; empty until it is open."""
        return self.story.code

    @property
    def key(self) -> str | None:
        """What one has to know to come in."""
        return f"birdie {self.plan.number}" if self.plan.company else None

    @property
    def manners(self) -> dict[str, Any]:
        """What is agreed on at the table besides the game."""
        clock = {"pause_seconds": 10}
        return {"password": self.key, "undo": True, "clock": clock} if self.plan.company else {}

    def goes_on(self, match: int) -> bool:
        """Whether there is another match after this one; everybody at the table decides alike."""
        self.ledger.matches[self.code] = max(match, self.ledger.matches.get(self.code, 0))
        return self._goes_on.setdefault(match, not self.finishing.is_set())

    def waits_for(self) -> str:
        """What each of its people waits for, and how the table looks to them."""
        return "\n    ".join([f"table {self.code}:", *map(repr, (*self.people, *self.stubborn))])

    def luck(self, seat: int) -> Random:
        return Random(f"{self.plan.number}/{seat}")

    async def _open(self) -> None:
        person = Person(self, 0)
        self.people.append(person)
        await person.open()

    async def _join(self, seat: int) -> None:
        person = Person(self, seat)
        self.people.append(person)
        await person.join()

    def _stubborn(self, seat: int) -> Stubborn:
        luck, sight = self.luck(seat), Sight(self.ledger, self.story, rough=self.plan.rough)
        return Stubborn(self.url, self.code, sight, luck, self.goes_on, self.pace, self.key)


class Person:
    """One client of the SDK, which does the reconnecting, resuming and sending again."""

    session: Dormie
    table: Table
    sight: Sight

    def __init__(self, fourball: Fourball, number: int) -> None:
        self._fourball = fourball
        self._ledger = fourball.ledger
        self._luck = fourball.luck(number)
        self._name = f"P{number}"
        self._state = "not connected"
        self._waits_for = "nothing"

    def __repr__(self) -> str:
        """Who it is, how far it has come, and what it waits for."""
        told = f"{self._name} waits for {self._waits_for}; its session: {self._state}"
        if not hasattr(self, "sight"):
            return f"<{told}, no seat yet>"
        table = self.table
        return (
            f"<{told}, {table!r}, {table.view.phase}, may {table.moves}, "
            f"ready {table.awaits_ready()}, replaced {table.replaced}, closed {table.closed}>"
        )

    async def open(self) -> None:
        """Begin a session, and open the table."""
        await self._connect()
        plan = self._fourball.plan
        creating = self.session.create(
            plan.variant,
            size=plan.seats,
            options={"holes": plan.holes},
            turn_seconds=plan.turn_seconds,
            bots=["easy"] * plan.bots,
            **self._fourball.manners,
        )
        table = await self._wait(creating, "a table")
        self._fourball.story.code = table.code
        self._sit(table)

    async def join(self) -> None:
        """Begin a session, and take a seat."""
        await self._connect()
        joining = self.session.join(self._fourball.code, password=self._fourball.key)
        self._sit(await self._wait(joining, "a seat"))

    async def leave(self) -> None:
        """End the session."""
        if hasattr(self, "session"):
            await self._wait(self.session.close(), "the end of the session")

    async def _connect(self) -> None:
        connecting = Dormie.connect(
            self._fourball.url, name=self._name, on_state=self._on_state, pace=self._fourball.pace
        )
        self.session = await self._wait(connecting, "a first connection")

    async def _wait(self, what: Awaitable[Result], name: str) -> Result:
        self._waits_for = name
        try:
            return await awaited(what, STUCK, self._fourball.waits_for)
        finally:
            self._waits_for = "nothing"

    def _sit(self, table: Table) -> None:
        self.table = table
        self.sight = Sight(self._ledger, self._fourball.story, rough=self._fourball.plan.rough)
        if self._state == "reconnecting":
            self.sight.away(time.monotonic())

    async def live(self) -> None:
        """Play, and write down what is seen meanwhile."""
        watching = asyncio.create_task(self._watch())
        try:
            await self._play()
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    async def _watch(self) -> None:
        async for seen in self.table.updates():
            self.sight.look(seen, time.monotonic())

    async def _play(self) -> None:
        table = self.table
        while True:
            await self._wait(table.until(self._has_something_to_do), "something to do")
            if table.seat is None:
                self._ledger.left_out += 1
                return
            if table.view.phase == "over":
                if not self._fourball.goes_on(table.about.match):
                    return
                await self._try(table.rematch(), "the answer to a rematch")
            elif table.awaits_ready():
                await self._try(table.ready(), "the answer to ready")
            elif self._is_asked(table):
                await self._try(table.agree(yes=self._luck.random() < 0.9), "the answer to agree")
            else:
                await self._move()

    def _is_asked(self, table: Table) -> bool:
        """Whether the others want something that needs this person's consent."""
        ask = table.clocks.ask if self._fourball.plan.company else None
        return ask is not None and table.seat not in ask.agreed and table.view.phase == "playing"

    def _has_something_to_do(self, table: Table) -> bool:
        if table.view.phase == "over":  # whoever has asked for a rematch is ready for it
            mine = table.view.seats[table.seat] if table.seat is not None else None
            return mine is None or not mine.ready
        if self._fourball.plan.company and table.clocks.pause is not None:
            return table.seat is None
        return (
            table.seat is None or table.my_turn() or table.awaits_ready() or self._is_asked(table)
        )

    async def _move(self) -> None:
        await asyncio.sleep(self._luck.random() * self._fourball.plan.think)
        table = self.table
        if self._fourball.plan.company:
            await self._aside()
        if not table.my_turn() or table.seat is None:
            return
        look, story = table.look(), self.sight.stories
        count, move = _count(look) + 1, grid_move(self._luck.choice(look.moves))
        self._ledger.card(table.code, self._name).ask(count, move)
        try:
            await self._wait(table.play(move, on=look), f"the answer to move {count}")
        except RefusedError as no:
            self._refused(no)
            return
        if story == self.sight.stories:
            self._ledger.acknowledge(table.code, self._name, count, write_move(move))
        else:  # acknowledged, and taken back before that could be written down
            self._ledger.card(table.code, self._name).taken_back += 1

    async def _aside(self) -> None:
        """Something that is not the game, now and then; what is refused then is nobody's loss."""
        luck, table = self._luck, self.table
        asides: list[Awaitable[object]] = [mingle(luck, table, kicks=False)]
        if luck.random() < 0.02:
            asides.append(table.pause(1))
        if luck.random() < 0.05:
            asides.append(table.undo())
        for aside in asides:
            try:
                await self._wait(aside, "the answer to something else")
            except RefusedError as no:
                self._ledger.refuse(no.word)

    async def _try(self, asking: Awaitable[None], name: str) -> None:
        """Ask; whoever is too early, or alone at the table for a moment, has to ask again."""
        try:
            await self._wait(asking, name)
        except RefusedError as no:
            self._refused(no)
            await asyncio.sleep(0.2)

    def _refused(self, no: RefusedError) -> None:
        self._ledger.refuse(no.word)
        soft = OVERTAKEN | {"not_seated"}  # which is looked into at the end
        if self._fourball.plan.company:
            soft |= {"paused", "nothing_asked"}
        if no.word not in soft and not (self._fourball.plan.far_store and no.word in TRY_AGAIN):
            self._ledger.surprise(f"{self.table.code}: refused with {no.word}: {no}")

    def _on_state(self, state: str) -> None:
        self._state = state
        if not hasattr(self, "sight"):
            return
        if state == "reconnecting":
            self.sight.away(time.monotonic())
        elif state == "connected":
            self.sight.back()


def _count(look: Seen) -> int:
    assert look.view is not None, "whoever plays has seen the table"
    assert look.seat is not None, "and has a seat"
    seat = look.view.seats[look.seat]
    return seat.count if seat else 0


@dataclass
class Crowd:
    """Many tables in one process."""

    url: str
    rough_url: str
    """The proxy's address, for tables whose plan is rough."""
    plans: list[Plan]
    pace: Pace = FAST
    ledger: Ledger = field(default_factory=Ledger)
    finishing: asyncio.Event = field(default_factory=asyncio.Event)
    tables: list[Fourball] = field(default_factory=list)

    async def play(self) -> None:
        """Play at all tables until `finishing` is set and every match has ended."""
        for plan in self.plans:
            url = self.rough_url if plan.rough else self.url
            self.tables.append(Fourball(plan, url, self.ledger, self.finishing, self.pace))
        await asyncio.gather(*(table.play() for table in self.tables))

    def waits_for(self) -> str:
        """What every table waits for, to be read by whoever asks why nothing moves."""
        return "\n".join(table.waits_for() for table in self.tables)

    async def all_seated(self) -> None:
        """Return when everybody has a seat."""
        while len(self.tables) < len(self.plans):
            await asyncio.sleep(0)
        await asyncio.gather(*(table.seated.wait() for table in self.tables))
