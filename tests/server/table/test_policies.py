"""What happens when a player's time is over: as the table has agreed."""

import pytest

from dormie_protocol.clocks import (
    Choice,
    Clock,
    Forfeited,
    HandedBack,
    SatIn,
    VoteCalled,
    VoteDecided,
    WaitsOn,
)
from dormie_protocol.table_view import Closed, TimeOut
from dormie_rules.course_state import LeftMatch, MatchOver
from dormie_rules.replay import verify
from dormie_server.table.commands import Leave, PlayMove, Ready, Rematch, Resume, Vote, Wake
from dormie_server.table.refusal import No
from tests.evening import Evening
from tests.scenarios.evenings import play_until, told
from tests.server.table.clocked import (
    BOB,
    CLEO,
    PEOPLE,
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


def others_of(evening: Evening, seat: int) -> list[int]:
    return [other for other in range(len(PEOPLE)) if other != seat]


# ------------------------------------------------------------------------------- the bank


def test_a_bank_is_used_when_the_turns_own_time_is_over_and_only_then() -> None:
    evening = evening_with(Clock(60.0, game_seconds=100.0), BOB)
    seat = turn(evening)
    assert evening.now + 160.0 == deadline(evening)
    evening.now += 59.0
    move(evening)
    assert evening.table.public.clocks is None, "nothing was used, and nothing is told"
    move(evening)
    evening.now += 70.0
    assert seat == turn(evening)
    move(evening)

    assert 90.0 == pytest.approx(standing(evening).bank[seat])
    assert 100.0 == standing(evening).bank[1 - seat]


def test_a_bank_that_is_used_up_is_empty_and_the_next_turn_has_its_own_time() -> None:
    evening = evening_with(Clock(60.0, game_seconds=100.0), BOB)
    seat = turn(evening)
    evening.now = deadline(evening) + 30.0  # whoever rings is late
    evening.ring()
    assert [TimeOut(seat)] == told(evening, TimeOut)
    assert 0.0 == standing(evening).bank[seat]
    move(evening)

    assert (seat, evening.now + 60.0) == (turn(evening), deadline(evening))


def test_a_match_begins_with_whole_clocks() -> None:
    evening = evening_with(Clock(60.0, game_seconds=100.0), BOB, holes=1)
    out_of_time(evening)
    assert evening.table.public.clocks is not None
    while evening.phase == "playing":
        move(evening)

    assert evening.table.public.clocks is None


# --------------------------------------------------------------------------- the allowance


def test_whoever_is_away_uses_the_allowance_in_the_own_turns_only() -> None:
    evening = evening_with(Clock(60.0, away_seconds=100.0), BOB)
    seat = turn(evening)
    drop(evening, 1 - seat)
    evening.now += 50.0
    assert evening.table.public.clocks is None, "it is somebody else's turn"
    move(evening)
    assert ("away", evening.now + 100.0) == (standing(evening).runs, deadline(evening))
    evening.now += 30.0
    come_back(evening, 1 - seat)

    assert 70.0 == pytest.approx(standing(evening).away[1 - seat])
    assert ("turn", evening.now + 60.0) == (standing(evening).runs, deadline(evening))


def test_when_the_allowance_is_used_up_the_time_to_think_goes_on_and_both_end_once() -> None:
    evening = evening_with(Clock(60.0, away_seconds=100.0), BOB)
    seat = turn(evening)
    evening.now += 20.0
    drop(evening, seat)
    left = standing(evening).left
    assert left is not None
    assert evening.do(Wake()).table is evening.table
    out_of_time(evening)
    assert (0.0, []) == (standing(evening).away[seat], told(evening, TimeOut))
    assert evening.now + left == deadline(evening)
    out_of_time(evening)

    assert [TimeOut(seat)] == told(evening, TimeOut)


def test_whoever_is_back_before_anybody_rings_thinks_on_with_no_allowance_left() -> None:
    evening = evening_with(Clock(60.0, away_seconds=100.0), BOB)
    seat = turn(evening)
    drop(evening, seat)
    evening.now = deadline(evening) + 30.0
    come_back(evening, seat)

    assert (0.0, evening.now + 60.0) == (standing(evening).away[seat], deadline(evening))


def test_whoever_has_no_allowance_left_thinks_or_loses_the_turn() -> None:
    evening = evening_with(Clock(60.0, away_seconds=0.0), BOB)
    drop(evening, turn(evening))

    assert evening.table.public.clocks is None
    out_of_time(evening)
    assert 1 == len(told(evening, TimeOut))


# ------------------------------------------------------------------------------------- bot


def test_a_bot_sits_in_plays_on_and_gives_the_seat_back_to_whoever_returns() -> None:
    evening = evening_with(Clock(60.0, when_out="bot"), BOB, pace=1.0)
    seat = turn(evening)
    name, count = evening.seat(seat).name, evening.seat(seat).count
    drop(evening, seat)
    out_of_time(evening)
    assert [SatIn(seat, "medium")] == told(evening, SatIn)
    while turn(evening) == seat:
        evening.sleep()
    moved = evening.seat(seat).count
    assert moved > count, "the bot's moves are the seat's own"
    assert (name, None) == (evening.seat(seat).name, evening.seat(seat).bot)
    come_back(evening, seat)
    move(evening)

    assert [HandedBack(seat)] == told(evening, HandedBack)
    assert turn(evening) == seat
    evening.play(seat, evening.moves(seat)[0], moved + 1)
    with pytest.raises(No, match="overtaken"):
        evening.play(seat, evening.moves(seat)[-1], moved)


@pytest.mark.parametrize("touch", ["play", "resume", "ready"])
def test_whoever_was_here_all_the_time_touches_the_seat_and_has_it(touch: str) -> None:
    evening = evening_with(Clock(60.0, when_out="bot"), BOB, pace=30.0)
    seat = turn(evening)
    out_of_time(evening)
    assert "medium" == standing(evening).sits_in[seat]
    if touch == "play":
        evening.play(seat, evening.moves(seat)[0])
    elif touch == "resume":
        evening.ask(player_in(evening, seat), Resume())
    else:
        while evening.phase != "between":
            evening.sleep() if turn(evening) == seat else move(evening)
        evening.ask(player_in(evening, seat), Ready())

    assert (None, None) == (standing(evening).sits_in[seat], evening.table.secret.bot_at)


def test_whoever_comes_and_goes_in_one_turn_has_no_second_turn_of_it() -> None:
    evening = evening_with(Clock(60.0, when_out="bot"), BOB, pace=30.0)
    seat = turn(evening)
    out_of_time(evening)
    come_back(evening, seat)
    assert (seat, evening.now + 60.0) == (turn(evening), deadline(evening))
    out_of_time(evening)

    assert [TimeOut(seat)] == told(evening, TimeOut)
    assert 1 - seat == turn(evening)


def test_nobody_sits_in_where_nobody_else_waits() -> None:
    evening = evening_with(Clock(60.0, away_seconds=0.0, when_out="bot"), BOB)
    drop(evening, 0)
    drop(evening, 1)
    out_of_time(evening)

    assert ([], 1) == (told(evening, SatIn), len(told(evening, TimeOut)))


# ------------------------------------------------------------------------------------ vote

CHOICES: tuple[Choice, ...] = ("wait", "bot", "withdraw", "end")


@pytest.mark.parametrize("choice", CHOICES)
def test_the_others_decide_and_what_they_decide_is_done(choice: Choice) -> None:
    evening = evening_with(Clock(60.0, when_out="vote"), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    assert [VoteCalled(seat, 60.0)] == told(evening, VoteCalled)
    for other in others_of(evening, seat):
        assert [] == told(evening, VoteDecided)
        evening.ask(player_in(evening, other), Vote(choice))
    kinds = {"wait": WaitsOn, "bot": SatIn, "withdraw": Forfeited, "end": Closed}

    assert [VoteDecided(seat, choice)] == told(evening, VoteDecided)
    assert 1 == len(told(evening, kinds[choice]))


def test_most_votes_count_and_of_two_alike_the_milder() -> None:
    evening = evening_with(Clock(60.0, when_out="vote"), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    first, second = others_of(evening, seat)
    evening.ask(player_in(evening, first), Vote("withdraw"))
    evening.ask(player_in(evening, second), Vote("wait"))

    assert [VoteDecided(seat, "wait")] == told(evening, VoteDecided)


def test_a_vote_ends_in_time_and_without_any_vote_a_bot_sits_in() -> None:
    evening = evening_with(Clock(60.0, when_out="vote", vote_seconds=40.0), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    assert evening.now + 40.0 == deadline(evening)
    out_of_time(evening)

    assert [SatIn(seat, "medium")] == told(evening, SatIn)


def test_whoever_the_vote_is_about_has_none_and_ends_it_by_playing() -> None:
    evening = evening_with(Clock(60.0, when_out="vote"), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    with pytest.raises(No, match="nothing for you to vote on"):
        evening.ask(player_in(evening, seat), Vote("wait"))
    evening.play(seat, evening.moves(seat)[0])

    assert ("turn", None) == (standing(evening).runs, standing(evening).votes)
    with pytest.raises(No, match="nothing for you to vote on"):
        evening.ask(player_in(evening, others_of(evening, seat)[0]), Vote("end"))


def test_whoever_a_vote_is_about_may_leave_and_nobody_votes_on() -> None:
    evening = evening_with(Clock(60.0, when_out="vote"), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    evening.ask(player_in(evening, seat), Leave())

    assert ("turn", evening.now + 60.0) == (standing(evening).runs, deadline(evening))
    assert seat != turn(evening)


# ----------------------------------------------------------------------- withdraw and wait


def test_a_strict_table_takes_a_sleeper_out_of_the_match_and_keeps_the_seat() -> None:
    evening = evening_with(Clock(60.0, when_out="withdraw"), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    assert [Forfeited(seat)] == told(evening, Forfeited)
    assert [LeftMatch(seat)] == told(evening, LeftMatch)
    play_until(evening, "over")

    assert verify(evening.record()).ok
    assert seat == evening.where(player_in(evening, seat))
    evening.ask(player_in(evening, seat), Rematch())


def test_whoever_was_taken_out_of_the_match_leaves_it_once_in_its_record() -> None:
    evening = evening_with(Clock(60.0, when_out="withdraw"), BOB, CLEO)
    seat = turn(evening)
    out_of_time(evening)
    evening.ask(player_in(evening, seat), Leave())

    assert [f"leave {seat + 1}"] == [line for line in evening.lines if line.startswith("leave ")]


def test_the_last_one_in_the_match_has_won_it() -> None:
    evening = evening_with(Clock(60.0, when_out="withdraw"), BOB)
    out_of_time(evening)

    assert ("over", 1) == (evening.phase, len(told(evening, MatchOver)))
    assert verify(evening.record()).ok


def test_a_patient_table_waits_and_not_for_ever() -> None:
    evening = evening_with(Clock(60.0, when_out="wait", wait_seconds=600.0), BOB)
    seat = turn(evening)
    out_of_time(evening)
    assert [WaitsOn(seat, 600.0)] == told(evening, WaitsOn)
    assert ("wait", evening.now + 600.0) == (standing(evening).runs, deadline(evening))
    out_of_time(evening)

    assert [TimeOut(seat)] == told(evening, TimeOut)
    assert "turn" == standing(evening).runs


def test_whoever_plays_while_the_others_wait_has_time_for_the_rest_of_the_turn() -> None:
    evening = evening_with(Clock(60.0, when_out="wait"), BOB)
    seat = turn(evening)
    out_of_time(evening)
    evening.now += 500.0
    evening.play(seat, evening.moves(seat)[0])

    assert (seat, evening.now + 60.0) == (turn(evening), deadline(evening))


def test_first_cards_are_turned_up_by_the_clock_whatever_was_agreed() -> None:
    evening = Evening(size=2, clock=Clock(60.0, when_out="withdraw"))
    evening.begin(BOB)
    assert evening.now + 60.0 == deadline(evening)
    drop(evening, 1)
    assert evening.now + 60.0 == deadline(evening), "one deadline for all, whoever is away"
    out_of_time(evening)

    assert {TimeOut(0), TimeOut(1)} == set(told(evening, TimeOut))
    assert [] == told(evening, Forfeited)


def test_a_move_from_a_connection_that_was_thought_dead_is_a_move() -> None:
    evening = evening_with(Clock(60.0), BOB)
    seat = turn(evening)
    drop(evening, seat)
    evening.now += 10.0
    sitter = evening.table.secret.sitters[seat]
    assert sitter is not None
    count = evening.seat(seat).count + 1
    evening.do(PlayMove(sitter.player or "", sitter.generation, count, evening.moves(seat)[0]))

    assert "turn" == standing(evening).runs
    assert standing(evening).away[seat] == pytest.approx(110.0)
