"""Every small change of a record is tried, and every change must be found.

A change is tried twice: as it is, and sealed again by whoever made it. Of the latter those that
stay unseen must be among the few that have no effect on any deal, score or place.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.replay import verify
from tests.rules.recording import GOLDEN, lines_of, sealed_again

Changes: TypeAlias = Iterator[tuple[str, list[str]]]
"""A changed line as it was and as it is, and the lines of the whole record then."""

WORDS = ("move", "auto", "draw", "take", "leave", "human", "playroom", '{"holes":1}')
DECORATION = {"table", "match", "seat"}
MOVES = {"move", "auto"}


def with_another_token(text: str) -> Changes:
    lines = lines_of(text)
    for number, line in enumerate(lines):
        tokens = line.split(" ")
        for at, token in enumerate(tokens):
            for other in () if _is_name(tokens, at) else _others(token):
                new = " ".join([*tokens[:at], other, *tokens[at + 1 :]])
                yield f"{line} > {new}", [*lines[:number], new, *lines[number + 1 :]]


def with_a_line_less(text: str) -> Changes:
    lines = lines_of(text)
    for number, line in enumerate(lines):
        yield f"{line} > ", [*lines[:number], *lines[number + 1 :]]


def with_a_line_twice(text: str) -> Changes:
    lines = lines_of(text)
    for number, line in enumerate(lines):
        yield f"{line} > {line} {line}", [*lines[:number], line, *lines[number:]]


def with_two_lines_exchanged(text: str) -> Changes:
    lines = lines_of(text)
    for number, (one, two) in enumerate(pairwise(lines)):
        if one != two:
            yield f"{one} > {two}", [*lines[:number], two, one, *lines[number + 2 :]]


def some(changes: Changes) -> Changes:
    """Every fifth change, which are hundreds: in turn every kind of change is among them."""
    return islice(changes, 0, None, 5)


def _is_name(tokens: list[str], at: int) -> bool:
    return tokens[0] == "seat" and at >= (4 if tokens[2] == "bot" else 3)


def _others(token: str) -> Iterator[str]:
    """What might stand in the place of *token*."""
    if re.fullmatch("-?[0-9]+", token):
        yield from (str(int(token) + 1), str(int(token) - 1), "-", f"0{token}")
    elif token == "-":
        yield from ("0", "00")
    elif re.fullmatch("[0-9a-f]{16,}", token):
        yield from (f"{token[:-1]}{int(token[-1], 16) ^ 1:x}", token[:-2], token.upper())
    elif re.fullmatch(r"[A-Z0-9]{2}|\*", token):
        yield "2C" if token != "2C" else "*"
    else:
        yield from (f"{token}x", token[:-1], "", *(word for word in WORDS if word != token))


SMALL = pytest.mark.parametrize(
    "change", [with_a_line_less, with_a_line_twice, with_two_lines_exchanged]
)
BOOK = pytest.mark.parametrize("name", GOLDEN)


@SMALL
@BOOK
def test_a_line_lost_repeated_or_exchanged_is_found(
    name: str, change: Callable[[str], Changes]
) -> None:
    assert [] == [what for what, lines in change(GOLDEN[name]) if verify("\n".join(lines)).ok]


@BOOK
def test_a_token_that_was_changed_is_found(name: str) -> None:
    changes = some(with_another_token(GOLDEN[name]))

    assert [] == [what for what, lines in changes if verify("\n".join(lines)).ok]


@BOOK
def test_a_change_that_only_the_seal_finds_changes_no_deal_score_or_place(name: str) -> None:
    """A table's code is not checkable, and some other moves lead to the same scores."""
    unseen = _unseen(some(with_another_token(GOLDEN[name])))
    word_before, word_after = (
        {what.split(" ")[0] for what in side} for side in zip(*unseen, strict=True)
    )

    assert word_before <= DECORATION | MOVES
    assert word_after <= DECORATION | MOVES


@BOOK
def test_a_line_that_only_the_seal_misses_decides_nothing(name: str) -> None:
    """The dealer of this golden record is the one whom luck would have chosen, too."""
    unseen = _unseen(with_a_line_less(GOLDEN[name]))

    assert (["dealer 3"] if name == "extra_hole" else []) == [line for line, _ in unseen]


@BOOK
def test_lines_whose_order_only_the_seal_knows_are_moves_or_a_leave(name: str) -> None:
    """Before the first turn cards are turned up in any order; who leaves may wait for the deal."""
    pairs = _unseen(with_two_lines_exchanged(GOLDEN[name]))
    others = [pair for pair in pairs if not all(" flip " in line for line in pair)]

    assert ([("leave 2", "hole 2")] if name == "leaving" else []) == others


@given(st.data())
def test_any_other_character_anywhere_is_found(data: st.DataObject) -> None:
    lines = lines_of(GOLDEN["extra_hole"])
    number = data.draw(st.integers(0, len(lines) - 1).filter(lambda n: lines[n][:4] != "seat"))
    line = lines[number]
    at = data.draw(st.integers(0, len(line)))
    new = line[:at] + data.draw(st.text(min_size=1, max_size=3)) + line[at + 1 :]
    changed = [*lines[:number], new, *lines[number + 1 :]]

    assert (_said(changed) == _said(lines)) == verify("\n".join(changed)).ok


def _said(lines: list[str]) -> list[str]:
    """What a record says: empty lines, remarks, and marks of a file from Windows say nothing."""
    every = "\n".join(lines).removeprefix("\ufeff").split("\n")
    ended = [line.removesuffix("\r") for line in every]
    return [line for line in ended if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize("nothing", ["\n", "\n\r\n", "\n \t\n", "\n# by Ada\n"])
def test_lines_that_say_nothing_change_nothing(nothing: str) -> None:
    assert verify(nothing.join(lines_of(GOLDEN["extra_hole"]))).ok


@given(st.text() | st.binary().map(lambda junk: junk.decode("utf-8", "replace")))
def test_junk_is_no_record(junk: str) -> None:
    for text in (junk, f"{GOLDEN['leaving']}{junk}", f"dormie-record 1\n{junk}"):
        assert (_said([text]) == _said([GOLDEN["leaving"]])) == verify(text).ok


def _unseen(changes: Changes) -> list[tuple[str, str]]:
    """The changes that are not found once the record is sealed again."""
    tried = (
        (what, lines) for what, lines in changes if not what.startswith(("seal ", "end", "places"))
    )
    found = [what for what, lines in tried if verify(sealed_again(lines)).ok]
    return [(before, after) for before, _, after in (what.partition(" > ") for what in found)]
