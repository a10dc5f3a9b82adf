"""Who is still in, who has won, and in which place everybody ends.

The lowest total leads. Where points put players out, whoever stays in longer is better, and among
those who go out in one hole the lower total is; a player who left in that hole comes after them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

K = TypeVar("K")
K_contra = TypeVar("K_contra", contravariant=True)
T = TypeVar("T")
Places: TypeAlias = tuple[tuple[K, int], ...]
TieBreak: TypeAlias = Literal["share", "extra_hole", "last_hole_back"]
"""What parts those who are level for the first place."""


@dataclass(frozen=True, slots=True)
class Elimination(Generic[K]):
    """What one hole did to those who played it; *winners* is None while the match goes on."""

    eliminated: tuple[K, ...]
    alive: tuple[K, ...]
    winners: tuple[K, ...] | None


@dataclass(frozen=True, slots=True)
class Finish(Generic[K]):
    """How a match ended for one player; *out* is the hole in which it ended early, if it did."""

    player: K
    out: int | None
    total: int
    withdrawn: bool = False


def eliminate(  # noqa: PLR0913 - the words of the question a hole asks, and no two belong together
    limit: int,
    alive: Sequence[K],
    totals: Mapping[K, int],
    hole: Mapping[K, int],
    withdrawn: Collection[K] = (),
    *,
    inclusive: bool = True,
) -> Elimination[K]:
    """Who goes out after a hole: those whose total reaches the limit, and those who left.

    *totals* are those before the hole, *hole* its charged scores; whoever left gets none. The last
    one still in has won. When nobody is, the lowest total of this very hole has won, and equal
    totals have won together; who left wins only if everybody left.

    >>> eliminate(100, ("Ada", "Ben"), {"Ada": 98, "Ben": 90}, {"Ada": 6, "Ben": 11})
    Elimination(eliminated=('Ada', 'Ben'), alive=(), winners=('Ben',))
    """
    left = {player for player in alive if player in withdrawn}
    after = {p: totals[p] + (0 if p in left else hole[p]) for p in alive}
    bar = limit if inclusive else limit + 1
    eliminated = tuple(player for player in alive if player in left or after[player] >= bar)
    still = tuple(player for player in alive if player not in eliminated)
    if still:
        return Elimination(eliminated, still, still if len(still) == 1 else None)
    last = [player for player in alive if player not in left] or alive
    lowest = min((after[player] for player in last), default=0)
    return Elimination(eliminated, (), tuple(p for p in last if after[p] == lowest))


def places(history: Iterable[Finish[K]]) -> Places[K]:
    """Every player and their place, best first; equals share a place and the next one is skipped.

    >>> places([Finish("Dan", 2, 102), Finish("Ben", 4, 110), Finish("Cleo", 4, 110)])
    (('Ben', 1), ('Cleo', 1), ('Dan', 3))
    """
    return tuple((finish.player, place) for finish, place in _placed(history, _finish))


def winners(history: Iterable[Finish[K]]) -> tuple[K, ...]:
    """Everybody in the first place, however the match ended: holes, limit, or both.

    >>> winners([Finish("Ada", None, 41), Finish("Ben", None, 38), Finish("Cleo", 1, 0)])
    ('Ben',)
    """
    return tuple(player for player, place in places(history) if place == 1)


class Row(Protocol[K_contra]):
    """The scores of one hole by player: a mapping, or a tuple by seat."""

    def __getitem__(self, player: K_contra, /) -> int | None: ...


def countback(placed: Places[K], card: Sequence[Row[K]]) -> Places[K]:
    """Part those who share a place: the better last hole first, else the better hole before it.

    *card* holds a row for every hole played. Whoever is equal in every hole goes on sharing, and
    no score in a hole is worse than any (option ``tie_break=last_hole_back``).

    >>> countback((("Ada", 1), ("Ben", 1)), card=[{"Ada": 3, "Ben": 9}, {"Ada": 9, "Ben": 3}])
    (('Ben', 1), ('Ada', 2))
    """

    def back(at: tuple[K, int]) -> tuple[int, list[tuple[bool, int]]]:
        player, place = at
        scores = [row[player] for row in reversed(card)]
        return place, [(score is None, score or 0) for score in scores]

    return tuple((player, place) for (player, _), place in _placed(placed, back))


def level_after(row: Row[int], level: Iterable[int]) -> tuple[int, ...]:
    """Who of those that were *level* still is after an extra hole: the lowest score of it.

    >>> level_after((4, 2, None, 2), (0, 1, 3))
    (1, 3)
    """
    played = [(seat, score) for seat in level if (score := row[seat]) is not None]
    lowest = min((score for _, score in played), default=0)
    return tuple(seat for seat, score in played if score == lowest)


def parted(order: Sequence[int], survived: Sequence[int]) -> tuple[int, ...]:
    """The places of seats, parting those who share one by the extra holes they were still level after.

    >>> parted((1, 1, 1, 4), (0, 2, 1, 0))
    (3, 1, 2, 4)
    """
    return tuple(
        place
        + sum(
            1
            for theirs, n in zip(order, survived, strict=True)
            if theirs == place and n > survived[seat]
        )
        for seat, place in enumerate(order)
    )


def placed_by(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The place of each seat, by a key for each, the smallest first; equals share a place.

    >>> placed_by([(3,), (1,), (3,), (4,)])
    (2, 1, 2, 4)
    """
    placed = _placed(range(len(keys)), lambda seat: keys[seat])
    return tuple(place for _, place in sorted(placed))


def _finish(finish: Finish[K]) -> tuple[bool, int, bool, int]:
    """The smaller, the better."""
    return finish.out is not None, -(finish.out or 0), finish.withdrawn, finish.total


def _placed(ones: Iterable[T], key: Callable[[T], tuple[object, ...]]) -> Iterator[tuple[T, int]]:
    better = 0
    for _, equals in groupby(sorted(ones, key=key), key=key):
        shared = list(equals)
        yield from ((one, better + 1) for one in shared)
        better += len(shared)
