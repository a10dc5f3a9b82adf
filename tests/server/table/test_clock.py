"""Time at a table: everybody gets a whole turn, bots think on, and nobody waits for ever."""

from dormie_protocol.table_view import Closed, NewHost, TimeOut
from dormie_server.table.commands import Attach, Detach, Leave, Ready, SetBot, Start
from dormie_server.table.state import Policy
from tests.evening import HOST, Evening
from tests.server.table.test_evenings import events_of, play_on


def player_in(evening: Evening, seat: int) -> str:
    sitter = evening.table.secret.sitters[seat]
    assert sitter is not None
    assert sitter.player is not None
    return sitter.player


def drop(evening: Evening, player: str) -> None:
    sitter = evening.table.secret.sitters[evening.where(player)]
    assert sitter is not None
    evening.do(Detach(player, sitter.generation))


def test_whoever_follows_somebody_who_left_has_a_whole_turn() -> None:
    evening = Evening(size=3)
    evening.begin("p-bob", "p-cleo")
    evening.sleep()  # nobody turned cards up: the clock did
    seat = evening.waiting()[0]
    evening.now = (evening.table.public.deadline or 0.0) - 0.5
    evening.ask(player_in(evening, seat), Leave())

    assert evening.now + 60.0 == evening.table.public.deadline


def test_a_bot_thinks_on_whoever_comes_and_goes() -> None:
    evening = Evening(size=2, bots=("medium",), policy=Policy(pace=1.0))
    evening.begin()
    evening.ask(HOST, Ready())
    evening.ring()
    while evening.table.secret.bot_at is None:
        seat = evening.waiting()[0]
        evening.play(seat, evening.moves(seat)[0])
    until = evening.table.secret.bot_at
    for _ in range(3):
        evening.now += 0.01
        evening.do(Attach(HOST, "server-1"))

    assert until == evening.table.secret.bot_at


def test_no_hole_is_dealt_for_whoever_has_been_away_too_long() -> None:
    """The last person may be out of the match: bots never let a turn's clock run down."""
    evening = Evening(options={"holes": 2})
    evening.begin("p-bob")
    play_on(evening, until="between")
    evening.now += evening.policy.idle + 1
    evening.ring()

    assert [Closed("abandoned")] == events_of(evening, Closed)


def test_scenario_C12_a_host_whose_line_is_down_holds_nobody_up_and_comes_back_as_host() -> None:
    evening = Evening(size=3)
    evening.do(Attach(HOST, "s"))
    bob = evening.come("p-bob", "Bob")
    drop(evening, HOST)
    assert bob == evening.table.public.host
    evening.ask("p-bob", SetBot("random"))
    evening.do(Attach(HOST, "s"))

    assert [NewHost(bob), NewHost(0)] == events_of(evening, NewHost)


def test_leaving_while_luck_is_gathered_leads_back_to_the_lobby() -> None:
    evening = Evening(size=4)
    evening.do(Attach(HOST, "s"))
    evening.come("p-bob", "Bob")
    evening.ask(HOST, Start())
    evening.ask("p-bob", Leave())

    assert ("lobby", 0) == (evening.phase, evening.table.public.host)


def test_a_lobby_stays_open_while_people_come() -> None:
    evening = Evening(size=3)
    evening.now += 1700.0
    evening.come("p-bob", "Bob")

    assert evening.now + 1800.0 == evening.table.public.deadline


def test_a_restart_between_holes_does_not_deal_to_an_empty_room() -> None:
    evening = Evening(options={"holes": 2})
    evening.begin("p-bob")
    play_on(evening, until="between")
    deadline = evening.table.public.deadline
    drop(evening, HOST)
    drop(evening, "p-bob")

    assert ("between", deadline) == (evening.phase, evening.table.public.deadline)


def test_a_late_drop_of_an_earlier_stay_changes_nothing() -> None:
    evening = Evening(size=3)
    evening.do(Attach(HOST, "s"))
    evening.come("p-bob", "Bob")
    old = evening.table.secret.sitters[1]
    assert old is not None
    evening.ask("p-bob", Leave())
    evening.come("p-bob", "Bob")
    evening.do(Detach("p-bob", old.generation))

    assert evening.seat(1).here
    assert [] == events_of(evening, TimeOut)
