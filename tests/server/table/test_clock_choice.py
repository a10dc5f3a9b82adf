"""The clocks a host may choose, and what follows from them."""

import pytest

from dormie_protocol.clocks import Clock
from dormie_protocol.messages import ClockWish
from dormie_protocol.table_view import Closed, TimeOut
from dormie_server import documents
from dormie_server.documents import Kept
from dormie_server.pen import write_table
from dormie_server.table.clock_choice import choose_clock, patience
from dormie_server.table.commands import Opening
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy
from tests.evening import HOST, Evening
from tests.scenarios.evenings import told
from tests.server.table.clocked import BOB, deadline, evening_with, move, out_of_time

DAY = 86400.0


def test_what_is_not_said_is_as_usual() -> None:
    assert Clock(45.0) == choose_clock(None, None, 45.0)
    assert Clock(45.0) == choose_clock(ClockWish(), 45, 60.0)
    assert Clock(45.0, when_out="vote") == choose_clock(ClockWish(when_out="vote"), 45, 60.0)


def test_every_field_of_a_wish_is_a_field_of_the_clock() -> None:
    wish = ClockWish(
        turn_seconds=5,
        game_seconds=6,
        away_seconds=7,
        pauses=8,
        pause_seconds=9,
        when_out="wait",
        bot="easy",
        vote_seconds=10,
        wait_seconds=11,
    )

    chosen = choose_clock(wish, None, 60.0)
    assert Clock(5.0, 6.0, 7.0, 8, 9.0, "wait", "easy", 10.0, 11.0) == chosen
    assert isinstance(chosen.pauses, int)


def test_turns_said_twice_must_be_the_same() -> None:
    assert 45.0 == choose_clock(ClockWish(turn_seconds=45), 45, 60.0).turn_seconds
    with pytest.raises(No, match=r"turn_seconds: it is said twice") as no:
        choose_clock(ClockWish(turn_seconds=45), 46, 60.0)
    assert ("bad_option", "clock.turn_seconds") == (no.value.why, no.value.field)


@pytest.mark.parametrize(
    "wish",
    [
        {"turn_seconds": 4},
        {"turn_seconds": 14 * 86400 + 1},
        {"game_seconds": 61 * 86400},
        {"away_seconds": 15 * 86400},
        {"pauses": 101},
        {"pause_seconds": 15 * 86400},
        {"when_out": "resign"},
        {"bot": "genius"},
        {"vote_seconds": 4},
        {"wait_seconds": 15 * 86400},
    ],
    ids=lambda wish: next(iter(wish)),
)
def test_what_cannot_be_had_is_refused_in_words(wish: dict[str, object]) -> None:
    name = next(iter(wish))
    with pytest.raises(No, match=rf"^clock\.{name}: .{{6,}}\.$") as no:
        choose_clock(ClockWish(**wish), None, 60.0)  # type: ignore[arg-type]  # of any field

    assert ("bad_option", f"clock.{name}") == (no.value.why, no.value.field)


def test_a_table_is_as_patient_as_its_clock_and_no_less_than_the_house() -> None:
    policy = Policy(idle=100.0, lobby=50.0)
    assert policy == patience(policy, Clock(), 4)
    assert policy == patience(policy, Clock(5.0), 4)
    slow = patience(policy, choose_clock(ClockWish(turn_seconds=14 * 86400), None, 60.0), 2)

    assert slow.lobby > 13 * DAY
    assert slow.idle > 27 * DAY, "both may take a whole turn"


@pytest.mark.parametrize("when_out", ["default", "wait"])
def test_a_match_with_days_for_a_move_is_not_given_up_while_somebody_may_think(
    when_out: str,
) -> None:
    wish = ClockWish(turn_seconds=3 * 86400, when_out=when_out)
    evening = evening_with(choose_clock(wish, None, 60.0), BOB, holes=1)
    for _ in range(6):
        evening.now = deadline(evening) - 3600.0
        move(evening)
    out_of_time(evening)
    if when_out == "wait":
        out_of_time(evening)

    assert ("playing", []) == (evening.phase, told(evening, Closed))
    assert 1 == len(told(evening, TimeOut))


def test_a_lobby_for_days_of_play_is_open_for_days() -> None:
    evening = Evening(size=3, clock=choose_clock(ClockWish(turn_seconds=86400), None, 60.0))
    evening.now += 86000.0
    evening.come(BOB, "Bob")

    assert "lobby" == evening.phase


def test_the_same_wish_for_a_table_with_another_clock_is_another_wish() -> None:
    def wish(clock: Clock | None) -> str:
        return Opening("ABCDEFGH", HOST, "Ada", "six_card", {}, 2, 60.0, (), "", clock=clock).wish

    assert wish(None) != wish(Clock()) != wish(Clock(pauses=1))


def test_a_table_from_before_there_were_clocks_is_read_and_played_on() -> None:
    evening = Evening()
    text = write_table(Kept(evening.table)).decode()
    clock, clocks = text.index(',"clock":{'), ',"clocks":null'
    old = text[:clock] + text[text.index("}", clock) + 1 :].replace(clocks, "")
    assert '"clock' not in old

    assert evening.table == documents.read_table(old.encode()).table


def test_a_move_under_usual_clocks_writes_nothing_about_them() -> None:
    evening = evening_with(Clock(), BOB)
    for _ in range(4):
        move(evening)
        assert evening.table.public.clocks is None
