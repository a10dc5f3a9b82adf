"""Valid messages of a client, made from the protocol's own schema.

A new message, field or move is fuzzed as soon as the schema has it; a new kind of field fails loudly.
"""

import json
import re
import string
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, get_args

from dormie_bots import LEVELS
from dormie_protocol.clocks import WhenOut
from dormie_protocol.people_messages import MessageAboutPeople
from dormie_protocol.schema import SCHEMA
from dormie_rules.grid_options import LATER, OPTIONS, SCORING
from dormie_rules.variants import names
from tests.fuzz.lexicon import CANARY, Lexicon, text

DEFS: Mapping[str, Any] = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
"""The schema: any JSON."""
TYPES: Mapping[str, Mapping[str, Any]] = {
    kind: DEFS[ref.rpartition("/")[2]]
    for kind, ref in DEFS["ClientMessage"]["discriminator"]["mapping"].items()
}
"""The schema of every message that a client may send, by its type."""

_LIST = re.compile(r"\^\(?\[([^]]+)\](?:\{(\d+)\}\))?\{(\d+)(?:,(\d+))?\}\$")
"""The one shape that all patterns of the protocol have: `^[letters]{low,high}$`, or pairs of letters."""
_RANGES = {"A-Z": string.ascii_uppercase, "a-z": string.ascii_lowercase, "0-9": string.digits}
_RANGES["a-f"] = "abcdef"
_PATTERNS: dict[str, tuple[str, int, int, int]] = {}

_ABOUT_PEOPLE = {kind.model_fields["type"].default: 0.25 for kind in get_args(MessageAboutPeople)}
_OFTEN = {"play": 4.0, "leave": 0.05, "end": 0.1, "create": 0.5, **_ABOUT_PEOPLE}
_OFTEN["erase"] = 0.02
_OFTEN |= dict.fromkeys(("pause", "resume", "agree", "vote", "undo", "spectators"), 0.25)
_OFTEN |= dict.fromkeys(("day", "play_day", "day_results"), 0.1)
_OFTEN |= {"kick": 0.3, "hand_over": 0.3, "lock": 0.3, "password": 0.1}
"""Whoever leaves at once, or opens one table after the other, does not see much of the game."""
_KINDS = tuple(TYPES)
_WEIGHTS = tuple(_OFTEN.get(kind, 1.0) for kind in TYPES)

Message = dict[str, Any]  # as JSON has it


def message(luck: Random, words: Lexicon, kind: str = "") -> Message:
    """A message that can be read, of one *kind* or of any, with the attacker's own names in it."""
    kind = kind or luck.choices(_KINDS, _WEIGHTS)[0]
    made: Message = {"type": kind}
    schema = TYPES[kind]
    for name, field in schema["properties"].items():
        if name == "type" or (name not in schema["required"] and luck.random() < 0.4):
            continue
        known = name in _KNOWN and (kind, name) != (
            "spectators",
            "password",
        )  # there it is a switch
        known = known and (kind, name) != ("day_results", "after")  # there it is a line
        made[name] = _KNOWN[name](luck, words) if known else value(luck, field)
    return made


def value(luck: Random, schema: Mapping[str, Any]) -> Any:
    """Any value of one field, as the schema allows it."""
    match schema:
        case {"anyOf": several} | {"oneOf": several}:
            return value(luck, luck.choice(several))
        case {"$ref": ref}:
            return value(luck, DEFS[ref.rpartition("/")[2]])
        case {"const": only}:
            return only
        case {"enum": several}:
            return luck.choice(several)
        case {"type": "integer"}:
            low, high = schema.get("minimum", -(2**70)), schema.get("maximum", 2**70)
            return luck.choice((low, high, luck.randint(low, high)))
        case {"type": "array"}:
            most = schema["maxItems"]
            return [value(luck, schema["items"]) for _ in range(luck.randint(0, most))]
        case {"type": "object", "properties": fields}:
            return {name: value(luck, field) for name, field in fields.items()}
        case {"type": "boolean"}:
            return luck.random() < 0.5
        case {"type": "null"}:
            return None
        case {"pattern": pattern}:
            return _of_pattern(luck, pattern)
        case {"type": "string"}:
            return text(luck)[: schema["maxLength"]].ljust(schema.get("minLength", 0), "x")
        case _:
            raise AssertionError(f"no field of this kind is known: {schema}")


