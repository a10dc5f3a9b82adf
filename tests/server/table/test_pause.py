"""A pause is agreed on, has an end and a budget, and costs nobody any time."""

from copy import deepcopy

import pytest

from dormie_protocol.clocks import (
    Agreed,
    Clock,
    Declined,
    PauseAsked,
    PauseBegan,
    PauseEnded,
    ResumeAsked,
    SatIn,
)
from dormie_protocol.table_view import TimeOut
from dormie_rules.replay import verify
from dormie_server.seen import waiting_of
from dormie_server.table.commands import Agree, BotMove, Leave, Pause, Ready, Resume, Vote, Wake
from dormie_server.table.refusal import No
from tests.evening import HOST, Evening
from tests.scenarios.evenings import play_until, told
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


@pytest.fixture
def evening() -> Evening:
    """Three people in the first turn of a hole, ten seconds on."""
    evening = evening_with(Clock(), BOB, CLEO)
    evening.now += 10.0
    return evening


def agreed(evening: Evening, seconds: int | None = None) -> None:
    """Ada asks for a pause, and the others want it too."""
    evening.ask(HOST, Pause(seconds))
    for player in (BOB, CLEO):
        evening.ask(player, Agree())


def test_a_pause_begins_when_all_have_agreed_and_puts_the_deadline_off(evening: Evening) -> None:
    before = deadline(evening)
    evening.ask(HOST, Pause(300))
    evening.ask(BOB, Agree())
    assert [] == told(evening, PauseBegan)
    evening.ask(CLEO, Agree())
    assert ("pause", evening.now + 300.0) == (standing(evening).runs, deadline(evening))
    out_of_time(evening)

    assert ("turn", before + 300.0) == (standing(evening).runs, deadline(evening))
    assert [PauseAsked(0, 300.0)] == told(evening, PauseAsked)
    assert [Agreed(1), Agreed(2)] == told(evening, Agreed)
    assert (1, 1) == (len(told(evening, PauseBegan)), len(told(evening, PauseEnded)))
    assert (2, 600.0) == (standing(evening).pauses, standing(evening).pause_seconds)


def test_nobody_moves_in_a_pause(evening: Evening) -> None:
    seat = turn(evening)
    agreed(evening)
    before = evening.table
    for move_ in evening.moves(seat):
        with pytest.raises(No, match="The table has a pause"):
            evening.play(seat, move_)
        assert evening.do(BotMove(seat, evening.seat(seat).count + 1, move_)).table is before

    assert () == waiting_of(evening.table)
    assert evening.do(Wake()).table is before


def test_whoever_asked_ends_it_and_others_ask_to(evening: Evening) -> None:
    before = deadline(evening)
    agreed(evening)
    evening.now += 100.0
    evening.ask(BOB, Resume())
    assert [ResumeAsked(1)] == told(evening, ResumeAsked)
    assert "pause" == standing(evening).runs
    evening.ask(HOST, Resume())
    assert (before + 100.0, 800.0) == (deadline(evening), standing(evening).pause_seconds)

    agreed(evening)
    evening.now += 50.0
    evening.ask(CLEO, Resume())
    evening.ask(BOB, Agree())
    evening.ask(HOST, Agree())
    assert (before + 150.0, 2) == (deadline(evening), len(told(evening, PauseEnded)))


def test_one_who_is_against_it_is_enough(evening: Evening) -> None:
    evening.ask(HOST, Pause())
    evening.ask(BOB, Agree(yes=False))

    assert ([Declined(1)], None) == (told(evening, Declined), standing(evening).ask)
    with pytest.raises(No, match="cannot be done now"):
        evening.ask(CLEO, Agree())


def test_whoever_says_nothing_has_not_agreed(evening: Evening) -> None:
    before = deadline(evening)
    evening.ask(HOST, Pause())
    evening.ask(BOB, Agree())
    evening.now += 5.0
    evening.ring()
    assert standing(evening).ask is not None
    evening.now += 25.0
    evening.ring()

    assert ([Declined(None)], []) == (told(evening, Declined), told(evening, PauseBegan))
    assert (before, 3) == (deadline(evening), standing(evening).pauses)


def test_whoever_is_away_counts_for_a_moment_only(evening: Evening) -> None:
    drop(evening, (turn(evening) + 1) % 3)
    for seat in range(3):
        if seat != (turn(evening) + 1) % 3:
            first = standing(evening).ask is None
            evening.ask(player_in(evening, seat), Pause() if first else Agree())
    evening.now += 4.9
    evening.ring()
    assert [] == told(evening, PauseBegan)
    evening.now += 0.2
    evening.ring()

    assert 1 == len(told(evening, PauseBegan))


@pytest.mark.parametrize("how", ["leaves", "drops"])
def test_whoever_goes_without_an_answer_holds_no_pause_up(evening: Evening, how: str) -> None:
    evening.ask(HOST, Pause())
    evening.ask(BOB, Agree())
    evening.now += 6.0
    evening.ring()
    if how == "leaves":
        evening.ask(CLEO, Leave())
    else:
        drop(evening, evening.where(CLEO))

    assert 1 == len(told(evening, PauseBegan))


def test_bots_agree_and_think_again_after_a_pause() -> None:
    evening = evening_with(Clock(), BOB, bots=("easy",), pace=1.0)
    while evening.table.secret.bot_at is None:
        move(evening)
    evening.ask(HOST, Pause(60))
    evening.ask(BOB, Agree())
    assert (None, "pause") == _bot_and_clock(evening)
    out_of_time(evening)
    bot_at, runs = _bot_and_clock(evening)

    assert ("turn", True) == (runs, bot_at is not None and evening.now < bot_at)


