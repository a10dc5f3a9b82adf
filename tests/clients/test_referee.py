"""The referee: a line in, a line out, whatever the line."""

import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_client.question import Why
from dormie_client.referee import ASKS, LATER, MAX_LINE, answer, main_referee, referee_lines
from dormie_rules.penalties import Mode
from tests.worked_cases import ASKS as WORKED
from tests.worked_cases import cases, question

QUESTIONS = [question(ask, case) for ask in WORKED for case in cases(ask)]
ANSWERS = [{"id": case["id"], "answer": case["expect"]} for ask in WORKED for case in cases(ask)]
GOOD = json.dumps(QUESTIONS[0])
CANARY = "canary"


def replies(*lines: str) -> list[Any]:
    return [json.loads(text) for text, _ in referee_lines(lines)]


def error_of(line: str) -> dict[str, Any]:
    (reply,) = replies(line)
    assert ["id", "error"] == list(reply)
    error: dict[str, Any] = reply["error"]
    return error


# ------------------------------------------------------------- a line, a line


def test_every_worked_case_is_answered_in_order() -> None:
    assert ANSWERS == replies(*map(json.dumps, QUESTIONS))


def test_an_answer_does_not_depend_on_those_before_it() -> None:
    assert ANSWERS[::-1] == replies(*map(json.dumps, QUESTIONS[::-1]))


def test_a_whole_case_may_be_asked_as_it_stands() -> None:
    case = cases("places")[0]

    assert [{"id": case["id"], "answer": case["expect"]}] == replies(
        json.dumps({"ask": "places", **case})
    )


def test_blank_lines_are_skipped() -> None:
    assert [ANSWERS[0]] == replies("", "  \t \r\n", "\n", "\ufeff\n", GOOD + "\r\n")


def test_a_mark_at_the_beginning_is_no_part_of_the_question() -> None:
    assert [ANSWERS[0]] == replies("\ufeff" + GOOD)


def test_a_bad_line_does_not_harm_the_next() -> None:
    said = list(referee_lines(["{", GOOD, "[]", GOOD]))

    assert [False, True, False, True] == [is_answer for _, is_answer in said]
    assert [ANSWERS[0], ANSWERS[0]] == [json.loads(text) for text, is_answer in said if is_answer]


@pytest.mark.parametrize("name", [None, "", "G01", "é🂡", "\ud800", 0, -5, 2**53 + 1, "x" * 100])
def test_an_id_comes_back_as_it_was(name: object) -> None:
    (reply,) = replies(json.dumps(QUESTIONS[0] | {"id": name}))

    assert {"id": name, "answer": ANSWERS[0]["answer"]} == reply


def test_a_question_needs_no_id() -> None:
    asked = {field: of for field, of in QUESTIONS[0].items() if field != "id"}

    assert {"id": None, "answer": ANSWERS[0]["answer"]} == answer(asked)


@pytest.mark.parametrize("name", [True, 1.5, [], {}, "x" * 101, 10**400])
def test_any_other_id_is_refused(name: object) -> None:
    (reply,) = replies(json.dumps(QUESTIONS[0] | {"id": name}))

    assert (None, "bad_field", "id") == (
        reply["id"],
        reply["error"]["code"],
        reply["error"]["field"],
    )


# ------------------------------------------------------------ what has no answer


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "canary",
        "[]",
        "null",
        '"text"',
        "5",
        GOOD + GOOD,
        GOOD + ",",
        '{"id": NaN}',
        '{"id": 1, "limit": Infinity}',
        '{"id": 1, "id": 2}',
        '{"id": 1' + "0" * 5000 + "}",
        "[" * 100_000,
        "[" * 30_000 + "]" * 30_000,
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        GOOD.replace("{", "{" + " " * MAX_LINE, 1),
        '{"id": "\x00"}',
        "'id': 1",
        "\ufffd",
    ],
    ids=range(19),
)
def test_a_line_that_is_no_question_is_called_so(line: str) -> None:
    error = error_of(line)

    assert (Why.UNREADABLE, None) == (error["code"], error["field"])


@pytest.mark.parametrize("ask", [None, "", "Grid_score", "advice", 5, True, [], {}, ["places"]])
def test_an_unknown_ask_is_told_what_one_can_ask(ask: object) -> None:
    error = error_of(json.dumps({"id": 1, "ask": ask}))

    assert ("unknown_ask", "ask") == (error["code"], error["field"])
    assert all(known in error["message"] for known in ASKS)


@pytest.mark.parametrize("ask", LATER)
def test_some_things_cannot_be_asked_yet(ask: str) -> None:
    assert "not_yet" == error_of(json.dumps({"id": 1, "ask": ask}))["code"]


def test_everything_can_be_asked_now_or_later() -> None:
    assert {*WORKED, "patience_solve", "tournament", "relative_move", "relative_solve"} == {
        *ASKS,
        *LATER,
    }
    assert set() == set(ASKS) & set(LATER)


# ------------------------------------------------------------------ any input

