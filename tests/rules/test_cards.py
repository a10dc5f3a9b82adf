"""Cards and packs as logs, records and people write them."""

from collections import Counter
from itertools import product

import pytest

from dormie_rules.cards import JOKER, PACK_SIZE, RANKS, SUITS, Card, is_card, pack, rank


def test_a_deck_has_every_rank_in_every_suit_once() -> None:
    assert {r + s for r, s in product(RANKS, SUITS)} == set(pack())
    assert PACK_SIZE == len(pack()) == len(set(pack()))


@pytest.mark.parametrize(("decks", "jokers"), [(1, 0), (1, 3), (2, 2), (3, 1)])
def test_a_pack_has_whole_decks(decks: int, jokers: int) -> None:
    counted = Counter(pack(decks, jokers))

    assert decks * (PACK_SIZE + jokers) == counted.total()
    assert decks * jokers == counted.pop(Card(JOKER), 0)
    assert {decks} == set(counted.values())


def test_the_order_of_a_new_pack_never_changes() -> None:
    """Deals follow from it, and records of old matches must stay right."""
    expected = (
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH "
        "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC *"
    )

    assert f"{expected} {expected}" == " ".join(pack(2, 1))


@pytest.mark.parametrize("card", pack(1, 1))
def test_a_card_of_a_pack_is_a_card(card: Card) -> None:
    assert is_card(card)
    assert rank(card) in RANKS + JOKER


@pytest.mark.parametrize(
    "text", ["", "A", "5", "10S", "1S", "5s", "5X", "S5", "**", "*S", " 5S", "5S "]
)
def test_anything_else_is_none(text: str) -> None:
    assert not is_card(text)


def test_what_follows_the_rank_is_free() -> None:
    """So a test may deal cards with names that nobody could guess."""
    assert ("5", "*") == (rank(Card("5S~224525b24d1e")), rank(Card("*~b1")))
