"""Whole evenings with everything that people do, and what must hold whatever they do."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dormie_protocol.table_view import Closed, LinkShown, MatchBegan, NewHost, Starting, TimeOut
from dormie_rules.course_state import HoleBegan, HoleScored, MatchOver
from dormie_rules.grid_moves import Flip
from dormie_rules.luck import earlier
from dormie_rules.replay import verify
from dormie_rules.variants import names
from dormie_server.table.commands import (
    Attach,
    Detach,
    End,
    HandOver,
    Join,
    Kick,
    Leave,
    Lock,
    OthersGone,
    Ready,
    Rematch,
    Request,
    SetBot,
    SetPassword,
    Start,
    Vote,
    Wake,
)
from dormie_server.table.permissions import WHEN, WHO
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy, people
from tests.evening import HOST, Evening
from tests.grid_only import grid_match

PEOPLE = (HOST, "p-bob", "p-cleo", "p-dan")


def events_of(evening: Evening, kind: type[Any]) -> list[Any]:
    return [event.public for event in evening.told if isinstance(event.public, kind)]


def play_on(evening: Evening, until: str = "over") -> None:
    """Let everybody play something legal, and time pass where nobody can."""
    turn = 0
    while evening.phase not in (until, "closed"):
        turn += 1
        waiting = evening.waiting()
        sitters = evening.table.secret.sitters
        person = next((s for s in waiting if (who := sitters[s]) and who.player), None)
        if person is not None:
            moves = evening.moves(person)
            evening.play(person, moves[turn % len(moves)])
            evening.ring()
        else:
            evening.sleep()


@pytest.mark.parametrize("variant", names())
def test_a_match_of_people_and_bots_is_played_to_its_end_and_its_record_is_right(
    variant: str,
) -> None:
    evening = Evening(variant, {}, size=4, bots=("random", "random"))
    evening.begin("p-bob")
    play_on(evening)

    assert 1 == len(events_of(evening, MatchOver))
    assert verify(evening.record()).ok, verify(evening.record())


def test_scenario_R01_every_hole_is_scored_once() -> None:
    evening = Evening(options={"holes": 4})
    evening.begin("p-bob")
    play_on(evening)

    assert [1, 2, 3, 4] == [scored.hole for scored in events_of(evening, HoleScored)]
    assert [1, 2, 3, 4] == [began.hole for began in events_of(evening, HoleBegan)]


def test_every_link_that_is_shown_leads_to_the_commitment() -> None:
    evening = Evening(options={"holes": 3})
    commitment = evening.table.fairness.commitment
    evening.begin("p-bob")
    play_on(evening)

    links = events_of(evening, LinkShown)
    assert [1, 2, 3] == [shown.hole for shown in links]
    for shown in links:
        assert commitment == earlier(bytes.fromhex(shown.link), shown.hole).hex()


def test_the_first_contribution_of_a_seat_counts_and_a_missing_one_is_said() -> None:
    evening = Evening(size=3)
    evening.do(Attach(HOST, "s"))
    evening.come("p-bob", "Bob")
    evening.ask(HOST, Ready("ab" * 16))
    evening.ask(HOST, Ready("cd" * 16))
    evening.ask(HOST, Start())
    evening.sleep()

    assert [("ab" * 16, None)] == [b.contributions for b in events_of(evening, MatchBegan)]


def test_scenario_D1_a_sleeper_is_played_for_until_the_turn_is_over_and_everybody_is_told() -> None:
    evening = Evening()
    evening.begin("p-bob")
    evening.sleep()  # both slept through the setup
    first = evening.waiting()[0]
    evening.sleep()

    assert [0, 1] == sorted({told.seat for told in events_of(evening, TimeOut)})
    assert [1 - first] == list(evening.waiting())


def test_scenario_R31_a_table_of_sleepers_plays_its_match_to_the_end() -> None:
    evening = Evening(options={"holes": 2, "max_laps": 4}, policy=Policy(pace=0, idle=1e9))
    evening.begin("p-bob")
    for _ in range(200):
        if evening.phase == "over":
            break
        evening.sleep()

    assert "over" == evening.phase
    assert verify(evening.record()).ok


def test_scenario_R12_a_table_without_anybody_is_given_up_in_the_end() -> None:
    evening = Evening(options={"holes": 36})
    evening.begin("p-bob")
    while evening.phase != "closed":
        evening.sleep()

    assert [Closed("abandoned")] == events_of(evening, Closed)
    assert evening.table.secret.alarm is None


def test_scenario_D10_whoever_leaves_with_a_card_in_hand_does_not_stop_the_others() -> None:
    evening = Evening(size=3)
    evening.begin("p-bob", "p-cleo")
    while not evening.waiting() or evening.table.public.match is None:
        evening.sleep()
    play = evening.table.public.match.play
    while play is not None and play.stage != "drawn":
        seat = evening.waiting()[0]
        evening.play(seat, evening.moves(seat)[0])
        play = evening.table.public.match.play
    seat = evening.waiting()[0]
    sitter = evening.table.secret.sitters[seat]
    assert sitter is not None
    evening.ask(sitter.player or "", Leave())

    assert seat not in evening.waiting()
    play_on(evening)
    assert verify(evening.record()).ok


def test_scenario_C12_the_hosts_rights_pass_on() -> None:
    evening = Evening(size=3)
    evening.do(Attach(HOST, "s"))
    bob = evening.come("p-bob", "Bob")
    evening.ask(HOST, Leave())

    assert [NewHost(bob)] == events_of(evening, NewHost)
    evening.ask("p-bob", SetBot("random"))
    evening.ask("p-bob", Start())


def test_scenario_C1_whoever_has_left_acts_for_nobody() -> None:
    evening = Evening(size=3)
    evening.begin("p-bob", "p-cleo")
    evening.ask("p-bob", Leave())

    with pytest.raises(No) as no:
        evening.ask("p-bob", Ready())
    assert "not_seated" == no.value.why


def test_scenario_C3_of_fifty_who_want_one_seat_one_gets_it() -> None:
    evening = Evening(size=2)
    refused = 0
    for number in range(50):
        try:
            evening.ask(f"p-{number}", Join(f"Player {number}"))
        except No as no:
            refused += no.why == "no_table"

    assert (49, 2) == (refused, len(people(evening.table)))


def test_scenario_G8_a_rematch_keeps_the_seats_and_moves_the_first_deal_on() -> None:
    evening = Evening(options={"holes": 1}, size=3)
    evening.begin("p-bob", "p-cleo")
    play_on(evening)
    first = grid_match(evening.table.public)
    assert first is not None
    for player in (HOST, "p-bob", "p-cleo"):
        evening.ask(player, Rematch())
    evening.ring()
    assert "starting" == evening.phase
    for player in (HOST, "p-bob", "p-cleo"):
        evening.ask(player, Ready("ef" * 16))
    evening.ring()
    second = evening.table.public.match

    assert second is not None
    assert ((first.dealer or 0) + 1) % 3 == grid_match(evening.table.public).dealer
    assert evening.table.about.match == 2
    assert [2] == [s.match for s in events_of(evening, Starting)]
    assert (0, 0, 0) == second.totals
    play_on(evening)
    assert verify(evening.record()).ok


def test_scenario_R15_a_rematch_can_only_be_asked_for_when_the_match_is_over() -> None:
    evening = Evening()
    evening.begin("p-bob")

    with pytest.raises(No) as no:
        evening.ask(HOST, Rematch())
    assert "wrong_time" == no.value.why


def test_scenario_R36_whoever_has_left_is_not_in_the_next_match() -> None:
    evening = Evening(options={"holes": 1}, size=3)
    evening.begin("p-bob", "p-cleo")
    play_on(evening)
    evening.ask("p-bob", Leave())
    evening.ask(HOST, Rematch())
    evening.ask("p-cleo", Rematch())
    evening.ring()

    assert ["Ada", "Cleo"] == [seat.name for seat in evening.table.public.seats if seat]


@pytest.mark.parametrize("request_type", list(WHO))
def test_scenario_C8_every_request_has_its_role_and_its_time(request_type: type[Request]) -> None:
    evening = Evening(size=3)
    evening.do(Attach(HOST, "s"))
    evening.come("p-bob", "Bob")
    request = SetBot("random") if request_type is SetBot else _make(request_type)
    roles = {"anyone": (), "seated": ("p-eve",), "host": ("p-eve", "p-bob")}

    for player in roles[WHO[request_type]]:
        with pytest.raises(No) as no:
            evening.ask(player, request)
        assert no.value.why in ("not_seated", "not_host")
    assert WHEN[request_type]


def _make(request_type: type[Request]) -> Request:
    needy: dict[type[Request], tuple[Any, ...]] = {
        Join: ("Eve",),
        Kick: (1,),
        HandOver: (1,),
        Lock: (True,),
        SetPassword: ("ab",),
        Vote: ("bot",),
    }
    return request_type(*needy.get(request_type, ()))


def act(evening: Evening, draw: st.DataObject) -> None:
    """Anything anybody might do next."""
    player = draw.draw(st.sampled_from(PEOPLE))
    doing = draw.draw(st.sampled_from("jrsbblleaddooxxwwwmmmmmmmmmmmmmmmm"))
    match doing:
        case "j":
            evening.ask(player, Join(player.title()))
        case "r":
            evening.ask(player, Ready(draw.draw(st.sampled_from([None, "ab" * 16]))))
        case "s":
            evening.ask(player, Start())
        case "b":
            level = draw.draw(st.sampled_from([None, "random", "medium"]))
            evening.ask(player, SetBot(level, draw.draw(st.sampled_from([None, 0, 1, 2, 3]))))
        case "l":
            evening.ask(player, Leave())
        case "e" if draw.draw(st.integers(0, 9)) == 0:
            evening.ask(player, End())
        case "a":
            evening.do(Attach(player, draw.draw(st.sampled_from(["s1", "s2"]))))
        case "d":
            evening.do(Detach(player, draw.draw(st.integers(0, 3))))
        case "o":
            evening.do(OthersGone(draw.draw(st.sampled_from(["s1", "s2"]))))
        case "x":
            evening.ask(player, Rematch())
        case "w":
            evening.sleep()
        case "m":
            _move(evening, draw)
        case _:
            evening.do(Wake())


def _move(evening: Evening, draw: st.DataObject) -> None:
    sitters = evening.table.secret.sitters
    waiting = [s for s in evening.waiting() if (who := sitters[s]) and who.player]
    if not waiting:
        evening.ring()
        return
    seat = draw.draw(st.sampled_from(waiting))
    move = draw.draw(st.sampled_from([*evening.moves(seat), Flip(0)]))
    evening.play(seat, move, draw.draw(st.sampled_from([None, None, None, 1, 99])))


def check(evening: Evening) -> None:
    """What holds at every table, whatever has happened there."""
    table = evening.table
    secret, public = table.secret, table.public
    assert (secret.alarm is None) == (public.phase == "closed" and not secret.owes_record)
    players = [who.player for who in secret.sitters if who is not None and who.player]
    assert len(players) == len(set(players)), "one player, one seat"
    assert len(public.seats) == len(secret.sitters) == len(table.state.pockets)
    if public.phase != "closed":
        assert public.host in people(table), "an open table has a host"
    names_here = [seat.name for seat in public.seats if seat]
    assert len(names_here) == len(set(names_here)), "no two players look alike"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.data_too_large])
@given(draw=st.data(), variant=st.sampled_from(names()), size=st.integers(2, 4))
def test_scenario_D2_no_table_ever_waits_without_an_alarm(
    draw: st.DataObject, variant: str, size: int
) -> None:
    evening = Evening(variant, {}, size=size)
    for _ in range(draw.draw(st.integers(5, 120))):
        if evening.phase == "closed" and evening.table.secret.alarm is None:
            break
        before = evening.table
        try:
            act(evening, draw)
        except No:
            assert evening.table is before, "a refusal changes nothing"
        check(evening)
    versions = [change.version for change in evening.changes]
    assert list(range(1, len(versions) + 1)) == versions
