"""The desk, and people who stand at it: callers without sockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from dormie_protocol import messages as m
from dormie_server.desk import Desk
from dormie_server.limits import Limits, Misses
from dormie_server.openings import Openings
from dormie_server.person import Caller, Player
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.refusal import No
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.backstage import PATIENT, Backstage, Ear, backstage
from tests.server.moody_store import MoodyStore

PLENTY = Limits(creations_per_minute=1000, creations_at_once=1000)


@dataclass
class Counter:
    """A desk, and the people who stand at it."""

    house: Backstage
    desk: Desk
    store: MoodyStore
    now: float = 0.0
    ears: dict[str, Ear] = field(default_factory=dict)

    def caller(self, who: str, address: str = "192.0.2.1") -> Caller:
        ear = self.ears.setdefault(who, Ear(f"p-{who}"))
        player = Player(f"p-{who}", who.title(), who.encode().hex().ljust(64, "0"))
        return Caller(player, ear, address)

    async def ask(self, who: str, message: m.ClientMessage, address: str = "192.0.2.1") -> m.Done:
        return await self.desk.answer(message, self.caller(who, address), self.now)

    async def word(self, who: str, message: m.ClientMessage, address: str = "192.0.2.1") -> str:
        try:
            await self.ask(who, message, address)
        except No as no:
            return no.why
        return "done"


@asynccontextmanager
async def opened(
    limits: Limits, tables_per_player: int = 20, tables: int = 100
) -> AsyncIterator[Counter]:
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        misses = Misses(limits.code_misses_per_address, limits.remembered, limits.code_misses)
        openings = Openings(PATIENT, 60.0, tables_per_player, tables)
        luck = CountingLuck("desk")
        desk = Desk(store, house.keeper, house.hub, luck, openings, limits, misses)
        yield Counter(house, desk, store)
    await store.close()


def create(number: str = "c1", **fields: Any) -> m.Create:
    return m.Create.model_validate({"id": number, "options": {"holes": 1}, "size": 2, **fields})
