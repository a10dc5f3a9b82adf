"""How much time is left, as a client works it out from what it was told."""

from dataclasses import replace

from dormie_client.clocks import TimeLeft, clocks_of, time_left
from dormie_protocol.clocks import Clock, fresh
from tests.server.table.clocked import BOB, come_back, drop, evening_with, turn

CLOCK = Clock(60.0, game_seconds=30.0, away_seconds=100.0)


def test_clocks_that_are_left_out_stand_as_at_the_beginning() -> None:
    table = evening_with(CLOCK, BOB).table

    assert table.public.clocks is None
    assert fresh(CLOCK, 2) == clocks_of(table.about, table.public)


def test_a_bank_is_used_last_and_only_by_the_one_whose_turn_it_is() -> None:
    evening = evening_with(CLOCK, BOB)
    table, seat, now = evening.table, turn(evening), evening.now
    banks = []
    for later in (0.0, 60.0, 70.0, 90.0, 1000.0):
        left = time_left(table.about, table.public, now + later)
        assert left is not None
        assert 30.0 == left.bank[1 - seat]
        banks.append((left.seconds, left.bank[seat]))

    assert [(90.0, 30.0), (30.0, 30.0), (20.0, 20.0), (0.0, 0.0), (0.0, 0.0)] == banks


def test_an_allowance_goes_down_while_its_player_is_away() -> None:
    evening = evening_with(CLOCK, BOB)
    seat, now = turn(evening), evening.now
    drop(evening, seat)
    left = time_left(evening.table.about, evening.table.public, now + 40.0)

    assert left is not None
    assert ("away", 60.0, 60.0, 30.0) == (left.runs, left.seconds, left.away[seat], left.bank[seat])
    evening.now += 40.0
    come_back(evening, seat)
    after = time_left(evening.table.about, evening.table.public, evening.now)
    assert after is not None
    assert TimeLeft("turn", 90.0, (30.0, 30.0), after.away) == after
    assert 60.0 == after.away[seat]


def test_where_nothing_is_waited_for_no_time_is_left_to_show() -> None:
    table = evening_with(CLOCK, BOB).table

    assert time_left(table.about, replace(table.public, deadline=None), 0.0) is None
