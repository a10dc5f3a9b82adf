"""Moves, turns and deadlines at tables behind the sockets, for tests of who is in time."""

from collections.abc import Awaitable
from contextlib import suppress
from itertools import pairwise

from dormie_protocol.messages import Seen
from dormie_protocol.table_view import TimeOut
from dormie_rules.grid_moves import Draw
from dormie_server import documents
from dormie_server.documents import read_note
from dormie_server.keeper import table_key
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import PlayMove
from dormie_server.table.draft import Change
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from tests.contracts.stores import Clock
from tests.server.backstage import CODE, Backstage
from tests.waiting import until

TURN = 60.0
TWO = ("p-ada", "p-bob")


def memory() -> SqliteStore:
    return SqliteStore(":memory:", clock=Clock())


async def word_of(doing: Awaitable[Change]) -> str:
    """The word with which something is refused; "done" if it was not."""
    try:
        await doing
    except No as no:
        return no.why
    return "done"


async def events(house: Backstage, code: str = CODE) -> list[object]:
    notes = await house.store.notes(table_key(code))
    return [event.public for note in notes for event in read_note(note.body).events]


async def timeouts(house: Backstage, code: str = CODE) -> int:
    return sum(isinstance(event, TimeOut) for event in await events(house, code))


async def first_turn(house: Backstage, code: str = CODE) -> Table:
    """A table of two whose first turn has begun."""
    await house.begin(*TWO, code=code)
    for player in TWO:
        for count in (1, 2):
            await house.keeper.do(code, await house.flip(player, count, code))
    return await house.table(code)


def on_turn(table: Table) -> PlayMove:
    """Drawing a card, by the player whose turn it is."""
    match = table.public.match
    assert match is not None, "a match is on"
    assert match.play is not None, "a hole is on"
    assert match.play.turn is not None, "it is somebody's turn"
    sitter, who = table.secret.sitters[match.play.turn], table.public.seats[match.play.turn]
    assert sitter is not None, "a player sits there"
    assert who is not None, "a player sits there"
    return PlayMove(sitter.player or "", sitter.generation, who.count + 1, Draw())


async def settled(*houses: Backstage) -> None:
    """Wait until nobody here is answering an alarm."""
    await until(lambda: not any(house.alarms._ringing for house in houses))  # noqa: SLF001 - nothing else tells


async def play(house: Backstage, moves: int, code: str = CODE) -> int:
    """Let so many moves be made; returns the version then."""
    while moves > 0 and (move := await house.next_move(code)) is not None:
        with suppress(No):  # somebody took the seat over just now
            await house.keeper.do(code, move)
            moves -= 1
    return (await house.table(code)).version


async def chains(house: Backstage) -> list[str]:
    """The chain at each version, from 0."""
    notes = await house.store.notes(table_key(CODE))
    return ["", *(documents.read_note(note.body).chain for note in notes)]


def assert_no_hole(seen: list[Seen]) -> None:
    """Every frame begins where the one before it has ended."""
    for before, after in pairwise(seen):
        assert before.version == after.after, [(one.after, one.version) for one in seen]
        assert after.after < after.version
