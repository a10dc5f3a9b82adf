"""Tables that nobody wants any more: they say why they close, and then there is nothing of them."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from dormie_protocol.table_view import Closed
from dormie_server.keeper import Keeper, table_key
from dormie_server.metrics import Metrics
from dormie_server.records import keep_record
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Asked, Attach, End, Kick, Lock, Request, SetPassword, Start
from dormie_server.table.state import Policy
from tests.contracts.stores import Clock
from tests.evening import HOST, CountingLuck, Evening
from tests.scenarios.evenings import at_phase, told
from tests.scenarios.test_any_evening import due
from tests.server.backstage import CODE, opening_of

CLOSED_FOR = 600.0
"""Latecomers are told for so long why a table was closed."""
RECORD_FOR = 30 * 86400.0


def idles(evening: Evening) -> None:
    while evening.phase != "closed":
        evening.sleep()


def ends(evening: Evening) -> None:
    evening.ask(HOST, End())


def loses_everybody(evening: Evening) -> None:
    evening.ask(HOST, Kick(1, ban=True))
    idles(evening)


@pytest.mark.parametrize(
    ("phase", "doing", "why"),
    [
        ("lobby", idles, "abandoned"),
        ("playing", idles, "finished"),
        ("between", idles, "finished"),
        ("over", idles, "finished"),
        ("over", loses_everybody, "finished"),
        ("lobby", loses_everybody, "abandoned"),
        ("lobby", ends, "host"),
        ("playing", ends, "host"),
    ],
)
def test_scenario_R12_a_table_that_is_over_says_why(
    phase: str, doing: Callable[[Evening], None], why: str
) -> None:
    evening = at_phase(phase)
    doing(evening)

    assert [Closed(why)] == told(evening, Closed)  # type: ignore[arg-type]  # one of its words
    assert None is evening.table.secret.alarm


async def play(keeper: Keeper, clock: Clock, store: SqliteStore, until: str) -> None:
    """Let the table do what is due, everybody play, and time pass, until it is in that phase."""
    luck = CountingLuck()
    for _ in range(5000):
        kept = await keeper.table(CODE)
        assert kept is not None
        table = kept.table
        if table.public.phase == until and not table.secret.owes_record:
            return
        assert table.secret.alarm is not None
        clock.advance(max(0.0, table.secret.alarm - clock()))
        if table.secret.owes_record:
            await keep_record(store, table)
        await keeper.do(CODE, due(table, clock(), luck))
    raise AssertionError(f"never {until}")


@pytest.mark.parametrize("after", ["lobby", "over"])
async def test_scenario_F3_and_scenario_R12_when_a_table_has_expired_nothing_of_it_is_left(
    after: str, tmp_path: Path
) -> None:
    """Neither its document nor a note, nor a card on any shelf; a record stays for thirty days."""
    clock, path = Clock(), tmp_path / "dormie.db"
    store = SqliteStore(path, synchronous="NORMAL", clock=clock)
    keeper = Keeper(store, CountingLuck(), lambda _change, _now: None, Metrics())
    await keeper.open(opening_of(HOST, CODE, 3, 1), Policy(pace=0, idle=1e9))
    await keeper.do(CODE, Attach(HOST, "s"))
    for number, request in enumerate(_requests(after)):
        await keeper.do(CODE, Asked(HOST, f"r{number}", request))
    await play(keeper, clock, store, after)
    await play(keeper, clock, store, "closed")
    assert 0 == keeper.count()
    assert await store.get(table_key(CODE)) is not None
    clock.advance(CLOSED_FOR + 1)
    await store.due(1.0)
    assert None is await store.get(table_key(CODE))
    clock.advance(RECORD_FOR)
    await store.due(1.0)
    await store.close()

    with sqlite3.connect(path) as file:
        names = ("document", "note", "card")
        rows = [file.execute(f"SELECT * FROM {name}").fetchall() for name in names]  # noqa: S608 - names of ours
    file.close()
    assert [[], [], []] == rows


def _requests(after: str) -> list[Request]:
    asked: list[Request] = [Lock(locked=True), SetPassword("key")]
    return [*asked, Start()] if after == "over" else asked
