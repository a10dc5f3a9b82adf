"""What can be written into the file of `SqliteStore`."""

import math
from collections.abc import Mapping
from typing import NamedTuple


class Put(NamedTuple):
    """A put, its times made absolute."""

    key: str
    body: bytes
    was: int
    note: bytes | None
    alarm: float | None
    shelves: Mapping[str, bytes | None]
    now: float
    expires: float


class Drop(NamedTuple):
    """A drop; with a time, only of what expires by then."""

    key: str
    by: float = math.inf


class Rewrite(NamedTuple):
    """Other words for kept notes, by number, and cards."""

    key: str
    notes: Mapping[int, bytes]
    shelves: Mapping[str, bytes | None]
    now: float


Write = Put | Drop | Rewrite
