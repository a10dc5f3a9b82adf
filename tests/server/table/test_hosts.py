"""What a host may do about others, and what becomes of whoever it is done to."""

import pytest

from dormie_protocol.table_view import Closed, Kicked, LeftTable, NewHost
from dormie_rules.course_state import LeftMatch
from dormie_rules.replay import verify
from dormie_server.table import doors
from dormie_server.table.commands import (
    Attach,
    Detach,
    HandOver,
    Join,
    Kick,
    Leave,
    Lock,
    PlayMove,
    Rematch,
    SetBot,
    SetPassword,
    Start,
)
from dormie_server.table.doors import MOST_BANNED
from tests.evening import HOST, Evening
from tests.scenarios.evenings import (
    BOB,
    CLEO,
    EVE,
    STAGES,
    at_phase,
    at_stage,
    play_of,
    play_one,
    play_until,
    told,
    word_of,
)


def drop(evening: Evening, player: str) -> None:
    sitter = evening.table.secret.sitters[evening.where(player)]
    assert sitter is not None
    evening.do(Detach(player, sitter.generation))


@pytest.fixture
def evening() -> Evening:
    """Ada, Bob and Cleo in the lobby of a table of four."""
    evening = Evening(size=4)
    evening.do(Attach(HOST, "server-1"))
    evening.come(BOB, "Bob")
    evening.come(CLEO, "Cleo")
    return evening


# ------------------------------------------------------------------------------ sent away


def test_whoever_is_sent_away_makes_room_and_everybody_is_told(evening: Evening) -> None:
    evening.ask(HOST, Kick(1, name="Bob"))

    assert None is evening.table.public.seats[1]
    assert ([Kicked(1, "Bob")], []) == (told(evening, Kicked), told(evening, LeftTable))
    assert "not_seated" == word_of(lambda: evening.ask(BOB, Leave()))
    assert "done" == word_of(lambda: evening.ask(BOB, Join("Bob")))


def test_whoever_is_sent_away_for_good_does_not_come_back(evening: Evening) -> None:
    evening.ask(HOST, Kick(1, ban=True))

    assert [Kicked(1, "Bob", ban=True)] == told(evening, Kicked)
    assert "no_table" == word_of(lambda: evening.ask(BOB, Join("Robert")))
    assert "no_table" == word_of(lambda: doors.let_watch(evening.table, BOB, None))
    assert "done" == word_of(lambda: doors.let_watch(evening.table, EVE, None))


def test_the_one_in_a_seat_is_meant_and_nobody_who_came_there_meanwhile(evening: Evening) -> None:
    evening.ask(BOB, Leave())
    evening.ask("p-dan", Join("Dan", seat=1))

    assert "stale" == word_of(lambda: evening.ask(HOST, Kick(1, name="Bob")))
    assert "stale" == word_of(lambda: evening.ask(HOST, HandOver(1, name="Bob")))
    assert "Dan" == evening.seat(1).name


@pytest.mark.parametrize("kind", [Kick, HandOver])
def test_only_another_person_can_be_meant(
    evening: Evening, kind: type[Kick] | type[HandOver]
) -> None:
    evening.ask(HOST, SetBot("random"))
    words = [word_of(lambda: evening.ask(HOST, kind(seat))) for seat in (0, 3, 4)]  # noqa: B023 - asked at once

    assert ["own_seat", "not_a_person", "no_such_seat"] == words


def test_a_list_of_the_banned_does_not_grow_for_ever() -> None:
    evening = Evening(size=2)
    evening.do(Attach(HOST, "server-1"))
    for number in range(MOST_BANNED + 5):
        evening.come(f"p-{number}", f"Player {number}")
        evening.ask(HOST, Kick(1, ban=True))

    assert MOST_BANNED == len(evening.table.secret.banned)
    assert f"p-{MOST_BANNED + 4}" == evening.table.secret.banned[-1]


@pytest.mark.parametrize("stage", STAGES)
def test_scenario_R85_a_hole_goes_on_when_the_one_it_waits_for_is_sent_away(stage: str) -> None:
    """At every point of a turn, also with a card in hand; and the record tells of one who left."""
    evening = at_stage(stage, BOB, CLEO)
    while evening.waiting()[0] == 0:
        play_one(evening)
    gone = evening.waiting()[0]
    evening.ask(HOST, Kick(gone))
    evening.ring()

    assert gone not in evening.waiting()
    assert [LeftMatch(gone)] == told(evening, LeftMatch)
    assert evening.table.public.deadline
    play_until(evening, "over")
    assert verify(evening.record()).ok


@pytest.mark.parametrize("ban", [False, True])
def test_scenario_R85_a_hole_ends_when_the_last_one_it_waits_for_is_sent_away(ban: bool) -> None:  # noqa: FBT001 - both ways
    """The same as U13, where somebody leaves in the final lap."""
    evening = at_stage("turn", BOB)
    while play_of(evening).stage != "over" and not play_of(evening).last:
        play_one(evening)
    if evening.waiting() == (0,):
        evening.ask(HOST, HandOver(1))
    host = evening.table.public.host
    assert host is not None
    player = (HOST, BOB)[host]
    evening.ask(player, Kick(1 - host, ban=ban))

    assert "over" == evening.phase


