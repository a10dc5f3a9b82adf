"""A house under attack: a whole server, honest people at its tables, and eyes on everything that happens."""

import asyncio
import gc
import io
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from dormie_rules.variants import find, names
from dormie_server.app import App
from dormie_server.config import read_settings
from dormie_server.table.draft import Change
from tests.diary import diary
from tests.evening import CountingLuck
from tests.fuzz.honest import Person
from tests.fuzz.lexicon import Lexicon
from tests.fuzz.line import MemoryLine, OpenLoop
from tests.fuzz.tables import Watched
from tests.server.at_once import AtOnce
from tests.server.leak_scan import LeakScan

FOR_EVER = 1e6
PATIENT: dict[str, object] = {
    "host": "127.0.0.1",
    "port": 0,
    "synchronous": "NORMAL",
    "turn_seconds": 3600,
    "bot_seconds": 0,
    "tables_per_player": 4,
    "ping_seconds": 3600,
    "hello_seconds": 1,
    "handshake_seconds": 1,
    "close_seconds": 0.2,
    "drain_seconds": 1,
    **dict.fromkeys(("pause_seconds", "gather_seconds", "lobby_seconds", "idle_seconds"), FOR_EVER),
}
"""A house in which nothing happens because of the time."""
OPEN_HANDED: dict[str, object] = {
    "messages_per_second": 1e6,
    "messages_at_once": 1e6,
    "strikes": 400,
    "sockets_per_address": 1000,
    "code_misses_per_address": 200,
    "code_misses": 20_000,
    "token_misses_per_address": 200,
    "guests_per_minute": 1e6,
    "guests_at_once": 1e6,
    "creations_per_minute": 1e6,
    "creations_at_once": 1e6,
}
"""Limits that are seldom reached, so that what lies behind them is."""
STRICT: dict[str, object] = {
    name: value for name, value in OPEN_HANDED.items() if name.startswith(("sockets", "guests"))
}
"""The usual limits, but for how many come from one machine."""

PHASES = ("lobby", "starting", "setup", "turn", "between", "over", "closed")
"""Of the tables that stand as they are while a house is attacked."""


@dataclass
class House:
    """The server and everything that is known about it."""

    app: App
    loop: OpenLoop
    luck: Random
    pages: io.StringIO
    """What the house writes down."""
    scan: LeakScan = field(default_factory=LeakScan)
    watched: dict[str, Watched] = field(default_factory=dict)
    standing: list[Watched] = field(default_factory=list)
    mixed: list[Watched] = field(default_factory=list)
    """Tables at which an attacker has a seat."""
    attackers: dict[str, str] = field(default_factory=dict)
    """Those who sit at mixed tables: token by the table's code."""
    strangers: tuple[str, ...] = ()
    """Tokens of attackers who begin without a seat."""
    lobby: Watched | None = None
    """A table with free seats."""
    recorded: tuple[str, ...] = Lexicon().recorded
    """Texts that honest people have sent."""
    accidents: list[str] = field(default_factory=list)
    """What the loop was told of: exceptions that nobody caught."""
    closed: set[str] = field(default_factory=set)

    def line(self, number: int, *, deaf: bool = False) -> MemoryLine:
        """A new line from one of a few addresses."""
        return MemoryLine(self.loop.factory, f"10.0.{number % 50}.1", deaf=deaf)

    async def person(self, name: str = "", token: str = "") -> Person:
        """Somebody honest, from an address of their own."""
        line = MemoryLine(self.loop.factory, "192.168.1.1")
        return await Person.come(line, Random(self.luck.random()), name, token)

    def follow(self, change: Change) -> None:
        """A change was kept."""
        if not change.version or change.table.about.game != "grid":
            return  # the scan knows grid Golf; tables of a day have a scan of their own
        self.scan.follow(change)
        code = change.table.about.table
        if change.table.public.phase == "closed":
            self.closed.add(code)
        if watched := self.watched.get(code):
            watched.follow(change)

    def words(self, luck: Random, code: str = "") -> Lexicon:
        """What an attacker knows whose table is *code*."""
        known = [w.code for w in (*self.mixed, *self.standing, self.lobby) if w]
        first = code or luck.choice(known)
        tokens = (*self.strangers, *self.attackers.values())
        return Lexicon((first, *known), tokens, recorded=self.recorded)

    def record_texts(self) -> None:
        """Keep some of what honest people have said, but nothing that was for luck."""
        said = [text for table in self.standing for one in table.honest for text in one.said]
        self.recorded = tuple(text for text in said if "entropy" not in text)[:60]

    def shelve(self) -> None:
        """Forget what was kept of tables that are closed, so that only the house could grow."""
        for code in self.closed - {w.code for w in self.standing}:
            self.watched.pop(code, None)
            self.scan.tables.pop(code, None)
            for dealt in [name for name in self.scan.packs.dealt if name[0] == code]:
                del self.scan.packs.dealt[dealt]
        self.closed.clear()

    async def dismiss(self) -> None:
        """Let every attacker leave every table, and those who had seats go for good."""
        for token in (*self.strangers, *self.attackers.values()):
            person = await self.person(token=token)
            for code in person.tables:
                await person.ask("leave", table=code)
            person.line.hang_up()
        self.attackers.clear()
        self.mixed.clear()

    def faults(self) -> list[str]:
        """What was written down or told to the loop since the last time: there should be nothing."""
        gc.collect()  # a task whose exception nobody asked for says so when it goes
        written = self.pages.getvalue().splitlines()
        self.pages.seek(0)
        self.pages.truncate()
        accidents, self.accidents = self.accidents, []
        return [*accidents, *written]

    # opening tables

    async def seat(self, variant: str, people: int, size: int = 0, **options: object) -> Watched:
        """A new table with honest people; the first is its host."""
        host, *others = [await self.person(f"Honest {n + 1}") for n in range(people)]
        code = await host.create(
            variant=variant, options={"end": "holes", "holes": 1, **options}, size=size or people
        )
        for person in others:
            await person.join(code)
        table = Watched(code, [host, *others], version=self.scan.progress(code))
        self.watched[code] = table
        return table

    async def stand(self, phase: str, variant: str) -> None:
        """A table that is left standing in *phase*."""
        people = max(2, find(variant).min_seats)
        table = await self.seat(variant, people, holes=2 if phase == "between" else 1)
        self.standing.append(table)
        host, code = table.honest[0], table.code
        if phase == "starting":
            await host.do("start", table=code)
        elif phase == "closed":
            await host.do("end", table=code)
        elif phase != "lobby":
            await begin(table)
            await self._play_until(table, phase)

    async def _play_until(self, table: Watched, phase: str) -> None:
        code = table.code
        if phase == "setup":
            await table.honest[0].play(code)
        elif phase == "turn":
            while not any(seen_drawn(person, code) for person in table.honest):
                await step(table)
        else:
            while table.honest[0].phase(code) != phase:
                await step(table)

    async def mix(self, variant: str) -> None:
        """A table where two honest people play with an attacker."""
        table = await self.seat(variant, 2, size=3, holes=3)
        attacker = await self.person("Mallory")
        self.attackers[table.code] = attacker.token
        await attacker.join(table.code)
        await attacker.ready(table.code)
        await begin(table)
        attacker.line.hang_up()
        self.mixed.append(table)


