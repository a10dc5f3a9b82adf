"""Grid Golf hole against hole: who wins a hole, when the match is over, and what may not be asked for."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.course_state import HoleBegan, LeftMatch, MatchOver, PlayOff
from dormie_rules.grid_options import BadOption, choose
from dormie_rules.match_play import Pairing
from dormie_rules.race_events import Stands
from dormie_rules.race_match import lot
from dormie_rules.record_reader import read
from dormie_rules.replay import verify
from dormie_rules.variants import find, names
from tests.rules.plain_match import match_of, totals
from tests.rules.playing import Table
from tests.rules.recording import House
from tests.rules.recording import Match as Recorded
from tests.rules.scored import Match

TIED = ("halve", "extend", "countback")
SCORE = st.integers(0, 3)


def of_two(holes: int, tied: str = "halve") -> Match:
    return Match(2, holes=holes, match_play=True, tied_match=tied)


def standing(match: Match) -> Pairing:
    (pair,) = match.card.matches
    return pair


def test_the_lower_charged_score_wins_a_hole_and_strokes_decide_nothing() -> None:
    match = of_two(3)
    match.holes((4, 5), (50, 3), (1, 2))

    assert ("ABA", "A 1 up", (1, 2)) == (
        standing(match).holes,
        standing(match).standing.state,
        match.card.places,
    )
    assert (55, 10) == match.card.totals


def test_the_match_is_over_as_soon_as_nobody_can_catch_up() -> None:
    match = of_two(5)
    match.holes((1, 2), (1, 2), (1, 2))

    assert ("3&2", (1, 2), 3) == (
        standing(match).standing.result,
        match.card.places,
        match.card.hole,
    )
    assert MatchOver((1, 2), (3, 6)) == match.heard[-1]


def test_how_the_match_stands_is_told_after_every_hole() -> None:
    match = of_two(3)
    match.holes((1, 2), (2, 2))

    assert ["A 1 up", "A 1 up (dormie)"] == [
        told.pairing.standing.state for told in match.all_heard(Stands)
    ]


def test_a_tied_match_is_halved_or_extended_until_a_hole_is_won() -> None:
    halved, extended = of_two(2), of_two(2, "extend")
    for match in (halved, extended):
        match.holes((1, 2), (2, 1))
    extended.holes((3, 3), (3, 2))

    assert (1, 1) == halved.card.places
    assert ("hole 4", (2, 1), (3, 3)) == (
        standing(extended).standing.result,
        extended.card.places,
        extended.card.totals,
    ), "extra holes count no strokes"
    assert [PlayOff((0, 1))] * 2 == extended.all_heard(PlayOff)
    assert [False, False, True, True] == [told.extra for told in extended.all_heard(HoleBegan)]


def test_extra_holes_come_to_an_end() -> None:
    match = of_two(1, "extend")
    match.holes(*[(2, 2)] * 10)

    assert ("lot", 10) == (standing(match).standing.ending, match.card.hole)
    won = lot(match.state.secret.luck if match.state.secret else b"", 0, 1)
    assert match.card.places == ((1, 2) if won == "A" else (2, 1))


@pytest.mark.parametrize("before", [0, 1])
def test_whoever_leaves_concedes_the_match(before: int) -> None:
    match = of_two(3)
    match.holes(*[(9, 1)] * before)
    match.leaves(1)

    assert ("conceded", "A", (1, 2)) == (
        standing(match).standing.ending,
        standing(match).standing.winner,
        match.card.places,
    )
    assert [LeftMatch(1)] == match.all_heard(LeftMatch)


def test_whoever_leaves_in_the_middle_of_a_hole_concedes_the_match_too() -> None:
    match = of_two(3)
    match.deals(1, 2)
    match.leaves(0)

    assert ((2, 1), "") == (match.card.places, standing(match).holes)
    assert "conceded" == standing(match).standing.ending


@given(st.lists(st.tuples(SCORE, SCORE), min_size=30), st.integers(1, 6), st.sampled_from(TIED))
def test_every_match_ends_as_a_plain_count_of_its_card_says(
    scores: list[tuple[int, int]], holes: int, tied: str
) -> None:
    match = of_two(holes, tied)
    while not match.card.places:
        match.holes(scores.pop())

    card = [list(row) for row in match.card.card]
    found = match_of(card, 0, 1, holes, tied)
    winner = {None: None, 0: "A", 1: "B"}[found["winner"]]
    if found["how"] == "after all extra holes":
        one, two = totals(card, holes, 2)
        winner = "A" if one < two else "B" if two < one else winner
        luck = match.state.secret.luck if match.state.secret else b""
        winner = winner or lot(luck, 0, 1)
    assert (winner, found["played"]) == (standing(match).standing.winner, match.card.hole)
    assert match.card.places == {None: (1, 1), "A": (1, 2), "B": (2, 1)}[winner]
    assert list(match.card.totals) == totals(card, holes, 2)


@given(
    st.integers(3, 5).flatmap(
        lambda seats: st.lists(st.tuples(*[SCORE] * seats), min_size=30, max_size=40)
    ),
    st.integers(1, 5),
    st.sampled_from(TIED),
)
def test_among_more_than_two_every_pair_has_its_own_match(
    scores: list[tuple[int, ...]], holes: int, tied: str
) -> None:
    seats = len(scores[0])
    match = Match(seats, holes=holes, match_play=True, tied_match=tied)
    while not match.card.places:
        row = scores.pop()
        playing = match.card.playoff or range(seats)
        match.holes(tuple(row[seat] for seat in playing))

    card = [list(row) for row in match.card.card]
    assert seats * (seats - 1) // 2 == len(match.card.matches)
    for pair in match.card.matches:
        found = match_of(card[: len(pair.holes)], pair.one, pair.two, holes, tied)
        if found["how"] != "after all extra holes":
            winner = {None: None, pair.one: "A", pair.two: "B"}[found["winner"]]
            assert (winner, found["played"]) == (pair.standing.winner, len(pair.holes))
    wins = [
        sum(
            {"A": seat == p.one, "B": seat == p.two}.get(p.standing.winner or "", 0.5)
            for p in match.card.matches
            if seat in (p.one, p.two)
        )
        for seat in range(seats)
    ]
    ranked = sorted(range(seats), key=match.card.places.__getitem__)
    assert sorted(wins, reverse=True) == [wins[seat] for seat in ranked]


def test_one_of_three_leaves_and_the_others_play_on() -> None:
    match = Match(3, holes=3, match_play=True)
    match.holes((1, 2, 3))
    match.leaves(2)
    match.holes((2, 1))

    ended = {(p.one, p.two): p.standing.ending for p in match.card.matches}
    assert {(0, 1): None, (0, 2): "conceded", (1, 2): "conceded"} == ended
    match.holes((1, 2))
    assert (1, 2, 3) == match.card.places


def test_who_leaves_in_the_middle_of_a_hole_has_not_played_it() -> None:
    match = Match(3, holes=3, match_play=True)
    match.deals(1, 2, 3)
    match.leaves(0)
    match.plays_out()

    assert ["", "", "A"] == [pair.holes for pair in match.card.matches]
    assert ["B", "B", None] == [pair.standing.winner for pair in match.card.matches]


@pytest.mark.parametrize("tied", TIED)
@pytest.mark.parametrize("seats", [3, 4])
def test_the_record_of_matches_among_more_is_right(seats: int, tied: str) -> None:
    options = (("holes", 3), ("match_play", True), ("max_laps", 20), ("tied_match", tied))
    for seed in range(6):
        table = Table("six_card", seats, tuple(sorted(options)))
        match = Recorded(House(table, Random(seed)), leaving=0.004 * (seed % 2))
        verdict = verify(match.record)

        assert verdict.ok, verdict


@pytest.mark.parametrize("tied", TIED)
@pytest.mark.parametrize("variant", names())
def test_the_record_of_a_match_is_right(variant: str, tied: str) -> None:
    options: dict[str, Any] = {"match_play": True, "tied_match": tied, "max_laps": 20}
    options |= {"end": "holes", "holes": 3, "limit": None}
    table = Table(variant, 2, tuple(sorted(options.items())))
    for seed in range(4):
        match = Recorded(House(table, Random(seed)), leaving=0.002 * (seed % 2))
        verdict = verify(match.record)

        assert verdict.ok, verdict


def test_a_wrong_standing_in_a_record_is_found() -> None:
    options = (("holes", 2), ("match_play", True), ("max_laps", 20))
    record = Recorded(House(Table("six_card", 2, options), Random(3))).record
    stands = next(line for line in record.splitlines() if line.startswith("stands 1 "))
    words = stands.split(" ")
    words[5] = {"+1": "-1", "-1": "0", "0": "+1"}[words[5]]
    verdict = verify(record.replace(stands, " ".join(words)))

    assert read(record).course.rules.match_play
    assert not verdict.ok
    assert verdict.line is not None
    assert record.splitlines()[verdict.line - 1] == stands


@pytest.mark.parametrize(
    ("variant", "seats", "options", "field"),
    [
        ("six_card_table", 2, {}, "end"),
        ("six_card", 2, {"end": "first_to_limit"}, "end"),
        ("six_card", 2, {"limit": 50}, "limit"),
        ("six_card", 2, {"tie_break": "extra_hole"}, "tie_break"),
        ("six_card", 2, {"match_play": False, "tied_match": "extend"}, "tied_match"),
        ("six_card", 2, {"match_play": "yes"}, "match_play"),
        ("six_card", 2, {"tied_match": "share"}, "tied_match"),
    ],
)
def test_what_cannot_be_a_match_is_refused_by_its_field(
    variant: str, seats: int, options: dict[str, object], field: str
) -> None:
    with pytest.raises(BadOption) as bad:
        choose(find(variant), {"match_play": True, **options}, seats)

    assert field == bad.value.field
