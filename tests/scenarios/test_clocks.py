"""Clocks and people who do not play: nobody waits for ever, and nobody's time is over before it is."""

import pytest

from dormie_client import Dormie, Pace
from dormie_protocol.table_view import TimeOut
from dormie_rules.course_state import MatchOver
from dormie_rules.grid_moves import Flip
from dormie_rules.replay import verify
from dormie_server.table.commands import Leave, Wake
from tests.evening import HOST, Evening
from tests.scenarios.evenings import (
    BOB,
    CLEO,
    STAGES,
    at_phase,
    at_stage,
    play_of,
    play_until,
    told,
)
from tests.serving import serving, url_of


@pytest.mark.parametrize("late", [0.0, 0.2, 25.0, 600.0])
def test_scenario_D5_a_turn_ends_at_its_time_once_and_the_next_one_is_whole(late: float) -> None:
    evening = at_stage("turn", BOB)
    deadline = evening.table.public.deadline
    assert deadline is not None
    for early in (30.0, 0.001, 1e-6):
        evening.now = deadline - early
        assert evening.do(Wake()).table is evening.table, "it is not over before it is"
    evening.now = deadline + late
    for _ in range(3):
        evening.do(Wake())

    assert 1 == len(told(evening, TimeOut))
    assert evening.now + evening.table.about.turn_seconds == evening.table.public.deadline


@pytest.mark.parametrize("stage", STAGES)
def test_scenario_D10_whoever_leaves_at_any_point_of_a_turn_holds_nobody_up(stage: str) -> None:
    evening = at_stage(stage, BOB, CLEO)
    seat = evening.waiting()[0]
    sitter = evening.table.secret.sitters[seat]
    assert sitter is not None
    evening.ask(sitter.player or "", Leave())

    assert seat not in evening.waiting()
    assert evening.waiting()
    play_until(evening, "over")
    assert 1 == len(told(evening, MatchOver))
    assert verify(evening.record()).ok


@pytest.mark.parametrize("phase", ["lobby", "starting", "between", "over"])
@pytest.mark.parametrize("player", [HOST, BOB])
def test_scenario_D10_whoever_leaves_between_turns_leaves_a_table_that_has_a_next_step(
    phase: str, player: str
) -> None:
    evening = at_phase(phase)
    evening.ask(player, Leave())

    assert evening.table.secret.alarm is not None
    for _ in range(5):
        if evening.phase == "closed":
            break
        evening.sleep()
    assert "closed" == evening.phase, "and in the end it is closed"


def test_scenario_R86_a_hole_does_not_wait_for_one_who_turns_no_first_cards() -> None:
    evening = Evening(size=3)
    evening.begin(BOB, CLEO)
    for seat in (0, 2):
        for at in (0, 1):
            evening.play(seat, Flip(at))
    assert (1,) == evening.waiting()
    evening.sleep()

    assert [TimeOut(1)] == told(evening, TimeOut)
    assert "turn" == play_of(evening).stage


@pytest.mark.parametrize("wrong", [-3600.0, 0.0, 86400.0])
async def test_scenario_D12_a_client_whose_clock_is_wrong_knows_the_servers_time(
    wrong: float,
) -> None:
    """A deadline less the offset is a time of the client's own, to a second or so over any line."""
    async with serving() as app:
        now = await app.store.now()
        pace = Pace(clock=lambda: now + wrong, a_second=1e6, at_once=1_000_000)
        async with await Dormie.connect(url_of(app), name="Ada", pace=pace) as session:
            assert abs(session.clock_offset + wrong) < 60.0
            assert abs(session.server_time() - now) < 60.0
