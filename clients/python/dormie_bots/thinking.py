"""How long a bot seems to think, so that people can follow what it does."""

from math import exp
from statistics import NormalDist

from dormie_rules.luck import digest

USUAL_SECONDS = 1.0
"""Half of all pauses are shorter."""
FORCED_SECONDS = 0.4
"""The same when there is nothing to choose."""
SPREAD = 0.45
"""How uneven pauses are: two of three lie between 0.64 and 1.6 times the usual one."""
_BITS = 52


def think_seconds(table_seed: bytes, choices: int, clock_seconds: float | None) -> float:
    """The pause before a move: lognormal, and never more than a third of the clock.

    *table_seed* comes from the bot's own stream and is another one for every move; *choices* is
    how many moves there are; *clock_seconds* is what is left on the clock, or None without one.

    >>> round(think_seconds(b"a move", 5, None), 2), round(think_seconds(b"a move", 1, None), 2)
    (1.02, 0.41)
    >>> think_seconds(b"a move", 5, 1.5)
    0.5
    """
    word = int.from_bytes(digest(b"dormie pause", table_seed)[:8], "big") >> (64 - _BITS)
    even = (word + 0.5) / 2**_BITS  # never 0 or 1, where the normal distribution ends
    usual = FORCED_SECONDS if choices == 1 else USUAL_SECONDS
    pause = usual * exp(SPREAD * NormalDist().inv_cdf(even))
    return pause if clock_seconds is None else min(pause, max(0.0, clock_seconds) / 3)
