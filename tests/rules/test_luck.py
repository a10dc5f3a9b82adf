"""Luck follows from its seeds as `docs/fairness.md` says, is even, and comes from nowhere else."""

import ast
import json
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.luck import ALLOWED, Order, Shuffle, orders, unevenness
from dormie_rules.cards import pack
from dormie_rules.course import GridCourse
from dormie_rules.game import Deal
from dormie_rules.luck import (
    _below,
    _words,
    digest,
    earlier,
    hole_luck,
    hole_seed,
    reshuffle_seed,
    shuffle,
)
from tests import plain_luck
from tests.rules.playing import SIX

ROOT = Path(__file__).parents[2]
VECTORS: dict[str, list[dict[str, Any]]] = json.loads(plain_luck.WRITTEN.read_text("utf-8"))
# ^ each list has fields of its own
seeds = st.binary(min_size=32, max_size=32)

# ----------------------------------------------------------- the vectors


def test_the_vectors_are_what_a_second_writing_of_the_rules_gives() -> None:
    assert VECTORS == plain_luck.vectors()


@pytest.mark.parametrize("vector", VECTORS["words"])
def test_a_stream_of_words_is_the_published_one(vector: dict[str, Any]) -> None:
    words = _words(bytes.fromhex(vector["seed"]))

    assert vector["words"] == [f"{next(words):016x}" for _ in vector["words"]]


@pytest.mark.parametrize("vector", VECTORS["shuffle"])
def test_a_shuffle_is_the_published_one(vector: dict[str, Any]) -> None:
    cards = pack(vector["decks"], vector["jokers_per_deck"])

    assert vector["order"] == " ".join(shuffle(bytes.fromhex(vector["seed"]), cards))


@pytest.mark.parametrize("vector", VECTORS["chain"])
def test_a_chain_is_the_published_one(vector: dict[str, Any]) -> None:
    links, last = vector["links"], bytes.fromhex(vector["last"])
    steps = range(len(links) - 1, -1, -1)

    assert links == [earlier(last, step).hex() for step in steps]


@pytest.mark.parametrize("vector", VECTORS["hole_seed"])
def test_the_seed_of_a_hole_is_the_published_one(vector: dict[str, Any]) -> None:
    sent = [None if text is None else bytes.fromhex(text) for text in vector["contributions"]]
    seed = hole_seed(bytes.fromhex(vector["link"]), sent, vector["hole"])

    assert vector["seed"] == seed.hex()


@pytest.mark.parametrize("vector", VECTORS["hole_luck"])
def test_the_luck_of_a_hole_is_the_published_one(vector: dict[str, Any]) -> None:
    assert vector["luck"] == hole_luck(bytes.fromhex(vector["seed"])).hex()


@pytest.mark.parametrize("vector", VECTORS["reshuffle_seed"])
def test_the_seed_of_a_reshuffle_is_the_published_one(vector: dict[str, Any]) -> None:
    seed = reshuffle_seed(bytes.fromhex(vector["luck"]), vector["number"])

    assert vector["seed"] == seed.hex()


@pytest.mark.parametrize("vector", VECTORS["dealer"])
def test_the_first_dealer_is_the_published_one(vector: dict[str, Any]) -> None:
    course = GridCourse(SIX, seats=max(vector["seats"]) + 1)
    state = course.start()
    for seat in set(range(course.seats)) - set(vector["seats"]):
        state = course.withdraw(state, seat).state
    dealt = course.deal(state, Deal(course.pack(state), bytes.fromhex(vector["luck"]))).state

    assert vector["dealer"] == dealt.public.dealer


@given(seeds, st.integers(0, 3), st.integers(0, 3))
def test_both_writings_shuffle_alike(seed: bytes, decks: int, jokers: int) -> None:
    cards = pack(decks, jokers)

    assert plain_luck.shuffled(seed, list(cards)) == list(shuffle(seed, cards))


# ------------------------------------------------------------- the pieces


