"""`dormie rules`: which variants there are, how one is played, and what a table may change about it."""

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from dormie_client.option_text import explained, word
from dormie_client.rules_fr import rules_text
from dormie_protocol.messages import Language
from dormie_rules.grid_options import OPTIONS
from dormie_rules.grid_rules import GridRules, deck_count
from dormie_rules.scoring import Scoring
from dormie_rules.variant import Variant
from dormie_rules.variants import find, names

USUAL = 79
"""Columns of a usual terminal, less one."""


def variant_list(language: Language = "en") -> str:
    """One line for each variant.

    >>> any(line.startswith("six_card ") for line in variant_list().splitlines())
    True
    """
    wide = max(map(len, names()))
    return "\n".join(
        f"{name:{wide}}  {rules_text(find(name), language).splitlines()[0]}" for name in names()
    )


def rules_page(
    variant: Variant, rules: GridRules | None = None, language: Language = "en", wide: int = USUAL
) -> str:
    """How *variant* is played, with its numbers: the usual ones, or those of a table."""
    here = rules or variant.rules
    rows = tuple(option_values(variant, here, language))
    told = filled(rules_text(variant, language), wide)
    return "\n\n".join([told, _numbers(here, language, wide), option_rows(rows, language, wide)])


def filled(text: str, wide: int = USUAL) -> str:
    """The paragraphs of a text, no wider than a usual terminal."""
    return "\n\n".join(textwrap.fill(part, wide) for part in text.split("\n\n"))


def _numbers(rules: GridRules, language: Language, wide: int) -> str:
    values = ", ".join(f"{rank} {worth}" for rank, worth in rules.scoring.values)
    packs = str(rules.decks)
    if rules.decks == "auto":
        decks = [
            word("for", language, decks=deck_count(rules, seats), seats=seats)
            for seats in range(2, 7)
        ]
        packs = word("packs", language, packs=", ".join(decks))
    lines = (word("counts", language, values=values), word("decks", language, packs=packs))
    return "\n".join(textwrap.fill(line, wide) for line in lines)


def option_rows(
    options: Iterable[tuple[str, str, str]],
    language: Language = "en",
    wide: int = USUAL,
    why: Callable[[str, Language], str] = explained,
) -> str:
    """A table of options: the name of each, what it is here, what else it can be, and *why*."""
    head = (word("option", language), word("here", language), word("can_be", language))
    rows = [head, *options]
    room = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(
        line for row in rows for line in _option_row(row, room, why(row[0], language), wide)
    )


def _option_row(
    row: tuple[str, str, str], room: Sequence[int], why: str, wide: int
) -> Iterator[str]:
    name, usual, can_be = row
    yield from textwrap.wrap(
        f"{name:{room[0]}}  {usual:{room[1]}}  {can_be}".rstrip(),
        wide,
        subsequent_indent="    ",
        break_on_hyphens=False,
    )
    yield from textwrap.wrap(why, wide, initial_indent="    ", subsequent_indent="    ")


def option_values(
    variant: Variant, rules: GridRules, language: Language
) -> Iterator[tuple[str, str, str]]:
    """Every option of the rules: its name, what it is here, and what else it can be."""
    hints = get_type_hints(GridRules)
    shapes = ", ".join(f"{rows}x{cols}" for rows, cols in variant.shapes)
    for name in OPTIONS:
        can_be = (
            word("shapes", language, shapes=shapes)
            if name in ("rows", "cols")
            else _range(name, hints, language)
        )
        yield name, value_text(getattr(rules, name)), can_be
    yield from _scoring_options(rules, language)


def _scoring_options(rules: GridRules, language: Language) -> Iterator[tuple[str, str, str]]:
    """How cards and lines count; the first, ``values``, has a line of its own."""
    hints = get_type_hints(Scoring)
    for field in fields(Scoring)[1:]:
        value = getattr(rules.scoring, field.name)
        yield field.name, value_text(value), _words(hints[field.name], language)
    yield "values", word("above", language), word("ranks", language)


def _range(name: str, hints: Mapping[str, Any], language: Language) -> str:  # of types
    """What an option may be, in words: its numbers from its reader, its words from its type."""
    reader = OPTIONS[name]
    bounds = reader.keywords if isinstance(reader, partial) else {}
    if "low" in bounds:
        return word("range", language, low=bounds["low"], high=bounds["high"])
    return _words(hints[name], language)


def _words(hint: Any, language: Language = "en") -> str:  # a type
    """The values a type has, in words.

    >>> _words(Literal["must", "may"]), _words(int | None), _words(bool)
    ('must, may', 'a whole number, null', 'true, false')
    """
    if hint is bool:
        return word("yes_no", language)
    if hint is int:
        return word("whole", language)
    if hint is NoneType:
        return "null"
    if get_origin(hint) is Literal:
        return ", ".join(map(str, get_args(hint)))
    if get_origin(hint) is tuple:
        return word("list", language, of=_words(get_args(hint)[0], language))
    parts = [_words(part, language) for part in get_args(hint)]
    return ", ".join(parts) or word("object", language)


def value_text(value: object) -> str:
    """A value as one would write it for an option."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, tuple):
        return json.dumps(value)
    return str(value)
