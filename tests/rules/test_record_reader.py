import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.grid_options import OPTIONS, SCORING
from dormie_rules.record import MAX_BYTES
from dormie_rules.record_reader import BadLine, read
from dormie_rules.recorded import recorded_names

GOLDEN = (Path(__file__).parents[1] / "cases" / "records" / "two_holes.dormie").read_text("utf-8")
LINES = GOLDEN.split("\n")
COMMIT = next(line for line in LINES if line.startswith("commit"))


def complaint(text: str) -> tuple[int | None, str]:
    try:
        read(text)
    except BadLine as bad:
        return bad.line, bad.because
    return None, "it was read"


def with_line(number: int, line: str) -> str:
    return "\n".join([*LINES[: number - 1], line, *LINES[number:]])


@pytest.mark.parametrize(
    ("number", "line", "because"),
    [
        (2, "dormie-record 2", "only format 1 of records can be read"),
        (2, "dormie-record", '"dormie-record" is followed by one value'),
        (2, "PNG", 'a line with "dormie-record" is needed here'),
        (3, "table A B", '"table" is followed by one value'),
        (3, "table \0", "a table has a code of letters and digits"),
        (4, "match 0", '"match" is followed by a number from 1 to 1000000000'),
        (4, "match 01", '"match" is followed by a number from 1 to 1000000000'),
        (4, "match ²", '"match" is followed by a number from 1 to 1000000000'),
        (4, "match 1000000001", '"match" is followed by a number from 1 to 1000000000'),
        (5, "variant chess", f"the variants are: {', '.join(recorded_names())}"),
        (6, "options", "options are JSON that can be read"),
        (6, "options []", "options are a JSON object"),
        (6, 'options {"holes":NaN}', "options are JSON that can be read"),
        (6, 'options {"holes":2,"holes":2}', "options are JSON that can be read"),
        (6, "options " + "[" * 100_000, "options are JSON that can be read"),
        (6, 'options {"holes":0}', "holes: a number from 1 to 36 is needed"),
        (6, 'options {"hols":1}', "options: there is an option here that six_card does not have"),
        (7, "seats 1", "seats: six_card is played by 2 to 6 players"),
        (7, "seats 7", '"seats" is followed by a number from 1 to 6'),
        (8, "seat 2 human Ada", '"seat 1 human NAME" or "seat 1 bot LEVEL NAME" is needed'),
        (8, "seat 1 cat Ada", '"seat 1 human NAME" or "seat 1 bot LEVEL NAME" is needed'),
        (8, "seat 1 bot Hard Ada", '"seat 1 human NAME" or "seat 1 bot LEVEL NAME" is needed'),
        (8, "seat 1 bot", '"seat 1 human NAME" or "seat 1 bot LEVEL NAME" is needed'),
        (8, "seat 1", '"seat 1 human NAME" or "seat 1 bot LEVEL NAME" is needed'),
        (10, COMMIT.upper(), 'a line with "commit" is needed here'),
        (10, COMMIT[:-1], "64 hexadecimal digits are needed"),
        (10, COMMIT[:-1] + "G", "64 hexadecimal digits are needed"),
        (10, COMMIT + " ", '"commit" is followed by one value'),
        (10, f"dealer 3\n{COMMIT}", '"dealer" is followed by a number from 1 to 2'),
        (11, "entropy 2 -", "what seat 1 added to luck is needed here"),
        (11, "entropy 1 A0", '"-" or up to 64 bytes in hexadecimal are needed'),
        (11, "entropy 1 " + "0" * 130, '"-" or up to 64 bytes in hexadecimal are needed'),
        (11, "entropy 1 0", '"-" or up to 64 bytes in hexadecimal are needed'),
    ],
)
def test_a_line_at_the_beginning_that_is_wrong_is_named(
    number: int, line: str, because: str
) -> None:
    assert (number, because) == complaint(with_line(number, line))


def test_too_many_seats_miss_a_line_and_too_few_leave_one_over() -> None:
    three = GOLDEN.replace("seats 2", "seats 3")
    one_more = with_line(9, f"{LINES[8]}\nseat 3 human Zoé")

    assert (10, 'a line with "seat" is needed here') == complaint(three)
    assert (10, 'a line with "commit" is needed here') == complaint(one_more)


@pytest.mark.parametrize("number", range(2, 13))
def test_a_line_at_the_beginning_that_is_missing_is_missed(number: int) -> None:
    line, _ = complaint("\n".join(LINES[: number - 1] + LINES[number:]))

    assert line is not None
    assert line >= number - 1


@pytest.mark.parametrize("number", range(2, 12))
def test_a_record_that_breaks_off_at_the_beginning_says_so(number: int) -> None:
    line, because = complaint("\n".join(LINES[:number]))

    assert number == line
    assert because.startswith("the record breaks off here")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark", " \t\r\n"])
def test_a_record_without_a_line_is_none(text: str) -> None:
    assert (None, "there is nothing in this record") == complaint(text)


def test_a_record_of_more_than_4_mib_is_none() -> None:
    """Bytes count, not characters."""
    assert 4 * 1024 * 1024 == MAX_BYTES
    assert (None, "it was read") == complaint(GOLDEN + "#" * (MAX_BYTES - len(GOLDEN.encode())))
    assert (None, "a record has at most 4 MiB") == complaint(GOLDEN + "#" * MAX_BYTES)
    assert (None, "a record has at most 4 MiB") == complaint("é" * (MAX_BYTES // 2 + 1))


@pytest.mark.parametrize(
    "text",
    [
        GOLDEN.replace("\n", "\r\n"),
        "\ufeff" + GOLDEN,
        GOLDEN.strip(),
        GOLDEN.replace("\n", "\n#\n"),
    ],
    ids=["line ends of Windows", "byte order mark", "no last line end", "remarks everywhere"],
)
def test_what_an_editor_does_to_a_text_does_no_harm(text: str) -> None:
    assert read(GOLDEN).seal == read(text).seal


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted({*OPTIONS, *SCORING, "knock", "x"})), JSON))
def test_options_are_read_or_refused_and_nothing_else(options: dict[str, Any]) -> None:
    _, because = complaint(with_line(6, f"options {json.dumps(options)}"))

    assert because
