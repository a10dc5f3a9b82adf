"""Luck that anyone can check: the shuffle, the hash chain, and the seed of each hole.

Nothing here draws luck; it only says what follows from it. The same few lines in any language give the
same deal, and ``docs/fairness.md`` has vectors to compare with.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

T = TypeVar("T")

SECRET_BYTES = 32

CHAIN_LENGTH = 256
"""How many links a match's chain has, and so how many holes a match can have at most."""
_WORD = 8
_WORDS = 1 << (8 * _WORD)


def digest(*parts: bytes) -> bytes:
    """SHA-256 over *parts*, each preceded by its length in eight bytes, so that parts cannot run together.

    >>> digest(b"ab", b"c") == digest(b"a", b"bc")
    False
    """
    h = hashlib.sha256()
    for part in parts:
        h.update(len(part).to_bytes(8, "big"))
        h.update(part)
    return h.digest()


def _words(seed: bytes) -> Iterator[int]:
    """The stream of a seed: SHA-256(seed, counter) in words of 64 bits, first word first."""
    for counter in count():
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        for start in range(0, len(block), _WORD):
            yield int.from_bytes(block[start : start + _WORD], "big")


def _below(bound: int, words: Iterator[int]) -> int:
    """A number in ``range(bound)``; words past the last whole multiple of *bound* are thrown away."""
    fair = _WORDS - _WORDS % bound
    return next(word for word in words if word < fair) % bound


def shuffle(seed: bytes, cards: Sequence[T]) -> tuple[T, ...]:
    """*cards* in the order that *seed* decides (Fisher-Yates from the end, rejection sampling).

    >>> shuffle(bytes(32), "ABCDEFGH")
    ('C', 'F', 'H', 'A', 'G', 'D', 'B', 'E')
    """
    order = list(cards)
    words = _words(seed)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def earlier(secret: bytes, steps: int) -> bytes:
    """The link *steps* before *secret* in its hash chain: s_(i-1) = SHA-256(s_i).

    >>> earlier(bytes(32), 0) == bytes(32), earlier(earlier(bytes(32), 1), 1) == earlier(bytes(32), 2)
    (True, True)
    """
    for _ in range(steps):
        secret = hashlib.sha256(secret).digest()
    return secret


def hole_seed(link: bytes, contributions: Sequence[bytes | None], hole: int) -> bytes:
    """The seed of hole number *hole*, from its link of the chain and what every seat sent.

    A seat that sent nothing counts as empty, and the table lists it as such. Nobody who lacks one of the
    parts can know the deal.

    >>> hole_seed(bytes(32), [b"ada", None], 1) == hole_seed(bytes(32), [None, b"ada"], 1)
    False
    """
    return digest(b"dormie hole", link, *(c or b"" for c in contributions), hole.to_bytes(4, "big"))


def hole_luck(seed: bytes) -> bytes:
    """The luck a hole keeps for its reshuffles, apart from the deal itself."""
    return digest(b"dormie luck", seed)


def reshuffle_seed(luck: bytes, number: int) -> bytes:
    """The seed of reshuffle *number* (from 1) of a hole."""
    return digest(b"dormie reshuffle", luck, number.to_bytes(4, "big"))
