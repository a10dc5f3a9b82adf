"""What the spectators of one table see later than its players: kept until it is old enough.

It knows neither clock nor sockets: the time is an argument, in seconds on any clock that only goes
forward. What is kept is bounded in number and size; where that is not enough, the oldest goes, and
spectators are given a new beginning instead of it, which says so.
"""

from collections import OrderedDict, deque
from typing import NamedTuple

from dormie_rules.values import replace
from dormie_server.documents import Kept
from dormie_server.seen import Look, Page, Span

MOST_PAGES = 1024
MOST_BYTES = 1 << 20
MOST_AHEAD = 64
"""So many of those who have seen more than spectators may are remembered."""


class Held(NamedTuple):
    """A page, when it was told to the players, and how it is to be told to the others."""

    when: float
    page: Page
    whole: bool
    lost: bool = False
    """Whether what came just before it is not kept."""
    steps: tuple[tuple[int, int], ...] = ()
    """The versions that are told together here, and how many events there are up to each."""

    def text(self, sent: int) -> bytes:
        """The message for a spectator who was told of version *sent*; 0 for one who saw nothing yet."""
        known = next((told for version, told in self.steps if version == sent), None)
        if known is not None:  # whoever stood up in between saw the first of it from the seat
            rest = self.page.told_since(sent, self.page.events[known:])
            return rest.text(Look(None, whole=self.whole))
        if sent == 0 or self.lost or sent != self.page.after:
            look = Look(None, rolled_back=sent > 0, whole=True)
            return self.page.look().text(look)
        return self.page.text(Look(None, whole=self.whole))


class Gallery:
    """One table's last pages: those that are too young to be shown, and the one that is shown."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.shown: Page | None = None
        """The newest page that is old enough; None when nothing so old is kept."""
        self._held: deque[Held] = deque()
        self._size = 0
        self._ahead: OrderedDict[str, int] = OrderedDict()

    @property
    def version(self) -> int:
        """The version that spectators may see now; 0 is none."""
        return self.shown.version if self.shown else 0

    def keep(self, page: Page, now: float, *, whole: bool, lost: bool = False) -> None:
        """Keep a page that was told to the players just now; an older one than the last is no news.

        *lost* says that what came before it is not kept, or not true any more.
        """
        newest = self._held[-1].page.version if self._held else self.version
        if page.version <= newest:
            return
        steps = tuple[tuple[int, int], ...]()
        if self._held and not self._held[-1].page.has_view:
            last = self._held.pop()  # it is told together with the next one, which can be looked at
            self._size -= last.page.size
            steps = (*last.steps, (last.page.version, len(last.page.events)))
            page, whole, lost = page.behind(last.page), whole or last.whole, last.lost
        self._held.append(Held(now, page, whole, lost, steps))
        self._size += page.size
        while len(self._held) > 1 and (len(self._held) > MOST_PAGES or self._size > MOST_BYTES):
            self._size -= self._held.popleft().page.size
            self._held[0] = self._held[0]._replace(lost=True)

    def due(self, now: float) -> list[Held]:
        """What is old enough by now, in order, and is shown from now on."""
        ripe = list[Held]()
        while (at := self.next_at()) is not None and at <= now:
            held = self._held.popleft()
            self._size -= held.page.size
            self.shown = held.page.look()
            ripe.append(held)
        return ripe

    def next_at(self) -> float | None:
        """When the next page is old enough; None when none is kept that can be looked at."""
        if not self._held or not self._held[0].page.has_view:
            return None
        return self._held[0].when + self.delay

    def let_ahead(self, player: str, version: int) -> None:
        """Remember that *player* had a seat, and was told of everything up to *version*."""
        self._ahead[player] = max(version, self._ahead.pop(player, 0))
        while len(self._ahead) > MOST_AHEAD:
            self._ahead.popitem(last=False)

    def may_know(self, player: str, version: int) -> bool:
        """Whether *player* may have been told of a version; nobody else learns whether it is right."""
        return version <= max(self.version, self._ahead.get(player, 0))

    def page(self, after: int) -> Page | None:
        """What whoever was told of everything up to *after* is shown now; None for nothing."""
        if after <= self.version:
            return self.shown
        return next((h.page.look() for h in self._held if h.page.version == after), None)


def veiled(kept: Kept, now: float) -> Page:
    """A table without its match, for one who may not see anything of it yet: it has version 0."""
    table = kept.table
    public = table.public
    seats = tuple(seat and replace(seat, count=0) for seat in public.seats)
    public = replace(public, seats=seats, match=None, clocks=None, deadline=None)
    fairness = replace(table.fairness, contributions=())
    hidden = replace(table, fairness=fairness, state=replace(table.state, public=public))
    return Page(Span(table.about.table, 0, 0, "", now, ()), Kept(hidden))
