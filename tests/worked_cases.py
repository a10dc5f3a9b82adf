"""Hand-scored cases, asked of the rules and of the referee, and whether they bite."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

Case: TypeAlias = dict[str, Any]  # whatever the list of cases says

BOOK: dict[str, Any] = json.loads(
    (Path(__file__).parent / "cases" / "rules.json").read_text("utf-8")
)
GRID_ASKS = ("grid_score", "round_score", "elimination", "places")
PATIENCE_ASKS = ("patience_move", "patience_hole", "patience_course")
MATCH_ASKS = ("match_play",)
ASKS = (*GRID_ASKS, *PATIENCE_ASKS, *MATCH_ASKS)


def cases(ask: str) -> list[Case]:
    """The cases of one list."""
    listed: list[Case] = BOOK[ask]
    return listed


def case_id(case: Case) -> str:
    return f"case_{case['id']}"


def rules_of(case: Case) -> dict[str, Any]:
    """The set of rules that a grid is scored by, the case's own changes laid over it."""
    return {**BOOK["rule_sets"][case["ruleset"]], **case["overrides"]}


def question(ask: str, case: Case) -> dict[str, Any]:
    """The case as one asks it, without its answer."""
    fields = {name: of for name, of in case.items() if name not in ("expect", "note")}
    if ask == "grid_score":
        rules = {"rules": rules_of(case)}
        fields = {n: of for n, of in fields.items() if n not in ("ruleset", "overrides")} | rules
    return {"ask": ask, **fields}


def failing(listed: Iterable[Case], reply: Callable[[Case], object]) -> list[str]:
    """The cases whose reply is not what they expect, judged as JSON."""
    return [case["id"] for case in listed if _json(reply(case)) != _json(case["expect"])]


def one_wrong(listed: list[Case]) -> Iterator[tuple[str, list[Case]]]:
    """The list again and again, each time with one other answer in one case, and which."""
    for at, case in enumerate(listed):
        for other in _others(case["expect"]):
            yield case["id"], [*listed[:at], {**case, "expect": other}, *listed[at + 1 :]]


def _others(expect: object) -> Iterator[Any]:  # an answer has any shape
    """Everything that differs from an answer in one place."""
    match expect:
        case None:
            yield []
        case int():
            yield from (expect - 1, expect + 1)
        case str():
            yield expect + "?"
        case dict():
            for name in expect:
                yield {other: of for other, of in expect.items() if other != name}
                yield from ({**expect, name: other} for other in _others(expect[name]))
        case list():
            yield [*expect, None]
            for at, one in enumerate(expect):
                yield expect[:at] + expect[at + 1 :]
                yield from ([*expect[:at], other, *expect[at + 1 :]] for other in _others(one))
        case _:
            raise AssertionError("no answer of the referee holds anything else")


def _json(answer: object) -> Any:  # whatever JSON makes of it: a tuple is a list
    return json.loads(json.dumps(answer, sort_keys=True))
