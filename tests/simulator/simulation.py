"""One seed from the first connection to the last record: everything put together, run, and judged."""

import asyncio
import logging
import traceback
from collections.abc import Coroutine, Iterator, MutableMapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, NoReturn

import structlog

from dormie_client import Table
from dormie_rules.replay import verify
from tests.simulator.cupboard import Cupboard
from tests.simulator.echo import Echo
from tests.simulator.loop import VirtualLoop
from tests.simulator.luck import EPOCH, ordained
from tests.simulator.machine import Machine
from tests.simulator.network import Network
from tests.simulator.people import Party, Person
from tests.simulator.plan import Plan, plan_of
from tests.simulator.planted import PLANTED, Plant
from tests.simulator.referee import Referee
from tests.simulator.servers import Server, WatchedFarStore
from tests.simulator.story import Story
from tests.simulator.trace import Trace, Violation
from tests.simulator.weather import Sky

TICK = 0.1
LONGEST = 1500.0
"""Seconds that a table may take to end once nothing goes wrong any more: eighteen holes with two packs, say.

One that waits for nobody is closed for idling only after half an hour."""
SLOW_HOLE = 300.0
"""So much more for each hole beyond nine: whoever plays alone thinks at leisure, and takes moves back."""
TAIL = 25
"""So many lines are shown of a run that failed."""
CATCH_UP = 30.0


class World:
    """All parts of a simulation."""

    def __init__(self, plan: Plan, plant: Plant | None = None) -> None:
        self.plan = plan
        self.seed = f"dormie {plan.seed}"
        self.tick = TICK
        self.loop = VirtualLoop.begin(EPOCH)
        self.trace = Trace(self.passed, lambda: self.loop.steps)
        self.cupboard = Cupboard(self.loop.time)
        self.referee = Referee(self.trace, self.loop.time)
        self.referee.registrar.traces = self.cupboard.naming
        self.network = Network(self.loop, self.seed, self.referee)
        self.store_class: type[WatchedFarStore] = plant.store if plant else WatchedFarStore
        self.cupboard.compares = plant is None or plant.compares
        self.weather = Sky(self)
        self.servers: list[Server] = []
        self.parties: list[Party] = []
        self.echoes: list[Echo] = []
        self.dead: list[Machine] = []
        """Machines that died and are not buried yet."""

    def passed(self) -> float:
        """Seconds since the beginning."""
        return self.loop.time() - EPOCH

    def people(self) -> list[Person]:
        """Everybody who is at a table."""
        return [person for party in self.parties for person in party.people]

    def everybody(self) -> list[Person | Echo]:
        """The same, and those with programs of their own."""
        return [*self.people(), *self.echoes]

    async def run(self) -> None:
        """The whole story."""
        await self.open()
        await self.evening()
        self.referee.off_duty = True  # a rematch may have begun, and nobody goes on with it
        for server in self.servers:
            await server.stop()

    async def open(self) -> None:
        """Start the servers."""
        self.servers = [Server(self, number) for number in range(self.plan.servers)]
        self.loop.call_later(self.tick, self._tick)
        for server in self.servers:
            await server.start()

    async def evening(self) -> None:
        """Let everybody come, play, and go, whatever the weather; and look at the records."""
        self.parties = [Party(self, n, evening) for n, evening in enumerate(self.plan.evenings)]
        self.echoes = [Echo(party) for party in self.parties if party.evening.echo]
        for someone in self.everybody():
            someone.come()
        await self.weather.run()
        for person in self.people():
            if not person.devices and person.is_wanted:
                person.come()
        await self._until(self._all_over, self._longest(), "the matches to end")
        await self._until(self._all_caught_up, CATCH_UP, "everybody to see the end")
        for someone in self.everybody():
            await someone.go()
        self._check_records()
        self.referee.registrar.check_erased()

    def _longest(self) -> float:
        """Seconds that the slowest of these tables may take."""
        evenings = self.plan.evenings
        asleep = sum(e.turn_seconds for e in evenings if e.oversleeps)
        chosen = [e.options or {} for e in evenings]
        slow: float = max(SLOW_HOLE * max(0, one.get("holes", 0) - 9) for one in chosen)
        # Whoever leaves their board alone keeps everybody waiting, until the time of every hole is up.
        clock: float = max(one.get("holes", 0) * one.get("hole_seconds", 0) for one in chosen)
        return LONGEST + asleep + max(slow, clock)

    async def _until(self, true: Any, within: float, what: str) -> None:  # a question
        end = self.loop.time() + within
        while not true():
            await asyncio.sleep(0.25)
            if self.loop.time() > end:
                self.trace.fail(f"waited {within:.0f} s for {what}")
                await asyncio.sleep(0)

    def _all_over(self) -> bool:
        stories = self.referee.stories
        return all(party.code in stories and stories[party.code].over for party in self.parties)

    def _all_caught_up(self) -> bool:
        """Everybody who is there sees what is there."""
        for person in self.people():
            for table in person.tables.values():
                story = self.referee.stories[table.code]
                told = (table.version, table.chain) == (story.head, story.last.note.chain)
                told = told or self._sees_it_late(table, story)
                if not (told or table.closed or table.replaced):
                    return False
        return True

    def _sees_it_late(self, table: Table, story: Story) -> bool:
        """Whether a spectator sees all that is old enough, while others play on."""
        delay = table.about.spectators.delay
        if table.seat is not None or not delay or not 0 < table.version < story.head:
            return False
        return story.at(table.version + 1).at > self.loop.time() - delay - 1.0

    def _check_records(self) -> None:
        """Every match that was won has a record, and every record is right."""
        for code, story in self.referee.stories.items():
            won = {
                chapter.table.about.match
                for chapter in story.chapters
                if any(line.startswith("places ") for line in chapter.note.lines)
            }
            for match in won:
                if f"{code}-{match}" not in self.referee.records:
                    self.trace.fail(f"{code}-{match} was won, and there is no record")
        for name, text in self.referee.records.items():
            verdict = verify(text)
            self.trace.counts["verified"] += verdict.ok
            if not verdict.ok:
                self.trace.fail(f"the record {name} is wrong: {verdict.because}")

    def _tick(self) -> None:
        self.referee.tick()
        self.loop.call_later(self.tick, self._tick)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a seed."""

    plan: Plan
    trace: Trace
    seconds: float
    """Of virtual time."""
    steps: int
    planted: str | None
    moves: int
    lateness: float
    """The latest alarm, in seconds."""

    @property
    def broken(self) -> Violation | None:
        return self.trace.broken

    def report(self, last: int = TAIL) -> str:
        """What went wrong, where, what came before it, and how to see it again."""
        plant = f" --planted {self.planted}" if self.planted else ""
        return "\n".join(
            [
                f"seed {self.plan.seed}: {self.broken or 'every promise was kept'}",
                *(f"    {line}" for line in self.trace.lines(last)),
                f'again: make bench ARGS="simulator --seed {self.plan.seed}{plant}"',
            ]
        )


def simulate(seed: int, planted: str | None = None, plan: Plan | None = None) -> Outcome:
    """Run one seed, perhaps with a planted bug."""
    plant = PLANTED[planted] if planted else None
    plan = plan or plan_of(seed)
    world = World(plant.where(plan) if plant else plan, plant)
    with plant.patches() if plant and plant.patches else nullcontext():
        play(world, world.run())
    return outcome_of(world, planted)


def play(world: World, story: Coroutine[Any, Any, None]) -> None:
    """Run a story in a world of its own; what went wrong is in the world's trace."""
    with ordained(world.seed, world.loop.time), _overheard(world):
        try:
            world.loop.run(_judged(world, story))
        except Violation:
            pass
        except Exception as error:  # noqa: BLE001 - whatever ends a run is told with its seed
            world.trace.fail("".join(traceback.format_exception(error, limit=-6)))
        finally:
            world.loop.close()


