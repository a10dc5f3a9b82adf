"""Records of races: any race is right, and a change of any line is found."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from dormie_rules.game import Deal
from dormie_rules.patience_moves import Concede, GiveUp
from dormie_rules.replay import RIGHT, verify
from tests.rules.race_recording import GOLDEN, LEVELS, RaceHouse
from tests.rules.racing import Doing
from tests.rules.recording import lines_of, sealed_again
from tests.rules.test_replay_changes import (
    Changes,
    some,
    with_a_line_less,
    with_a_line_twice,
    with_another_token,
    with_two_lines_exchanged,
)

EVENINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("golf_patience_wrap", 1, {"holes": 2, "undo": "unlimited"}),
    ("golf_patience_medium", 1, {"holes": 2}),
    ("golf_patience_strict", 2, {"holes": 1, "tie_break": "extra_hole", "time_up": "lose"}),
    ("golf_patience_queen", 3, {"holes": 2, "deal_policy": "not_hopeless", "par_of_deal": True}),
    ("golf_patience_easy", 6, {"holes": 2, "jokers": 1, "tie_break": "last_hole_back"}),
    ("golf_patience_easy", 2, {"holes": 2, "deal_policy": "gentle"}),
    ("golf_patience_hard", 1, {"holes": 2, "deal_policy": "par_4_5", "par_of_deal": True}),
    ("golf_patience_match", 2, {"holes": 3, "tied_match": "extend"}),
    ("golf_patience_match", 4, {"holes": 2, "tied_match": "countback", "play_out": True}),
    ("golf_patience_match", 3, {"holes": 2, "tied_match": "extend", "king_rule": "wrap"}),
]


@pytest.mark.parametrize("evening", EVENINGS, ids=range(len(EVENINGS)))
def test_a_race_as_it_was_played_is_right(evening: tuple[str, int, dict[str, Any]]) -> None:
    variant, seats, options = evening
    for seed in range(4):
        house = RaceHouse(variant, options, seats, Random(seed))
        verdict = verify(house.record(leaving=0.002, late=0.003))

        assert (None, RIGHT) == (verdict.line, verdict.because)
        assert verdict.holes == house.state.public.hole


def complaint(text: str) -> str:
    verdict = verify(text)
    assert verdict.line is not None
    return f"{text.split(chr(10))[verdict.line - 1]}: {verdict.because}"


def test_a_deal_that_was_turned_down_without_a_reason_is_found() -> None:
    """Whoever may choose among deals that are all good enough chooses whom they suit."""
    for options in ({"deal_policy": "random"}, {"deal_policy": "clearable", "king_rule": "wrap"}):
        house = RaceHouse("golf_patience_wrap", {**options, "holes": 1}, 2, Random(1), skip=1)

        assert "attempt 1 " in (said := complaint(house.record()))
        assert "was good enough, and attempt" in said or "is not what clearable asks for" in said


def test_a_record_of_a_level_says_which_deals_it_has_and_an_older_one_need_not() -> None:
    """When ``golf_patience_hard`` was new, all of its deals could be cleared, whatever their par."""
    hard, before = LEVELS["hard"], LEVELS["hard_before"]

    assert [RIGHT] * 3 == [verify(LEVELS[name]).because for name in ("easy", "hard", "hard_before")]
    assert "variant golf_patience_hard" in lines_of(before)
    assert 'options {"holes":1}' in lines_of(before)
    options = 'options {"deal_policy":"par_4_5","holes":1}'
    assert options in lines_of(hard)
    changed_before = before.replace('options {"holes":1}', options)
    assert "is not what par_4_5 asks for" in complaint(changed_before)
    assert "was good enough" in complaint(hard.replace(options, 'options {"holes":1}'))


def test_a_deal_that_cannot_be_cleared_is_no_certified_one() -> None:
    options = {"deal_policy": "clearable", "holes": 1}
    house = RaceHouse("golf_patience_strict", options, 1, Random(2))
    record = house.record()
    attempt = next(line for line in lines_of(record) if line.startswith("attempt "))
    number = int(attempt.split(" ")[2])

    assert number > 0, "this seed has a first deal that cannot be cleared"
    fewer = record.replace(attempt, "attempt 1 0")

    assert "attempt 1 0: attempt 0 is not what clearable asks for" == complaint(fewer)
    for wrong in ("attempt 1 1000", "attempt 1 00", "attempt 2 0", "attempt 1 -1"):
        assert "the attempt at hole 1 is needed here" in complaint(record.replace(attempt, wrong))


def changed(name: str, old: str, new: str) -> str:
    text = GOLDEN[name]
    assert 1 == text.count(f"\n{old}\n"), "the example names one line"
    return complaint(
        sealed_again(lines_of(text.replace(f"\n{old}\n", f"\n{new}\n" if new else "\n")))
    )


BOOK = pytest.mark.parametrize("name", GOLDEN)


@BOOK
def test_a_record_that_was_right_once_is_right_for_ever(name: str) -> None:
    assert verify(GOLDEN[name]).ok


@BOOK
@pytest.mark.parametrize("change", [with_a_line_less, with_a_line_twice, with_two_lines_exchanged])
def test_a_line_lost_repeated_or_exchanged_is_found(
    name: str, change: Callable[[str], Changes]
) -> None:
    assert [] == [what for what, lines in some(change(GOLDEN[name])) if verify("\n".join(lines)).ok]


@BOOK
def test_a_change_that_only_the_seal_finds_changes_no_deal_score_or_place(name: str) -> None:
    """Other moves may lead to the same scores; whatever else is changed is told by its line."""
    unseen = []
    for what, lines in some(with_another_token(GOLDEN[name])):
        assert not verify("\n".join(lines)).ok
        if not what.startswith(("seal ", "end", "places")) and verify(sealed_again(lines)).ok:
            unseen.append(what.split(" ")[0])

    assert {*unseen} <= {"table", "match", "seat", "move"}


@BOOK
def test_a_line_that_only_the_seal_misses_decides_nothing(name: str) -> None:
    """A draw may be left out where the cards that were played fit without it."""
    for what, lines in some(with_a_line_less(GOLDEN[name])):
        if not what.startswith(("seal ", "end", "places")):
            assert not verify(sealed_again(lines)).ok or what.startswith("move ")


@pytest.mark.parametrize(
    ("given_up", "seat", "because"),
    [((0, 1), 1, "no hole is being played"), ((0,), 0, "nobody waits for seat 1 here")],
)
def test_nobodys_clock_concedes_a_match(given_up: tuple[int, ...], seat: int, because: str) -> None:
    """Between two holes, and for who has finished while others play, it is the only move there is."""
    house = RaceHouse("golf_patience_match", {"holes": 2}, 2, Random(5))
    house.do(Doing(None, deal=Deal((), b"")))
    for one in given_up:
        house.do(Doing(one, GiveUp()))
    house.do(Doing(seat, Concede()))
    record = house.record()
    line = f"move {seat + 1} concede"
    auto = sealed_again(lines_of(record.replace(line, f"auto {seat + 1} concede")))

    assert verify(record).ok
    assert f"auto {seat + 1} concede: {because}" == complaint(auto)


def test_what_is_wrong_with_a_race_is_said_in_words() -> None:
    assert "the end of the hole for seat 1 is stuck, not cleared" in changed(
        "solo_undo", "ended 1 stuck", "ended 1 cleared"
    )
    assert '"time 1" is needed here' in changed("race_time", "time 1", "time 2")
    assert 'a line with "move", "time" or "leave" is needed here' in changed(
        "race_time", "time 1", "places 1 2 3"
    )
    assert "which attempt at a deal" in changed("race_time", "attempt 1 0", "")
