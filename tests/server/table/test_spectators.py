"""The switches for spectators: who turns them, when, and what follows at the door."""

import json

import pytest

from dormie_protocol.spectators import Spectators, SpectatorsChanged
from dormie_rules.values import replace
from dormie_server.documents import Kept, read_table
from dormie_server.lobby_cards import card_of
from dormie_server.pen import write_table
from dormie_server.table import doors
from dormie_server.table.commands import Attach, SetPassword, SetSpectators
from dormie_server.table.permissions import may_talk
from dormie_server.table.state import Table
from tests.evening import HOST, Evening
from tests.scenarios.evenings import BOB, EVE, at_phase, word_of


@pytest.fixture
def evening() -> Evening:
    evening = Evening(size=3)
    evening.do(Attach(HOST, "server-1"))
    evening.come(BOB, "Bob")
    return evening


def let_in(table: Table, proof: str | None = None) -> str:
    return word_of(lambda: doors.let_watch(table, EVE, proof))


def listed(table: Table) -> Table:
    return replace(table, about=replace(table.about, listed=True))


def test_what_is_left_out_stays_as_it_is_and_everybody_is_told(evening: Evening) -> None:
    change = evening.ask(HOST, SetSpectators(chat="apart"))
    assert Spectators(chat="apart") == evening.table.about.spectators
    assert [SpectatorsChanged(allowed=True, password=True, chat="apart", delay=0)] == [
        event.public for event in change.events
    ]
    evening.ask(HOST, SetSpectators(delay=30, password=False))

    assert Spectators(password=False, chat="apart", delay=30) == evening.table.about.spectators


def test_what_is_so_already_is_no_change(evening: Evening) -> None:
    before = evening.table
    evening.ask(HOST, SetSpectators(allowed=True, delay=0))
    evening.ask(HOST, SetSpectators())

    assert evening.table is before


def test_only_the_host_turns_them(evening: Evening) -> None:
    assert "not_host" == word_of(lambda: evening.ask(BOB, SetSpectators(delay=1)))
    assert "not_seated" == word_of(lambda: evening.ask(EVE, SetSpectators(delay=1)))


@pytest.mark.parametrize("phase", ["lobby", "starting", "playing", "between", "over"])
def test_the_delay_stays_while_a_match_is_on_and_the_rest_may_change(phase: str) -> None:
    evening = at_phase(phase)
    on = phase not in ("lobby", "over")
    word = word_of(lambda: evening.ask(HOST, SetSpectators(delay=5)))

    assert ("wrong_time" if on else "done") == word
    assert "done" == word_of(lambda: evening.ask(HOST, SetSpectators(allowed=False)))


def test_where_nobody_may_watch_an_unlisted_table_is_not_even_found(evening: Evening) -> None:
    evening.ask(HOST, SetSpectators(allowed=False))

    assert "no_table" == let_in(evening.table)
    assert "no_spectators" == let_in(listed(evening.table))
    assert "done" == word_of(lambda: doors.let_in(evening.table, EVE, None)), "one may still join"


def test_scenario_C10_the_password_is_needed_to_watch_unless_the_host_says_otherwise(
    evening: Evening,
) -> None:
    evening.ask(HOST, SetPassword("key"))
    assert ["no_table", "done"] == [let_in(evening.table, proof) for proof in (None, "key")]
    evening.ask(HOST, SetSpectators(password=False))

    assert ["done", "done"] == [let_in(evening.table, proof) for proof in (None, "key")]
    assert "no_table" == word_of(lambda: doors.let_in(evening.table, EVE, None))


def test_whoever_came_without_the_password_goes_when_it_is_needed(evening: Evening) -> None:
    evening.ask(HOST, SetPassword("key"))
    evening.ask(HOST, SetSpectators(password=False))
    may = [doors.may_stay(evening.table, EVE, proven=proven) for proven in (True, False)]
    evening.ask(HOST, SetSpectators(password=True))
    must = [doors.may_stay(evening.table, EVE, proven=proven) for proven in (True, False)]

    assert ([True, True], [True, False]) == (may, must)


def test_the_lobby_says_who_may_watch(evening: Evening) -> None:
    evening.ask(HOST, SetPassword("key"))
    evening.ask(HOST, SetSpectators(password=False))
    card = card_of(listed(evening.table))
    assert card is not None
    assert (True, True, True) == (card.password, card.spectators, card.open_to_watch)
    evening.ask(HOST, SetSpectators(allowed=False))
    card = card_of(listed(evening.table))

    assert card is not None
    assert not card.spectators


@pytest.mark.parametrize(
    ("chat", "word"),
    [("off", "players_only"), ("hear", "players_only"), ("apart", "done"), ("all", "done")],
)
def test_whether_spectators_talk_is_the_hosts_choice(
    evening: Evening, chat: str, word: str
) -> None:
    evening.ask(HOST, SetSpectators(chat=chat))  # type: ignore[arg-type]  # one of them
    assert word == word_of(lambda: may_talk(evening.table, EVE, quick=True, watches=True))
    assert "not_seated" == word_of(lambda: may_talk(evening.table, EVE, quick=True))
    assert 1 == may_talk(evening.table, BOB, quick=True)


def test_a_table_that_was_kept_before_there_were_switches_is_read(evening: Evening) -> None:
    document = json.loads(write_table(Kept(evening.table)))
    del document["table"]["about"]["spectators"]

    assert Spectators() == read_table(json.dumps(document).encode()).table.about.spectators
