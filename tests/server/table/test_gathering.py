"""The moments before a match: nobody is drawn into it who does not know of it."""

import pytest

from dormie_protocol.table_view import MatchBegan, Missing
from dormie_server.table.commands import (
    Attach,
    Detach,
    Join,
    Leave,
    OthersGone,
    Ready,
    Rematch,
    SetBot,
    Start,
    Wake,
)
from tests.evening import HOST, Evening
from tests.grid_only import grid_match
from tests.scenarios.evenings import BOB, CLEO, play_until, told


def drop(evening: Evening, player: str) -> None:
    sitter = evening.table.secret.sitters[evening.where(player)]
    assert sitter is not None
    evening.do(Detach(player, sitter.generation))


def names(evening: Evening) -> list[str]:
    return [seat.name for seat in evening.table.public.seats if seat]


@pytest.fixture
def evening() -> Evening:
    """Ada, Bob and Cleo, and Ada is about to start."""
    evening = Evening(options={"holes": 1}, size=4)
    evening.do(Attach(HOST, "server-1"))
    evening.come(BOB, "Bob")
    evening.come(CLEO, "Cleo")
    return evening


def test_whoever_is_here_plays_ready_or_not(evening: Evening) -> None:
    evening.ask(HOST, Start())
    evening.sleep()

    assert ("playing", []) == (evening.phase, told(evening, Missing))
    assert ["Ada", "Bob", "Cleo"] == names(evening)


def test_whoever_is_neither_here_nor_ready_is_left_out_and_the_others_begin(
    evening: Evening,
) -> None:
    drop(evening, BOB)
    evening.ask(HOST, Start())
    evening.ask(CLEO, Ready("ab" * 16))
    evening.sleep()

    assert [Missing((1,), ("Bob",), went_on=True)] == told(evening, Missing)
    assert ("playing", ["Ada", "Cleo"]) == (evening.phase, names(evening))
    assert [(None, "ab" * 16)] == [began.contributions for began in told(evening, MatchBegan)]
    play_until(evening, "over")


def test_whoever_said_ready_and_lost_the_line_plays(evening: Evening) -> None:
    evening.ask(BOB, Ready())
    drop(evening, BOB)
    evening.ask(HOST, Start())
    evening.sleep()

    assert ["Ada", "Bob", "Cleo"] == names(evening)


def test_whoever_comes_back_in_time_plays(evening: Evening) -> None:
    drop(evening, BOB)
    evening.ask(HOST, Start())
    evening.do(Attach(BOB, "server-1"))
    evening.sleep()

    assert ["Ada", "Bob", "Cleo"] == names(evening)


def test_when_the_house_was_away_everybody_has_the_whole_time_to_come_back(
    evening: Evening,
) -> None:
    evening.ask(HOST, Start())
    evening.now += 9.0  # of ten
    evening.do(OthersGone("server-2"))
    evening.do(Attach(HOST, "server-2"))
    evening.do(Attach(CLEO, "server-2"))
    evening.now += 9.0
    evening.do(Wake())
    evening.do(Attach(BOB, "server-2"))
    evening.sleep()

    assert ("playing", []) == (evening.phase, told(evening, Missing))
    assert ["Ada", "Bob", "Cleo"] == names(evening)


def test_where_too_few_are_left_everybody_keeps_the_seat(evening: Evening) -> None:
    drop(evening, BOB)
    drop(evening, CLEO)
    evening.ask(HOST, Start())
    evening.ask(HOST, Ready("ab" * 16))
    evening.sleep()

    assert [Missing((1, 2), ("Bob", "Cleo"), went_on=False)] == told(evening, Missing)
    assert ("lobby", ["Ada", "Bob", "Cleo"]) == (evening.phase, names(evening))
    assert evening.seat(0).ready
    evening.do(Attach(BOB, "server-1"))
    evening.ask(HOST, Start())
    evening.sleep()
    assert ("playing", ["Ada", "Bob"]) == (evening.phase, names(evening))


def test_a_bot_is_company_enough_and_bots_alone_are_not() -> None:
    evening = Evening(options={"holes": 1}, size=3, bots=("random",))
    evening.do(Attach(HOST, "server-1"))
    evening.come(BOB, "Bob")
    drop(evening, BOB)
    evening.ask(HOST, Start())
    evening.sleep()
    assert ("playing", ["Ada", "Bogey"]) == (evening.phase, names(evening))

    alone = Evening(options={"holes": 1}, size=3, bots=("random", "random"))
    alone.ask(HOST, Start())
    alone.sleep()
    assert [Missing((0,), ("Ada",), went_on=False)] == told(alone, Missing)
    assert "lobby" == alone.phase


def test_a_host_who_is_missing_is_host_no_more(evening: Evening) -> None:
    evening.ask(HOST, Start())
    drop(evening, HOST)
    evening.sleep()

    assert ["Bob", "Cleo"] == names(evening)
    assert 0 == evening.table.public.host


def test_whoever_was_missing_may_join_again_after_the_match(evening: Evening) -> None:
    drop(evening, BOB)
    evening.ask(HOST, Start())
    evening.sleep()
    play_until(evening, "over")
    evening.ask(CLEO, Leave())
    evening.ask(BOB, Join("Bob"))

    assert ["Ada", "Bob"] == names(evening)


@pytest.mark.parametrize("gone", [HOST, BOB, CLEO])
def test_the_first_deal_of_a_rematch_passes_whoever_is_missing_over(gone: str) -> None:
    """Seats are counted anew, and the dealer with them."""
    evening = Evening(options={"holes": 1}, size=3)
    evening.begin(BOB, CLEO)
    play_until(evening, "over")
    drop(evening, gone)
    for player in {HOST, BOB, CLEO} - {gone}:
        evening.ask(player, Rematch())
    evening.ring()
    before, dealer = names(evening), evening.table.secret.dealer
    assert dealer is not None
    wish = [*before[dealer:], *before[:dealer]]
    wish.remove(gone.removeprefix("p-").title())
    evening.sleep()

    match = grid_match(evening.table.public)
    assert match.dealer is not None
    assert wish[0] == names(evening)[match.dealer]


def test_a_rematch_after_somebody_left_at_its_start_has_a_dealer() -> None:
    evening = Evening(options={"holes": 1}, size=3)
    evening.begin(BOB, CLEO)
    play_until(evening, "over")
    for player in (HOST, BOB, CLEO):
        evening.ask(player, Rematch())
    evening.ring()
    evening.ask(HOST, Leave())
    assert "lobby" == evening.phase
    evening.ask(BOB, Start())
    evening.sleep()
    play_until(evening, "over")

    assert ["Bob", "Cleo"] == names(evening)


def test_a_table_where_nobody_came_waits_in_the_lobby_and_ends() -> None:
    evening = Evening(size=2)
    evening.ask(HOST, SetBot("random"))
    evening.ask(HOST, Start())
    evening.sleep()
    assert "lobby" == evening.phase
    evening.sleep()

    assert ("closed", None) == (evening.phase, evening.table.secret.alarm)
