"""The record of a day that is over: its promise, its secret, its deal, and every try that counted.

A line is a word and its values, as in the record of a match; players have numbers in the order in which
they began, and no names.

.. code-block:: text

    dormie-day 1
    day 2026-11-30
    promise HEX
    secret HEX
    attempt K
    pack CARD ...
    try N SCORE MOVES
    end
"""

import re
from collections.abc import Iterator

from dormie_rules.patience_board import board_after, board_moves, board_of
from dormie_rules.patience_day import (
    DAY_RULES,
    DayTable,
    K,
    day_deal,
    day_promise,
    day_seed,
    why_not_day,
)
from dormie_rules.patience_deals import MOST_ATTEMPTS, Certified, Judge, attempt_pack
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.race_path import next_card, step_move

DAY_FORMAT = 1
DAY_WORD = "dormie-day "
"""How the record of a day begins."""
MAX_PATH = 64
"""No hole has more moves."""

_HEAD = (
    ("dormie-day", "1"),
    ("day", r"\d{4}-\d\d-\d\d"),
    ("promise", "[0-9a-f]{64}"),
    ("secret", "[0-9a-f]{64}"),
    ("attempt", "0|[1-9][0-9]{0,3}"),
    ("pack", ".*"),
)


class BadDay(ValueError):
    """A line of a day's record that is not right, by its number from 1, and why."""

    def __init__(self, line: int, because: str) -> None:
        super().__init__(because)
        self.line = line
        self.because = because


def write_day(table: DayTable[K], secret: bytes, judge: Judge) -> str:
    """The record of a day that is over."""
    return write_dealt_day(table, secret, day_deal(table.date, secret, judge))


def write_dealt_day(table: DayTable[K], secret: bytes, deal: Certified) -> str:
    """The same, by somebody who knows which deal it was."""
    done = [one for one in table.tries if one.score is not None]
    tries = [f"try {n} {one.score} {one.path or '-'}" for n, one in enumerate(done, 1)]
    head = (
        f"dormie-day {DAY_FORMAT}",
        f"day {table.date}",
        f"promise {day_promise(table.date, secret).hex()}",
        f"secret {secret.hex()}",
        f"attempt {deal.attempt}",
        " ".join(("pack", *deal.pack)),
    )
    return "\n".join([*head, *tries, "end", ""])


def check_day(text: str, judge: Judge) -> int:
    """How many moves a day's tries have, each played again. Raises BadDay for the first line that is wrong."""
    lines = text.split("\n")
    _, date, promise, secret, attempt, pack = _head(lines)
    seed = day_seed(date, bytes.fromhex(secret))
    if int(attempt) >= MOST_ATTEMPTS:
        raise BadDay(5, f"an attempt is below {MOST_ATTEMPTS}")
    wrong = why_not_day(date, bytes.fromhex(promise), bytes.fromhex(secret), int(attempt), judge)
    if wrong:
        raise BadDay(4 if "secret" in wrong else 5, wrong)
    cards = attempt_pack(DAY_RULES, seed, int(attempt))
    if pack != " ".join(cards):
        raise BadDay(6, "this is not the pack that follows from the secret")
    deal = lay_out(DAY_RULES, cards)
    return sum(_check_try(deal, number, line) for number, line in enumerate(_tries(lines), 1))


def _head(lines: list[str]) -> list[str]:
    values = []
    for at, (word, shape) in enumerate(_HEAD):
        line = lines[at] if at < len(lines) else ""
        found = re.fullmatch(f"{word} ({shape})", line)
        if found is None:
            raise BadDay(at + 1, f'a line with "{word}" is needed here')
        values.append(found[1])
    return values


def _tries(lines: list[str]) -> Iterator[str]:
    for at in range(len(_HEAD), len(lines)):
        if lines[at] == "end":
            if lines[at + 1 :] != [""]:
                raise BadDay(at + 2, 'nothing comes after "end"')
            return
        yield lines[at]
    raise BadDay(len(lines), 'the record breaks off before "end"')


def _check_try(deal: Position, number: int, line: str) -> int:
    at = len(_HEAD) + number
    found = re.fullmatch(f"try ([1-9][0-9]*) (-?[0-9]+) ([1-7DG]{{1,{MAX_PATH}}}|-)", line)
    if found is None or found[1] != str(number):
        raise BadDay(at, f'"try {number}", a score and the moves are needed here')
    board = board_of(DAY_RULES, deal)
    for letter in found[3].strip("-"):
        move = step_move(letter)
        if move not in board_moves(DAY_RULES, board):
            raise BadDay(at, "the rules do not allow these moves")
        board = board_after(DAY_RULES, board, move, next_card(deal, board))
    if str(board.score) != found[2]:
        raise BadDay(at, f"these moves come to {board.score}")
    return len(found[3].strip("-"))