# Named, because to know every character there is costs a fresh clone seconds.
characters = st.sampled_from('{}[]:,"\\ \t\r\n\x00\x1f\x85\u2028\ufeff\ufffd\ud800aAKé🂡#*-+.019eE')
texts = st.text(characters, max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**300), 10**300)
    | st.floats()
    | texts
    | st.sampled_from([CANARY, "K", "#", "*", "rows", "Ada", *get_args(Mode), *ASKS, *LATER])
)
keys = texts | st.sampled_from([CANARY, "id", "values", "Ada", "shape", "amounts"])
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def spoiled(draw: st.DrawFn) -> Any:  # a question no longer
    """A good question in which one part has become something else, or is gone."""
    asked = json.loads(json.dumps(draw(st.sampled_from(QUESTIONS))))
    path = draw(st.sampled_from(list(parts(asked))))
    inside = asked
    for step in path[:-1]:
        inside = inside[step]
    if draw(st.booleans()):
        inside[path[-1]] = draw(anything)
    else:
        del inside[path[-1]]
    return asked


def parts(of: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # keys and indices
    if path:
        yield path
    match of:
        case dict():
            for key in of:
                yield from parts(of[key], (*path, key))
        case list():
            for at, one in enumerate(of):
                yield from parts(one, (*path, at))
        case _:
            pass


def check_line(line: str) -> None:
    said = list(referee_lines([line]))

    assert len(said) == bool(line.strip("\ufeff \t\r\n"))
    for text, is_answer in said:
        assert "\n" not in text
        assert text.isascii()
        reply = json.loads(text)
        assert ["id", "answer" if is_answer else "error"] == list(reply)
        if not is_answer:
            check_error(reply["error"])


def check_error(error: dict[str, Any]) -> None:
    assert ["code", "message", "field"] == list(error)
    assert error["code"] in list(Why)
    assert 0 < len(error["message"].encode()) <= 256
    assert CANARY not in error["message"]
    assert CANARY not in (error["field"] or "")
    assert len(error["field"] or "") < 40


@given(spoiled())
def test_a_spoiled_question_has_an_answer_or_an_error(asked: Any) -> None:  # any JSON
    check_line(json.dumps(asked))


@given(anything)
def test_any_json_has_an_answer_or_an_error(asked: Any) -> None:  # any JSON
    check_line(json.dumps(asked))


@given(st.sampled_from(list(ASKS)), st.dictionaries(keys, anything))
def test_any_fields_have_an_answer_or_an_error(ask: str, fields: dict[str, Any]) -> None:
    check_line(json.dumps({**fields, "ask": ask}))


@given(st.text(characters))
def test_any_text_has_an_answer_or_an_error(line: str) -> None:
    check_line(line)


@given(st.sampled_from(QUESTIONS), st.integers(0, 600), texts)
def test_any_slip_of_a_finger_has_an_answer_or_an_error(
    asked: dict[str, Any], at: int, slip: str
) -> None:
    line = json.dumps(asked)

    check_line(line[:at] + slip + line[at + 1 :])


# ------------------------------------------------------------------ the command


def run(argv: list[str], text: str = "") -> tuple[int, list[Any]]:
    out = StringIO()
    status = main_referee(argv, StringIO(text), out)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def test_questions_come_from_standard_input_or_from_a_file(tmp_path: Path) -> None:
    text = "\n".join(map(json.dumps, QUESTIONS))
    file = tmp_path / "questions"
    file.write_text(text, encoding="utf-8-sig")

    assert (0, ANSWERS) == run([], text)
    assert (0, ANSWERS) == run(["-"], text + "\n\n")
    assert (0, ANSWERS) == run([str(file)])


def test_no_question_is_no_error() -> None:
    assert (0, []) == run([], "\n")


def test_one_error_makes_the_status_one_and_the_rest_is_answered() -> None:
    status, said = run([], f"{GOOD}\n{{\n{GOOD}\n")

    assert 1 == status
    assert [ANSWERS[0], ANSWERS[0]] == [said[0], said[2]]


@pytest.mark.parametrize("argv", [["a", "b"], ["--help"], ["-x"], ["-", "-"]])
def test_anything_else_is_told_the_usage(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert (2, []) == run(argv, GOOD)
    assert capsys.readouterr().err.startswith("usage: dormie referee")


def test_a_file_that_cannot_be_read_is_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (2, []) == run([str(tmp_path / "missing")])
    assert (2, []) == run([str(tmp_path)])
    assert 2 == capsys.readouterr().err.count("dormie referee: ")


def test_bytes_that_are_no_text_are_one_bad_line() -> None:
    stdin = TextIOWrapper(BytesIO(b"\xff\xfe{\n" + GOOD.encode() + b"\n"), encoding="ascii")
    out = StringIO()

    assert 1 == main_referee([], stdin, out)
    assert ANSWERS[0] == json.loads(out.getvalue().splitlines()[1])


class Pipe(StringIO):
    """An output that remembers what had been written whenever it was flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.flushed: list[str] = []

    def flush(self) -> None:
        self.flushed.append(self.getvalue())


def test_each_answer_comes_before_the_next_question() -> None:
    """So that a program may hold a conversation with the referee."""
    pipe = Pipe()
    main_referee([], StringIO(f"{GOOD}\n{GOOD}\n"), pipe)
    line = json.dumps(ANSWERS[0]) + "\n"

    assert [line, line * 2] == pipe.flushed


PROGRAM = [
    sys.executable,
    "-c",
    """
import sys
from dormie_client.referee import main_referee

sys.exit(main_referee([], sys.stdin, sys.stdout))
""",
]


def test_a_reader_who_leaves_is_no_disaster() -> None:
    with subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as referee:
        assert referee.stdout, "it was asked for"
        referee.stdout.close()
        referee.stdout = None
        _, complaints = referee.communicate((GOOD + "\n") * 100, timeout=60)

    assert "" == complaints
    assert 1 == referee.returncode
