"""People at tables: they play anything legal, match after match, and never give up.

Everybody is an ordinary client of the SDK; one at a table may be `Stubborn` instead. Those of one
table live in one process and write into one ledger.
"""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from dormie_client import ClosedError, Pace, RefusedError
from tests.chaos.ledger import Ledger, Sight, Story
from tests.chaos.person import STUCK, Person
from tests.chaos.plan import Plan
from tests.chaos.stubborn import Stubborn
from tests.chaos.watcher import Watcher
from tests.waiting import awaited

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
"""A house of chaos lets anybody send as much as they like."""


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
    people: list[Person] = field(default_factory=list)
    stubborn: list[Stubborn] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)
    kicking: int = 0
    """How many are just asking that somebody be sent away."""
    kicked: bool = False
    """Whether the one whom the plan has chosen was sent away for good."""
    _goes_on: dict[int, bool] = field(default_factory=dict)

    async def play(self) -> None:
        """Sit down and play until the last match is over."""
        people, stubborn = self.people, self.stubborn
        watching = list[asyncio.Task[None]]()
        try:
            await self._open()
            for seat in range(1, self.plan.seats - self.plan.bots):
                if self.plan.stubborn and not stubborn:
                    stubborn.append(self._stubborn(seat))
                else:
                    await self._join(seat)
            self.watchers += [Watcher(self, number) for number in range(self.plan.watchers)]
            watching += [asyncio.create_task(watcher.live()) for watcher in self.watchers]
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
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
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
        plan = self.plan
        manners: dict[str, Any] = {"clock": plan.clock} if plan.clock else {}
        if plan.company:
            manners |= {"password": self.key, "undo": True}
        if plan.delay:
            manners["spectators"] = {"delay": plan.delay}
        return manners

    @property
    def lout(self) -> Person | None:
        """Whom the host sends away: the last one, where there is one to spare."""
        return self.people[-1] if self.plan.kicks and len(self.people) > 2 else None

    @property
    def vanishing(self) -> Person | None:
        """Who asks the house to be forgotten: the last but one."""
        return self.people[-2] if self.plan.erases and len(self.people) > 2 else None

    def alone(self) -> bool:
        """Whether so many have gone that nobody is left to play with."""
        stayed = sum(not one.gone for one in self.people)
        return stayed + len(self.stubborn) + self.plan.bots < 2

    def goes_on(self, match: int) -> bool:
        """Whether there is another match after this one; everybody at the table decides alike."""
        self.ledger.matches[self.code] = max(match, self.ledger.matches.get(self.code, 0))
        more = not self.finishing.is_set() and not self.plan.quick
        return self._goes_on.setdefault(match, more)

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
        last_but_one = self.plan.erases and seat == self.plan.seats - self.plan.bots - 2
        name = f"Vera{self.luck(seat).getrandbits(48):012x}" if last_but_one else None
        person = Person(self, seat, name)
        self.people.append(person)
        await person.join()

    def _stubborn(self, seat: int) -> Stubborn:
        luck, sight = self.luck(seat), Sight(self.ledger, self.story, rough=self.plan.rough)
        race = self.plan.race
        return Stubborn(
            self.url, self.code, sight, luck, self.goes_on, self.pace, self.key, race=race
        )


@dataclass
class Chance:
    """People who do not know each other: any table for two will do, for a hole or so, and then another one.

    The house brings them together, and however often it dies in between, nobody sits at two tables or twice
    at one.
    """

    plan: Plan
    url: str
    ledger: Ledger
    finishing: asyncio.Event
    pace: Pace = FAST
    seated: asyncio.Event = field(default_factory=asyncio.Event)
    people: list[Person] = field(default_factory=list)
    stubborn: list[Stubborn] = field(default_factory=list)
    _tables: dict[str, Fourball] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """There is none that is known to anybody before they sit there."""
        return ""

    async def play(self) -> None:
        """Play with whoever comes until `finishing` is set."""
        hall = self._fourball("")
        self.people += [Person(hall, at, f"Quinn{at}") for at in range(self.plan.seats)]
        try:
            async with asyncio.TaskGroup() as group:
                for person in self.people:
                    group.create_task(self._evening(person))
        except* (ClosedError, RefusedError, AssertionError) as errors:
            self.ledger.surprise(f"by chance: somebody gave up: {errors.exceptions}")
        finally:
            for fourball in self._tables.values():
                self.ledger.surprises += fourball.story.contradictions()
            self.seated.set()
            for person in self.people:
                await person.leave()

    def waits_for(self) -> str:
        """What each of its people waits for."""
        return "\n    ".join(["by chance:", *map(repr, self.people)])

    async def _evening(self, person: Person) -> None:
        await person.connect()
        while not self.finishing.is_set():
            asking = partial(person.session.quick, self.plan.variant, 2)
            table = await person.insist(asking, "a seat anywhere")
            person.fourball = self._tables.setdefault(table.code, self._fourball(table.code))
            person.fourball.people.append(person)
            person.gone = False
            person.sit(table)
            self.judge(person)
            self.seated.set()
            await person.live()

    def judge(self, person: Person) -> None:
        """Nobody sits anywhere twice, and nobody is there who has not asked for it."""
        names = [seat.name for seat in person.table.view.seats if seat is not None]
        known = {other.name for other in self.people}
        if len(names) > 2 or len(names) != len(set(names)) or not known.issuperset(names):
            self.ledger.surprise(f"{person.table.code}: by chance there are {names}")
        self.ledger.deed("seats found by quick match")

    def _fourball(self, code: str) -> Fourball:
        fourball = Fourball(self.plan, self.url, self.ledger, self.finishing, self.pace)
        fourball.story.code = code
        fourball.seated = self.seated
        return fourball


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
    tables: list[Fourball | Chance] = field(default_factory=list)

    async def play(self) -> None:
        """Play at all tables until `finishing` is set and every match has ended."""
        for plan in self.plans:
            url = self.rough_url if plan.rough else self.url
            kind = Chance if plan.quick else Fourball
            self.tables.append(kind(plan, url, self.ledger, self.finishing, self.pace))
        await asyncio.gather(*(table.play() for table in self.tables))

    def waits_for(self) -> str:
        """What every table waits for, to be read by whoever asks why nothing moves."""
        return "\n".join(table.waits_for() for table in self.tables)

    async def all_seated(self) -> None:
        """Return when everybody has a seat."""
        while len(self.tables) < len(self.plans):
            await asyncio.sleep(0)
        await asyncio.gather(*(table.seated.wait() for table in self.tables))
