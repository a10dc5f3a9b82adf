"""The card of a listed table says what the table says, whatever happens; and a move does not touch it."""

from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_protocol.lobby_view import Counts, LobbyCard, OwnTable, Played, Tables
from dormie_protocol.table_view import Phase
from dormie_rules.drawers import look
from dormie_server.lobby_cards import LOBBY, card_of, on_the_shelf, read_card, write_card
from dormie_server.table.commands import (
    Asked,
    Attach,
    Command,
    Detach,
    End,
    GiveUp,
    Join,
    Leave,
    OthersGone,
    PlayMove,
    Ready,
    Rematch,
    SetBot,
    Start,
    Wake,
)
from dormie_server.table.handle import handle
from dormie_server.table.opening import open_table
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy, Table, course_of, match_of
from tests.evening import CODE, CountingLuck, Evening
from tests.server.backstage import opening_of

PLAYERS = ("p-ada", "p-bob", "p-cleo")


def opened(size: int = 2, **more: Any) -> Table:
    return open_table(
        opening_of("p-ada", CODE, size, listed=True, **more), Policy(pace=0), 5.0
    ).table


class Shelf:
    """One table, and the lobby's shelf as its changes leave it."""

    def __init__(self, size: int) -> None:
        self.now = 5.0
        self.table = opened(size)
        self.card: bytes | None = on_the_shelf(None, self.table)[LOBBY]
        self.asked = 0

    def do(self, command: Command) -> None:
        try:
            after = handle(self.table, command, self.now).table
        except No:
            return
        for shelf, card in on_the_shelf(self.table, after).items():
            assert shelf == LOBBY
            assert card != self.card, "what stays as it is is not written again"
            self.card = card
        self.table = after

    def check(self) -> None:
        hoped = card_of(self.table)
        assert hoped == (read_card(self.card) if self.card else None)
        if hoped is not None:
            seats = self.table.public.seats
            assert hoped.taken + hoped.free == hoped.size == len(seats), "each is one of the two"
            assert hoped.phase == "over" or hoped.free == seats.count(None)
            assert hoped.here == sum(bool(seat and seat.here and not seat.bot) for seat in seats)


def ask(shelf: Shelf, player: str, request: Any) -> None:
    shelf.asked += 1
    shelf.do(Asked(player, f"r{shelf.asked}", request))


def ring(shelf: Shelf) -> None:
    """Whatever is due now, as the server's alarms would."""
    evening = Evening.__new__(Evening)
    evening.table, evening.now = shelf.table, shelf.now
    evening.luck = CountingLuck()
    for _ in range(20):
        if evening.table.secret.alarm is None or evening.table.secret.alarm > shelf.now:
            return
        before = shelf.table
        shelf.do(evening.due())
        if shelf.table is before:
            return
        evening.table = shelf.table


def move(shelf: Shelf, number: int) -> None:
    table = shelf.table
    if table.public.phase != "playing" or table.secret.hole is None:
        return
    for seat in course_of(table).waiting_for(match_of(table)):
        sitter, who = table.secret.sitters[seat], table.public.seats[seat]
        moves = course_of(table).moves(look(match_of(table), seat))
        if sitter and sitter.player and who:
            wish = moves[number % len(moves)]
            shelf.do(PlayMove(sitter.player, sitter.generation, who.count + 1, wish))


REQUESTS = (
    Join("X"),
    Leave(),
    Ready("ab" * 16),
    Ready(None),
    Start(),
    SetBot("random"),
    SetBot(None, 1),
    End(),
    Rematch(),
)
SOMETHING = st.one_of(
    st.tuples(st.sampled_from(PLAYERS), st.sampled_from(REQUESTS)),
    st.tuples(st.sampled_from(PLAYERS), st.sampled_from(("attach", "detach"))),
    st.tuples(st.just("time"), st.sampled_from((0.0, 1.0, 11.0, 61.0, 2000.0))),
    st.tuples(st.just("move"), st.integers(0, 9)),
    st.tuples(st.just("server"), st.sampled_from(("gone", "gives up"))),
)


@settings(max_examples=150, deadline=None)
@given(size=st.integers(2, 3), doings=st.lists(SOMETHING, min_size=5, max_size=60))
def test_scenario_F3_the_card_says_what_the_table_says_whatever_happens(
    size: int, doings: list[tuple[str, Any]]
) -> None:
    shelf = Shelf(size)
    for who, what in doings:
        match who, what:
            case "time", float(seconds):
                shelf.now += seconds
            case "move", int(number):
                move(shelf, number)
            case "server", "gone":
                shelf.do(OthersGone("another"))
            case "server", _:
                shelf.do(GiveUp())
            case player, "attach":
                shelf.do(Attach(player, "here"))
            case player, "detach":
                shelf.do(Detach(player, shelf.table.secret.generations))
            case player, request:
                ask(shelf, player, request)
        shelf.check()
        ring(shelf)
        shelf.do(Wake())
        shelf.check()


def test_a_move_does_not_write_the_card() -> None:
    shelf = Shelf(2)
    for player in PLAYERS[:2]:
        ask(shelf, player, Join(player))
        shelf.do(Attach(player, "here"))
        ask(shelf, player, Ready("ab" * 16))
    ring(shelf)
    assert "playing" == shelf.table.public.phase
    for number in range(40):
        before = shelf.table
        move(shelf, number)
        after = shelf.table
        if before.public.phase == after.public.phase:
            assert {} == on_the_shelf(before, after)


def test_a_table_that_is_not_listed_has_no_card() -> None:
    table = open_table(opening_of("p-ada", CODE, 2), Policy(), 5.0).table

    assert None is card_of(table)
    assert {} == on_the_shelf(None, table)


@pytest.mark.parametrize("kind", [LobbyCard, Counts, Tables, OwnTable, Played])
def test_scenario_B7_what_the_lobby_tells_has_no_place_for_a_game(kind: type[Any]) -> None:
    """Words and numbers, and the one list of counts: nothing that could hold what a table holds."""
    inside = {
        inner
        for hint in get_type_hints(kind).values()
        for inner in (get_args(hint) if get_origin(hint) in (tuple, UnionType) else (hint,))
    }
    leaves = {inner for one in inside for inner in (get_args(one) or (one,))}

    assert leaves <= {str, int, float, bool, type(None), Ellipsis, Tables, *get_args(Phase)}


def test_scenario_R90_the_lobby_shows_what_a_table_has_chosen() -> None:
    card = card_of(opened(options={"holes": 1, "final_lap": "none", "closer_penalty": "qc"}))

    assert card is not None
    assert ("final_lap none", "closer_penalty qc", "holes 1") == card.options


def test_a_card_is_read_as_it_was_written() -> None:
    card = card_of(opened())
    assert card is not None

    assert card == read_card(write_card(card))
