"""What the referee says about the relatives of Golf Patience: one case at least for each of them."""

import pytest

from dormie_client.referee import answer
from dormie_rules.patience_variants import patience_names

RELATIVES = [name for name in patience_names() if not name.startswith("golf_patience")]
SEVEN = [["QS"], ["AH"], ["2H"], ["3D"], ["4C"], ["5S"], ["6H"]]
FULL = [["5"]] * 28
ROW: list[list[str]] = [[]] * 21 + [["QS"], ["AS"], ["9S"], ["2S"], ["2H"], ["2D"], ["2C"]]

MOVES = [
    ("putt_putt", SEVEN, "KH", 16, [0, 1], True, [], "play"),
    ("queen_on_king", SEVEN, "KH", 16, [0], True, [], "play"),
    ("dead_king", SEVEN, "KH", 16, [], True, [], "play"),
    ("thieves", [["*"], *SEVEN[1:]], "KH", 18, [0], True, [], "play"),
    ("double_golf", [*SEVEN, ["QD"], []], "KH", 40, [0, 7], True, [], "play"),
    ("double_putt", [*SEVEN, ["QD"], []], "KH", 40, [0, 1, 7], True, [], "play"),
    ("tripeaks", FULL, "6", 23, [*range(18, 28)], True, [*range(18)], "play"),
    ("elevator", FULL, "6", 0, [*range(21, 28)], False, [*range(21)], "play"),
    ("elevator", ROW, "KH", 0, [21, 22], False, [], "play"),
    ("escalator", FULL, "9", 0, [], False, [], "stuck"),
    ("escalator", FULL, "4", 3, [*range(21, 28)], True, [], "play"),
    ("black_hole", [["2"], ["K"], *[["9"]] * 15], "AS", 0, [0, 1], False, [], "play"),
    ("all_in_a_row", [["5"], ["9"], *[[]] * 11], None, 0, [0, 1], False, [], "play"),
]


def ask(variant: str, columns: object, top: object, stock: object, **more: object) -> object:
    what = {"id": 1, "variant": variant, "columns": columns, "foundation": top, "stock": stock}
    said = answer({"ask": "relative_move", **what, **more})
    return said.get("answer", said.get("error"))


@pytest.mark.parametrize("case", MOVES, ids=lambda case: str(case[0]))
def test_a_relative_allows_what_its_rules_say(case: tuple[object, ...]) -> None:
    variant, columns, top, stock, legal, draw, down, status = case
    expected = {
        "legal_columns": legal,
        "can_draw": draw,
        "face_down": down,
        "status": status,
    }

    assert expected == ask(str(variant), columns, top, stock)


@pytest.mark.parametrize(("run", "legal"), [(0, [0]), (1, [0]), (2, [0, 1, 2])])
def test_a_run_of_two_may_be_followed_by_any_card(run: int, legal: list[int]) -> None:
    columns = [["AS"], ["QH"], ["2D"], *[[]] * 10]
    said = ask("all_in_a_row_ii", columns, "KS", 0, run=run)

    assert isinstance(said, dict)
    assert (legal, "play") == (said["legal_columns"], said["status"])


def test_every_relative_has_a_case() -> None:
    assert set(RELATIVES) == {str(case[0]) for case in MOVES} | {"all_in_a_row_ii"}


def solved(variant: str, columns: object, top: object, stock: object) -> object:
    what = {"id": 1, "variant": variant, "columns": columns, "foundation": top, "stock": stock}
    said = answer({"ask": "relative_solve", **what})
    return said.get("answer", said.get("error"))


def test_a_pyramid_is_solved() -> None:
    """The 8 goes first, then the 7 that it covered, and one card of the stock is left."""
    columns: list[list[str]] = [[]] * 20 + [["7S"], *[[]] * 5, ["8H"], []]
    expected = {"verdict": "clearable", "best": -1, "exact": True, "moves": ["26", "20"]}

    assert expected == solved("escalator", columns, "9D", ["2C"])


def test_a_game_that_no_solver_knows_is_said_to_be_one() -> None:
    assert {"verdict": "not_served"} == solved(
        "all_in_a_row_ii", [["5S"], ["6H"], *[[]] * 11], None, []
    )


def test_a_small_black_hole_is_searched_to_its_end() -> None:
    columns = [["3S", "2H"], *[[]] * 16]
    expected = {"verdict": "clearable", "best": 0, "exact": True, "moves": ["0", "0"]}

    assert expected == solved("black_hole", columns, "AS", [])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"variant": "spider"}, "variant"),
        ({"variant": None}, "variant"),
        ({"columns": FULL[1:]}, "columns"),
        ({"columns": [["5", "6"]] * 28}, "columns.0"),
        ({"columns": [["X"]] * 28}, "columns.0.0"),
        ({"stock": -1}, "stock"),
        ({"foundation": "1"}, "foundation"),
        ({"options": {"columns": 9}}, "options.columns"),
        ({"options": []}, "options"),
    ],
)
def test_what_cannot_be_is_named_by_its_field(change: dict[str, object], field: str) -> None:
    question = {"variant": "tripeaks", "columns": FULL, "foundation": "6", "stock": 23, **change}
    said = answer({"id": 1, "ask": "relative_move", **question})["error"]

    assert isinstance(said, dict)
    assert field == said["field"]
