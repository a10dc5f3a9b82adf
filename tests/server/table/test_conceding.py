"""Conceding at a table: a match at any time before it is decided, a hole only while it is played."""

import pytest

from dormie_protocol.games import Move
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_moves import Concede, GiveUp, Play
from dormie_rules.race_events import Conceded, Stands
from dormie_rules.race_state import RacePublic
from dormie_rules.replay import verify
from dormie_server.table.refusal import No
from tests.evening import Evening

MATCH = "golf_patience_match"


def between_two_holes(variant: str = MATCH, size: int = 2) -> Evening:
    """A hole is over: the first seat conceded it, everybody else has cards left."""
    evening = Evening(variant=variant, options={"holes": 3}, size=size)
    evening.begin(*["p-bob", "p-cid"][: size - 1])
    evening.play(0, GiveUp())
    for seat in range(1, size):
        while seat in evening.waiting():
            evening.play(seat, evening.moves(seat)[0])
    assert "between" == evening.phase
    return evening


def match_of(evening: Evening) -> RacePublic:
    match = evening.table.public.match
    assert isinstance(match, RacePublic)
    return match


def test_a_match_is_conceded_between_two_holes() -> None:
    evening = between_two_holes()
    evening.play(0, Concede())

    assert ("over", (2, 1)) == (evening.phase, match_of(evening).places)
    assert "conceded" == match_of(evening).matches[0].standing.ending
    assert [Conceded(0)] == [e.public for e in evening.told if isinstance(e.public, Conceded)]
    assert isinstance(evening.told[-2].public, Stands)


def test_the_record_of_a_match_conceded_between_two_holes_is_right() -> None:
    evening = between_two_holes()
    evening.play(1, Concede())
    record = evening.record()

    assert "move 2 concede" in record.splitlines()
    assert verify(record).ok, verify(record)
    by_nobody = verify(record.replace("move 2 concede", "auto 2 concede"))
    assert "no hole is being played" == by_nobody.because


def test_whoever_concedes_between_two_holes_plays_no_more_and_the_others_go_on() -> None:
    evening = between_two_holes(size=3)
    evening.play(2, Concede())

    assert ("between", (None, None, 2)) == (evening.phase, match_of(evening).out)
    evening.sleep()
    assert ("playing", (0, 1)) == (evening.phase, evening.waiting())
    with pytest.raises(No, match="match") as no:
        evening.play(2, Concede())
    assert "no_match" == no.value.why


def test_a_concession_sent_twice_is_made_once() -> None:
    evening = between_two_holes(size=3)
    first = evening.play(2, Concede())
    again = evening.play(2, Concede(), count=evening.seat(2).count)

    assert first.version == again.version
    assert again.table is evening.table


@pytest.mark.parametrize("move", [GiveUp(), Draw(), Play(0)])
def test_a_hole_is_conceded_only_while_it_is_played(move: Move) -> None:
    evening = between_two_holes()
    before = evening.table
    with pytest.raises(No) as no:
        evening.play(1, move)

    assert ("hole_over", before) == (no.value.why, evening.table)


def test_a_match_of_strokes_is_not_conceded() -> None:
    evening = between_two_holes("golf_patience_queen")
    with pytest.raises(No) as no:
        evening.play(0, Concede())

    assert "no_match" == no.value.why


def test_nothing_is_played_between_two_holes_of_grid_golf() -> None:
    evening = Evening(options={"holes": 2})
    evening.begin("p-bob")
    while evening.phase == "playing":
        seat = evening.waiting()[0]
        evening.play(seat, evening.moves(seat)[0])
    with pytest.raises(No) as no:
        evening.play(0, Draw())

    assert ("between", "hole_over") == (evening.phase, no.value.why)


def test_a_match_is_not_conceded_before_its_first_hole() -> None:
    evening = Evening(variant=MATCH, options={"holes": 3})
    evening.come("p-bob", "Bob")
    with pytest.raises(No) as no:
        evening.play(1, Concede())

    assert "wrong_time" == no.value.why
