"""The servers of a simulation: real ones, on machines that may freeze, die and come back."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Unpack

from dormie_server.app import App
from dormie_server.config import Settings, read_settings
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import NO_CARDS, NOTHING_KNOWN, Beside, Note, Store, StoreUnavailable
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore, Way
from tests.simulator.losses import is_only_a_move
from tests.simulator.luck import Luck, Ordered
from tests.simulator.machine import HERE, Machine
from tests.simulator.referee import Following, Referee

if TYPE_CHECKING:
    from tests.simulator.simulation import World

_EVERYTHING = """
    SELECT key, key, CAST(body AS TEXT) FROM document
    UNION ALL SELECT key, '', CAST(note.body AS TEXT) FROM note JOIN document USING (life)
    UNION ALL SELECT key, shelf, CAST(card.body AS TEXT) FROM card JOIN document USING (life)
"""
FIRST_PORT = 9001
AGAIN = 1.0
"""Seconds until somebody tries again to start a server that could not start."""


@lru_cache
def settings_for(port: int) -> Settings:
    """A house as people run it, a little less patient."""
    return read_settings(
        {
            "host": "127.0.0.1",
            "port": port,
            "data": ":memory:",
            "bot_seconds": 0.3,
            "pause_seconds": 2,
            "gather_seconds": 3,
            "lobby_seconds": 90,
            "idle_seconds": 300,
        }
    )


class WatchedFarStore(FarStore):
    """The way to the cupboard, with the referee beside it."""

    def __init__(self, cupboard: Cupboard, way: Way, referee: Referee) -> None:
        super().__init__(cupboard, way)
        self.referee = referee

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        note, alarm = beside.get("note"), beside.get("alarm")

        def do() -> int:
            last = self.cupboard.dies_at_next_move and is_only_a_move(key, note)
            go_back = self.cupboard.remember(key) if last else None
            version = self.cupboard.put(key, body, was, **beside)
            forget = self.referee.remember(key) if last else None
            if self.cupboard.doing_late:
                self.referee.registrar.kept_late.add(key)
            self.referee.kept(key, version, body, note, alarm, self.machine)
            if go_back and forget:
                self._die(go_back, forget)
            return version

        return await self._ask(do)

    def _die(self, *lose: Callable[[], None]) -> None:
        """Bells have rung, nobody has an answer, and nothing was written down."""
        for it in lose:
            it()
        self.cupboard.dies_at_next_move, self.cupboard.dead = False, True
        self.cupboard.died()
        self.way.happened("died in the middle of a move")
        raise StoreUnavailable("the store is gone")

    async def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None] = NO_CARDS
    ) -> None:
        def do() -> None:
            self.cupboard.rewrite(key, notes, shelves)
            self.referee.rewritten(key, notes)

        await self._ask(do)

    def follow(
        self,
        key: str,
        after: int,
        known: Callable[[], int] = NOTHING_KNOWN,  # noqa: ARG002 - the referee waits for every note
    ) -> AsyncIterator[Note]:
        return _watched(super().follow(key, after), self.referee, key, after)


class WatchedSqliteStore(SqliteStore):
    """The store that comes with the server, with the referee beside it."""

    def __init__(self, referee: Referee) -> None:
        super().__init__(":memory:", clock=asyncio.get_running_loop().time)
        self.referee = referee
        self._open: dict[tuple[str, int], tuple[bytes, bytes | None, float | None]] = {}

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        self._open[key, was + 1] = body, beside.get("note"), beside.get("alarm")
        try:
            version = await super().put(key, body, was, **beside)
            self._happened(key, version)
        finally:
            self._open.pop((key, was + 1), None)
        return version

    async def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None] = NO_CARDS
    ) -> None:
        self.referee.rewritten(key, notes)  # whoever reads meanwhile may see either
        await super().rewrite(key, notes, shelves)

    def naming(self, words: tuple[str, ...]) -> list[str]:
        """The keys under which one of these words can be found."""
        rows = self.file.writer.execute(_EVERYTHING)
        return [row[0] for row in rows if any(word in text for word in words for text in row)]

    async def follow(
        self,
        key: str,
        after: int,
        known: Callable[[], int] = NOTHING_KNOWN,  # noqa: ARG002 - the referee waits for every note
    ) -> AsyncIterator[Note]:
        async for note in _watched(super().follow(key, after), self.referee, key, after):
            self._happened(key, note.version)
            yield note

    def _happened(self, key: str, version: int) -> None:
        """The referee is told once: by whoever put it, or by who hears of it first."""
        if put := self._open.pop((key, version), None):
            self.referee.kept(key, version, *put, HERE.get())


async def _watched(
    notes: AsyncIterator[Note], referee: Referee, key: str, after: int
) -> AsyncIterator[Note]:
    """The same notes; the referee knows who waits for the next one of a table, and since when."""
    if not key.startswith("table:"):
        async for note in notes:
            yield note
        return
    loop = asyncio.get_running_loop()
    following = Following(key.partition(":")[2], HERE.get(), after, loop.time())
    referee.followings.append(following)
    try:
        following.waiting = True
        async for note in notes:
            following.at, following.waiting = max(following.at, note.version), False
            yield note
            following.waiting, following.since = True, loop.time()
    finally:
        if following in referee.followings:
            referee.followings.remove(following)


class Server:
    """One place where a server runs, life after life."""

    def __init__(self, world: "World", number: int) -> None:
        self.world = world
        self.number = number
        self.lives = 0
        self.app: App | None = None
        self.machine = Machine("nobody")
        self.machine.state = "buried"
        self.way = Way()

    @property
    def up(self) -> bool:
        return self.app is not None and self.machine.state == "running"

    async def start(self) -> None:
        """Start it, as often as it takes."""
        while True:
            self.lives += 1
            machine = self.machine = Machine(f"server-{self.number}.{self.lives}")
            machine.troubled = self.world.loop.time()
            self.world.referee.servers.append(machine)
            opening = machine.do(lambda: self.world.loop.create_task(self._open()))
            while not opening.done() and machine.state != "dead":
                await asyncio.wait([opening], timeout=0.1)
            if machine.state == "dead":
                return
            try:
                self.app = opening.result()
            except StoreUnavailable:
                self.world.trace.note("cannot start", machine.name)
                machine.state = "dead"
                self.world.dead.append(machine)
                await asyncio.sleep(AGAIN)
            else:
                self.world.trace.note("started", machine.name)
                machine.troubled = self.world.loop.time()
                return

    async def _open(self) -> App:
        world = self.world
        name = f"{world.seed} {self.machine.name}"
        app = await App.open(
            settings_for(FIRST_PORT + self.number),
            store=self._store(name),
            luck=Luck(name),
            deal=world.referee.scan.packs.deal,
        )
        # Whatever is thought about beside the server is thought about here, in the loop's own time.
        app.alarms.worker._process = lambda: None  # type: ignore[method-assign,assignment,return-value]  # noqa: SLF001
        # Limits count by this clock; and what is told to everybody is told in the order they came.
        app.reception.clock = world.loop.time
        app.reception.open = Ordered()  # type: ignore[assignment]  # as much of a set as is used
        app.reception.line.alive = Ordered()  # type: ignore[assignment]  # as above
        if app.server is not None:
            app.server.all_connections = Ordered()  # type: ignore[assignment]  # as above
        return app

    def _store(self, name: str) -> Store:
        world = self.world
        if world.plan.sqlite:
            store = WatchedSqliteStore(world.referee)
            world.referee.registrar.traces = store.naming
            return store
        self.way = Way(Random(f"{name} store"), happened=self._mishap)
        world.weather.set_way(self.way)
        return world.store_class(world.cupboard, self.way, world.referee)

    def _mishap(self, what: str) -> None:
        self.world.trace.note("store", f"{what} for {self.machine}")
        if what != "bell lost":
            self.machine.troubled = self.world.loop.time() + self.way.patience

    def kill(self, *, quietly: bool) -> None:
        """It is dead at once: nothing is written, said or tidied up any more."""
        self.world.trace.note("killed", self.machine.name + (" quietly" if quietly else ""))
        self.machine.state = "dead"
        self.machine.died = True
        self.app = None
        self.world.dead.append(self.machine)
        self.world.network.machine_died(self.machine, quietly=quietly)

    def freeze(self) -> None:
        """It stops in the middle of everything; what was sent to it waits."""
        self.world.trace.note("frozen", self.machine.name)
        self.machine.state = "frozen"
        self.machine.troubled = self.world.loop.time()

    def thaw(self) -> None:
        """It goes on as if nothing had happened."""
        if self.machine.state == "frozen":
            self.world.trace.note("thawed", self.machine.name)
            self.machine.troubled = self.machine.woke = self.world.loop.time()
            self.world.loop.thaw(self.machine)

    async def stop(self) -> None:
        """Drain it, as on SIGTERM."""
        app, self.app = self.app, None
        if app is not None:
            self.world.trace.note("stopping", self.machine.name)
            await self.machine.do(lambda: self.world.loop.create_task(app.close()))
