"""The score card of Golf Patience in company: strokes, matches, and screens that are too narrow for it."""

from random import Random

from dormie_client.patience_card import score_card
from dormie_client.patience_view import Sight, title
from dormie_client.scene import Scene, Screen
from dormie_protocol.table_view import About, Seat, TablePublic
from dormie_rules.match_play import Pairing, Terms, after, letters
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.race_state import RacePlay, RacePublic

NAMES = ("Ada", "Ben", "Cleo")
TERMS = Terms(18)


def sight(holes: int, screen: Screen, seat: int | None = 0, *, matched: bool = True) -> Sight:
    """A table of two after so many of eighteen holes."""
    luck = Random(4)
    rows = tuple((luck.randrange(5, 20), luck.randrange(5, 20)) for _ in range(holes))
    won = letters(rows)
    match = RacePublic(
        hole=holes,
        totals=(sum(row[0] for row in rows), sum(row[1] for row in rows)),
        out=(None, None),
        card=rows,
        pars=(5,) * holes,
        matches=(Pairing(0, 1, won, after(TERMS, won)),) if matched else (),
        play=RacePlay("over", ()),
    )
    rules = PatienceRules(holes=18, scoring="match" if matched else "strokes")
    about = About("PARTEE23", "patience", "golf_patience_match", {}, rules, 2, 60.0)
    view = TablePublic("between", (Seat("Ada"), Seat("Ben")), 0, 0.0, match)
    return Sight(Scene(about, view, seat, screen=screen))


def test_a_match_of_two_says_who_leads_after_every_hole() -> None:
    lines = score_card(sight(4, Screen()))

    assert [
        "Hole  1   2   3   4   Total",
        "Par   5   5   5   5   20",
        "You   8   6   11  7   32",
        "Ben   9   16  12  6   43",
        "Up    +1  +2  +3  +2",
        "You are 2 up against Ben with 14 to play.",
    ] == lines


def test_the_other_side_leads_where_this_one_is_down() -> None:
    ours, theirs = (score_card(sight(3, Screen(), seat))[-2] for seat in (0, 1))

    assert ("Up    +1  +2  +3", "Up    -1  -2  -3") == (ours, theirs)


def test_whoever_watches_sees_how_far_the_first_seat_leads() -> None:
    lines = score_card(sight(3, Screen(), None))

    assert ["Up    +1  +2  +3", "Ada is 3 up against Ben with 15 to play."] == lines[-2:]


def test_a_card_that_is_too_wide_is_shown_nine_holes_at_a_time() -> None:
    lines = score_card(sight(18, Screen(width=80)))
    heads = [line.split() for line in lines if line.startswith("Hole")]

    assert [["Hole", *map(str, range(1, 10))], ["Hole", *map(str, range(10, 19)), "Total"]] == heads
    assert all(len(line) <= 80 for line in lines)
    assert 1 == sum(line.startswith("Hole") for line in score_card(sight(18, Screen(width=120))))


def test_a_card_of_strokes_has_totals_against_par_and_no_match() -> None:
    lines = score_card(sight(2, Screen(), matched=False))

    assert ["You   8  6   14 (+4)", "Ben   9  16  25 (+15)"] == lines[2:]


def test_scenario_I4_a_card_is_told_hole_by_hole_to_who_listens() -> None:
    lines = score_card(sight(2, Screen("fr", listed=True)))

    assert [
        "Trou 1. Vous : 8 ; Ben : 9 ; Avance : +1",
        "Trou 2. Vous : 6 ; Ben : 16 ; Avance : +2",
        "Total. Vous : 14 ; Ben : 25",
        "Vous menez de 2 trous contre Ben, encore 16 à jouer.",
    ] == lines


def test_the_next_hole_begins_with_how_the_match_stands_not_with_strokes() -> None:
    assert "Hole 3 of 18, par 5. You are 3 up against Ben with 15 to play." == title(
        sight(3, Screen())
    )


def test_a_hole_beyond_the_last_is_an_extra_one() -> None:
    assert title(sight(18, Screen())).startswith("Hole 18 of 18, par 5.")
    assert title(sight(19, Screen())).startswith("Extra hole 19, par 5.")
    assert title(sight(19, Screen("fr"))).startswith("Trou supplémentaire 19, par 5.")
