"""Reading a record: its lines, and what they say before the first hole.

What follows in the holes is for ``replay``, which knows what must stand there. Everything has one
spelling, so that a line that was changed is another line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from dormie_rules.grid_rules import MAX_SEATS
from dormie_rules.luck import SECRET_BYTES
from dormie_rules.record import FORMAT, MAX_BYTES, Head, Player, seal_line
from dormie_rules.recorded import AnyCourse, Recorded, recorded, recorded_names
from dormie_rules.scoring_options import BadRules
from dormie_rules.strict_json import read_json

MAX_ENTROPY = 64
"""Bytes that one seat may add to luck."""
MAX_MATCH = 1_000_000_000

_FIRST = ("table", "match", "variant", "options", "seats")


class BadLine(ValueError):
    """A line that is not right, and why; *line* is None when it is the record as a whole.

    >>> BadLine(3, "a match has a number from 1").line
    3
    """

    def __init__(self, line: int | None, because: str) -> None:
        super().__init__(because)
        self.line = line
        self.because = because


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something, and its number in the text."""

    number: int
    text: str

    @property
    def word(self) -> str:
        """What kind of line it is."""
        return self.text.partition(" ")[0]

    def values(self, count: int) -> list[str]:
        """What stands after the word. Raises BadLine unless it is so many values."""
        values = self.text.split(" ")[1:]
        if len(values) != count:
            some = "one value" if count == 1 else f"{count} values"
            raise BadLine(self.number, f'"{self.word}" is followed by {some}')
        return values


@dataclass(frozen=True, slots=True)
class Record:
    """What a record says before the first hole, and the lines of what happened then."""

    head: Head
    game: Recorded
    """The match that these options make, and how its moves are read."""
    commitment: bytes
    contributions: tuple[bytes | None, ...]
    lines: tuple[Line, ...]
    seal: str
    """The seal line that belongs to this record, whether or not it is there."""

    @property
    def course(self) -> AnyCourse:
        """The match alone."""
        return self.game.course


def read(text: str) -> Record:
    """The record that *text* is. Raises BadLine if it cannot be read up to its first hole."""
    lines = _lines(text)
    _check_format(_line(lines, 0, "dormie-record"))
    head, at = _head(lines)
    game = _game(head, lines)
    seats = len(head.players)
    promise = _line(lines, at, "commit")
    contributions = tuple(
        _contribution(_line(lines, at + seat, "entropy"), seat) for seat in range(1, seats + 1)
    )
    return Record(
        head,
        game,
        _secret(promise, promise.values(1)[0]),
        contributions,
        lines=lines[at + seats + 1 :],
        seal=seal_line(line.text for line in takewhile(_is_sealed, lines)),
    )


def read_link(line: Line, hole: int) -> bytes:
    """The link of hole number *hole*."""
    number, link = line.values(2)
    if number != str(hole):
        raise BadLine(line.number, f"the link of hole {hole} is needed here")
    return _secret(line, link)


def read_attempt(line: Line, hole: int, most: int) -> int:
    """Which attempt at the deal of hole number *hole* it was, below *most*."""
    number, attempt = line.values(2)
    if (
        number != str(hole)
        or not re.fullmatch("0|[1-9][0-9]{0,3}", attempt)
        or int(attempt) >= most
    ):
        raise BadLine(line.number, f"the attempt at hole {hole} is needed here, below {most}")
    return int(attempt)


def _lines(text: str) -> tuple[Line, ...]:
    """The lines that say something. A line may end as in a file from Windows."""
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise BadLine(None, f"a record has at most {MAX_BYTES >> 20} MiB")
    every = text.removeprefix("\ufeff").split("\n")
    lines = (Line(number, line.removesuffix("\r")) for number, line in enumerate(every, 1))
    said = tuple(line for line in lines if line.text.strip() and not line.text.startswith("#"))
    if not said:
        raise BadLine(None, "there is nothing in this record")
    return said


