"""What the referee says about match play: worked cases, and questions that have no answer."""

from typing import Any

import pytest

from dormie_client.match_questions import MATCH_ASKS
from dormie_client.referee import answer
from tests.worked_cases import MATCH_ASKS as ASKS
from tests.worked_cases import Case, cases, failing, one_wrong, question

ROUND = {"ask": "match_play", "holes_in_round": 2, "extra_holes": True}


def said(case: Case) -> object:
    return answer(question("match_play", case))["answer"]


def test_every_worked_case_is_answered_as_it_says() -> None:
    assert [*ASKS] == [*MATCH_ASKS]
    assert 13 == len(cases("match_play"))
    assert [] == failing(cases("match_play"), said)


def test_a_worked_case_with_another_answer_is_noticed() -> None:
    for wrong, listed in one_wrong(cases("match_play")):
        assert [wrong] == failing(listed, said)


def test_nine_halved_extra_holes_are_parted_by_the_strokes_of_the_round() -> None:
    """Strokes part them when every hole of the round says them, whatever the extra ones say."""
    holes: list[Any] = [[3, 4], [9, 7], *"=" * 9]
    by_strokes: Any = answer({**ROUND, "holes": holes})["answer"]
    by_letters: Any = answer({**ROUND, "holes": ["A", "B", *"=" * 9]})["answer"]
    by_lot: Any = answer({**ROUND, "holes": ["=", "=", *"=" * 9]})["answer"]

    assert ("strokes", "B", 11) == tuple(
        by_strokes[n] for n in ("result", "winner", "decided_after")
    )
    assert ("last hole", "B") == (by_letters["result"], by_letters["winner"])
    assert ("lot", None) == (by_lot["result"], by_lot["winner"])


def test_holes_after_the_decision_are_no_part_of_the_match() -> None:
    one: Any = answer({**ROUND, "holes": ["A", "A", "B", "CB"]})["answer"]

    assert {"result": "2 up", "winner": "A", "decided_after": 2, "last_state": "A 2 up"} == one


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"holes": ["C"]}, "holes.0"),
        ({"holes": ["A", [3]]}, "holes.1"),
        ({"holes": [[3, "4"]]}, "holes.0"),
        ({"holes": ["="] * 47}, "holes"),
        ({"holes": "A"}, "holes"),
        ({"holes": ["CA", None]}, "holes.1"),
        ({"holes": [], "holes_in_round": 37}, "holes_in_round"),
        ({"holes": [], "holes_in_round": 0}, "holes_in_round"),
        ({"holes": [], "extra_holes": "no"}, "extra_holes"),
        ({"holes": [], "strokes": 1}, None),
        ({}, "holes"),
    ],
)
def test_a_match_that_cannot_be_is_answered_with_the_field(
    fields: dict[str, Any], field: str | None
) -> None:
    error: Any = answer({**ROUND, **fields})["error"]

    assert ("bad_field", field) == (error["code"], error["field"])
