"""What a Redis holds, counted like the rows of a file."""

import re
from collections import Counter

import redis

from bench.endurance.census import Rows

_NAME = re.compile(rb"dormie:\{\d+\}:(?P<drawer>[dncs]):(?P<kind>[^:]*)")


def rows_in(url: str) -> Rows:
    """Look at every key there is."""
    with redis.Redis.from_url(url) as line:
        names = [found for name in line.scan_iter(count=1000) if (found := _NAME.match(name))]
        drawers = Counter(name["drawer"] for name in names)
        kinds = Counter(name["kind"].decode() for name in names if name["drawer"] == b"d")
        return Rows(
            documents=dict(kinds),
            notes=drawers[b"n"] - _others(names, b"n"),
            cards=drawers[b"c"] - _others(names, b"c"),
            pages=int(line.dbsize()),
            free_pages=0,
            log_kib=int(line.info("memory")["used_memory"]) // 1024,
        )


def _others(names: list[re.Match[bytes]], drawer: bytes) -> int:
    """Notes and cards that are not a table's: those of people and of the house itself stay."""
    return sum(name["drawer"] == drawer and name["kind"] != b"table" for name in names)
