"""Tables over real sockets, brought to the moment at which a scenario begins."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from dormie_protocol.messages import Done, Seen
from dormie_protocol.table_view import TablePublic
from dormie_rules.grid_moves import Flip
from dormie_rules.grid_state import GridPublic
from tests.grid_only import grid_play
from tests.server.guest import ENTROPY, Guest
from tests.serving import ServerProcess


@asynccontextmanager
async def started(server: ServerProcess) -> AsyncIterator[None]:
    """Start a server in a process of its own; nothing is left of it, whatever happens."""
    try:
        await server.start()
        yield
    finally:
        await server.kill()


def view_of(seen: Seen) -> TablePublic:
    """What everybody saw."""
    assert seen.view is not None, "this one has a view"
    return seen.view


def hole_of(seen: Seen) -> GridPublic:
    """The hole that was seen."""
    match = view_of(seen).match
    assert match is not None, "a match is on"
    assert match.play is not None, "a hole is on"
    return grid_play(match.play)


async def reach(guest: Guest, code: str, when: Callable[[Seen], bool]) -> Seen:
    """Wait until the newest view of a table is as wished, and return it."""

    def found() -> Seen | None:
        seen = guest.last(code)
        return seen if when(seen) else None

    return await guest.wait(found)


def _dealt(seen: Seen) -> bool:
    match = view_of(seen).match
    return match is not None and match.play is not None


async def begin(*people: Guest, **fields: object) -> str:
    """The first of *people* opens a table, the others join, and the first hole is dealt."""
    host, *others = people
    code = await host.create(**{"size": len(people), **fields})
    for other in others:
        await other.join(code)
    for guest in people:
        await guest.do("ready", table=code, entropy=ENTROPY)
    for guest in people:
        await reach(guest, code, _dealt)
    return code


async def first_turn(*people: Guest, **fields: object) -> str:
    """The same, and everybody has turned up the first two cards."""
    code = await begin(*people, **fields)
    for guest in people:
        for at in (0, 1):
            assert isinstance(await guest.play(code, Flip(at)), Done)
            await reach(guest, code, lambda seen, made=at: _count(seen) > made)  # type: ignore[misc]  # mypy cannot see its default
    for guest in people:
        await reach(guest, code, lambda seen: hole_of(seen).stage == "turn")
    return code


async def on_turn(code: str, *people: Guest) -> tuple[Guest, ...]:
    """The same people, whoever is to move first; all of them have seen that it is so."""
    version = max(guest.last(code).version for guest in people)
    seen = [await reach(guest, code, lambda one: one.version >= version) for guest in people]
    turn = hole_of(seen[0]).turn
    return tuple(sorted(people, key=lambda guest: guest.last(code).seat != turn))


def _count(seen: Seen) -> int:
    assert seen.seat is not None, "whoever plays has a seat"
    seat = view_of(seen).seats[seen.seat]
    return seat.count if seat else 0
