"""Messages that are nearly right: one or two things about them are not.

A message is turned into pairs, so that a key can stand there twice, and written by hand, so that it can
hold what no writer of JSON would write.
"""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from tests.fuzz.grammar import TYPES, message
from tests.fuzz.lexicon import TEXTS, Lexicon, Spelt, anything, nested

Pairs: TypeAlias = list[tuple[str, Any]]  # the values are any JSON, or Spelt

_KEYS = tuple(sorted({name for schema in TYPES.values() for name in schema["properties"]}))
_SPACES = ("", "", "", "", " ", "\n", "\t\r\n  ")


def twisted(luck: Random, words: Lexicon) -> str:
    """The text of a message with one to three things wrong, strange, or merely unusual."""
    pairs: Pairs = list(message(luck, words).items())
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        luck.choice(_TWISTS)(pairs, luck, words)
    return luck.choice(_AROUND)(spell(pairs, luck), luck)


def straight(luck: Random, words: Lexicon, kind: str = "") -> str:
    """The text of a message with nothing wrong."""
    return json.dumps(message(luck, words, kind), ensure_ascii=luck.random() < 0.5)


def spell(pairs: Sequence[tuple[str, Any]], luck: Random) -> str:
    """The text of an object, key by key, and now and then with space where there may be some."""
    space = luck.choice(_SPACES)
    inside = f",{space}".join(f"{_string(key)}:{space}{_value(value)}" for key, value in pairs)
    return f"{{{space}{inside}}}"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=len(text) % 2 == 0)


def _value(value: object) -> str:
    match value:
        case Spelt(text):
            return text
        case str():
            return _string(value)
        case dict():
            return f"{{{','.join(f'{_string(k)}:{_value(v)}' for k, v in value.items())}}}"
        case list() | tuple():
            return f"[{','.join(map(_value, value))}]"
        case _:
            return json.dumps(value)


# ------------------------------------------------------------------ one thing about a message


def _wrong_value(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    _set(pairs, luck, anything(luck))


def _lost(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    if len(pairs) > 1:
        del pairs[luck.randrange(len(pairs))]


def _added(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    key = luck.choice(_KEYS) if luck.random() < 0.7 else luck.choice(TEXTS)
    pairs.insert(luck.randint(0, len(pairs)), (key, anything(luck)))


def _doubled(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    key, value = luck.choice(pairs)
    pairs.insert(luck.randint(0, len(pairs)), (key, luck.choice((value, anything(luck)))))


def _shuffled(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    luck.shuffle(pairs)


def _misnamed(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    at = luck.randrange(len(pairs))
    key, value = pairs[at]
    ways = (key.upper(), key + " ", key + "\x00", "_" + key, key[:-1], luck.choice(_KEYS))
    pairs[at] = (luck.choice(ways), value)


def _other_kind(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    kinds = (*TYPES, "Play", "PLAY", "seen", "done", "", "admin", None, 1, ["play"], {"play": 1})
    _put(pairs, "type", luck.choice(kinds))


def _two_messages(pairs: Pairs, luck: Random, words: Lexicon) -> None:
    pairs += message(luck, words).items()


def _wrong_inside(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    """Something wrong in a move, an option or a list, where there is one."""
    inner = [at for at, (_, value) in enumerate(pairs) if isinstance(value, dict | list)]
    if not inner:
        return _wrong_value(pairs, luck, _words)
    at = luck.choice(inner)
    key, value = pairs[at]
    if isinstance(value, list):
        pairs[at] = (key, [*value, anything(luck)])
    else:
        name = luck.choice([*value, "at", "move", "card", "seat", luck.choice(TEXTS)])
        pairs[at] = (key, {**value, name: anything(luck)})
    return None


def _as_text(pairs: Pairs, luck: Random, _words: Lexicon) -> None:
    """A number in quotes, a text without, a value in a list, an object as a list."""
    at = luck.randrange(len(pairs))
    key, value = pairs[at]
    pairs[at] = (key, luck.choice((str(value), [value], {"value": value}, Spelt(str(value)))))


def _set(pairs: Pairs, luck: Random, value: object) -> None:
    at = luck.randrange(len(pairs))
    pairs[at] = (pairs[at][0], value)


def _put(pairs: Pairs, key: str, value: object) -> None:
    pairs[:] = [(k, value if k == key else v) for k, v in pairs]


_TWISTS: Sequence[Callable[[Pairs, Random, Lexicon], None]] = (
    *(_wrong_value, _wrong_value, _wrong_value, _lost, _added, _added, _doubled, _shuffled),
    *(_misnamed, _other_kind, _two_messages, _wrong_inside, _wrong_inside, _as_text),
)


# ----------------------------------------------------------------- what surrounds a message


def _nothing(text: str, _luck: Random) -> str:
    return text


def _something(text: str, luck: Random) -> str:
    before, after = luck.choice(
        (
            *(
                ("[", "]"),
                ("\ufeff", ""),
                ("", "\x00"),
                ("", text),
                ("", "\n" + text),
                ("//\n", ""),
            ),
            *(('{"a":', "}"), ("", ",}"), (")]}'\n", ""), ('"', '"'), ("", " "), ("\n\n", "\r\n")),
            *(("", "".ljust(luck.choice((10, 4000)))), ("data: ", "\n\n"), ("\x00", "")),
        )
    )
    return before + text + after


def _instead(_text: str, luck: Random) -> str:
    """No message at all."""
    depth = luck.choice((10, 200, 2000))
    return luck.choice(
        (
            *("", " ", "null", "1", "[]", "{}", '""', "hello", '{"type":"hello"}', '{"id":"1"}'),
            *(nested(depth).text, nested(depth, '{"type":').text, "[" * depth, '{"a":' * depth),
            *("\x00" * 10, luck.choice(TEXTS), json.dumps(luck.choice(TEXTS)), "9" * 4000),
        )
    )


_AROUND: Sequence[Callable[[str, Random], str]] = (*((_nothing,) * 16), _something, _instead)
