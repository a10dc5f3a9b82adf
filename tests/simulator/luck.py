"""Everything that would be different each time, taken from one seed: luck, names, the time of day."""

import gc
import os
import random
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

EPOCH = 1_800_000_000.0
"""The time of day at which every simulation begins."""


class Luck:
    """A source of luck for the server that follows the seed."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def draw(self, size: int = 32) -> bytes:
        """*size* bytes."""
        return self._random.randbytes(size)


@contextmanager
def ordained(seed: str, now: Callable[[], float]) -> Iterator[None]:
    """Let nothing in this process be left to chance: *now* is the time of day.

    The collector rests meanwhile: when it runs, it ends what nobody holds any more, and when it
    runs depends on the whole process.
    """
    stream = Random(seed)
    before = random.getstate()

    replaced: list[tuple[Any, str, object]] = [  # modules of any kind
        (os, "urandom", stream.randbytes),
        (secrets, "token_bytes", lambda size=32: stream.randbytes(size)),
        (time, "time", now),
        (time, "monotonic", now),
    ]
    was_on = gc.isenabled()
    gc.disable()
    random.seed(seed)
    patches = [patch.object(*one) for one in replaced]
    patches.append(patch("websockets.asyncio.client.get_proxy", lambda _: None))
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in reversed(patches):
            one.stop()
        random.setstate(before)
        if was_on:
            gc.enable()


class Ordered(dict[Any, None]):
    """A set that is gone through in the order in which it was filled.

    >>> names = Ordered()
    >>> names.add("b"), names.add("a"), names.discard("c"), list(names)
    (None, None, None, ['b', 'a'])
    """

    def add(self, one: object) -> None:
        self[one] = None

    def discard(self, one: object) -> None:
        self.pop(one, None)
