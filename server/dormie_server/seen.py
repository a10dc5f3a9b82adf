"""Putting together what one watcher sees, from parts that are written once for everybody.

The public drawer and the events come as the text that the store has got, too; each watcher's own pocket
and moves are laid behind them. The result is the very text that ``Seen`` would write, which a test holds
it to.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pydantic import TypeAdapter

from dormie_protocol.games import AnyMove, Move
from dormie_protocol.table_view import About, Fairness
from dormie_rules.drawers import look
from dormie_rules.game import AnyEvent
from dormie_server.documents import EventText, Kept, read_note, write_events, write_pocket
from dormie_server.store import Note
from dormie_server.table.clock import paused
from dormie_server.table.state import Table, course_of, match_of

_MOVES: TypeAdapter[tuple[Move, ...]] = TypeAdapter(tuple[AnyMove, ...])
_ABOUT: TypeAdapter[About] = TypeAdapter(About)
_FAIRNESS: TypeAdapter[Fairness] = TypeAdapter(Fairness)


_ANEW = frozenset(
    {"starting", "match_began", "opened", "joined", "left_table"}
    | {"kicked", "missing", "password_changed", "spectators_changed"}
)
"""After these, what seldom changes has changed."""


def anew(events: Sequence[AnyEvent]) -> bool:
    """Whether whoever sees *events* has to see the table with all that seldom changes."""
    return not _ANEW.isdisjoint([event.public.event for event in events])


class Span(NamedTuple):
    """Some versions of a table, from *after* (not included) to *version*, and what happened in them."""

    table: str
    after: int
    version: int
    chain: str
    now: float
    events: Sequence[EventText]


class Look(NamedTuple):
    """How a watcher is told: as a replay, as a new beginning, with the parts that seldom change."""

    seat: int | None
    replay: bool = False
    rolled_back: bool = False
    whole: bool = False
    """With *about* and *fairness*."""
    hears: bool = True
    """Whether the watcher had that seat already: another's events are not told."""


class Page:
    """What is seen of a table at the end of a span, written for any number of watchers."""

    def __init__(self, span: Span, kept: Kept | None) -> None:
        """*kept* is the table at the span's version; None while older events are replayed."""
        self._span = span
        self.version = span.version
        self._kept = kept
        self._private = {owner for event in span.events for owner, _ in event.pockets}
        self._shared: dict[tuple[int | None, bool, bool], bytes] = {}
        self._waiting = waiting_of(kept.table) if kept else ()

    @property
    def after(self) -> int:
        """The version before what is told here."""
        return self._span.after

    @property
    def chain(self) -> str:
        """The chain up to here."""
        return self._span.chain

    @property
    def events(self) -> Sequence[EventText]:
        """What is told here."""
        return self._span.events

    @property
    def has_view(self) -> bool:
        """Whether the table can be shown as it was at this version."""
        return self._kept is not None

    @property
    def size(self) -> int:
        """About how many bytes it takes to keep this."""
        return len(self._kept.public if self._kept else b"") + sum(
            len(event.public) for event in self._span.events
        )

    def look(self) -> "Page":
        """The same view, for one who begins with it: nothing has happened."""
        return self.told_since(self.version, ())

    def told_since(self, after: int, events: Sequence[EventText]) -> "Page":
        """The same view, for one who has missed *events* since the version *after*."""
        return Page(self._span._replace(after=after, events=events), self._kept)

    def behind(self, earlier: "Page") -> "Page":
        """What happened up to *earlier*, which comes just before, and then up to here, as one page."""
        return self.told_since(earlier.after, (*earlier.events, *self.events))

    def text(self, how: Look) -> bytes:
        """The ``Seen`` message for one watcher."""
        ear = how.seat if how.hears and how.seat in self._private else None
        key = (ear, how.replay, how.rolled_back)
        shared = self._shared.get(key)
        if shared is None:
            shared = self._shared[key] = self._head(*key)
        return shared + self._own(how.seat) + self._rest(whole=how.whole)

    def _head(self, ear: int | None, replay: bool, rolled_back: bool) -> bytes:  # noqa: FBT001 - it writes flags
        """What is the same for all who hear what *ear* hears: nearly everybody."""
        span = self._span
        heard = b",".join([_HEARD % (event.public, _mine(event, ear)) for event in span.events])
        return _HEAD % (
            span.table.encode(),
            span.after,
            span.version,
            span.chain.encode(),
            repr(span.now).encode(),
            heard,
            b"true" if replay else b"false",
            b"true" if rolled_back else b"false",
            self._kept.public if self._kept else b"null",
        )

    def _own(self, seat: int | None) -> bytes:
        """What only the watcher has: a seat, and what its player holds and may do."""
        if seat is None:
            return b',"seat":null,"pocket":null,"moves":[]'
        if self._kept is None:
            return b',"seat":%d,"pocket":null,"moves":[]' % seat
        table = self._kept.table
        pocket = write_pocket(table.state.pockets[seat])
        if seat not in self._waiting:
            return b',"seat":%d,"pocket":%s,"moves":[]' % (seat, pocket)
        moves = course_of(table).moves(look(match_of(table), seat))
        return b',"seat":%d,"pocket":%s,"moves":%s' % (seat, pocket, _write_moves(moves))

    def _rest(self, *, whole: bool) -> bytes:
        if self._kept is None or not whole:
            return b',"about":null,"fairness":null}'
        table = self._kept.table
        about, fairness = _ABOUT.dump_json(table.about), _FAIRNESS.dump_json(table.fairness)
        return b',"about":%s,"fairness":%s}' % (about, fairness)


_HEAD = (
    b'{"type":"seen","table":"%s","after":%d,"version":%d,"chain":"%s","now":%s,"events":[%s],'
    b'"replay":%s,"rolled_back":%s,"view":%s'
)
_HEARD = b'{"all":%s,"mine":%s}'


@lru_cache(maxsize=4096)
def _write_moves(moves: tuple[Move, ...]) -> bytes:
    """Legal moves as text: there are not many sets of them."""
    return _MOVES.serializer.to_json(moves)


def _mine(event: EventText, ear: int | None) -> bytes:
    return next((part for owner, part in event.pockets if owner == ear), b"null")


def waiting_of(table: Table) -> tuple[int, ...]:
    """The seats that may move now."""
    public = table.public
    if public.phase != "playing" or public.match is None or paused(table):
        return ()
    return course_of(table).waiting_for(match_of(table))


def since(table: Table, seat: int | None) -> int:
    """The version up to which somebody else sat where *seat* is now: what that one drew is not told here."""
    sitter = table.secret.sitters[seat] if seat is not None else None
    return sitter.since if sitter else 0


def texts_of(notes: Sequence[Note], before: int) -> list[EventText]:
    """The events of notes as text, without the parts for single seats up to version *before*."""
    texts = list[EventText]()
    for note in notes:
        told = write_events(read_note(note.body).events)
        texts += told if note.version > before else [EventText(text.public) for text in told]
    return texts
