"""Saying in a sentence what a line of a record should have been."""

import re

_ROWS = {
    "pack": "card {} of the pack, by its link and what the seats added to luck,",
    "raw": "the raw score of seat {}",
    "charged": "the charged score of seat {}",
    "totals": "the total of seat {}",
    "ended": "the end of the hole for seat {}",
    "places": "the place of seat {}",
}


def difference(right: str, found: str) -> str:
    """What is wrong with the line *found*, where the line *right* belongs.

    >>> difference("raw 2 12 5 -", "raw 2 12 6 -")
    'the raw score of seat 2 is 5, not 6'
    >>> difference("pack 1 5S TD", "pack 1 5S *")
    'card 2 of the pack, by its link and what the seats added to luck, is TD, not *'
    >>> difference("hole 2", "move 1 draw"), difference("hole 2", "hole 3")
    ('a line with "hole" is needed here', '"hole 2" is needed here')
    """
    word, *wanted = right.split(" ")
    other, *given = found.split(" ")
    if other != word:
        return f'a line with "{word}" is needed here'
    if word == "seal":
        return "this is the seal of other lines: one of those above was changed"
    if word not in _ROWS:
        return f'"{right}" is needed here'
    if len(given) != len(wanted):
        return f'"{word}" is followed by {len(wanted)} values'
    at = next(at for at, value in enumerate(wanted) if given[at] != value)
    if at == 0 and word != "places":
        return f'"{word}" is followed by the number of the hole, {wanted[0]}'
    number = at + 1 if word == "places" else at
    return f"{_ROWS[word].format(number)} is {wanted[at]}{_not(given[at])}"


def _not(value: str) -> str:
    """The wrong value too, where it could stand in a record."""
    return f", not {value}" if re.fullmatch("[0-9A-Z*-]{1,9}|[a-z_]{1,9}", value) else ""
