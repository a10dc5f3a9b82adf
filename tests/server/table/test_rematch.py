"""Another match begins when everybody who is here has asked for it, whoever goes meanwhile."""

import pytest

from dormie_server.table.commands import Detach, Join, Leave, Ready, Rematch, SetBot
from dormie_server.table.refusal import No
from tests.evening import HOST, Evening
from tests.server.table.test_evenings import play_on


@pytest.fixture
def evening() -> Evening:
    """Three people and a bot, whose match is over."""
    evening = Evening(options={"holes": 1}, size=4, bots=("random",))
    evening.begin("p-bob", "p-cleo")
    play_on(evening)
    return evening


def ask(evening: Evening, *players: str) -> None:
    """Let players ask for another match, and do what is due then."""
    for player in players:
        evening.ask(player, Rematch())
        evening.ring()


def drop(evening: Evening, player: str) -> None:
    sitter = evening.table.secret.sitters[evening.where(player)]
    assert sitter is not None
    evening.do(Detach(player, sitter.generation))


def test_it_begins_when_the_last_one_who_had_not_asked_leaves(evening: Evening) -> None:
    ask(evening, HOST, "p-bob")
    assert "over" == evening.phase
    evening.ask("p-cleo", Leave())
    evening.ring()

    assert "starting" == evening.phase
    names = [seat.name for seat in evening.table.public.seats if seat]
    assert {"Ada", "Bob", "Bogey"} == set(names)


def test_nobody_waits_for_whoever_is_away_and_the_seat_stays_theirs(evening: Evening) -> None:
    """To drop is not to leave: whoever is back in a moment plays on."""
    ask(evening, HOST, "p-bob")
    drop(evening, "p-cleo")
    evening.ring()

    assert "starting" == evening.phase
    assert "Cleo" == evening.seat(evening.where("p-cleo")).name


def test_whoever_asked_and_lost_the_line_keeps_the_seat(evening: Evening) -> None:
    ask(evening, HOST)
    drop(evening, HOST)
    ask(evening, "p-bob", "p-cleo")

    assert "starting" == evening.phase
    assert "Ada" == evening.seat(evening.where(HOST)).name


def test_whoever_asks_without_being_here_is_not_sent_away(evening: Evening) -> None:
    for player in ("p-cleo", "p-bob", HOST):
        drop(evening, player)
    ask(evening, HOST)

    assert "starting" == evening.phase
    assert HOST == evening.table.secret.sitters[evening.table.public.host or 0].player  # type: ignore[union-attr]  # the host sits there


def test_it_does_not_begin_for_nobody(evening: Evening) -> None:
    for player in ("p-cleo", "p-bob", HOST):
        drop(evening, player)

    assert "over" == evening.phase


def test_it_does_not_begin_where_nobody_has_asked(evening: Evening) -> None:
    evening.ask("p-cleo", Leave())

    assert "over" == evening.phase


@pytest.mark.parametrize("newcomer", ["a person", "a bot"])
def test_whoever_left_makes_room_for_somebody_else_when_the_match_is_over(newcomer: str) -> None:
    """Whose only opponent has gone need not open another table."""
    evening = Evening(options={"holes": 1})
    evening.begin("p-bob")
    evening.ask("p-bob", Leave())
    evening.ring()
    assert "over" == evening.phase
    if newcomer == "a bot":
        evening.ask(HOST, SetBot("random"))
    else:
        evening.come("p-cleo", "Cleo")
        ask(evening, "p-cleo")
    ask(evening, HOST)

    assert "starting" == evening.phase
    assert 2 == len(evening.table.public.seats)


def test_whoever_left_keeps_the_name_on_the_card_while_the_match_goes_on() -> None:
    evening = Evening(options={"holes": 1}, size=3)
    evening.begin("p-bob", "p-cleo")
    evening.ask("p-bob", Leave())

    assert "Bob" == evening.seat(1).name
    with pytest.raises(No, match="no such table"):
        evening.ask("p-dan", Join("Dan"))


def test_the_first_deal_goes_round_the_table_match_by_match() -> None:
    """Whoever has left is passed over, and the seats may be counted anew."""
    evening = Evening(options={"holes": 2}, size=4)
    evening.begin("p-bob", "p-cleo", "p-dan")
    play_on(evening)
    first = evening.table.secret.opener
    assert first is not None
    names = [seat.name for seat in evening.table.public.seats if seat]
    gone = (first + 1) % 4
    sitter = evening.table.secret.sitters[gone]
    assert sitter is not None
    assert sitter.player is not None
    evening.ask(sitter.player, Leave())
    stay = [who.player for who in evening.table.secret.sitters if who and who.player]
    ask(evening, *stay)

    dealer = evening.table.secret.dealer
    assert dealer is not None
    assert names[(first + 2) % 4] == evening.seat(dealer).name


def test_it_does_not_begin_for_one_alone() -> None:
    evening = Evening(options={"holes": 1})
    evening.begin("p-bob")
    play_on(evening)
    drop(evening, "p-bob")
    with pytest.raises(No) as no:
        evening.ask(HOST, Rematch())
    assert "too_few_players" == no.value.why
    evening.ask("p-bob", Leave())

    assert "over" == evening.phase


def test_moves_are_counted_on_from_match_to_match(evening: Evening) -> None:
    """So that a move sent long ago can never be taken for one of another match."""
    before = [seat.count for seat in evening.table.public.seats if seat]
    ask(evening, HOST, "p-bob", "p-cleo")
    for player in (HOST, "p-bob", "p-cleo"):
        evening.ask(player, Ready())
    evening.do(evening.due())

    assert before == [seat.count for seat in evening.table.public.seats if seat]
