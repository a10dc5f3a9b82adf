"""Cards and packs, in the notation that logs, records and people share.

A card is a short piece of text: its rank, then its suit (``5S``, ``TD``), or ``*`` for a joker. Only the
rank ever matters to a score, so whatever follows it is free: two packs hold two equal cards, and a test
may deal cards with names nobody could guess.
"""

from typing import NewType

Card = NewType("Card", str)

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "*"

PACK_SIZE = len(RANKS) * len(SUITS)


def rank(card: Card) -> str:
    """The rank of a card: one of ``A23456789TJQK``, or ``*`` for a joker.

    >>> rank(Card("TD")), rank(Card("*"))
    ('T', '*')
    """
    return card[0]


def pack(decks: int = 1, jokers_per_deck: int = 0) -> tuple[Card, ...]:
    """Every card of *decks* whole decks in one fixed order, jokers at the end of each deck.

    This order is part of how a deal follows from its seed (``docs/fairness.md``): it never changes.

    >>> len(pack()), len(pack(2, jokers_per_deck=2)), pack()[:3], pack(1, 1)[-2:]
    (52, 108, ('AS', '2S', '3S'), ('KC', '*'))
    """
    return (_DECK + (Card(JOKER),) * jokers_per_deck) * decks


_DECK = tuple(Card(r + s) for s in SUITS for r in RANKS)
"""Made once: all tables deal the same fifty-two values."""


def is_card(text: str) -> bool:
    """Whether *text* is a card as written in records.

    >>> is_card("5S"), is_card("*"), is_card("10S"), is_card("")
    (True, True, False, False)
    """
    return text == JOKER or (len(text) == 2 and text[0] in RANKS and text[1] in SUITS)  # noqa: PLR2004 - rank and suit