def _of_pattern(luck: Random, pattern: str) -> str:
    if pattern not in _PATTERNS:
        _PATTERNS[pattern] = _learn(pattern)
    letters, size, low, high = _PATTERNS[pattern]
    times = luck.choice((low, high, luck.randint(low, high)))
    return "".join(luck.choices(letters, k=times * size))


def _learn(pattern: str) -> tuple[str, int, int, int]:
    found = _LIST.fullmatch(pattern)
    assert found is not None, f"no pattern of this shape is known: {pattern}"
    letters = found[1]
    for short, whole in _RANGES.items():
        letters = letters.replace(short, whole)
    low = int(found[3])
    return letters, int(found[2] or 1), low, int(found[4] or low)


# -------------------------------------------- the fields for which an attacker knows something better


def _table(luck: Random, words: Lexicon) -> object:
    if luck.random() < 0.02:
        return _of_pattern(luck, TYPES["join"]["properties"]["table"]["pattern"])
    return words.tables[0] if luck.random() < 0.7 else luck.choice(words.tables)


def _after(luck: Random, words: Lexicon) -> object:
    return luck.choice((0, 1, words.version, words.version, words.version + 1, 2**53))


def _chain(luck: Random, words: Lexicon) -> object:
    return luck.choice((words.chain, words.chain, "", "00ff", "f" * 32))


def _count(luck: Random, words: Lexicon) -> object:
    return luck.choice((*(words.count + 1,) * 4, words.count or 1, words.count + 2, 1, 2**31))


def _move(luck: Random, words: Lexicon) -> object:
    if words.moves and luck.random() < 0.5:
        return luck.choice(words.moves)
    move = value(luck, TYPES["play"]["properties"]["move"])
    return move | {"at": luck.randint(-1, 9)} if "at" in move and luck.random() < 0.8 else move


def _variant(luck: Random, words: Lexicon) -> object:
    return luck.choice((*names(), "no_such_game"))


def _options(luck: Random, words: Lexicon) -> object:
    chosen: Message = {"end": "holes", "holes": luck.randint(1, 3)}
    for name in luck.sample(_OPTIONS, k=luck.choice((0, 0, 0, 1, 2, 5))):
        chosen[name] = luck.choice(_CHOICES)
    return chosen


def _clock(luck: Random, words: Lexicon) -> object:
    """None, one that can be had, or any at all: a table that is not opened is not played at."""
    if luck.random() < 0.8:
        return luck.choice((None, {}, {"when_out": luck.choice(get_args(WhenOut))}))
    return value(luck, TYPES["create"]["properties"]["clock"])


def _level(luck: Random, words: Lexicon) -> object:
    return luck.choice((*LEVELS, None, "genius"))


def _bots(luck: Random, words: Lexicon) -> object:
    return [luck.choice(LEVELS) for _ in range(luck.randint(0, 3))]


def _token(luck: Random, words: Lexicon) -> object:
    return luck.choice((*words.tokens, None, _of_pattern(luck, "^[A-Za-z0-9_-]{43}$")))


def _password(luck: Random, words: Lexicon) -> object:
    """Seldom one: each takes the house as long as a hundred other messages."""
    return None if luck.random() < 0.95 else value(luck, TYPES["join"]["properties"]["password"])


def _claim(luck: Random, words: Lexicon) -> object:
    """A wrong one ends the line before anything is said."""
    return (
        _of_pattern(luck, TYPES["join"]["properties"]["table"]["pattern"])
        if luck.random() < 0.02
        else None
    )


_OPTIONS = (*sorted(OPTIONS), *sorted(SCORING), *sorted(LATER), "a" * 32, "nobody_s")
_CHOICES: tuple[object, ...] = (
    *(0, 1, 2, 3, 4, 16, 100, -100, True, False, None, "auto", "holes", "limit", CANARY, [], {}),
    *(["columns"], ["rows", "rows"], {"A": 1}, {"K": 101}, {"shape": "corners", "amount": -5}),
    *({"shape": "equal_columns", "amounts": {"2": -10, "9": 1}}, {"shape": []}, 10**400),
)
_KNOWN: Mapping[str, Callable[[Random, Lexicon], object]] = {
    "table": _table,
    "after": _after,
    "chain": _chain,
    "count": _count,
    "move": _move,
    "variant": _variant,
    "options": _options,
    "clock": _clock,
    "level": _level,
    "bots": _bots,
    "token": _token,
    "password": _password,
    "claim": _claim,
}
