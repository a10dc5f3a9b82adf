"""Settling an argument at a real table: what a grid is worth, who pays, who is out, who came where.

One question a line, one answer a line, both JSON and in the same order. A question that has no
answer gets an error in its place, and the next one is answered all the same. Authors of clients in
other languages can check their own rules against it.

>>> question = {"id": 1, "ask": "round_score", "mode": "qc", "tie": "safe"}
>>> answer(question | {"scores": {"Ada": 11, "Ben": 9}, "closer": "Ada"})
{'id': 1, 'answer': {'Ada': 22, 'Ben': 9}}
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from dormie_client.grid_questions import GRID_ASKS
from dormie_client.match_questions import MATCH_ASKS
from dormie_client.patience_questions import PATIENCE_ASKS
from dormie_client.question import Ask, NoAnswer, Question, Why, check_fields
from dormie_client.relative_questions import RELATIVE_ASKS
from dormie_rules.scoring_options import BadRules
from dormie_rules.strict_json import read_json

ASKS: Mapping[str, Ask] = {**GRID_ASKS, **PATIENCE_ASKS, **RELATIVE_ASKS, **MATCH_ASKS}
LATER = ("tournament",)
"""What the referee will be asked one day."""

MAX_LINE = 65_536
MAX_ID = 100
MAX_NUMBER = 2**63


def main_referee(argv: Sequence[str], stdin: TextIO, stdout: TextIO) -> int:
    """Answer the questions of a file, or of standard input; 1 when one of them had no answer."""
    if len(argv) > 1 or any(word.startswith("-") and word != "-" for word in argv):
        print("usage: dormie referee [FILE]", file=sys.stderr)
        return 2
    try:
        with _questions(argv, stdin) as questions:
            return _answer_all(questions, stdout)
    except OSError as error:
        print(f"dormie referee: {error.strerror}", file=sys.stderr)
        return 2


def referee_lines(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """What to say to each line, and whether it is an answer; blank lines are skipped.

    >>> list(referee_lines(["", '{"id": 1, "ask": "grid_score"}']))[0][1]
    False
    """
    for line in lines:
        text = line.strip("\ufeff \t\r\n")
        if text:
            said = _answer_text(text)
            yield json.dumps(said), "answer" in said


def answer(question: Question) -> dict[str, object]:
    """The answer to one question, or the error that stands in its place."""
    name = question.get("id")
    if not _is_id(name):
        because = "an id is a whole number or a short text"
        return _error(None, NoAnswer(Why.BAD_FIELD, because, "id"))
    try:
        return {"id": name, "answer": _answer(question)}
    except NoAnswer as no:
        return _error(name, no)
    except BadRules as bad:
        return _error(name, NoAnswer(Why.BAD_FIELD, bad.because, bad.field or None))


def _questions(argv: Sequence[str], stdin: TextIO) -> AbstractContextManager[TextIO]:
    if argv and argv[0] != "-":
        return Path(argv[0]).open(encoding="utf-8", errors="replace")
    if isinstance(stdin, TextIOWrapper):
        stdin.reconfigure(encoding="utf-8", errors="replace")
    return nullcontext(stdin)


def _answer_all(lines: Iterable[str], stdout: TextIO) -> int:
    status = 0
    try:
        for text, is_answer in referee_lines(lines):
            stdout.write(text + "\n")
            stdout.flush()
            status = status if is_answer else 1
    except BrokenPipeError:  # the reader has left, and nothing must be flushed to them at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
        return 1
    return status


def _answer_text(text: str) -> dict[str, object]:
    try:
        return answer(_read(text))
    except NoAnswer as no:
        return _error(None, no)


def _read(text: str) -> Question:
    if len(text) > MAX_LINE:
        raise NoAnswer(Why.UNREADABLE, f"a question has at most {MAX_LINE} characters")
    try:
        question = read_json(text)
    except ValueError:
        raise NoAnswer(Why.UNREADABLE, "this line is not JSON that can be read") from None
    if not isinstance(question, dict):
        raise NoAnswer(Why.UNREADABLE, "a question is a JSON object")
    return question


def _is_id(given: object) -> bool:
    if isinstance(given, int):
        return not isinstance(given, bool) and abs(given) < MAX_NUMBER
    return given is None or (isinstance(given, str) and len(given) <= MAX_ID)


def _answer(question: Question) -> object:
    ask = question.get("ask")
    if ask in LATER:
        raise NoAnswer(Why.NOT_YET, "this cannot be asked yet", "ask")
    if not isinstance(ask, str) or ask not in ASKS:
        raise NoAnswer(Why.UNKNOWN_ASK, f"one can ask: {', '.join(ASKS)}", "ask")
    check_fields(ASKS[ask], question)
    return ASKS[ask].reply(question)


def _error(name: object, no: NoAnswer) -> dict[str, object]:
    error = {"code": no.why.value, "message": no.because, "field": no.field}
    return {"id": name, "error": error}
