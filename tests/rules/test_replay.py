import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.replay import RIGHT, Verdict, verify
from dormie_rules.variants import names
from tests.rules.playing import ENDS, Table, tables
from tests.rules.recording import (
    GOLDEN,
    THREE_HOLES,
    TWO_HOLES,
    House,
    Match,
    changed,
    complaint,
    lines_of,
)

# ------------------------------------------------------------ right


@pytest.mark.parametrize(
    ("name", "holes", "moves"), [("extra_hole", 2, 44), ("leaving", 2, 58), ("two_holes", 2, 36)]
)
def test_a_golden_record_is_right(name: str, holes: int, moves: int) -> None:
    assert Verdict(ok=True, line=None, because=RIGHT, holes=holes, moves=moves) == verify(
        GOLDEN[name]
    )


def test_the_golden_records_hold_every_line_there_is() -> None:
    words = {line.split(" ")[0] for text in GOLDEN.values() for line in lines_of(text)}

    assert {"dealer", "auto", "leave", "void", "seal", "places", "entropy"} <= words
    assert 23 == len(words)


@pytest.mark.parametrize("leaving", [0.0, 0.01])
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("variant", names())
def test_the_record_of_any_match_is_right(variant: str, seats: int, leaving: float) -> None:
    for number, end in enumerate(ENDS):
        options = {"max_laps": 20, "tie_break": "extra_hole", **end}
        table = Table(variant, seats, tuple(sorted(options.items())))
        match = Match(House(table, Random(f"{variant} {seats} {number}")), leaving=leaving)

        assert RIGHT == complaint(match.record)


@given(tables(), st.randoms(use_true_random=False), st.none() | st.integers(0, 1))
def test_the_record_of_any_table_is_right(table: Table, luck: Random, dealer: int | None) -> None:
    match = Match(House(table, luck, dealer=dealer), leaving=0.005)

    verdict = verify(match.record)

    assert verdict.ok, verdict
    assert match.state.public.hole == verdict.holes


def test_the_matches_tried_here_hold_everything_that_can_happen() -> None:
    heard: set[str] = set()
    alike = dict.fromkeys("A23456789TJQK", 5)  # else two are seldom level
    options = (("limit", 40), ("max_laps", 20), ("tie_break", "extra_hole"), ("values", alike))
    for seed in range(40):
        match = Match(House(Table("six_card_table", 3, options), Random(seed)), leaving=0.01)
        heard |= {*match.heard, *(line.split(" ")[0] for line in match.lines)}

    assert set() == {"auto", "leave", "void", "went_out", "play_off", "match_over"} - heard


def test_a_match_may_end_before_its_first_hole() -> None:
    match = Match(House(THREE_HOLES, Random(1)), leaving=1.0)

    assert Verdict(ok=True, line=None, because=RIGHT, holes=0, moves=0) == verify(match.record)


# ------------------------------------------------------------ one line


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("raw 1 22 40", "raw 1 22 41", "the raw score of seat 2 is 40, not 41"),
        ("raw 1 22 40", "raw 1 22 -", "the raw score of seat 2 is 40, not -"),
        ("raw 1 22 40", "raw 1 22 \x1b[31m", "the raw score of seat 2 is 40"),
        ("raw 1 22 40", "raw 1 22", '"raw" is followed by 3 values'),
        ("raw 1 22 40", "raw 2 22 40", '"raw" is followed by the number of the hole, 1'),
        ("raw 1 22 40", "void 1", 'a line with "raw" is needed here'),
        ("charged 2 20 45", "charged 2 19 45", "the charged score of seat 1 is 20, not 19"),
        ("totals 2 42 85", "totals 2 42 84", "the total of seat 2 is 85, not 84"),
        ("places 1 2", "places 2 1", "the place of seat 1 is 1, not 2"),
        ("hole 2", "hole 3", '"hole 2" is needed here'),
        ("hole 2", "move 1 draw", "no hole is being played"),
        ("hole 2", "links 2", 'a line with "hole" or "leave" is needed here'),
        ("hole 2", "leave 3", "the seats are numbered from 1 to 2"),
        ("hole 2", "leave 1 2", '"leave" is followed by one value'),
        ("auto 2 flip 1", "auto 2 flip 3", 'when time is up the move is "flip 1"'),
        ("auto 2 flip 1", "move 2 flip 2", "the rules say no: already face up"),
        ("auto 2 flip 1", "move 3 flip 1", "the seats are numbered from 1 to 2"),
        ("auto 2 flip 1", "move 02 flip 1", "the seats are numbered from 1 to 2"),
        ("auto 2 flip 1", "move 2 flip 01", '"move 2 flip 1" is needed here'),
        ("auto 2 flip 1", "move 2  flip 1", '"move 2 flip 1" is needed here'),
        ("auto 2 flip 1", "move 2 flip 7", "the rules say no: no such card"),
        ("auto 2 flip 1", "move 2 flip", '"flip" needs the number of a card, as in "flip 1"'),
        ("auto 2 flip 1", "move", "the seats are numbered from 1 to 2"),
        (
            "auto 2 flip 1",
            "move 2 \0",
            "a move is draw, take, swap N, discard, flip N or pass",
        ),
        ("auto 2 flip 1", "raw 1 x", 'a line with "move", "auto" or "leave" is needed here'),
        ("move 2 flip 4", "move 1 draw", "the rules say no: not your turn"),
    ],
)
def test_a_line_that_is_wrong_is_named_with_what_is_wrong(old: str, new: str, because: str) -> None:
    assert f"{new}: {because}" == complaint(changed(old, new))


def test_nobody_leaves_twice() -> None:
    again = changed("leave 2", "leave 2\nleave 2", GOLDEN["leaving"])

    assert "leave 2: seat 2 had left the match already" == complaint(again)


def test_whoever_is_out_may_leave_the_table_too() -> None:
    assert RIGHT == complaint(changed("leave 2", "leave 3\nleave 2", GOLDEN["leaving"]))


def test_a_card_that_was_changed_in_a_pack_is_named() -> None:
    pack = next(line for line in lines_of(TWO_HOLES) if line.startswith("pack 1 KC KD "))
    other = pack.replace("KC KD", "KC 9D", 1)

    assert "card 2 of the pack, by its link and what the seats added to luck, is KD, not 9D" in (
        complaint(changed(pack, other))
    )


def test_a_hole_without_its_link_is_named() -> None:
    link = next(line for line in lines_of(TWO_HOLES) if line.startswith("link 1 "))
    because = "hole 1: this hole has no link, so nobody can check its deal"

    assert because == complaint(changed(link, ""))
    assert because == complaint(changed("auto 2 flip 1", "hole 2"))


def test_what_was_changed_without_any_effect_is_found_by_the_seal() -> None:
    because = "this is the seal of other lines: one of those above was changed"

    assert complaint(TWO_HOLES.replace("auto 2 flip 1", "move 2 flip 1")).endswith(because)
    assert complaint(TWO_HOLES.replace("match 1", "match 2")).endswith(because)


@pytest.mark.parametrize("more", ["end", "hole 3", "move 1 draw", "\0"])
def test_nothing_comes_after_the_end(more: str) -> None:
    assert f'{more}: nothing comes after "end"' == complaint(f"{TWO_HOLES}{more}\n")


def test_a_record_that_breaks_off_says_so() -> None:
    for text in GOLDEN.values():
        lines = lines_of(text)
        for kept in range(1, len(lines)):
            verdict = verify("\n".join(lines[:kept]))

            assert not verdict.ok
            assert re.search("breaks off|no link", verdict.because), verdict
