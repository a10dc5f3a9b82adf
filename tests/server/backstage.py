"""Everything behind the sockets: keeper, alarms and hub on one store, with people who are only names.

Two of them on one store are two servers, as far as anything here can tell.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from dormie_protocol.codec import read_server
from dormie_protocol.messages import Seen, ServerMessage
from dormie_rules.drawers import look
from dormie_rules.grid_moves import Flip, GridMove
from dormie_server.alarms import Alarms
from dormie_server.documents import read_note
from dormie_server.hub import Hub
from dormie_server.keeper import Keeper, table_key
from dormie_server.metrics import Metrics
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Store
from dormie_server.table import fair
from dormie_server.table.commands import (
    Asked,
    Attach,
    DealHole,
    Join,
    Opening,
    PlayMove,
    Ready,
    Request,
)
from dormie_server.table.draft import Change
from dormie_server.table.state import Policy, Table, course_of, match_of, seat_of
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.waiting import until

CODE = "ABCDEFGH"
PATIENT = Policy(pace=0, pause=0, idle=1e9)


@dataclass(eq=False)
class Ear:
    """A peer of the hub that remembers what it was told."""

    player: str
    frames: list[bytes] = field(default_factory=list)
    device: str = ""
    counts: list[bytes] = field(default_factory=list)
    """How many watch is told when a moment has passed, in between whatever else is told."""

    def push(self, text: bytes) -> None:
        (self.counts if text.startswith(b'{"type":"audience"') else self.frames).append(text)

    async def drained(self) -> None:
        await asyncio.sleep(0)

    @property
    def heard(self) -> list[ServerMessage]:
        return [read_server(text) for text in self.frames]

    @property
    def seen(self) -> list[Seen]:
        return [one for one in self.heard if isinstance(one, Seen)]


@dataclass
class Backstage:
    """One server's rooms."""

    store: Store
    name: str
    metrics: Metrics
    alarms: Alarms
    keeper: Keeper
    hub: Hub
    kept: list[Change]
    """Every change after it was kept."""
    requests: int = 0

    async def table(self, code: str = CODE) -> Table:
        """The table as it is now, read anew from the store."""
        reader = Keeper(self.store, CountingLuck(), lambda _change, _now: None, Metrics())
        kept = await reader.table(code)
        assert kept is not None, f"there is a table {code}"
        return kept.table

    async def ask(
        self, player: str, request: Request, code: str = CODE, number: str = ""
    ) -> Change:
        """Ask something of a table, under a new id or the one given."""
        self.requests += 1
        asked = Asked(player, number or f"{self.name}-{self.requests}", request)
        return await self.keeper.do(code, asked)

    async def attach(self, player: str, code: str = CODE) -> int:
        """Let *player* be connected here; returns the generation."""
        return (await self.keeper.do(code, Attach(player, self.name))).generation

    async def open(self, *players: str, code: str = CODE, size: int = 0, bots: int = 0) -> None:
        """Open a table, seat everybody, and let them be connected."""
        host, *others = players
        await self.keeper.open(opening_of(host, code, size or len(players) + bots, bots), PATIENT)
        for player in others:
            await self.ask(player, Join(player.title()), code)
        for player in players:
            await self.attach(player, code)

    async def begin(self, *players: str, code: str = CODE, bots: int = 0) -> None:
        """The same, and everybody is ready, and the first hole is dealt."""
        await self.open(*players, code=code, bots=bots)
        await self.start(*players, code=code)

    async def start(self, *players: str, code: str = CODE) -> None:
        """Let everybody be ready, and wait until the first hole is dealt."""
        for player in players:
            await self.ask(player, Ready("ab" * 16), code)
        await self.until(lambda table: table.secret.hole is not None, code)

    async def until(self, true: Callable[[Table], bool], code: str = CODE) -> Table:
        """Wait until a table is as wished."""
        async with asyncio.timeout(10):
            while not true(table := await self.table(code)):
                await asyncio.sleep(0.002)
        return table

    async def next_move(self, code: str = CODE) -> PlayMove | None:
        """A legal move of the first person for whom the table waits; None when the match is over."""
        table = await self.until(
            lambda table: table.public.phase == "over" or _first(table) is not None, code
        )
        seat = _first(table)
        if seat is None:
            return None
        sitter, who = table.secret.sitters[seat], table.public.seats[seat]
        assert sitter is not None, "a person sits there"
        assert sitter.player is not None, "a person sits there"
        assert who is not None, "a person sits there"
        return PlayMove(sitter.player, sitter.generation, who.count + 1, moves_of(table, seat)[0])

    async def flip(self, player: str, count: int, code: str = CODE) -> PlayMove:
        """Turning up a card of one's own, the first, the second and so on by its number."""
        table = await self.table(code)
        sitter = table.secret.sitters[where(table, player)]
        assert sitter is not None, "the player has a seat"
        return PlayMove(player, sitter.generation, count, Flip(count - 1))

    async def lines(self, code: str = CODE) -> list[str]:
        """Everything a record will say."""
        notes = await self.store.notes(table_key(code))
        return [line for note in notes for line in read_note(note.body).lines]

    async def versions(self, code: str = CODE) -> list[int]:
        """The numbers of all notes."""
        return [note.version for note in await self.store.notes(table_key(code))]


def opening_of(player: str, code: str, size: int, bots: int = 0, **others: object) -> Opening:
    """How a table of one short hole begins."""
    luck = CountingLuck(code).draw().hex()
    usual: dict[str, object] = {"variant": "six_card", "options": {"holes": 1}}
    chosen: dict[str, object] = {"turn_seconds": 60.0, "bots": ("random",) * bots, "master": luck}
    return Opening(code, player, player.title(), size=size, **{**usual, **chosen, **others})  # type: ignore[arg-type]  # the tests choose well


def moves_of(table: Table, seat: int) -> tuple[GridMove, ...]:
    return course_of(table).moves(look(match_of(table), seat))


def _first(table: Table) -> int | None:
    if table.public.phase != "playing" or table.secret.hole is None:
        return None
    waiting = course_of(table).waiting_for(match_of(table))
    sitters = table.secret.sitters
    return next((seat for seat in waiting if (who := sitters[seat]) and who.player), None)


def where(table: Table, player: str) -> int:
    """The seat of a player."""
    seat = seat_of(table, player)
    assert seat is not None, "the player has a seat"
    return seat


@asynccontextmanager
async def backstage(
    store: Store | None = None,
    name: str = "server-1",
    deal: Callable[[Table], DealHole] = fair.next_deal,
) -> AsyncIterator[Backstage]:
    """The rooms of one server. A store that is given outlives them."""
    inner = store or SqliteStore(":memory:", clock=Clock())
    luck, metrics, kept = CountingLuck(name), Metrics(), list[Change]()
    alarms = Alarms(inner, luck, metrics, deal)

    def tell(change: Change, now: float) -> None:
        kept.append(change)
        alarms.changed(change, now)

    keeper = Keeper(inner, luck, tell, metrics)
    hub = Hub(inner, keeper, name)
    rounds = asyncio.create_task(alarms.run(keeper))
    await asyncio.sleep(0)  # the alarms know the keeper from their first round on
    try:
        yield Backstage(inner, name, metrics, alarms, keeper, hub, kept)
    finally:
        rounds.cancel()
        await alarms.stop()
        await hub.stop()
        if store is None:
            await inner.close()


async def caught_up(ear: Ear, version: int) -> None:
    """Wait until a peer has been told of *version*."""
    await until(lambda: bool(ear.seen) and ear.seen[-1].version >= version)
