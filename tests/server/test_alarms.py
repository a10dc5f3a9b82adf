"""Alarms: what is due is done once, by whoever gets there first, and by somebody else if need be."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest
import uvloop

from dormie_protocol.clocks import Clock as ClockOfTable
from dormie_rules.replay import verify
from dormie_server import alarms as alarms_module
from dormie_server import keeper as keeper_module
from dormie_server.alarms import Alarms
from dormie_server.metrics import Metrics
from dormie_server.records import find_record
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Command, Leave, Rematch, Wake
from dormie_server.table.draft import Change
from dormie_server.table.handle import handle
from dormie_server.table.state import Table
from tests.contracts.stores import Clock
from tests.diary import diary
from tests.evening import Evening
from tests.server.backstage import CODE, Backstage, backstage
from tests.server.moody_store import MoodyStore
from tests.server.turns import TURN, first_turn, on_turn, settled, timeouts
from tests.waiting import until


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(clock: Clock) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(":memory:", clock=clock)
    yield opened
    await opened.close()


@pytest.fixture
async def house(store: SqliteStore) -> AsyncIterator[Backstage]:
    async with backstage(store) as opened:
        yield opened


# ----------------------------------------------------------------------- in time


async def test_an_alarm_that_rings_early_does_nothing(house: Backstage) -> None:
    before = await first_turn(house)
    house.alarms.ring(CODE)
    await settled(house)

    assert before == await house.table()


async def test_scenario_D1_a_turn_that_is_over_is_ended_and_the_next_begins_now(
    house: Backstage, clock: Clock
) -> None:
    before = await first_turn(house)
    clock.advance(TURN + 25)
    house.alarms.ring(CODE)
    await settled(house)
    table = await house.table()

    assert 1 == await timeouts(house)
    assert on_turn(before).player != on_turn(table).player
    assert clock() + TURN == table.public.deadline


async def test_after_the_end_no_alarm_rings(house: Backstage, clock: Clock) -> None:
    before = await first_turn(house)
    await house.alarms.stop()
    clock.advance(TURN)
    house.alarms.ring(CODE)
    house.alarms.changed(Change(before), clock())

    assert {} == house.alarms._timers  # noqa: SLF001 - what would ring
    assert before == await house.table()


# --------------------------------------------------------------------------- once


AWAY = ClockOfTable().away_seconds
"""Nobody is back yet: the next ones' allowance runs, and not their time to think."""


async def test_nasty_C19_a_hundred_turns_that_ended_while_nobody_was_there(
    store: SqliteStore, clock: Clock
) -> None:
    codes = [f"TABLE{a}{b}{c}" for a in "AB" for b in "ABCDEFGHJK" for c in "ABCDE"]
    async with backstage(store) as before:
        for code in codes:
            await first_turn(before, code)
    clock.advance(TURN + 30)
    async with backstage(store, "server-2") as after:
        await after.keeper.recover("server-2")
        for code in codes:
            await after.until(lambda table: table.public.deadline == clock() + AWAY, code)
        await settled(after)

        assert [1] * 100 == [await timeouts(after, code) for code in codes]
        for code in codes:
            after.alarms.ring(code)
        await settled(after)
        assert [1] * 100 == [await timeouts(after, code) for code in codes]


# --------------------------------------------------------------- when things go wrong


async def test_scenario_E13_a_table_that_fails_harms_no_other(
    house: Backstage, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(table: Table, command: Command, now: float) -> Change:
        if table.about.table == CODE and isinstance(command, Wake):
            raise ZeroDivisionError("a mistake of ours")
        return handle(table, command, now)

    monkeypatch.setattr(alarms_module, "_AGAIN", 0.01)
    monkeypatch.setattr(keeper_module, "handle", broken)
    await first_turn(house)
    await first_turn(house, "HEALTHY2")
    clock.advance(TURN)
    for code in (CODE, "HEALTHY2"):
        house.alarms.ring(code)
    await house.until(lambda table: table.public.deadline == clock() + TURN, "HEALTHY2")
    assert 0 == await timeouts(house)

    monkeypatch.setattr(keeper_module, "handle", handle)  # mended: it is tried again by itself
    await house.until(lambda table: table.public.deadline == clock() + TURN)
    assert 1 == await timeouts(house)


async def test_an_alarm_that_finds_the_store_away_rings_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alarms_module, "_AGAIN", 0.01)
    store = MoodyStore(SqliteStore(":memory:", clock=clock))
    async with backstage(store) as house:
        for mood in ("away", "refusing_puts"):
            code = f"TABLE{mood[:3].upper()}"
            await first_turn(house, code)
            clock.advance(TURN)
            setattr(store, mood, True)
            house.alarms.ring(code)
            await settled(house)
            setattr(store, mood, False)
            await house.until(lambda table: table.public.deadline == clock() + TURN, code)

            assert 1 == await timeouts(house, code)
    await store.close()


