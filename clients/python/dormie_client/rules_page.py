"""`dormie rules`: which variants there are, how one is played, and what a table may change about it."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from dormie_rules.grid_options import OPTIONS
from dormie_rules.grid_rules import GridRules, deck_count
from dormie_rules.scoring import Scoring
from dormie_rules.variant import Variant
from dormie_rules.variants import find, names


def variant_list() -> str:
    """One line for each variant.

    >>> any(line.startswith("six_card ") for line in variant_list().splitlines())
    True
    """
    wide = max(map(len, names()))
    return "\n".join(f"{name:{wide}}  {find(name).text.splitlines()[0]}" for name in names())


def rules_page(variant: Variant, rules: GridRules | None = None) -> str:
    """How *variant* is played, with its numbers: the usual ones, or those of a table."""
    parts = [filled(variant.text), _numbers(rules or variant.rules), _option_table(variant, rules)]
    return "\n\n".join(parts)


def filled(text: str) -> str:
    """The paragraphs of a text, no wider than a usual terminal."""
    return "\n\n".join(textwrap.fill(part, 79) for part in text.split("\n\n"))


def _numbers(rules: GridRules) -> str:
    values = ", ".join(f"{rank} {worth}" for rank, worth in rules.scoring.values)
    decks = [f"{deck_count(rules, seats)} for {seats}" for seats in range(2, 7)]
    packs = str(rules.decks) if rules.decks != "auto" else f"{', '.join(decks)} players"
    return f"A card counts: {values}.\nDecks: {packs}."


def _option_table(variant: Variant, rules: GridRules | None) -> str:
    """Every option: its name, what it is here, and what else it can be."""
    here = rules or variant.rules
    return option_rows((*_grid_options(variant, here), *_scoring_options(here)))


def option_rows(options: Iterable[tuple[str, str, str]]) -> str:
    """A table of options: the name of each, what it is here, and what else it can be."""
    rows = [("option", "here", "can be"), *options]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{a:{wide[0]}}  {b:{wide[1]}}  {c}".rstrip() for a, b, c in rows)


def _grid_options(variant: Variant, rules: GridRules) -> Iterator[tuple[str, str, str]]:
    hints = get_type_hints(GridRules)
    shapes = ", ".join(f"{rows}x{cols}" for rows, cols in variant.shapes)
    for name in OPTIONS:
        can_be = f"with the other: {shapes}" if name in ("rows", "cols") else _range(name, hints)
        yield name, value_text(getattr(rules, name)), can_be


def _scoring_options(rules: GridRules) -> Iterator[tuple[str, str, str]]:
    """How cards and lines count; the first, ``values``, has a line of its own."""
    hints = get_type_hints(Scoring)
    for field in fields(Scoring)[1:]:
        value = getattr(rules.scoring, field.name)
        yield field.name, value_text(value), _words(hints[field.name])
    yield "values", "see above", 'the ranks that differ, like {"K": 0, "*": -3}'


def _range(name: str, hints: Mapping[str, Any]) -> str:  # of types
    """What an option may be, in words: its numbers from its reader, its words from its type."""
    reader = OPTIONS[name]
    bounds = reader.keywords if isinstance(reader, partial) else {}
    words = _words(hints[name])
    if "low" in bounds:
        return f"{bounds['low']} to {bounds['high']}"
    return words


def _words(hint: Any) -> str:  # a type
    """The values a type has, in words.

    >>> _words(Literal["must", "may"]), _words(int | None), _words(bool)
    ('must, may', 'a whole number, null', 'true, false')
    """
    if hint is bool:
        return "true, false"
    if hint is int:
        return "a whole number"
    if hint is NoneType:
        return "null"
    if get_origin(hint) is Literal:
        return ", ".join(map(str, get_args(hint)))
    if get_origin(hint) is tuple:
        return f"a list of {_words(get_args(hint)[0])}"
    parts = [_words(part) for part in get_args(hint)]
    return ", ".join(parts) or "an object, see docs/variants.md"


def value_text(value: object) -> str:
    """A value as one would write it for an option."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, tuple):
        return json.dumps(value)
    return str(value)
