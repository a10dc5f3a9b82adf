"""Lines that break, players who sleep, tables that pause: what it costs, and whom."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from dormie_client import Dormie, Pace, RefusedError, Table
from dormie_protocol.clocks import Clock, Forfeited, HandedBack, SatIn, VoteCalled, WaitsOn
from dormie_protocol.table_view import Dropped, Returned, TimeOut
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Agree, OthersGone, Pause, Resume, Vote, Wake
from dormie_server.table.refusal import No
from tests.contracts.stores import Clock as Wall
from tests.evening import HOST
from tests.scenarios.evenings import told
from tests.server.table.clocked import (
    BOB,
    CLEO,
    come_back,
    deadline,
    drop,
    evening_with,
    move,
    out_of_time,
    player_in,
    standing,
    turn,
)
from tests.serving import serving, url_of

# ----------------------------------------------------------------------------- without a server


@pytest.mark.parametrize("blip", [0.5, 8.0, 60.0, 119.0])
def test_scenario_D3_a_broken_line_costs_no_time_to_think_and_not_the_turn(blip: float) -> None:
    """What passed before the break was noticed is given back too, up to a few seconds of it."""
    evening = evening_with(Clock(60.0, away_seconds=125.0), BOB)
    seat = turn(evening)
    evening.now += 40.0
    drop(evening, seat)
    evening.now += blip
    evening.ring()
    come_back(evening, seat)

    assert evening.now + 25.0 == pytest.approx(deadline(evening))
    assert 120.0 - blip == pytest.approx(standing(evening).away[seat])
    assert (seat, []) == (turn(evening), told(evening, TimeOut))


def test_scenario_D3_a_line_that_breaks_all_the_time_gains_nothing() -> None:
    """Every lag that is given back comes out of the allowance, and no turn is longer than a whole one."""
    evening = evening_with(Clock(60.0, away_seconds=30.0), BOB)
    seat, began = turn(evening), evening.now
    for _ in range(100):
        if turn(evening) != seat:
            break
        evening.now += 1.0
        evening.ring()
        if turn(evening) == seat:
            drop(evening, seat)
            come_back(evening, seat)
        assert deadline(evening) - evening.now <= 60.0

    assert [TimeOut(seat)] == told(evening, TimeOut)
    assert 60.0 <= evening.now - began <= 90.0


@pytest.mark.parametrize("late", [0.0, 0.2, 600.0])
def test_scenario_D5_an_allowance_ends_at_its_time_once_whoever_rings(late: float) -> None:
    evening = evening_with(Clock(60.0, away_seconds=100.0, when_out="bot"), BOB)
    seat = turn(evening)
    drop(evening, seat)
    end = deadline(evening)
    for early in (50.0, 0.001, 1e-6):
        evening.now = end - early
        assert evening.do(Wake()).table is evening.table, "it is not over before it is"
    evening.now = end + late
    for _ in range(3):
        evening.do(Wake())

    assert [SatIn(seat, "medium")] == told(evening, SatIn)
    assert 0.0 == standing(evening).away[seat]


def test_scenario_D5_after_a_failover_a_clock_that_is_over_ends_once() -> None:
    """Everybody dropped with their server; what was over before that is over, and no more than that."""
    evening = evening_with(Clock(60.0, away_seconds=100.0), BOB)
    seat = turn(evening)
    evening.now = deadline(evening) + 300.0
    evening.do(OthersGone("server-2"))
    for _ in range(3):
        evening.do(Wake())

    assert [TimeOut(seat)] == told(evening, TimeOut)
    assert ("away", evening.now + 100.0) == (standing(evening).runs, deadline(evening))


@pytest.mark.parametrize("away", [8.0, 1000.0])
def test_scenario_A6_a_bot_sits_in_after_the_grace_only_and_gives_the_seat_back(
    away: float,
) -> None:
    evening = evening_with(Clock(60.0, away_seconds=120.0, when_out="bot"), BOB)
    seat = turn(evening)
    drop(evening, seat)
    until = evening.now + away
    while evening.phase == "playing" and (evening.table.secret.alarm or until) < until:
        if turn(evening) != seat:
            break
        evening.sleep()
    evening.now = until
    come_back(evening, seat)

    sat_in = [SatIn(seat, "medium")] if away > 120 else []
    assert sat_in == told(evening, SatIn)
    assert ([HandedBack(seat)] if sat_in else []) == told(evening, HandedBack)
    assert (None, None) == (standing(evening).sits_in[seat], evening.seat(seat).bot)
    while turn(evening) != seat:
        move(evening)
    move(evening)
    assert seat != turn(evening), "the player's own move was made"


@pytest.mark.parametrize("when_out", ["bot", "vote", "withdraw"])
def test_scenario_D8_nobody_waits_forty_minutes_for_one_who_has_gone(when_out: str) -> None:
    evening = evening_with(Clock(60.0, when_out=when_out), BOB, CLEO)  # type: ignore[arg-type]  # it is one
    seat, began = turn(evening), evening.now
    drop(evening, seat)
    evening.sleep()
    if when_out == "vote":
        for other in range(3):
            if other != seat:
                evening.ask(player_in(evening, other), Vote("bot"))
        evening.ring()
    while evening.phase == "playing" and turn(evening) == seat:
        evening.sleep()

    assert evening.now - began <= 180.0
    for _ in range(2):
        move(evening)
    assert evening.now - began <= 180.0, "and in the next round nobody waits again"


def test_scenario_D9_one_table_is_strict_one_asks_and_one_waits() -> None:
    kinds = {"withdraw": Forfeited, "vote": VoteCalled, "wait": WaitsOn, "bot": SatIn}
    for when_out, kind in kinds.items():
        evening = evening_with(Clock(60.0, when_out=when_out), BOB, CLEO)  # type: ignore[arg-type]  # it is one
        out_of_time(evening)

        assert {kind: 1} == {k: len(told(evening, k)) for k in kinds.values() if told(evening, k)}


def test_scenario_D6_a_pause_is_agreed_on_has_a_budget_and_gives_nobody_time() -> None:
    evening = evening_with(Clock(pauses=2, pause_seconds=600.0), BOB)
    evening.now += 20.0
    before, paused = deadline(evening), 0.0
    for lasts in (250.0, 350.0):
        evening.ask(HOST, Pause())
        with pytest.raises(No):
            evening.ask(HOST, Pause())
        evening.ask(BOB, Agree())
        evening.now += lasts
        paused += lasts
        evening.ask(HOST, Resume()) if standing(evening).runs == "pause" else None
        evening.ring()
        assert before + paused == deadline(evening)
    with pytest.raises(No, match="no pause left"):
        evening.ask(BOB, Pause())


# -------------------------------------------------------------------------------- on real sockets


@asynccontextmanager
async def two_at_a_table(
    app: App, wall: Wall, **clock: object
) -> AsyncIterator[tuple[Table, Table, list[Dormie]]]:
    """Ada and Bob, whose turn has come, the one who is to move first; and their sessions."""
    pace = Pace(a_second=1e6, at_once=1_000_000, clock=wall)
    ada = await Dormie.connect(url_of(app), name="Ada", pace=pace)
    bob = await Dormie.connect(url_of(app), name="Bob", pace=pace)
    try:
        mine = await ada.create(options={"holes": 1}, size=2, clock=clock)
        theirs = await bob.join(mine.code)
        for table in (mine, theirs):
            await table.ready()
        for table in (mine, theirs):
            await table.until(lambda t: t.my_turn())
            while table.my_turn() and table.view.match.play.stage == "setup":  # type: ignore[union-attr]  # a hole is on
                await table.play(table.moves[0])
        for table in (mine, theirs):
            await table.until(lambda t: t.view.match.play.turn is not None)  # type: ignore[union-attr]  # as above
        both = [(mine, ada), (theirs, bob)]
        both.sort(key=lambda one: not one[0].my_turn())
        yield both[0][0], both[1][0], [session for _, session in both]
    finally:
        await asyncio.gather(ada.close(), bob.close())


async def test_scenario_A6_a_client_that_comes_back_plays_on_where_the_bot_has_left_off() -> None:
    """The number of the next move is read from the seat, so the first move after the return is no stale one."""
    wall = Wall()
    async with (
        serving({"store": SqliteStore(":memory:", clock=wall)}) as app,
        two_at_a_table(app, wall, when_out="bot", bot="random") as (gone, here, sessions),
    ):
        seat, code = gone.seat, gone.code
        assert seat is not None
        count = gone.view.seats[seat].count  # type: ignore[union-attr]  # somebody sits there
        await sessions[0].close()
        await here.until(lambda t: t.clocks.runs == "away")
        wall.advance(121.0)
        app.alarms.ring(code)
        await here.until(lambda t: t.clocks.sits_in[seat] == "random" and t.my_turn())
        assert here.view.seats[seat].count > count  # type: ignore[union-attr]  # as above
        pace = Pace(a_second=1e6, at_once=1_000_000, clock=wall)
        token = sessions[0].token
        async with await Dormie.connect(url_of(app), token=token, pace=pace) as again:
            back = await again.watch(code)
            await back.until(lambda t: t.clocks.sits_in[seat] is None)
            while here.my_turn():
                await here.play(here.moves[-1])
            await back.until(lambda t: t.my_turn())
            await back.play(back.moves[-1])

            assert (seat, False) == (back.seat, back.replaced)


async def test_scenario_D6_a_pause_over_the_wire_and_the_time_that_is_left() -> None:
    wall = Wall()
    async with (
        serving({"store": SqliteStore(":memory:", clock=wall)}) as app,
        two_at_a_table(app, wall, game_seconds=30) as (first, second, _),
    ):
        left = first.time_left()
        assert left is not None
        assert ("turn", 90.0, (30.0, 30.0)) == (left.runs, left.seconds, left.bank)
        wall.advance(70.0)
        left = first.time_left()
        assert left is not None
        assert (20.0, 20.0) == (left.seconds, left.bank[first.seat or 0])
        await first.pause(300)
        await second.until(lambda t: t.clocks.ask is not None)
        await second.agree()
        await first.until(lambda t: t.clocks.runs == "pause")
        assert not first.my_turn()
        with pytest.raises(RefusedError, match=r"cannot be done now"):
            await second.pause()
        wall.advance(100.0)
        await first.resume()
        await second.until(lambda t: t.clocks.runs == "turn")
        left = second.time_left()

        assert left is not None
        assert (20.0, 200.0 + 600.0) == (left.seconds, second.clocks.pause_seconds)


async def test_scenario_D12_every_word_about_a_deadline_brings_the_servers_time() -> None:
    wall = Wall()
    async with (
        serving({"store": SqliteStore(":memory:", clock=wall)}) as app,
        two_at_a_table(app, wall) as (first, _, _),
    ):
        seen = first.look()
        assert (wall.time, wall.time + 60.0) == (seen.now, first.view.deadline)


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({"turn_seconds": 4}, "clock.turn_seconds"),
        ({"turn_seconds": 15 * 86400}, "clock.turn_seconds"),
        ({"when_out": "shout"}, "clock.when_out"),
        ({"bot": "genius"}, "clock.bot"),
        ({"pauses": 101}, "clock.pauses"),
        ({"wait_seconds": 4}, "clock.wait_seconds"),
    ],
)
async def test_a_clock_that_cannot_be_had_is_refused_with_the_reason(
    clock: dict[str, object], field: str
) -> None:
    async with (
        serving() as app,
        await Dormie.connect(url_of(app), name="Ada") as ada,
    ):
        with pytest.raises(RefusedError) as no:
            await ada.create(size=2, clock=clock)

        assert ("bad_option", field) == (no.value.word, no.value.field)
        assert no.value.because.startswith(f"{field}: ")


def test_comings_and_goings_are_told_as_they_were_before() -> None:
    evening = evening_with(Clock(when_out="bot"), BOB)
    seat = turn(evening)
    drop(evening, seat)
    come_back(evening, seat)

    assert ([Dropped(seat)], [Returned(seat)]) == (told(evening, Dropped), told(evening, Returned))
