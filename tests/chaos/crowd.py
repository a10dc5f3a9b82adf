"""People at tables: they play anything legal, match after match, and never give up.

Everybody is an ordinary client of the SDK; one at a table may be `Stubborn` instead. Those of one
table live in one process and write into one ledger.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from dormie_client import ClosedError, Dormie, Pace, RefusedError, Table
from dormie_protocol.messages import Seen
from dormie_rules.grid_moves import write_move
from tests.chaos.ledger import Ledger, Sight, Story
from tests.chaos.stubborn import Stubborn

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
"""A house of chaos lets anybody send as much as they like."""

OVERTAKEN = {"stale", "not_your_turn", "hole_over", "wrong_time", "too_few_players"}
"""Refusals that belong to a game in which everything happens at once."""


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
    think: float = 0.0
    """Everybody thinks for up to so many seconds before a move."""


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
    sessions: list[Dormie] = field(default_factory=list)
    people: list["Person"] = field(default_factory=list)
    stubborn: list[Stubborn] = field(default_factory=list)
    _goes_on: dict[int, bool] = field(default_factory=dict)

    async def play(self) -> None:
        """Sit down and play until the last match is over."""
        people, stubborn = self.people, self.stubborn
        try:
            people.append(await self._open())
            for seat in range(1, self.plan.seats - self.plan.bots):
                if self.plan.stubborn and not stubborn:
                    stubborn.append(self._stubborn(seat))
                else:
                    people.append(await self._join(seat))
            self.seated.set()
            async with asyncio.TaskGroup() as group:
                for person in people:
                    group.create_task(person.live())
                for other in stubborn:
                    group.create_task(other.live())
        except* (ClosedError, RefusedError) as errors:
            self.ledger.surprise(f"{self.code}: somebody gave up: {errors.exceptions}")
        finally:
            self.ledger.surprises += self.story.contradictions()
            self.seated.set()
            for session in self.sessions:
                await session.close()

    @property
    def code(self) -> str:
        """The table's; empty until it is open."""
        return self.story.code

    def goes_on(self, match: int) -> bool:
        """Whether there is another match after this one; everybody at the table decides alike."""
        self.ledger.matches[self.code] = max(match, self.ledger.matches.get(self.code, 0))
        return self._goes_on.setdefault(match, not self.finishing.is_set())

    def waits_for(self) -> str:
        """How the table looks to each of its people."""
        return (
            f"{self.code}: "
            + "; ".join(
                f"{session!r} {person.table!r} {person.table.view.phase}, "
                f"may {person.table.moves}, ready {person.table.awaits_ready()}"
                for session, person in zip(self.sessions, self.people, strict=False)
            )
            + f"; {self.stubborn}"
        )

    def luck(self, seat: int) -> Random:
        return Random(f"{self.plan.number}/{seat}")

    async def _open(self) -> "Person":
        person = Person(self, 0)
        await person.connect()
        table = await person.session.create(
            self.plan.variant,
            size=self.plan.seats,
            options={"holes": self.plan.holes},
            turn_seconds=self.plan.turn_seconds,
            bots=["easy"] * self.plan.bots,
        )
        self.story.code = table.code
        person.sit(table)
        return person

    async def _join(self, seat: int) -> "Person":
        person = Person(self, seat)
        await person.connect()
        person.sit(await person.session.join(self.code))
        return person

    def _stubborn(self, seat: int) -> Stubborn:
        luck, sight = self.luck(seat), Sight(self.ledger, self.story, rough=self.plan.rough)
        return Stubborn(self.url, self.code, sight, luck, self.goes_on, self.pace)


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
        self._asked_again: tuple[int, int] | None = None
        self._state = ""

    async def connect(self) -> None:
        """Begin the session, however long it takes."""
        self.session = await Dormie.connect(
            self._fourball.url, name=self._name, on_state=self._on_state, pace=self._fourball.pace
        )
        self._fourball.sessions.append(self.session)

    def sit(self, table: Table) -> None:
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
            await table.until(self._has_something_to_do)
            if table.view.phase == "over":
                match = table.about.match
                if not self._fourball.goes_on(match):
                    return
                if await self._try_rematch():
                    self._asked_again = (match, self.sight.stories)
            elif table.awaits_ready():
                await self._try_ready()
            else:
                await self._move()

    def _has_something_to_do(self, table: Table) -> bool:
        if table.view.phase == "over":
            return self._asked_again != (table.about.match, self.sight.stories)
        return table.my_turn() or table.awaits_ready()

    async def _move(self) -> None:
        await asyncio.sleep(self._luck.random() * self._fourball.plan.think)
        table = self.table
        if not table.my_turn() or table.seat is None:
            return
        look, story = table.look(), self.sight.stories
        count, move = _count(look) + 1, self._luck.choice(look.moves)
        self._ledger.card(table.code, table.seat).ask(count, move)
        try:
            await table.play(move, on=look)
        except RefusedError as no:
            self._refused(no)
            return
        if story == self.sight.stories:
            self._ledger.acknowledge(table.code, table.seat, count, write_move(move))
        else:  # acknowledged, and taken back before that could be written down
            self._ledger.card(table.code, table.seat).taken_back += 1

    async def _try_ready(self) -> None:
        try:
            await self.table.ready()
        except RefusedError as no:
            self._refused(no)
            await asyncio.sleep(0.2)

    async def _try_rematch(self) -> bool:
        """Ask for another match; who is alone at the table for a moment has to ask again."""
        try:
            await self.table.rematch()
        except RefusedError as no:
            self._refused(no)
            await asyncio.sleep(0.2)
            return False
        return True

    def _refused(self, no: RefusedError) -> None:
        self._ledger.refuse(no.word)
        if no.word not in OVERTAKEN:
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
