"""One small thing that immutable values need."""

from typing import TypeVar

T = TypeVar("T")


def put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """*items* with *item* at *at*.

    >>> put((1, 2, 3), 1, 9)
    (1, 9, 3)
    """
    return (*items[:at], item, *items[at + 1 :])