async def begin(table: Watched) -> None:
    """Let the honest people be ready, and wait until cards are dealt."""
    for person in table.honest:
        await person.ready(table.code)
    for person in table.honest:
        while not playing(person, table.code):
            await person.hears(table.code)


def playing(person: Person, code: str) -> bool:
    match = person.last[code]["view"]["match"]
    return bool(match and match["play"])


def seen_drawn(person: Person, code: str) -> bool:
    pocket = person.last[code]["pocket"]
    return bool(pocket and pocket["drawn"])


async def step(table: Watched, others: tuple[Person, ...] = ()) -> bool:
    """One move of whoever may make one, or going on after a hole; whether there was anything to do."""
    everybody = (*table.honest, *others)
    for person in everybody:
        if person.moves(table.code):
            await person.play(table.code)
            return True
    between = [p for p in everybody if p.phase(table.code) == "between"]
    waits = [p for p in between if not _is_ready(p, table.code)]
    for person in waits[:1]:
        await person.ready(table.code)
    return bool(waits)


def _is_ready(person: Person, code: str) -> bool:
    seen = person.last[code]
    seat = seen["seat"]
    return seat is None or bool(seen["view"]["seats"][seat]["ready"])


@asynccontextmanager
async def attacked(
    seed: str, limits: dict[str, object], phases: tuple[str, ...]
) -> AsyncIterator[House]:
    """A house with tables standing in all *phases*, and some attackers who have no seat."""
    loop: Any = asyncio.get_running_loop()
    assert isinstance(loop, OpenLoop), "lines go through memory"
    luck = Random(f"house {seed}")
    with diary() as pages, tempfile.TemporaryDirectory() as folder:
        settings = read_settings(
            {**PATIENT, "data": str(Path(folder) / "dormie.db"), "limits": limits}
        )
        scan = LeakScan()
        app = await App.open(settings, luck=CountingLuck(f"house {seed}"), deal=scan.packs.deal)
        app.reception.drop_grace = 0.05
        house = House(app, loop, luck, pages, scan)
        listen(house)
        try:
            for number, phase in enumerate(phases):
                await house.stand(phase, names()[number % len(names())])
            house.record_texts()
            strangers = [await house.person("Eve") for _ in range(6)]
            house.strangers = tuple(one.token for one in strangers)
            for one in strangers:
                one.line.hang_up()
            yield house
        finally:
            await app.close()


def listen(house: House) -> None:
    """Have the house told of every change that is kept, and of every accident."""
    changed = house.app.alarms.changed

    def follow(change: Change, now: float) -> None:
        house.follow(change)
        changed(change, now)

    # No process beside each house for the one deal of its day.
    house.app.alarms.worker = house.app.reception.desk.days.worker = AtOnce()
    house.app.alarms.changed = follow  # type: ignore[method-assign]  # nobody else tells
    house.loop.set_exception_handler(
        lambda _, context: house.accidents.append(
            f"{context.get('message')}: {context.get('exception')!r}"
        )
    )
