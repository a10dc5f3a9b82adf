"""Attackers who say everything there is to say, and say it again when they are asked to."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_protocol.codec import Unreadable, read_client
from tests.fuzz.doors import doorbell
from tests.fuzz.grammar import TYPES, message
from tests.fuzz.lexicon import Lexicon
from tests.fuzz.raw_frames import cut_up, fragments, wild
from tests.fuzz.scramble import scrambled
from tests.fuzz.twist import straight, twisted

SEEDS = st.integers(0, 2**32)
WORDS = Lexicon()


def readable(text: str | bytes) -> bool:
    try:
        read_client(text)
    except Unreadable:
        return False
    return True


@pytest.mark.parametrize("kind", TYPES)
@given(seed=SEEDS)
def test_a_straight_message_of_every_kind_can_be_read(kind: str, seed: int) -> None:
    assert kind == read_client(straight(Random(seed), WORDS, kind)).type


def test_the_schema_has_every_kind_of_message() -> None:
    assert {"hello", "create", "play", "watch", "rematch"} <= set(TYPES)


def test_most_of_what_is_twisted_is_unreadable_and_some_of_it_is_not() -> None:
    read = sum(readable(twisted(Random(seed), WORDS)) for seed in range(2000))

    assert 20 < read < 800


def test_most_of_what_is_scrambled_is_unreadable_and_some_of_it_is_not() -> None:
    read = sum(readable(scrambled(Random(seed), WORDS.recorded)) for seed in range(2000))

    assert 20 < read < 800


def test_most_of_what_is_scrambled_is_still_text() -> None:
    texts = [scrambled(Random(seed), WORDS.recorded) for seed in range(2000)]

    assert sum(text == text.decode("utf-8", "replace").encode() for text in texts) > 1900


def test_every_field_is_twisted_sooner_or_later() -> None:
    blamed: set[str | None] = set()
    for seed in range(9000):
        try:
            read_client(twisted(Random(seed), WORDS))
        except Unreadable as what:
            blamed.add(what.field)

    assert {"id", "table", "count", "move", "move.at", "seat", "after", "chain", "token"} <= blamed
    assert {
        "name",
        "language",
        "size",
        "turn_seconds",
        "bots",
        "options",
        "entropy",
        "level",
    } <= blamed


@pytest.mark.parametrize("make", [wild, fragments, scrambled, twisted, doorbell, message])
def test_the_same_seed_says_the_same(make: Any) -> None:
    given_ = {wild: (b"text",), fragments: (b"text",), scrambled: (WORDS.recorded,), doorbell: ()}
    more = given_.get(make, (WORDS,))

    assert make(Random("a seed"), *more) == make(Random("a seed"), *more)


@given(SEEDS, st.binary(max_size=300))
def test_what_is_cut_up_is_still_the_same_bytes(seed: int, data: bytes) -> None:
    assert data == b"".join(cut_up(Random(seed), data))


@given(SEEDS)
def test_doors_and_wild_frames_never_fail_to_be_made(seed: int) -> None:
    luck = Random(seed)

    assert isinstance(doorbell(luck), bytes)
    assert all(isinstance(piece, bytes) for piece in wild(luck, b'{"type":"start"}'))


@given(SEEDS)
def test_a_message_is_json_and_names_its_kind(seed: int) -> None:
    made = message(Random(seed), WORDS)

    assert made == json.loads(json.dumps(made))
    assert made["type"] in TYPES
