"""The page of scenarios says what is tested and what is not, and nothing else."""

import ast
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.nasty import CASES, ON_THE_WIRE, UNREADABLE

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "scenarios.md"
IDS = re.compile(r"(nasty|scenario)_([A-Z]\d+)(?![A-Za-z0-9])")


@dataclass(frozen=True)
class Row:
    """A case or a story: its kind and id, its tests by name, and the features it waits for."""

    kind: str
    id: str
    promise: str
    tests: tuple[str, ...]
    waits: tuple[str, ...]


@cache
def section(heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    text = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def _rows(kind: str, heading: str) -> list[Row]:
    return [
        Row(
            kind,
            name,
            promise,
            tuple(re.findall(r"`([^`]+)`", tests)),
            tuple(part for part in waits.split(", ") if part),
        )
        for name, promise, tests, waits in section(heading)
    ]


def rows() -> list[Row]:
    return [
        *_rows("nasty", "Nasty cases"),
        *_rows("scenario", "Hosting tables"),
        *_rows("scenario", "Rules, patience, servers and tournaments"),
    ]


@cache
def known_tests() -> frozenset[str]:
    """The name of every test function, by reading and not by running."""
    trees = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "tests").rglob("test_*.py")]
    functions = [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def from_the_book() -> set[str]:
    """The runs of the two tests that do what `nasty.json` says."""
    return {f"nasty_{name}" for name in (*ON_THE_WIRE, *UNREADABLE)}


def test_every_nasty_case_of_the_book_stands_on_the_page_once_and_in_its_order() -> None:
    assert list(CASES) == [row.id for row in rows() if row.kind == "nasty"]


def test_no_story_stands_on_the_page_twice() -> None:
    stories = Counter(row.id for row in rows() if row.kind == "scenario")

    assert {1} == set(stories.values())


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.kind} {row.id}")
def test_a_row_has_tests_that_exist_and_bear_its_id_or_waits_for_a_feature(row: Row) -> None:
    features = {name for name, *_ in section("What is waited for")}

    assert row.promise
    assert row.tests or row.waits, "tested, or waiting"
    assert set() == set(row.waits) - features
    assert set() == set(row.tests) - known_tests() - from_the_book()
    for test in row.tests:
        assert (row.kind, row.id) in IDS.findall(test), test


def test_every_test_with_an_id_belongs_to_a_row_that_has_tests() -> None:
    """A feature that has come takes its rows along: whoever writes their tests is reminded here."""
    named = {one for test in known_tests() for one in IDS.findall(test)}
    named |= {("nasty", name) for name in (*ON_THE_WIRE, *UNREADABLE)}
    on_the_page = {(row.kind, row.id) for row in rows() if row.tests}

    assert set() == named - on_the_page


def test_every_feature_that_is_waited_for_is_waited_for_by_a_row() -> None:
    waited = {feature for row in rows() for feature in row.waits}

    assert {name for name, *_ in section("What is waited for")} == waited
