"""One's own copy of a table, and how it moves on: version by version, or not at all."""

from dataclasses import dataclass, replace
from enum import Enum

from dormie_protocol.games import Move, Pocket
from dormie_protocol.messages import Seen
from dormie_protocol.table_view import About, Fairness, TablePublic


@dataclass(frozen=True, slots=True)
class Copy:
    """What is known of a table at one version."""

    version: int = 0
    """0 before anything was seen."""
    chain: str = ""
    shown: int = -1
    """The version that the view shows: older than *version* while events are replayed."""
    match_since: int = 0
    """The version at which the present match began to be talked about."""
    now: float = 0.0
    seat: int | None = None
    about: About | None = None
    fairness: Fairness | None = None
    view: TablePublic | None = None
    pocket: Pocket | None = None
    moves: tuple[Move, ...] = ()
    """Empty while the view is older than the version: nobody acts on what was."""

    @property
    def complete(self) -> bool:
        """Whether there is something to look at."""
        return self.shown == self.version and None not in (self.about, self.fairness, self.view)


class Unchanged(Enum):
    """Why a message does not move a copy on."""

    OLD = "it was heard before"
    GAP = "something before it is missing"


def follow(copy: Copy, seen: Seen) -> Copy | Unchanged:
    """The copy after *seen*.

    >>> one = Seen(table="ABCDEFGH", after=0, version=7, chain="aa", now=0.0)
    >>> follow(Copy(version=5, chain="cc"), one.model_copy(update={"after": 5})).version
    7
    >>> follow(Copy(version=7, chain="aa"), one.model_copy(update={"after": 6})).name
    'OLD'
    >>> follow(Copy(version=5, chain="cc"), one.model_copy(update={"after": 6})).name
    'GAP'
    """
    if seen.rolled_back or (copy.version == 0 and seen.view is not None):
        return _moved_on(copy, seen) if seen.view is not None else Unchanged.GAP
    if seen.version > copy.version:
        return _moved_on(copy, seen) if seen.after == copy.version else Unchanged.GAP
    if seen.version == copy.version and seen.chain != copy.chain:
        return Unchanged.GAP  # the same number for another story: the server will say what is true
    if seen.version == copy.version and seen.view is not None and _is_look(copy, seen):
        return _moved_on(copy, seen)
    return Unchanged.OLD


def _is_look(copy: Copy, seen: Seen) -> bool:
    """Whether *seen* is a view of the present version, sent by itself or because it was missing."""
    return seen.after == seen.version or copy.shown < copy.version


def _moved_on(copy: Copy, seen: Seen) -> Copy:
    known, new = copy.about, seen.about
    new_match = known is not None and new is not None and known.match != new.match
    moved = replace(
        copy,
        version=seen.version,
        chain=seen.chain,
        match_since=seen.version if new_match else copy.match_since,
        now=seen.now,
        about=new or known,
        fairness=seen.fairness or copy.fairness,
        moves=seen.moves,
    )
    if seen.view is None:
        return replace(moved, moves=())
    return replace(moved, shown=seen.version, seat=seen.seat, view=seen.view, pocket=seen.pocket)
