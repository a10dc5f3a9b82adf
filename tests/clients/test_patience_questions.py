"""What the referee says about Golf Patience: worked cases, and questions that have no answer."""

from typing import Any

import pytest

from dormie_client.patience_questions import PATIENCE_ASKS
from dormie_client.referee import answer
from tests.worked_cases import (
    BOOK,
    Case,
    case_id,
    cases,
    failing,
    one_wrong,
    question,
)
from tests.worked_cases import (
    PATIENCE_ASKS as ASKS,
)

MOVE = {
    "ask": "patience_move",
    "king_rule": "strict",
    "foundation": "4H",
    "exposed": ["3S", "9", None],
    "stock": 1,
}
DEAL = {
    "ask": "patience_solve",
    "king_rule": "strict",
    "columns": [["5S", "8H"], ["7D"]],
    "foundation": "9H",
    "stock": ["6D"],
}


def said(ask: str, case: Case) -> object:
    return answer(question(ask, case))["answer"]


@pytest.mark.parametrize("ask", ASKS)
def test_every_worked_case_is_answered_as_it_says(ask: str) -> None:
    assert [] == failing(cases(ask), lambda case: said(ask, case))


@pytest.mark.parametrize("ask", ASKS)
def test_a_worked_case_with_another_answer_is_noticed(ask: str) -> None:
    for wrong, listed in one_wrong(cases(ask)):
        assert [wrong] == failing(listed, lambda case: said(ask, case))


def test_everything_that_can_be_asked_has_worked_cases() -> None:
    assert {*ASKS, "patience_solve"} == set(PATIENCE_ASKS)


@pytest.mark.parametrize("king_rule", ["strict", "queen", "wrap"])
@pytest.mark.parametrize("case", BOOK["patience_deal"], ids=case_id)
def test_a_worked_deal_is_solved(case: Case, king_rule: str) -> None:
    fields = {name: case[name] for name in ("columns", "foundation", "stock")}
    reply: Any = answer({"ask": "patience_solve", "king_rule": king_rule, **fields})["answer"]
    best = case["best"][king_rule]["best"]

    assert (best, best <= 0) == (reply["best"], reply["clearable"])
    assert {*"0123456", "D"} >= set(reply["moves"])


def test_a_deal_is_answered_with_its_moves() -> None:
    assert {"best": 0, "clearable": True, "moves": ["0", "1", "D", "0"]} == answer(DEAL)["answer"]


def test_options_count_in_a_solution_too() -> None:
    free = {**DEAL, "foundation": None, "options": {"empty_start": True}}
    reply: Any = answer(free)["answer"]

    assert (True, 0) == (reply["clearable"], reply["best"])


def test_an_empty_column_is_null_and_an_empty_tableau_is_cleared() -> None:
    reply: Any = answer({**MOVE, "exposed": [None, None]})["answer"]

    assert {"legal_columns": [], "can_draw": False, "status": "cleared"} == reply


def refused(asked: dict[str, Any]) -> tuple[str, str | None]:
    error: Any = answer(asked)["error"]  # an object of three parts
    return error["code"], error["field"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (MOVE | {"king_rule": "relaxed"}, "king_rule"),
        (MOVE | {"foundation": "1"}, "foundation"),
        (MOVE | {"exposed": ["3S", "99"]}, "exposed.1"),
        (MOVE | {"exposed": ["3"] * 14}, "exposed"),
        (MOVE | {"stock": -1}, "stock"),
        (MOVE | {"stock": 10**9}, "stock"),
        (MOVE | {"options": []}, "options"),
        (MOVE | {"options": {"empty_start": 1}}, "options.empty_start"),
        (MOVE | {"options": {"odd": 1}}, "options"),
        (DEAL | {"columns": [["5S", 8]]}, "columns.0.1"),
        (DEAL | {"columns": [["5S"] * 54, ["5S"]]}, "columns"),
        (DEAL | {"stock": "5S"}, "stock"),
        (DEAL | {"columns": [["5", "4"]] * 12 + [["9"]], "foundation": "5"}, "columns"),
        ({"ask": "patience_hole", "tableau_left": 1, "stock_left": 0, "par": 0}, "par"),
        ({"ask": "patience_course", "scores": [5] * 37}, "scores"),
        ({"ask": "patience_course", "scores": [5, 1.5]}, "scores.1"),
    ],
)
def test_a_question_is_answered_only_if_all_is_clear(asked: dict[str, Any], field: str) -> None:
    assert ("bad_field", field) == refused(asked)
