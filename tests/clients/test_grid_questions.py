"""What the referee says about grid Golf: worked cases, and questions that have no answer."""

from typing import Any

import pytest

from dormie_client.grid_questions import GRID_ASKS
from dormie_client.referee import answer
from dormie_rules.variants import names
from tests.worked_cases import BOOK, Case, case_id, cases, failing, one_wrong, question
from tests.worked_cases import GRID_ASKS as ASKS

SIX = BOOK["rule_sets"]["six"]
GRID = {"ask": "grid_score", "rules": SIX, "grid": [["K", "5", "7"], ["K", "3", "9"]]}
ROUND = {
    "ask": "round_score",
    "mode": "qc",
    "tie": "safe",
    "scores": {"Ada": 11, "Ben": 9},
    "closer": "Ada",
}
OUT = {
    "ask": "elimination",
    "limit": 100,
    "alive": ["Ada", "Ben"],
    "totals": {"Ada": 90, "Ben": 91, "Cleo": 100},
    "hole": {"Ada": 10, "Ben": 8},
    "withdrawn": [],
}
PLACES = {"ask": "places", "history": [["Ada", None, 7], ["Ben", 3, 101]]}


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
    assert set(ASKS) == set(GRID_ASKS)


@pytest.mark.parametrize("case", cases("grid_score"), ids=case_id)
def test_a_case_may_be_asked_with_its_suits(case: Case) -> None:
    asked = question("grid_score", case)
    asked["grid"] = [
        [card if card in "*#" else card + "SHDC"[col % 4] for col, card in enumerate(row)]
        for row in asked["grid"]
    ]

    assert case["expect"] == answer(asked)["answer"]


@pytest.mark.parametrize("name", [name for name in names() if name in BOOK["grid_presets"]])
def test_a_variant_may_be_asked_by_its_name(name: str) -> None:
    """It counts as the preset of that name is written."""
    fields = ("values", "lines", "joker_line", "negative_line", "block_bonus")
    rules = {field: BOOK["grid_presets"][name][field] for field in fields}
    grid = [["2", "J", "Q"], ["2", "J", "Q"], ["8", "J", "T"]]

    assert answer({**GRID, "grid": grid, "rules": rules}) == answer(
        {**GRID, "grid": grid, "rules": name}
    )


@pytest.mark.parametrize(
    "name", ["", "golf", "SIX_CARD", "../six_card", "os", "__init__", "é" * 900]
)
def test_no_other_name_is_a_variant(name: str) -> None:
    assert ("unknown_variant", "rules") == refused({**GRID, "rules": name})


def test_an_answer_has_its_parts_in_one_order() -> None:
    assert ["eliminated", "alive", "winners"] == list(said("elimination", cases("elimination")[0]))  # type: ignore[call-overload]  # an object
    assert ["Ben", "Ada"] == list(
        answer({**ROUND, "scores": {"Ben": 9, "Ada": 11}})["answer"]  # type: ignore[call-overload]  # an object
    )


def test_nobody_need_have_closed() -> None:
    assert {"Ada": 11, "Ben": 9} == answer({**ROUND, "closer": None})["answer"]


def test_the_limit_may_have_to_be_passed() -> None:
    assert {"eliminated": [], "alive": ["Ada", "Ben"], "winners": None} == answer(
        {**OUT, "limit_inclusive": False}
    )["answer"]


def test_a_fourth_field_marks_a_player_who_left() -> None:
    history = [["Ada", 3, 7, True], ["Ben", 3, 101, False], ["Cleo", 3, 140]]

    assert [["Ben", 1], ["Cleo", 2], ["Ada", 3]] == answer({**PLACES, "history": history})["answer"]


def refused(asked: dict[str, Any]) -> tuple[str, str | None]:
    error: Any = answer(asked)["error"]  # an object of three parts
    assert ["code", "message", "field"] == list(error)
    return error["code"], error["field"]


