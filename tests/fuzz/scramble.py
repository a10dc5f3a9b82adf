"""Texts that were once right, spoilt without looking at what they say: flipped, cut, spliced, repeated."""

from collections.abc import Callable, Sequence
from random import Random

from dormie_protocol.words import REFUSALS
from tests.fuzz.grammar import TYPES
from tests.fuzz.lexicon import NUMBERS, SURROGATES, TEXTS, Spelt

_TOKENS: Sequence[bytes] = tuple(
    token.encode("utf-8", "surrogatepass")
    for token in (
        *("{", "}", "[", "]", ":", ",", '"', "\\", "null", "true", "false", "\\u0000", "\\ud800"),
        *TYPES,
        *{name for schema in TYPES.values() for name in schema["properties"]},
        *REFUSALS[:6],
        *TEXTS[:40],
        *(value.text for value in (*NUMBERS, *SURROGATES) if isinstance(value, Spelt)),
    )
    if len(token) < 100
)
"""What is put in: pieces of the language, and pieces that are in no language."""


def scrambled(luck: Random, recorded: Sequence[str]) -> bytes:
    """One recorded text, with one to four things done to its bytes. Mostly it is still UTF-8."""
    data = bytearray(luck.choice(recorded).encode())
    for _ in range(luck.choice((1, 1, 2, 3, 4))):
        luck.choice(_WAYS)(data, luck, recorded)
    return bytes(data)


def _flip(data: bytearray, luck: Random, _recorded: Sequence[str]) -> None:
    if data:
        bits = 8 if luck.random() < 0.01 else 7  # the eighth bit makes it no text at all
        data[luck.randrange(len(data))] ^= 1 << luck.randrange(bits)


def _replace(data: bytearray, luck: Random, _recorded: Sequence[str]) -> None:
    if data:
        data[luck.randrange(len(data))] = luck.randrange(256 if luck.random() < 0.01 else 128)


def _insert(data: bytearray, luck: Random, _recorded: Sequence[str]) -> None:
    at = luck.randint(0, len(data))
    data[at:at] = luck.choice(_TOKENS)


def _cut(data: bytearray, luck: Random, _recorded: Sequence[str]) -> None:
    start, end = _slice(data, luck)
    del data[start:end]


def _repeat(data: bytearray, luck: Random, _recorded: Sequence[str]) -> None:
    start, end = _slice(data, luck)
    data[start:start] = data[start:end] * luck.choice((1, 1, 2, 9))


def _splice(data: bytearray, luck: Random, recorded: Sequence[str]) -> None:
    """The beginning of this one and the end of another."""
    other = luck.choice(recorded).encode()
    data[luck.randint(0, len(data)) :] = other[luck.randint(0, len(other)) :]


def _swap(data: bytearray, luck: Random, _recorded: Sequence[str]) -> None:
    """One value for another, so that the text stays JSON."""
    parts = bytes(data).split(b",")
    luck.shuffle(parts)
    data[:] = b",".join(parts)


def _truncate(data: bytearray, luck: Random, _recorded: Sequence[str]) -> None:
    del data[luck.randint(0, len(data)) :]


def _slice(data: bytearray, luck: Random) -> tuple[int, int]:
    start = luck.randint(0, len(data))
    return start, min(len(data), start + luck.choice((1, 2, 5, 20, 300)))


_WAYS: Sequence[Callable[[bytearray, Random, Sequence[str]], None]] = (
    *(_flip, _flip, _replace, _insert, _insert, _insert, _cut, _repeat, _splice, _swap, _truncate),
)