def outcome_of(world: World, planted: str | None = None) -> Outcome:
    """What came of a world that has ended."""
    stories = world.referee.stories.values()
    moves = sum(len(chapter.made) for story in stories for chapter in story.chapters)
    late = max(world.referee.lateness, default=0.0)
    world.trace.counts.update(world.referee.registrar.counts)
    steps = world.loop.steps
    return Outcome(world.plan, world.trace, world.passed(), steps, planted, moves, late)


async def _judged(world: World, story: Coroutine[Any, Any, None]) -> None:
    """A story, ended at once by the first promise that is broken."""
    fail = world.trace.fail

    def failed(because: str) -> None:
        fail(because)
        world.loop.failure = world.trace.broken

    world.trace.fail = failed  # type: ignore[method-assign]  # it also ends the run
    await story


@contextmanager
def _overheard(world: World) -> Iterator[None]:
    """What the programs call a mistake of their own is one."""

    def line(_logger: object, level: str, event: MutableMapping[str, Any]) -> NoReturn:
        if level in ("error", "exception", "critical"):
            world.trace.fail(f"the server says {event.get('event')}: {_cause(event)}")
        raise structlog.DropEvent

    def mistake(context: dict[str, Any]) -> None:
        world.trace.fail(f"{context.get('message')}: {context.get('exception')!r}")

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name.startswith("dormie"):
                world.trace.fail(f"{record.name} says {record.getMessage()} {record.exc_info}")

    before, ear, root = structlog.get_config(), Ear(logging.ERROR), logging.getLogger()
    silent = logging.getLogger("websockets")
    was = silent.level
    silent.setLevel(logging.CRITICAL + 1)
    structlog.configure(processors=[line], cache_logger_on_first_use=False)
    root.addHandler(ear)
    world.loop.mistakes = mistake
    try:
        yield
    finally:
        root.removeHandler(ear)
        silent.setLevel(was)
        structlog.configure(**before)


def _cause(event: MutableMapping[str, Any]) -> str:
    return traceback.format_exc(limit=-4) if event.get("exc_info") else str(event)
