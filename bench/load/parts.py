"""The parts of the speed bench. Each starts its own servers and returns the lines it adds."""

from collections.abc import Callable, Mapping

from bench.load.account import account
from bench.load.moves import glance, growth, moves
from bench.load.people import joins, memory
from bench.load.rows import Row
from bench.load.shared import shared
from bench.load.stage import Place, Sizes
from bench.load.waits import latency
from bench.load.weight import weight

Part = Callable[[Sizes, Place], list[Row]]
PARTS: Mapping[str, Part] = {
    "moves": moves,
    "latency": latency,
    "memory": memory,
    "joins": joins,
    "growth": growth,
}
EXTRA: Mapping[str, Part] = {
    "glance": glance,
    "account": account,
    "weight": weight,
    "redis": shared,
}
"""Only when asked for: for somebody who is making it faster, and what needs a redis-server."""
