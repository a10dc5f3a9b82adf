"""The table's door: nothing happens twice, nothing stale happens, and nobody plays another's seat."""

import pytest

from dormie_protocol.table_view import Dropped, Returned
from dormie_rules.grid_moves import Draw, Flip, Take
from dormie_server.table.commands import (
    Attach,
    BotMove,
    DealHole,
    Detach,
    Join,
    OthersGone,
    PlayMove,
    Ready,
    Start,
    Wake,
)
from dormie_server.table.refusal import No
from tests.evening import HOST, Evening
from tests.grid_only import grid_secret


@pytest.fixture
def evening() -> Evening:
    """Two people, the first hole dealt, everybody still turning cards up."""
    evening = Evening()
    evening.begin("p-bob")
    return evening


def test_case_U23_a_move_sent_twice_is_made_once(evening: Evening) -> None:
    first = evening.play(0, Flip(0), count=1)
    again = evening.play(0, Flip(0), count=1)

    assert (first.version, 1) == (again.version, evening.seat(0).count)
    assert again.table is evening.table


def test_the_same_number_with_another_move_is_stale(evening: Evening) -> None:
    evening.play(0, Flip(0), count=1)

    with pytest.raises(No) as no:
        evening.play(0, Flip(1), count=1)
    assert ("stale", "count") == (no.value.why, no.value.field)


@pytest.mark.parametrize("count", [2, 11, 2**31])
def test_a_number_from_the_future_is_stale(evening: Evening, count: int) -> None:
    with pytest.raises(No, match="overtaken") as no:
        evening.play(0, Flip(0), count=count)
    assert "stale" == no.value.why


def test_the_rules_say_no_with_their_own_word(evening: Evening) -> None:
    with pytest.raises(No) as no:
        evening.play(0, Draw())

    assert "must_flip" == no.value.why


def test_a_request_sent_twice_is_done_once_and_answered_twice(evening: Evening) -> None:
    other = Evening(size=3)
    first = other.ask("p-cleo", Join("Cleo"), "same-id")
    again = other.ask("p-cleo", Join("Cleo"), "same-id")

    assert (first.version, first.seat) == (again.version, again.seat)
    assert ["Ada", "Cleo"] == [seat.name for seat in other.table.public.seats if seat]


def test_nasty_P02_an_id_used_for_something_else_is_refused() -> None:
    evening = Evening(size=3)
    evening.ask("p-cleo", Join("Cleo"), "same-id")

    with pytest.raises(No) as no:
        evening.ask("p-cleo", Join("Cleo", seat=2), "same-id")
    assert "id_conflict" == no.value.why


def test_scenario_A14_joining_again_is_the_same_seat() -> None:
    evening = Evening(size=3)
    seat = evening.come("p-cleo", "Cleo")

    assert seat == evening.ask("p-cleo", Join("Cleo")).seat


def test_nasty_P08_the_newest_connection_plays_and_the_older_one_is_refused(
    evening: Evening,
) -> None:
    old = evening.table.secret.sitters[0]
    assert old is not None
    evening.do(Attach(HOST, "server-2"))

    with pytest.raises(No) as no:
        evening.do(PlayMove(HOST, old.generation, 1, Flip(0)))
    assert "replaced" == no.value.why


@pytest.mark.parametrize("resume", [False, True])
def test_what_an_older_line_of_the_same_run_says_late_takes_nothing_back(
    evening: Evening,
    resume: bool,  # noqa: FBT001 - given by pytest
) -> None:
    """Its server stood still; the program has gone on on another line meanwhile, and plays there."""
    evening.do(Attach(HOST, "server-1", "tab", line=1))
    newest = evening.do(Attach(HOST, "server-2", "tab", resume=True, line=3)).generation
    with pytest.raises(No) as no:
        evening.do(Attach(HOST, "server-1", "tab", resume=resume, line=2))
    evening.do(PlayMove(HOST, newest, 1, Flip(0)))

    assert "replaced" == no.value.why
    assert evening.do(Attach(HOST, "server-2", "tab", resume=True, line=3)).generation > newest
    assert evening.do(Attach(HOST, "server-1", "phone", line=1)).generation > newest


def test_the_end_of_an_older_connection_is_no_drop(evening: Evening) -> None:
    old = evening.table.secret.sitters[0]
    assert old is not None
    evening.do(Attach(HOST, "server-2"))
    evening.do(Detach(HOST, old.generation))

    assert evening.seat(0).here


def test_scenario_A15_one_drop_is_one_event_and_one_return(evening: Evening) -> None:
    sitter = evening.table.secret.sitters[0]
    assert sitter is not None
    evening.do(Detach(HOST, sitter.generation))
    evening.do(Detach(HOST, sitter.generation))
    evening.do(Attach(HOST, "server-2"))
    evening.do(Attach(HOST, "server-2"))
    told = [e.public for e in evening.told if isinstance(e.public, Dropped | Returned)]

    assert [Dropped(0), Returned(0)] == told[-2:]
    assert 1 == sum(isinstance(event, Dropped) for event in told)


def test_after_a_crash_whoever_the_dead_server_served_has_dropped(evening: Evening) -> None:
    evening.do(OthersGone("server-2"))

    assert [False, False] == [evening.seat(0).here, evening.seat(1).here]
    assert evening.do(OthersGone("server-2")).table is evening.table


def test_a_stranger_cannot_move(evening: Evening) -> None:
    with pytest.raises(No) as no:
        evening.do(PlayMove("p-eve", 0, 1, Flip(0)))

    assert "not_seated" == no.value.why


def test_waking_early_or_twice_does_nothing(evening: Evening) -> None:
    assert evening.do(Wake()).table is evening.table

    evening.now = evening.table.public.deadline or 0.0
    evening.do(Wake())
    assert evening.do(Wake()).table is evening.table


def test_a_deal_for_another_time_is_no_deal(evening: Evening) -> None:
    pack = tuple(hole.stock) if (hole := grid_secret(evening.table)) else ()

    assert evening.do(DealHole(1, pack, b"")).table is evening.table
    assert evening.do(DealHole(2, pack, b"")).table is evening.table


def test_a_bot_cannot_move_for_a_person(evening: Evening) -> None:
    assert evening.do(BotMove(0, 1, Flip(0))).table is evening.table


def test_nasty_P04_playing_in_a_lobby_and_after_the_end_is_refused() -> None:
    evening = Evening()
    evening.come("p-bob", "Bob")
    with pytest.raises(No) as no:
        evening.play(1, Take())
    assert "wrong_time" == no.value.why

    evening.begin()
    evening.ask("p-bob", Ready())
    with pytest.raises(No) as again:
        evening.ask("p-bob", Start())
    assert "not_host" == again.value.why
