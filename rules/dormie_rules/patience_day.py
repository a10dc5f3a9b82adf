"""The hole of the day: one deal for everybody, promised when the day begins and shown when it is over.

A day has a secret. Its promise is published when the day begins, and the secret itself when it ends: until
then nobody can know the deal beforehand, and afterwards anybody can check that it was the one promised, and
that no other was passed over without a reason. Only the first try of each player counts; whoever has had
it may practise as often as they like.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from dormie_rules.luck import digest
from dormie_rules.patience_deals import (
    Certified,
    Judge,
    attempt_pack,
    certify,
    why_not_certified,
)
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.standing import placed_by
from dormie_rules.tuples import put
from dormie_rules.values import replace

K = TypeVar("K", bound=Hashable)

DAY_RULES = PatienceRules("queen", holes=1, deal_policy="clearable")
"""A Queen goes on a King, and every day's deal can be cleared (rule A11)."""

MAX_TRIES = 50_000
"""A day has room for so many players; whoever comes later practises."""


def day_promise(date: str, secret: bytes) -> bytes:
    """What is published when the day called *date* (as in ``2026-11-30``) begins.

    >>> day_promise("2026-11-30", bytes(32)).hex()[:16], day_promise("2026-12-01", bytes(32)).hex()[:16]
    ('239b01554a8b73b8', 'e4b5f84e7065aae5')
    """
    return digest(b"dormie day promise", date.encode(), secret)


def day_seed(date: str, secret: bytes) -> bytes:
    """The seed of the day's deal. It cannot be had from the promise."""
    return digest(b"dormie day", date.encode(), secret)


def day_deal(date: str, secret: bytes, judge: Judge) -> Certified:
    """The deal of a day, and which attempt at it was let through. Raises NoDeal."""
    return certify(DAY_RULES, day_seed(date, secret), judge)


def day_attempt(date: str, secret: bytes, attempt: int) -> Certified:
    """The deal of a day, by somebody who knows which attempt was let through."""
    return Certified(attempt, attempt_pack(DAY_RULES, day_seed(date, secret), attempt))


def why_not_day(date: str, promise: bytes, secret: bytes, attempt: int, judge: Judge) -> str | None:
    """What is wrong with a day whose secret was shown, in a sentence, or None if all is as it was promised."""
    if day_promise(date, secret) != promise:
        return "this secret is not the one that was promised"
    return why_not_certified(DAY_RULES, day_seed(date, secret), attempt, judge)


@dataclass(frozen=True, slots=True)
class Try(Generic[K]):
    """The first try of a player."""

    player: K
    score: int | None = None
    """None while it is being played."""
    path: str = ""
    """The moves, as ``race_path`` writes them."""


@dataclass(frozen=True, slots=True)
class DayTable(Generic[K]):
    """Everybody's first try at a day's deal, in the order in which they began."""

    date: str
    promise: bytes
    tries: tuple[Try[K], ...] = ()
    closed: bool = False
    """When the day is over nobody begins, and what was not finished has no result."""


@dataclass(frozen=True, slots=True)
class DayResult(Generic[K]):
    """A line of the table of results."""

    player: K
    place: int
    score: int
    cleared: bool
    """The badge of the day."""


def begin_try(table: DayTable[K], player: K) -> DayTable[K] | None:
    """The table with a try that counts, or None when the player's hole would be practice.

    That is so after the first one, finished or not: whoever has seen the cards has had it.
    """
    full = len(table.tries) >= MAX_TRIES
    if table.closed or full or any(one.player == player for one in table.tries):
        return None
    return replace(table, tries=(*table.tries, Try(player)))


def end_try(table: DayTable[K], player: K, score: int, path: str = "") -> DayTable[K]:
    """The table with the result of a try that was begun; a second result, or one too late, changes nothing."""
    at = next((at for at, one in enumerate(table.tries) if one.player == player), None)
    if table.closed or at is None or table.tries[at].score is not None:
        return table
    return replace(table, tries=put(table.tries, at, Try(player, score, path)))


def close_day(table: DayTable[K]) -> DayTable[K]:
    """The table when the day is over and its secret is shown."""
    return replace(table, closed=True)


def day_results(table: DayTable[K]) -> tuple[DayResult[K], ...]:
    """The results, best first; equals share a place, in the order in which they began.

    A board that was cleared has a score of 0 or less: only then does the stock count.

    >>> table = DayTable("2026-11-30", b"")
    >>> for player, score in (("Ada", 4), ("Ben", -2), ("Cleo", 4)):
    ...     table = end_try(begin_try(table, player) or table, player, score)
    >>> [(one.player, one.place, one.cleared) for one in day_results(table)]
    [('Ben', 1, True), ('Ada', 2, False), ('Cleo', 2, False)]
    """
    done = [(one.player, one.score) for one in table.tries if one.score is not None]
    placed = placed_by([(score,) for _, score in done])
    lines = [
        DayResult(player, place, score, cleared=score <= 0)
        for (player, score), place in zip(done, placed, strict=True)
    ]
    return tuple(sorted(lines, key=lambda line: line.place))