def _is_sealed(line: Line) -> bool:
    return line.word != "seal"


def _line(lines: Sequence[Line], at: int, word: str) -> Line:
    if at >= len(lines):
        raise BadLine(lines[-1].number, f'the record breaks off here; "{word}" comes next')
    if lines[at].word != word:
        raise BadLine(lines[at].number, f'a line with "{word}" is needed here')
    return lines[at]


def _check_format(line: Line) -> None:
    if line.values(1) != [str(FORMAT)]:
        raise BadLine(line.number, f"only format {FORMAT} of records can be read")


def _head(lines: Sequence[Line]) -> tuple[Head, int]:
    """What the first lines say, and where the next one is."""
    table, match, variant, options, seats = (
        _line(lines, at, word) for at, word in enumerate(_FIRST, 1)
    )
    (code,) = table.values(1)
    if not re.fullmatch("[A-Za-z0-9_-]{1,36}", code):
        raise BadLine(table.number, "a table has a code of letters and digits")
    number = _number(match, MAX_MATCH)
    (name,) = variant.values(1)
    chosen = _options(options)
    size = _number(seats, MAX_SEATS)
    after = size + 6
    players = tuple(_player(_line(lines, 6 + seat, "seat"), seat + 1) for seat in range(size))
    settled = lines[after : after + 1]
    dealer = None
    if settled and settled[0].word == "dealer":
        dealer, after = _number(settled[0], size) - 1, after + 1
    return Head(code, number, name, chosen, players, dealer), after


def _game(head: Head, lines: Sequence[Line]) -> Recorded:
    variant, options, seats = lines[3:6]
    if head.variant not in recorded_names():
        raise BadLine(variant.number, f"the variants are: {', '.join(recorded_names())}")
    try:
        return recorded(head.variant, head.options, len(head.players))
    except BadRules as bad:
        line = seats if bad.field == "seats" else options
        raise BadLine(line.number, f"{bad.field}: {bad.because}") from None


def _number(line: Line, most: int) -> int:
    (text,) = line.values(1)
    if not re.fullmatch("[1-9][0-9]{0,9}", text) or int(text) > most:
        raise BadLine(line.number, f'"{line.word}" is followed by a number from 1 to {most}')
    return int(text)


def _options(line: Line) -> Mapping[str, Any]:  # any JSON: it is for ``choose`` to judge
    text = line.text.partition(" ")[2]
    try:
        options = read_json(text)
    except ValueError:
        raise BadLine(line.number, "options are JSON that can be read") from None
    if not isinstance(options, dict):
        raise BadLine(line.number, "options are a JSON object")
    return options


def _player(line: Line, seat: int) -> Player:
    match line.text.split(" ", 3)[1:]:
        case [number, "human", *name] if number == str(seat):
            return Player("".join(name))
        case [number, "bot", rest] if number == str(seat):
            level, _, name_of_bot = rest.partition(" ")
            if re.fullmatch("[a-z0-9_]{1,32}", level):
                return Player(name_of_bot, level)
    raise BadLine(
        line.number, f'"seat {seat} human NAME" or "seat {seat} bot LEVEL NAME" is needed'
    )


def _contribution(line: Line, seat: int) -> bytes | None:
    number, text = line.values(2)
    if number != str(seat):
        raise BadLine(line.number, f"what seat {seat} added to luck is needed here")
    if text == "-":
        return None
    if not re.fullmatch(f"(?:[0-9a-f]{{2}}){{1,{MAX_ENTROPY}}}", text):
        raise BadLine(line.number, f'"-" or up to {MAX_ENTROPY} bytes in hexadecimal are needed')
    return bytes.fromhex(text)


def _secret(line: Line, text: str) -> bytes:
    if not re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", text):
        raise BadLine(line.number, f"{2 * SECRET_BYTES} hexadecimal digits are needed")
    return bytes.fromhex(text)