def test_scenario_R85_a_pause_ends_when_the_last_one_not_ready_is_sent_away() -> None:
    evening = at_phase("between")
    evening.ask(HOST, Kick(1))
    evening.ring()

    assert "over" == evening.phase


def test_scenario_R85_a_rematch_begins_when_the_last_one_who_had_not_asked_is_sent_away() -> None:
    evening = Evening(options={"holes": 1}, size=3)
    evening.begin(BOB, CLEO)
    play_until(evening, "over")
    for player in (HOST, BOB):
        evening.ask(player, Rematch())
    evening.ask(HOST, Kick(evening.where(CLEO)))
    evening.ring()

    assert "starting" == evening.phase


def test_a_host_alone_with_a_bot_after_a_kick_plays_on() -> None:
    evening = Evening(size=3, bots=("random",))
    evening.begin(BOB)
    evening.ask(HOST, Kick(evening.where(BOB), ban=True))
    play_until(evening, "over")

    assert verify(evening.record()).ok


def test_a_move_of_whoever_is_sent_away_comes_too_late() -> None:
    evening = at_phase("playing")
    sitter = evening.table.secret.sitters[1]
    move = evening.moves(evening.waiting()[0])[0]
    evening.ask(HOST, Kick(1))
    assert sitter is not None
    assert sitter.player == BOB
    late = PlayMove(BOB, sitter.generation, 1, move)
    assert "not_seated" == word_of(lambda: evening.do(late))


# ------------------------------------------------------------------------------ handed over


def test_scenario_C12_rights_that_were_handed_over_do_not_come_back(evening: Evening) -> None:
    evening.ask(HOST, HandOver(1, name="Bob"))
    drop(evening, BOB)
    assert 0 == evening.table.public.host
    evening.do(Attach(BOB, "server-1"))
    drop(evening, HOST)
    evening.do(Attach(HOST, "server-1"))

    assert [NewHost(1), NewHost(0), NewHost(1)] == told(evening, NewHost)
    assert "not_host" == word_of(lambda: evening.ask(HOST, Start()))


def test_nobody_who_is_away_is_made_the_host(evening: Evening) -> None:
    drop(evening, BOB)

    assert "not_here" == word_of(lambda: evening.ask(HOST, HandOver(1)))


def test_whoever_was_the_host_can_be_sent_away_by_the_next(evening: Evening) -> None:
    evening.ask(HOST, HandOver(1))
    evening.ask(BOB, Kick(0, ban=True))

    assert (1, "no_table") == (
        evening.table.public.host,
        word_of(lambda: evening.ask(HOST, Join("Ada"))),
    )


# ------------------------------------------------------------------------------ the door


def test_nobody_new_joins_a_table_that_is_locked(evening: Evening) -> None:
    evening.ask(HOST, Lock(locked=True))
    assert evening.table.public.locked
    assert "no_table" == word_of(lambda: evening.ask(EVE, Join("Eve")))
    assert "done" == word_of(lambda: evening.ask(BOB, Join("Bob"))), "who sits here sits here"
    evening.ask(HOST, Lock(locked=False))

    assert "done" == word_of(lambda: evening.ask(EVE, Join("Eve")))


def test_what_is_so_already_is_no_change(evening: Evening) -> None:
    evening.ask(HOST, SetPassword("key"))
    before = evening.table
    evening.ask(HOST, Lock(locked=False))
    evening.ask(HOST, SetPassword("key"))

    assert evening.table is before


def test_a_password_is_asked_of_strangers_only_and_can_be_lifted(evening: Evening) -> None:
    evening.ask(HOST, SetPassword("key"))
    assert "password=True" in repr(evening.table.about)
    for proof in (None, "", "kez", "key "):
        assert "no_table" == word_of(lambda: evening.ask(EVE, Join("Eve", proof=proof)))  # noqa: B023 - asked at once
        assert "no_table" == word_of(lambda: doors.let_watch(evening.table, EVE, proof))  # noqa: B023 - asked at once
    assert "done" == word_of(lambda: evening.ask(BOB, Join("Bob")))
    assert "done" == word_of(lambda: doors.let_watch(evening.table, EVE, "key"))
    evening.ask(HOST, SetPassword(None))

    assert not evening.table.about.password
    assert "done" == word_of(lambda: evening.ask(EVE, Join("Eve")))


def test_a_join_sent_again_under_its_id_is_the_same_whatever_password_it_says(
    evening: Evening,
) -> None:
    evening.ask(HOST, SetPassword("key"))
    first = evening.ask(EVE, Join("Eve", proof="key"), "same")

    assert first.seat == evening.ask(EVE, Join("Eve", proof="other"), "same").seat


def test_a_table_is_closed_by_its_last_person_and_by_no_kick(evening: Evening) -> None:
    evening.ask(HOST, Kick(1))
    evening.ask(HOST, Kick(2))
    assert [] == told(evening, Closed)
    evening.ask(HOST, Leave())

    assert [Closed("empty")] == told(evening, Closed)
