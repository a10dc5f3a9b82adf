"""What the server reads and what the protocol's schema allows are the same messages."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dormie_protocol.codec import Unreadable, read_client, write
from dormie_protocol.messages import ClientMessage, Refused
from dormie_protocol.words import sentence
from tests.fuzz.lexicon import Lexicon
from tests.fuzz.schema_says import allows
from tests.fuzz.scramble import scrambled
from tests.fuzz.twist import straight, twisted

SEEDS = st.integers(0, 2**40)
WORDS = Lexicon()
RECORDED = tuple(straight(Random(seed), WORDS) for seed in range(60))


def reading(text: str | bytes) -> ClientMessage | tuple[str | None, str | None]:
    """The message, or what is said about a text that is none; nothing else is ever raised."""
    try:
        return read_client(text)
    except Unreadable as what:
        return what.re, what.field


DEEPEST = 100


class NotJson(ValueError):
    """What no other reader of JSON would take, or what two readers may take differently."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands there twice means two things."""
    if len(dict(pairs)) < len(pairs):
        raise NotJson
    return dict(pairs)


def _never(_: str) -> Any:
    raise NotJson


def loosely(text: str) -> Any:  # any JSON
    """What another reader makes of a text. Raises ValueError."""
    if max(text.count("["), text.count("{")) > DEEPEST:
        raise NotJson  # how deep a text may be is each reader's own affair
    return json.loads(text, object_pairs_hook=_once, parse_constant=_never)


@settings(max_examples=1500)
@given(SEEDS)
def test_what_is_read_is_what_the_schema_allows(seed: int) -> None:
    text = twisted(Random(seed), WORDS)
    try:
        value = loosely(text)
        text.encode()
        json.dumps(value, ensure_ascii=False).encode()  # a lone half of a letter is no text
    except ValueError:
        return
    read = not isinstance(reading(text), tuple)

    assert read == allows(value), text


@settings(max_examples=300)
@given(SEEDS)
def test_what_stands_there_twice_is_read_only_if_it_is_right_somehow(seed: int) -> None:
    """Whichever of the two a reader takes, it is a message that the schema allows, or none."""
    text = twisted(Random(seed), WORDS)
    read = reading(text)
    if not isinstance(read, tuple):
        assert allows(json.loads(write(read)))


@settings(max_examples=500)
@given(SEEDS)
@example(0)
def test_a_text_is_read_the_same_twice_and_as_bytes(seed: int) -> None:
    text = twisted(Random(seed), WORDS)

    assert reading(text) == reading(text)
    assert reading(text) == reading(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=500)
@given(SEEDS)
def test_a_message_that_was_read_is_written_and_read_again(seed: int) -> None:
    read = reading(scrambled(Random(seed), RECORDED))
    if not isinstance(read, tuple):
        assert read == read_client(write(read))


@settings(max_examples=1000)
@given(SEEDS, st.booleans())
def test_whatever_cannot_be_read_is_refused_in_few_bytes(seed: int, twist: bool) -> None:  # noqa: FBT001 - one of two
    luck = Random(seed)
    text = twisted(luck, WORDS) if twist else scrambled(luck, RECORDED)
    read = reading(text)
    if isinstance(read, tuple):
        re, field = read
        refused = Refused(
            re=re, word="unreadable", because=sentence("unreadable", "fr"), field=field
        )

        assert len(write(refused).encode()) <= 256


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ('{"type":"start","id":"1","table":"ABCDEFGH"}', True),
        ('{"type":"start","id":"1\\n","table":"ABCDEFGH"}', False),
        ('{"type":"start","id":"1"}', False),
        ('{"type":"bot","id":"1","table":"ABCDEFGH"}', False),
        ('{"type":"bot","id":"1","table":"ABCDEFGH","level":null,"seat":5}', True),
        ('{"type":"bot","id":"1","table":"ABCDEFGH","level":null,"seat":6}', False),
        ('{"type":"bot","id":"1","table":"ABCDEFGH","level":null,"seat":true}', False),
        ('{"type":"create","id":"1","options":{"A":1}}', False),
        ('{"type":"create","id":"1","bots":["a","b","c","d","e","f"]}', False),
        ('{"type":"seen","id":"1"}', False),
        ("[]", False),
    ],
)
def test_the_schema_is_understood(text: str, allowed: bool) -> None:  # noqa: FBT001 - one of two
    assert allowed == allows(json.loads(text)) == (not isinstance(reading(text), tuple))
