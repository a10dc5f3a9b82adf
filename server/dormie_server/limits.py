"""How much one connection, one address or one player may ask for: plain counting.

The clock is an argument everywhere. Nothing here grows without end: whatever is remembered about an
address or a player is forgotten when it no longer matters, and there is a most for how many.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Generic, TypeVar

V = TypeVar("V")

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Every number of this house in one place; all of them are settings.

    >>> Limits(strikes=0)
    Traceback (most recent call last):
        ...
    ValueError: strikes must be more than 0
    """

    # one connection
    messages_per_second: float = 20
    messages_at_once: int = 40
    strikes: int = 10  # messages in a minute that were none
    pings_per_second: float = 20  # control frames of any kind, which no handler ever sees
    pings_at_once: int = 100
    fragments: int = 64  # pieces of one message
    unread_frames: int = 128  # arrived, and not yet looked at
    buffered_bytes: int = 256 * 1024  # written, and not yet taken by the other side
    stalled_seconds: float = 2  # since the other side has taken anything much
    lingering_seconds: float = 0.5  # after the last word, until the line is cut
    silent_seconds: float = 20  # of the network, where the system can tell

    # one address; a /64 is one
    sockets_per_address: int = 100
    code_misses_per_address: int = 10  # in a minute
    token_misses_per_address: int = 20  # in a minute
    guests_per_minute: float = 60
    guests_at_once: int = 100
    passwords_per_minute: float = 60  # of tables, right or wrong: each takes a while to look at
    passwords_at_once: int = 60

    # everybody
    sockets: int = 10_000
    code_misses: int = 100  # in a minute
    remembered: int = 10_000  # addresses, or players

    # one player
    creations_per_minute: float = 2
    creations_at_once: int = 10
    chat_lines: int = 5  # in so many seconds
    chat_seconds: float = 10
    claims_per_minute: float = 2
    claims_at_once: int = 5

    # one address again
    erasures_per_minute: float = 2
    erasures_at_once: int = 5

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise ValueError(f"{field.name} must be more than 0")


class Bucket:
    """So many a second in the long run, and *at_once* when it has been quiet.

    >>> bucket = Bucket(per_second=2, at_once=3)
    >>> [bucket.take(now) for now in (0, 0, 0, 0, 0.4, 0.5, 0.5)]
    [True, True, True, False, False, True, False]
    """

    __slots__ = ("_at", "_at_once", "_left", "_per_second")

    def __init__(self, per_second: float, at_once: float) -> None:
        self._per_second = per_second
        self._at_once = at_once
        self._left = at_once
        self._at = float("-inf")

    def take(self, now: float) -> bool:
        """Whether there is one left; if so, it is taken."""
        if now > self._at:
            refill = (now - self._at) * self._per_second
            self._left = min(self._at_once, self._left + refill)
            self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Tally:
    """Whether something has happened *most* times in the last *seconds*, exactly.

    >>> tally = Tally(most=2, seconds=60)
    >>> tally.add(0), tally.full(0), tally.add(30), tally.full(59), tally.full(60)
    (None, False, None, True, False)
    """

    __slots__ = ("_moments", "_most", "_seconds")

    def __init__(self, most: int, seconds: float = MINUTE) -> None:
        self._most = most
        self._seconds = seconds
        self._moments: list[float] = []
        """No deque: an empty one takes room for sixty-four."""

    def add(self, now: float) -> None:
        self._moments.append(now)
        del self._moments[: -self._most]

    def full(self, now: float) -> bool:
        return len(self._moments) == self._most and now - self._moments[0] < self._seconds


class Strikes:
    """The messages of one connection that were none: *most* in a minute are too many.

    >>> strikes = Strikes(most=3)
    >>> [strikes.out(now) for now in (0, 30, 61, 89, 90)]
    [False, False, False, True, True]
    """

    __slots__ = ("_tally",)

    def __init__(self, most: int) -> None:
        self._tally = Tally(most)

    def out(self, now: float) -> bool:
        """Count one more; whether it was one too many."""
        self._tally.add(now)
        return self._tally.full(now)


class Remembered(Generic[V]):
    """What is known about each name lately: forgotten after *seconds* without use.

    When there are more than *most* names, the one not used for longest goes first.
    """

    def __init__(self, fresh: Callable[[], V], most: int, seconds: float) -> None:
        self._fresh = fresh
        self._most = most
        self._seconds = seconds
        self._known: OrderedDict[str, tuple[float, V]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def known(self, name: str) -> V | None:
        """Return what is known, without remembering that anybody asked."""
        found = self._known.get(name)
        return None if found is None else found[1]

    def about(self, name: str, now: float) -> V:
        self._forget(now)
        value = self._known.pop(name)[1] if name in self._known else self._fresh()
        self._known[name] = (now, value)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return value

    def _forget(self, now: float) -> None:
        while self._known:
            name, (used, _) = next(iter(self._known.items()))
            if now - used < self._seconds:
                return
            del self._known[name]


class Misses:
    """Wrong guesses in the last minute, by address and, if there is an *overall*, by everybody.

    Ask `blocked` before looking, and answer a blocked guess like a wrong one: how a guess is
    refused must not tell a right one from a wrong one.
    """

    def __init__(self, per_address: int, most: int, overall: int | None = None) -> None:
        self._by_address = Remembered(lambda: Tally(per_address), most, MINUTE)
        self._by_all = None if overall is None else Tally(overall)

    def blocked(self, address: str, now: float) -> bool:
        if self._by_all is not None and self._by_all.full(now):
            return True
        tally = self._by_address.known(address)
        return tally is not None and tally.full(now)

    def missed(self, address: str, now: float) -> None:
        self._by_address.about(address, now).add(now)
        if self._by_all is not None:
            self._by_all.add(now)


class Allowance:
    """A bucket for each name: tables that a player opens, guests who come from an address."""

    def __init__(self, per_minute: float, at_once: int, most: int) -> None:
        def bucket() -> Bucket:
            return Bucket(per_minute / MINUTE, at_once)

        full_again = at_once * MINUTE / per_minute
        self._buckets = Remembered(bucket, most, full_again)

    def take(self, name: str, now: float) -> bool:
        return self._buckets.about(name, now).take(now)


class Sockets:
    """How many connections are open, by address and in all.

    >>> sockets = Sockets(per_address=2, overall=3)
    >>> [sockets.enter(name) for name in ("a", "a", "a", "b", "c")]
    [True, True, False, True, False]
    >>> sockets.leave("a"), sockets.enter("c"), len(sockets)
    (None, True, 3)
    """

    def __init__(self, per_address: int, overall: int) -> None:
        self._per_address = per_address
        self._overall = overall
        self._open: dict[str, int] = {}
        self._all = 0

    def __len__(self) -> int:
        return self._all

    def enter(self, address: str) -> bool:
        """Whether there is room for one more from there; if so, it is counted until it leaves."""
        here = self._open.get(address, 0)
        if here >= self._per_address or self._all >= self._overall:
            return False
        self._open[address] = here + 1
        self._all += 1
        return True

    def leave(self, address: str) -> None:
        self._open[address] -= 1
        self._all -= 1
        if not self._open[address]:
            del self._open[address]
