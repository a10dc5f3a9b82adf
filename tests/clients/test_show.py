from dataclasses import replace

import pytest

from dormie_client.commands import Command
from dormie_client.console import Console
from dormie_client.errors import RefusedError
from dormie_client.scene import Scene, Screen
from dormie_client.show import Show, because
from dormie_protocol.messages import Heard, Language, Seen
from dormie_protocol.table_view import Dropped, Joined, LeftTable, Returned, Seat
from dormie_rules.cards import Card
from dormie_rules.course_state import MatchOver
from dormie_rules.grid_events import Discarded, Flipped
from tests.clients.scenes import scene
from tests.clients.screens import Paper
from tests.grid_only import grid_match

MINE, THEIRS = "2S ## 7H ## KD ##", "TS ## 9C ## ## ##"
URL = "http://golf.example:8421"


def screen(language: Language = "en", *, local: bool = False) -> tuple[Show, Paper]:
    paper = Paper()
    return Show(Console(paper, echo=False), Screen(language), URL, local=local), paper


def seen(shown: Scene, *events: Heard) -> Seen:
    return Seen(
        table="PARTEE23", after=1, version=2, chain="", now=0.0, events=events, seat=shown.seat
    )


def test_a_turn_is_drawn_once() -> None:
    show, paper = screen()
    show.turn(scene(MINE, THEIRS))
    show.turn(scene(MINE, THEIRS))
    show.turn(scene(MINE, THEIRS, stage="drawn", drawn="5S"))

    assert 1 == paper.getvalue().count("Stock 31")


def test_a_turn_of_others_is_not_drawn() -> None:
    show, paper = screen()
    show.turn(scene(MINE, THEIRS, turn=1))

    assert "" == paper.getvalue()


def test_the_next_turn_is_drawn_again() -> None:
    show, paper = screen()
    first = scene(MINE, THEIRS)
    assert first.hole is not None
    match = replace(grid_match(first.view), play=replace(first.hole, turns=9))
    show.turn(first)
    show.turn(replace(first, view=replace(first.view, match=match)))

    assert 2 == paper.getvalue().count("Stock 31")


def test_whoever_comes_into_a_hole_sees_it() -> None:
    show, paper = screen()
    show.arrive("PARTEE23", scene(MINE, THEIRS))
    show.turn(scene(MINE, THEIRS))

    assert paper.getvalue().startswith("You sit at table PARTEE23, seat 1: six_card.\n")
    assert 1 == paper.getvalue().count("Stock 31")


def test_a_prompt_is_not_repeated() -> None:
    show, paper = screen()
    show.ask(scene(MINE, THEIRS))
    show.ask(scene(MINE, THEIRS))

    assert "Your turn: draw or take 7♠ > " == paper.getvalue()


def test_who_has_just_left_is_still_called_by_name() -> None:
    show, paper = screen()
    before = scene(MINE, THEIRS)
    after = replace(before, view=replace(before.view, seats=(Seat("Ada"), None)))
    show.events(seen(before, Heard(all=Joined(1, "Ben"))), before)
    show.events(
        seen(after, Heard(all=Discarded(1, Card("5S"))), Heard(all=LeftTable(1, "Ben"))), after
    )

    assert (
        "Ben takes seat 2.\nBen discards the five of spades.\nBen leaves the table.\n"
        == paper.getvalue()
    )


def test_nobody_is_called_by_the_name_of_another_when_seats_move_up() -> None:
    show, paper = screen()
    show.events(seen(scene(MINE, "", THEIRS)), scene(MINE, "", THEIRS))
    show.events(seen(scene(MINE, THEIRS), Heard(all=Discarded(1, Card("5S")))), scene(MINE, THEIRS))

    assert "Ben discards the five of spades.\n" == paper.getvalue()


def test_a_full_line_knows_how_wide_the_grid_is() -> None:
    show, paper = screen()
    show.volume = {"moves": "full"}
    show.events(
        seen(scene(MINE, THEIRS), Heard(all=Flipped(1, 4, Card("5S")))), scene(MINE, THEIRS)
    )

    assert "Ben turns card 5 (row 2, column 2) up: five of spades.\n" == paper.getvalue()


@pytest.mark.parametrize("local", [True, False])
def test_after_a_match_come_places_and_the_record(*, local: bool) -> None:
    show, paper = screen(local=local)
    shown = scene(MINE, THEIRS)
    assert shown.view.match is not None
    match = replace(shown.view.match, places=(2, 1), totals=(40, 31))
    over = replace(shown, view=replace(shown.view, match=match))
    show.events(seen(over, Heard(all=MatchOver((2, 1), (40, 31)))), over)
    lines = paper.getvalue().splitlines()

    assert ["The match is over. Ben wins!", "1. Ben, 31", "2. You, 40"] == lines[:3]
    assert f"{URL}/record/PARTEE23-1 " in lines[3]
    assert local is lines[3].startswith("While you stay here")


def test_only_a_connection_that_was_lost_is_found_again() -> None:
    show, paper = screen("fr")
    for state in ("connected", "reconnecting", "connected", "connected", "closed"):
        show.state(state)

    assert (
        "La connexion est perdue ; elle se rétablit.\nLa connexion est rétablie.\n"
        == paper.getvalue()
    )


def test_only_others_are_said_to_come_and_go() -> None:
    show, paper = screen()
    events = [Heard(all=kind(seat)) for seat in (0, 1) for kind in (Dropped, Returned)]
    show.events(seen(scene(MINE, THEIRS), *events), scene(MINE, THEIRS))

    assert "Ben has lost the connection.\nBen is back.\n" == paper.getvalue()


def test_the_rules_of_a_variant_that_is_newer_than_this_program() -> None:
    show, paper = screen()
    shown = scene(MINE, THEIRS)
    newer = replace(shown, about=replace(shown.about, variant="golf_of_tomorrow"))
    show.look("rules", Command("rules"), newer)

    assert "golf_of_tomorrow\n" == paper.getvalue()


@pytest.mark.parametrize(
    ("no", "english", "french"),
    [
        (
            RefusedError("not_your_turn", "whatever the house says"),
            "It is not your turn.",
            "Ce n’est pas votre tour.",
        ),
        (
            RefusedError("bad_option", "rows: two at least"),
            "rows: two at least",
            "rows: two at least",
        ),
        (RefusedError("brand_new", "Because."), "Because.", "Because."),
    ],
)
def test_a_refusal_is_said_as_well_as_can_be(no: RefusedError, english: str, french: str) -> None:
    assert (english, french) == (because(no, "en"), because(no, "fr"))
