"""A census of a house in this process: everything that could be left behind when a table is over.

It knows nobody's private names: it walks the house as it finds it and says how full each collection is.
"""

import asyncio
import ctypes
import gc
import os
import sqlite3
import sys
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from bench.endurance.house import weight_of
from dormie_server.app import App

_COLLECTIONS = (dict, list, set, deque)
_OURS = "dormie_server"
_LAZY = "Moments._order"
"""Keeps what is stale until that is half of it."""
_SYNC = "SqliteStore._sync"


@dataclass(frozen=True, slots=True)
class Rows:
    """What the store's file holds, or the Redis."""

    documents: dict[str, int]
    """By kind: the part of their keys before the colon."""
    notes: int
    cards: int
    pages: int
    """Of the file; in a Redis all the keys there are."""
    free_pages: int
    log_kib: int
    """The write-ahead log beside the file; for a Redis all the memory it uses."""


@dataclass(frozen=True, slots=True)
class Census:
    """One count of everything."""

    tasks: int
    timers: int
    """That are still to ring, but for those of a task that sleeps (it is counted as a task) and the store's
    own, a second after whatever was last written."""
    sizes: dict[str, int]
    """How many things are in each collection of the house: class and attribute, all of a kind together."""
    kinds: Counter[str]
    """How many objects there are of each class, as far as the collector knows them."""
    blocks: int
    """Pieces of memory that Python has given out, of any size."""
    used_kib: int
    """What libraries in C have asked the system's allocator for; 0 where that cannot be told."""
    kib: int
    """What this process holds, in use or not."""
    labels: int
    """Lines of /metrics."""
    rows: Rows


async def take(app: App, rows: Rows) -> Census:
    """Count everything in *app*, whose store holds *rows*, once the collector has been through."""
    await asyncio.sleep(0)
    gc.collect()
    living = gc.get_objects()
    kinds = Counter(type(one).__qualname__ for one in living)
    timers = sum(isinstance(one, asyncio.TimerHandle) and _will_ring(one) for one in living)
    del living
    return Census(
        tasks=len(asyncio.all_tasks()),
        timers=timers,
        sizes=sizes(app),
        kinds=kinds,
        blocks=sys.getallocatedblocks(),
        used_kib=heap().used,
        kib=weight_of(os.getpid()),
        labels=app.metrics.render().count(b"\n"),
        rows=rows,
    )


def _will_ring(timer: asyncio.TimerHandle) -> bool:
    """Whether it is one of those that are counted."""
    rings = getattr(timer, "_callback", None)
    whose = getattr(rings, "__module__", None) or ""
    asleep = whose.split(".")[0] == "asyncio"
    return not timer.cancelled() and not asleep and getattr(rings, "__qualname__", "") != _SYNC


def sizes(root: object) -> dict[str, int]:
    """How full every collection is that can be reached from *root* through objects of the server.

    >>> from dormie_server.limits import Sockets
    >>> sockets = Sockets(per_address=2, overall=9)
    >>> _ = sockets.enter("here"), sockets.enter("there")
    >>> sizes(sockets)
    {'Sockets._open': 2}
    """
    counted: Counter[str] = Counter()
    known: dict[int, object] = {}
    ahead = [root]
    while ahead:
        one = ahead.pop()
        if id(one) in known:
            continue
        known[id(one)] = one
        kind = one.__name__ if isinstance(one, type) else type(one).__name__
        for name, value in _parts(one):
            if isinstance(value, _COLLECTIONS):
                counted[f"{kind}.{name}"] += len(value)
            ahead += _further(value)
    return dict(counted)


def _parts(one: object) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, also one with slots."""
    yield from dict(getattr(one, "__dict__", {})).items()
    for kind in type(one).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(one, name):
                yield name, getattr(one, name)


def _further(value: object) -> list[object]:
    """What lies behind a value and is the server's: the value, what it holds, what it remembers."""
    match value:
        case dict():
            found: list[object] = [*value.keys(), *value.values()]
        case list() | set() | deque() | tuple():
            found = list(value)
        case MethodType():
            found = [value.__self__]
        case FunctionType():
            found = [cell.cell_contents for cell in value.__closure__ or ()]
        case _:
            found = [value]
    return [one for one in found if _is_ours(one)]


def _is_ours(one: object) -> bool:
    kind = one if isinstance(one, type) else type(one)
    if isinstance(one, FunctionType):
        return False
    return kind.__module__.startswith(_OURS)


class _Allocator(ctypes.Structure):
    """What glibc says of its allocator."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks"),
            *("uordblks", "fordblks", "keepcost"),
        )
    )


class Heap(NamedTuple):
    """The system's allocator, in KiB."""

    used: int
    """What libraries in C have asked it for, and Python for its larger pieces."""
    free: int
    """What was given back to it, and it has not given back to the system."""


def heap() -> Heap:
    """How full the system's allocator is; nothing at all where that cannot be told."""
    ask = getattr(ctypes.CDLL(None), "mallinfo2", None) if sys.platform == "linux" else None
    if ask is None:
        return Heap(0, 0)
    ask.restype = _Allocator
    said = ask()
    return Heap(int(said.uordblks + said.hblkhd) // 1024, int(said.fordblks) // 1024)


def rows_of(path: Path) -> Rows:
    """Read the file beside whoever writes it."""
    log = path.with_name(path.name + "-wal")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:

        def one(sql: str) -> int:
            ((number,),) = file.execute(sql).fetchall()
            return int(number)

        kinds = "SELECT substr(key, 1, instr(key, ':') - 1), count(*) FROM document GROUP BY 1"
        return Rows(
            documents=dict(file.execute(kinds).fetchall()),
            notes=one("SELECT count(*) FROM note"),
            cards=one("SELECT count(*) FROM card"),
            pages=one("PRAGMA page_count"),
            free_pages=one("PRAGMA freelist_count"),
            log_kib=log.stat().st_size // 1024 if log.exists() else 0,
        )


def fuller(before: Census, after: Census) -> dict[str, int]:
    """The collections in which there is more than before, and how much more."""
    sizes_after = {name: size for name, size in after.sizes.items() if name != _LAZY}
    rises = {name: size - before.sizes.get(name, 0) for name, size in sizes_after.items()}
    return {name: rise for name, rise in rises.items() if rise > 0}


def risen(before: Census, after: Census, least: int = 1) -> dict[str, int]:
    """The kinds of objects of which there are more than before, by at least so many."""
    return {kind: rise for kind, rise in (after.kinds - before.kinds).items() if rise >= least}
