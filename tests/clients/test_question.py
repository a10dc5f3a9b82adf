"""Reading a question: the fields it must have, and the players it names."""

import pytest

from dormie_client.question import (
    MAX_NAME,
    MAX_PLAYERS,
    MAX_SCORE,
    Ask,
    check_fields,
    read_name,
    read_names,
    read_score,
    read_scores,
)
from dormie_rules.scoring_options import BadRules

ASK = Ask(len, fields=("one",), options=("two",))


@pytest.mark.parametrize(
    "question",
    [
        {"id": 1, "ask": "x", "one": 1},
        {"one": None, "two": 2},
        {"one": 1, "note": "a worked case", "expect": 5},
    ],
)
def test_a_question_may_leave_out_what_is_optional(question: dict[str, object]) -> None:
    check_fields(ASK, question)


def test_a_question_must_have_what_is_needed() -> None:
    with pytest.raises(BadRules, match="missing") as refused:
        check_fields(ASK, {"two": 2})

    assert "one" == refused.value.field


def test_a_question_has_no_field_without_a_meaning() -> None:
    """A mistyped option would otherwise be dropped in silence."""
    with pytest.raises(BadRules, match="no meaning") as refused:
        check_fields(ASK, {"one": 1, "tow": 2})

    assert "" == refused.value.field


@pytest.mark.parametrize("name", ["", "x" * (MAX_NAME + 1), 7, None, ["Ada"], True])
def test_a_name_is_a_short_text(name: object) -> None:
    with pytest.raises(BadRules):
        read_name("closer", name)
    with pytest.raises(BadRules):
        read_names("alive", [name])


@pytest.mark.parametrize("names", ["Ada", {"Ada": 1}, None, ["Ada", "Ada"], ["x"] * 101])
def test_names_are_a_list_without_doubles(names: object) -> None:
    with pytest.raises(BadRules):
        read_names("alive", names)


@pytest.mark.parametrize("score", [True, 1.0, "1", None, MAX_SCORE + 1, -MAX_SCORE - 1, [1]])
def test_a_score_is_a_whole_number_within_reason(score: object) -> None:
    with pytest.raises(BadRules):
        read_score("scores", score)
    with pytest.raises(BadRules):
        read_scores("scores", {"Ada": score})


@pytest.mark.parametrize(
    "scores", [None, ["Ada"], 5, {"": 1}, {f"{n}": 1 for n in range(MAX_PLAYERS + 1)}]
)
def test_scores_are_an_object_of_players(scores: object) -> None:
    with pytest.raises(BadRules):
        read_scores("scores", scores)


def test_players_may_have_any_name() -> None:
    assert {"Ada": -3, "é🂡": 4} == read_scores("scores", {"Ada": -3, "é🂡": 4})