async def test_that_the_store_is_away_can_be_seen_and_is_written_down_once(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a house where nobody plays just now nothing is refused, and yet somebody has to get up."""
    monkeypatch.setattr(alarms_module, "_ROUND", 0.001)
    store = MoodyStore(SqliteStore(":memory:", clock=clock))
    with diary("info") as pages:
        async with backstage(store) as house:
            for _ in range(2):
                store.away = True
                await until(lambda: "dormie_store_answers 0.0" in house.metrics.render().decode())
                store.refused = 0
                await until(lambda: store.refused > 3)
                store.away = False
                await until(lambda: "dormie_store_answers 1.0" in house.metrics.render().decode())
    await store.close()
    events = [json.loads(line)["event"] for line in pages.getvalue().splitlines()]

    assert 2 * ["alarms_wait_for_the_store", "the_store_is_back"] == events


async def test_a_turn_is_ended_though_somebody_was_faster_again_and_again(clock: Clock) -> None:
    store = MoodyStore(SqliteStore(":memory:", clock=clock))
    async with backstage(store) as house:
        await first_turn(house)
        clock.advance(TURN)
        store.late = 7
        house.alarms.ring(CODE)
        await house.until(lambda table: table.public.deadline == clock() + TURN)

        assert 1 == await timeouts(house)
    await store.close()


# ------------------------------------------------------------------- bots and records


async def test_scenario_R10_whoever_leaves_while_bots_play_is_answered_at_once() -> None:
    async with backstage() as house:
        await house.begin("p-ada", bots=5)
        await house.until(lambda table: bool(table.public.match and table.public.match.play))
        left = await house.ask("p-ada", Leave())

        assert "closed" == left.table.public.phase


async def test_the_record_of_a_match_is_kept_though_a_rematch_begins_before() -> None:
    """Whoever is alone among bots asks for a rematch at once, and the disk is slow."""
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        await house.begin("p-ada", bots=1)
        store.slow = "record:"
        store.open.clear()
        await _play_alone(house)
        await until(lambda: store.waiting == 1)
        await house.ask("p-ada", Rematch())
        store.open.set()
        await house.until(lambda table: table.public.phase == "starting")
        await house.start("p-ada")
        await _play_alone(house)
        await house.until(lambda table: table.secret.owes_record is None)
        records = [await find_record(store, f"{CODE}-{match}") for match in (1, 2)]
    await store.close()

    assert ["match 1", "match 2"] == [_match_line(record) for record in records]
    assert [True, True] == [verify(record or "").ok for record in records]


def _match_line(record: str | None) -> str:
    return next((line for line in (record or "").splitlines() if line.startswith("match ")), "")


async def _play_alone(house: Backstage) -> None:
    while (move := await house.next_move()) is not None:
        await house.keeper.do(CODE, move)


# ---------------------------------------------------------------------- on the loop


class _NoLuck:
    def draw(self, size: int = 32) -> bytes:
        return bytes(size)


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_an_alarm_that_is_due_already_is_no_trouble_on_any_loop(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """One of them gives back another kind of timer when there is nothing to wait for."""
    evening = Evening()
    evening.begin("p-bob")
    alarm = evening.table.secret.alarm
    assert alarm is not None

    async def set_again_and_again() -> int:
        alarms = Alarms(SqliteStore(":memory:"), _NoLuck(), Metrics())
        for now in (alarm + 5, alarm, alarm - 60, alarm - 120, alarm + 5):
            alarms.changed(Change(evening.table), now)
        set_timers = len(alarms._timers)  # noqa: SLF001 - what would ring
        await alarms.stop()
        return set_timers

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert 1 == runner.run(set_again_and_again())
