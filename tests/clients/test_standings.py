"""Grid Golf hole against hole in a terminal: the card says who leads, and the end is the result of a match."""

from dataclasses import replace

from dormie_client.scene import Scene, Screen
from dormie_client.standings import leads, standings
from dormie_client.terminal_view import places, score_card
from dormie_rules.course_state import CoursePublic
from dormie_rules.match_play import Pairing, Terms, after, letters
from tests.clients.scenes import scene

ROWS = ((12, 5), (4, 4), (0, 9), (1, 7))


def matched(holes: int, seat: int | None = 0, screen: Screen | None = None) -> Scene:
    """A match of four holes after so many of them."""
    options = {"match_play": True, "holes": 4}
    table = scene("2S ## 7H ## KD ##", "TS ## 9C ## ## ##", options=options, screen=screen)
    won = letters(ROWS[:holes])
    match = table.view.match
    assert isinstance(match, CoursePublic)
    match = replace(
        match,
        hole=holes,
        card=ROWS[:holes],
        totals=(sum(row[0] for row in ROWS[:holes]), sum(row[1] for row in ROWS[:holes])),
        matches=(Pairing(0, 1, won, after(Terms(4), won)),),
        places=(1, 2) if holes == 4 else (),
    )
    return replace(table, view=replace(table.view, match=match), seat=seat)


def test_the_card_of_a_match_says_who_leads_after_every_hole() -> None:
    assert [
        " Hole  You  Ben  Up",
        "    1   12    5  -1",
        "    2    4    4  -1",
        "    3    0    9   =",
        "Total   16   18    ",
        "You and Ben are all square with 1 to play.",
    ] == score_card(matched(3))


def test_the_card_is_told_hole_by_hole_to_who_listens_or_has_a_narrow_screen() -> None:
    lines = score_card(matched(2, 1, Screen("fr", listed=True)))

    assert [
        "Trou 1. Ada : 12 ; Vous : 5 ; Avance : +1",
        "Trou 2. Ada : 4 ; Vous : 4 ; Avance : +1",
        "Total. Ada : 16 ; Vous : 9",
        "Vous menez de 1 trou contre Ada, encore 2 à jouer.",
    ] == lines


def test_a_match_that_is_over_has_a_result_and_no_places_by_strokes() -> None:
    assert "You win the match against Ben, 1 up." == places(matched(4))[-1]
    assert not any(line.startswith("1. ") for line in places(matched(4)))


def test_whoever_watches_is_told_how_the_first_seat_stands() -> None:
    assert ["-1", "-1"] == leads(matched(2, None))
    assert ["Ben is 1 up against Ada with 2 to play."] == standings(matched(2, None))


def test_strokes_have_no_leads() -> None:
    table = scene("2S ## 7H ## KD ##", "TS ## 9C ## ## ##")

    assert (None, []) == (leads(table), standings(table))