def _bot_and_clock(evening: Evening) -> tuple[float | None, str]:
    return evening.table.secret.bot_at, standing(evening).runs


def test_the_pauses_of_a_match_are_counted_in_number_and_in_time() -> None:
    evening = evening_with(Clock(pauses=2, pause_seconds=100.0), BOB)
    for lasts in (70.0, 30.0):
        evening.ask(HOST, Pause(70))
        evening.ask(BOB, Agree())
        assert evening.now + lasts == deadline(evening)
        out_of_time(evening)
    with pytest.raises(No, match="no pause left"):
        evening.ask(HOST, Pause())

    assert (0, 0.0) == (standing(evening).pauses, standing(evening).pause_seconds)


def test_a_late_end_takes_nothing_from_anybody(evening: Evening) -> None:
    """The house may have been down: the players could not know better, and could not move."""
    before = deadline(evening)
    agreed(evening, 300)
    evening.now += 1000.0
    evening.ring()

    assert before + 1000.0 == deadline(evening)
    assert (600.0, []) == (standing(evening).pause_seconds, told(evening, TimeOut))


def test_an_allowance_stands_still_in_a_pause_and_runs_on_after_it() -> None:
    evening = evening_with(Clock(60.0, away_seconds=100.0), BOB, CLEO)
    seat = turn(evening)
    evening.now += 20.0
    drop(evening, seat)
    here = [other for other in range(3) if other != seat]
    evening.ask(player_in(evening, here[0]), Pause(300))
    evening.ask(player_in(evening, here[1]), Agree())
    evening.now += 5.0
    evening.ring()
    away = standing(evening).away[seat]
    assert "pause" == standing(evening).runs
    out_of_time(evening)

    assert ("away", away) == (standing(evening).runs, standing(evening).away[seat])
    assert evening.now + away == deadline(evening)
    come_back(evening, seat)
    assert evening.now + 45.0 == pytest.approx(deadline(evening)), "the lag was given back"


def test_whoever_leaves_in_a_pause_leaves_the_next_one_a_whole_turn(evening: Evening) -> None:
    agreed(evening, 300)
    seat = turn(evening)
    evening.now += 100.0
    evening.ask(player_in(evening, seat), Leave())
    assert "pause" == standing(evening).runs
    out_of_time(evening)

    assert ("turn", evening.now + 60.0) == (standing(evening).runs, deadline(evening))
    assert seat != turn(evening)


def test_a_hole_that_ends_in_a_pause_ends_the_pause(evening: Evening) -> None:
    """The last one of the last lap leaves in the pause."""
    before = evening
    while evening.phase == "playing":
        before = deepcopy(evening)
        move(evening)
    agreed(before)
    before.ask(player_in(before, turn(before)), Leave())

    assert ("between", None) == (before.phase, standing(before).pause)
    assert ("turn", 2) == (standing(before).runs, standing(before).pauses)
    play_until(before, "over")


def test_a_match_that_ends_in_a_pause_ends_the_pause() -> None:
    evening = evening_with(Clock(), BOB)
    evening.ask(HOST, Pause())
    evening.ask(BOB, Agree())
    evening.ask(BOB, Leave())

    assert ("over", None) == (evening.phase, evening.table.public.clocks)


def test_there_may_be_a_pause_between_two_holes(evening: Evening) -> None:
    play_until(evening, "between")
    before = deadline(evening)
    agreed(evening, 120)
    for player in (HOST, BOB, CLEO):
        evening.ask(player, Ready())
    evening.ring()
    assert ("between", "pause") == (evening.phase, standing(evening).runs)
    evening.now += 60.0
    evening.ask(HOST, Resume())
    evening.ring()
    assert "playing" == evening.phase, "all were ready"
    assert evening.now < before + 60.0

    play_until(evening, "over")
    assert verify(evening.record()).ok


def test_between_two_holes_a_pause_that_is_over_lets_people_look_on(evening: Evening) -> None:
    play_until(evening, "between")
    evening.now += 1.0
    before = deadline(evening)
    evening.ask(HOST, Pause(120))
    evening.now += 5.0
    evening.ring()
    for player in (BOB, CLEO):
        if evening.phase == "between":
            evening.ask(player, Agree())
    paused_at = evening.now
    out_of_time(evening)

    assert ("between", before + evening.now - paused_at) == (evening.phase, deadline(evening))
    out_of_time(evening)
    assert "playing" == evening.phase


def test_a_vote_goes_on_after_a_pause() -> None:
    evening = evening_with(Clock(when_out="vote"), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    others = [player_in(evening, other) for other in range(3) if other != seat]
    evening.ask(others[0], Vote("wait"))
    evening.ask(others[0], Pause(300))
    for player in (others[1], player_in(evening, seat)):
        evening.ask(player, Agree())
    with pytest.raises(No, match="nothing for you to vote on"):
        evening.ask(others[1], Vote("bot"))
    evening.ask(others[0], Resume())
    assert "vote" == standing(evening).runs
    evening.ask(others[1], Vote("bot"))

    assert "wait" == standing(evening).runs
    assert [] == told(evening, SatIn)


def test_there_is_no_pause_in_a_pause_nor_after_the_time(evening: Evening) -> None:
    agreed(evening)
    with pytest.raises(No, match="cannot be done now"):
        evening.ask(BOB, Pause())
    evening.ask(HOST, Resume())
    evening.now = deadline(evening)
    with pytest.raises(No, match="cannot be done now"):
        evening.ask(BOB, Pause())