@pytest.mark.parametrize(
    ("grid", "field"),
    [
        (None, "grid"),
        ("K57", "grid"),
        ([], "grid"),
        ([[]], "grid"),
        ([[], []], "grid"),
        ([["K"], ["K", "5"]], "grid"),
        ([["K", "5"], []], "grid"),
        ([["K", "5"], "K5"], "grid.1"),
        ([["K"]] * 11, "grid"),
        ([["K"] * 11], "grid.0"),
        ([["K", "1"]], "grid.0.1"),
        ([["K", "10"]], "grid.0.1"),
        ([["K", "A2"]], "grid.0.1"),
        ([["K"], ["k"]], "grid.1.0"),
        ([["K"], ["KX"]], "grid.1.0"),
        ([["K"], [""]], "grid.1.0"),
        ([["K"], [" K"]], "grid.1.0"),
        ([["K"], ["#S"]], "grid.1.0"),
        ([["K"], [None]], "grid.1.0"),
        ([["K"], [5]], "grid.1.0"),
        ([["K"], [["K"]]], "grid.1.0"),
        ([["K"], ["*"]], "grid.1.0"),
    ],
)
def test_a_grid_is_rows_of_cards_that_count(grid: object, field: str) -> None:
    assert ("bad_field", field) == refused({**GRID, "grid": grid})


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        (None, "rules"),
        (7, "rules"),
        ([SIX], "rules"),
        ({}, "rules.values"),
        ({**SIX, "jokers": 2}, "rules"),
        ({**SIX, "lines": ["diagonal"]}, "rules.lines"),
        ({**SIX, "values": {**SIX["values"], "A": 1.5}}, "rules.values.A"),
    ],
)
def test_rules_are_a_name_or_an_object_with_a_meaning(rules: object, field: str) -> None:
    assert ("bad_field", field) == refused({**GRID, "rules": rules})


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"mode": "triple"}, "mode"),
        ({"mode": None}, "mode"),
        ({"tie": "lost"}, "tie"),
        ({"tie": ["safe"]}, "tie"),
        ({"scores": []}, "scores"),
        ({"scores": {}}, "closer"),
        ({"scores": {"Ada": 11, "Ben": True}}, "scores"),
        ({"scores": {"Ada": 11, "Ben": 10**9}}, "scores"),
        ({"closer": "Cleo"}, "closer"),
        ({"closer": 0}, "closer"),
        ({"closer": ["Ada"]}, "closer"),
        ({"limit": 100}, None),
    ],
)
def test_a_round_is_scored_only_if_all_is_clear(other: dict[str, Any], field: str | None) -> None:
    assert ("bad_field", field) == refused(ROUND | other)


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": "100"}, "limit"),
        ({"alive": []}, "alive"),
        ({"alive": ["Ada", "Ada"]}, "alive"),
        ({"alive": "Ada"}, "alive"),
        ({"totals": {"Ada": 90}}, "totals"),
        ({"totals": None}, "totals"),
        ({"hole": {"Ada": 10}}, "hole"),
        ({"hole": {"Ada": 10, "Ben": 8, "Cleo": 0}}, "hole"),
        ({"withdrawn": ["Cleo"]}, "withdrawn"),
        ({"withdrawn": None}, "withdrawn"),
        ({"limit_inclusive": 1}, "limit_inclusive"),
        ({"inclusive": True}, None),
    ],
)
def test_a_hole_puts_out_only_if_all_is_clear(other: dict[str, Any], field: str | None) -> None:
    assert ("bad_field", field) == refused(OUT | other)


@pytest.mark.parametrize(
    ("history", "field"),
    [
        ({}, "history"),
        ([["Ada", None, 7], ["Ada", 3, 101]], "history"),
        ([["Ada", None, 7], "Ben"], "history.1"),
        ([["Ada", None]], "history.0"),
        ([["Ada", None, 7, False, 1]], "history.0"),
        ([["Ada", 0, 7]], "history.0"),
        ([["Ada", True, 7]], "history.0"),
        ([["Ada", 3, None]], "history.0"),
        ([["Ada", 3, 7, 1]], "history.0"),
        ([["Ada", 3, 7, None]], "history.0"),
        ([[None, 3, 7]], "history.0"),
    ],
)
def test_a_history_is_rows_of_players(history: object, field: str) -> None:
    assert ("bad_field", field) == refused({**PLACES, "history": history})


@pytest.mark.parametrize("whole", [GRID, ROUND, OUT, PLACES])
def test_every_field_is_needed(whole: dict[str, Any]) -> None:
    for missing in whole.keys() - {"ask"}:
        asked = {field: of for field, of in whole.items() if field != missing}

        assert ("bad_field", missing) == refused(asked)
