"""Putting together what one watcher sees, from parts that are encoded once for everybody.

The public drawer is written once a change; each watcher's own pocket and moves are laid beside it. The
result is the very text that ``Seen`` would write, which a test holds it to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter
from pydantic_core import to_json

from dormie_protocol.messages import Heard
from dormie_protocol.table_view import About, Fairness, Pocket, TablePublic
from dormie_rules.drawers import hear, look
from dormie_rules.game import AnyEvent
from dormie_rules.grid_moves import GridMove
from dormie_server.table.state import Table, course_of, match_of

_PUBLIC: TypeAdapter[TablePublic] = TypeAdapter(TablePublic)
_POCKET: TypeAdapter[Pocket] = TypeAdapter(Pocket)
_MOVES: TypeAdapter[tuple[GridMove, ...]] = TypeAdapter(
    tuple[Annotated[GridMove, Field(discriminator="move")], ...]
)
_ABOUT: TypeAdapter[About] = TypeAdapter(About)
_FAIRNESS: TypeAdapter[Fairness] = TypeAdapter(Fairness)
_HEARD: TypeAdapter[tuple[Heard, ...]] = TypeAdapter(tuple[Heard, ...])


@dataclass(frozen=True, slots=True)
class Span:
    """Some versions of a table, from *after* (not included) to *version*, and what happened in them."""

    table: str
    after: int
    version: int
    chain: str
    now: float
    events: Sequence[AnyEvent]


@dataclass(frozen=True, slots=True)
class Look:
    """How a watcher is told: as a replay, as a new beginning, with the parts that seldom change."""

    seat: int | None
    replay: bool = False
    rolled_back: bool = False
    whole: bool = False
    """With *about* and *fairness*."""


class Page:
    """What is seen of a table at the end of a span, written for any number of watchers."""

    def __init__(self, span: Span, table: Table | None) -> None:
        """*table* is the table at the span's version; None while older events are replayed."""
        self._span = span
        self._table = table
        self._public: bytes | None = None
        self._events: dict[int | None, bytes] = {}
        self._private = {owner for event in span.events for owner, _ in event.pockets}

    def text(self, how: Look) -> bytes:
        """The ``Seen`` message for one watcher."""
        return b"".join(
            (
                self._head(how),
                b',"seat":',
                to_json(how.seat),
                self._view(how.seat),
                self._rest(whole=how.whole),
            )
        )

    def _head(self, how: Look) -> bytes:
        span = self._span
        flags = f'"replay":{_yes(how.replay)},"rolled_back":{_yes(how.rolled_back)}'
        return (
            f'{{"type":"seen","table":"{span.table}","after":{span.after},"version":{span.version},'
            f'"chain":"{span.chain}","now":{span.now!r},"events":'
        ).encode() + b"%s,%s" % (self._heard(how.seat), flags.encode())

    def _heard(self, seat: int | None) -> bytes:
        """The events for a seat; all those who have no part of their own share one text."""
        key = seat if seat in self._private else None
        if key not in self._events:
            parts = (hear(event, key) for event in self._span.events)
            heard = tuple(Heard.model_construct(all=part, mine=mine) for part, mine in parts)
            self._events[key] = _HEARD.dump_json(heard)
        return self._events[key]

    def _view(self, seat: int | None) -> bytes:
        table = self._table
        if table is None:
            return b',"view":null,"pocket":null,"moves":[]'
        if self._public is None:
            self._public = _PUBLIC.dump_json(table.public)
        pocket = b"null" if seat is None else _POCKET.dump_json(table.state.pockets[seat])
        moves = _MOVES.dump_json(moves_of(table, seat))
        return b',"view":%s,"pocket":%s,"moves":%s' % (self._public, pocket, moves)

    def _rest(self, *, whole: bool) -> bytes:
        table = self._table
        if table is None or not whole:
            return b',"about":null,"fairness":null}'
        about, fairness = _ABOUT.dump_json(table.about), _FAIRNESS.dump_json(table.fairness)
        return b',"about":%s,"fairness":%s}' % (about, fairness)


def moves_of(table: Table, seat: int | None) -> tuple[GridMove, ...]:
    """Everything that *seat* may play now."""
    public = table.public
    if seat is None or public.phase != "playing" or public.match is None:
        return ()
    return course_of(table).moves(look(match_of(table), seat))


def _yes(flag: bool) -> str:  # noqa: FBT001 - it writes a flag
    return "true" if flag else "false"