@given(seeds, st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_card(seed: bytes, cards: list[int]) -> None:
    assert sorted(cards) == sorted(shuffle(seed, cards))


@pytest.mark.parametrize(
    ("bound", "words", "number"),
    [
        (3, [2**64 - 1, 5], 2),  # 2⁶⁴ is one more than a multiple of 3
        (3, [2**64 - 2, 5], 2),  # the last word that counts
        (5, [2**64 - 1, 2**64 - 1, 7], 2),
        (6, [2**64 - 4, 2**64 - 3, 8], 2),
        (8, [2**64 - 1], 7),  # nothing to throw away
        (52, [2**64 - 16, 2**64 - 17], 51),
    ],
)
def test_words_that_would_favour_a_card_are_thrown_away(
    bound: int, words: list[int], number: int
) -> None:
    """It happens once in 10¹⁷ words, so no shuffle will ever show it."""
    stream = iter(words)

    assert number == _below(bound, stream)


def test_how_often_words_are_thrown_away_is_seen_with_small_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dormie_rules.luck._WORDS", 256)
    counted = [0] * 52
    stream = (word % 256 for word in _words(bytes(32)))
    for _ in range(20_000):
        counted[_below(52, stream)] += 1

    assert max(counted) - min(counted) < 0.5 * 20_000 / 52


@given(st.lists(st.binary(max_size=8), max_size=5), st.lists(st.binary(max_size=8), max_size=5))
def test_parts_never_run_together(ones: list[bytes], others: list[bytes]) -> None:
    assert (ones == others) == (digest(*ones) == digest(*others))


def test_every_part_decides_a_hole() -> None:
    one = (bytes(32), (b"ada", b"ben"), 1)
    others = [
        (bytes([1]) * 32, (b"ada", b"ben"), 1),
        (bytes(32), (b"ada", b"bea"), 1),
        (bytes(32), (b"ben", b"ada"), 1),
        (bytes(32), (b"adab", b"en"), 1),
        (bytes(32), (b"ada", b"ben", b""), 1),
        (bytes(32), (b"ada", b"ben"), 2),
    ]

    assert 1 + len(others) == len({hole_seed(*parts) for parts in (one, *others)})


def test_a_link_says_nothing_of_the_next_one() -> None:
    """Only backwards is easy: whoever knows s_i knows all before it."""
    last = bytes(range(32))
    chain = [earlier(last, steps) for steps in range(10, -1, -1)]

    assert all(earlier(later, 1) == link for link, later in pairwise(chain))
    assert 11 == len(set(chain))


# ------------------------------------------------------------ how even it is


def test_shuffles_are_even() -> None:
    figures = unevenness(orders(10_000))

    assert {} == {name: away for name, away in figures.items() if abs(away) > ALLOWED}


def anywhere(seed: bytes, cards: Sequence[int]) -> Order:
    """Every card may change places with any other: the usual mistake."""
    order, words = list(cards), _words(seed)
    for at in range(len(order)):
        other = next(words) % len(order)
        order[at], order[other] = order[other], order[at]
    return order


def never_home(seed: bytes, cards: Sequence[int]) -> Order:
    """One too few to choose from."""
    order, words = list(cards), _words(seed)
    for last in range(len(order) - 1, 0, -1):
        other = next(words) % last
        order[last], order[other] = order[other], order[last]
    return order


def by_bytes(seed: bytes, cards: Sequence[int]) -> Order:
    """Without throwing words away, and with words so small that it matters."""
    order, words = list(cards), _words(seed)
    for last in range(len(order) - 1, 0, -1):
        other = next(words) % 64 % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def cut(seed: bytes, cards: Sequence[int]) -> Order:
    """Every card is in every place equally often, and all the same it is no shuffle."""
    at = next(_words(seed)) % len(cards)
    return [*cards[at:], *cards[:at]]


@pytest.mark.parametrize("how", [anywhere, never_home, by_bytes, cut])
def test_an_uneven_shuffle_is_noticed(how: Shuffle) -> None:
    figures = unevenness(orders(3_000, how))

    assert any(abs(away) > ALLOWED for away in figures.values())


# --------------------------------------------------------- and nowhere else


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("room", ["rules", "protocol", "server"])
def test_nasty_X02_nothing_that_deals_knows_the_module_random(room: str) -> None:
    offenders = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / room).rglob("*.py")
        if {"random", "numpy.random"} & set(imports(path))
    ]

    assert [] == offenders


def test_nasty_X02_a_deal_asks_nobody_for_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("a deal follows from its seed alone")

    for name in ("random", "getrandbits", "seed"):
        monkeypatch.setattr(random.Random, name, asked)
    course = GridCourse(SIX, seats=4)
    state = course.start()
    deal = Deal(shuffle(bytes(32), course.pack(state)), hole_luck(bytes(32)))

    assert 1 == course.deal(state, deal).state.public.hole
