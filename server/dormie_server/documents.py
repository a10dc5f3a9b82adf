"""How a table and its notes are written into the store, and read back.

Every document and note carries a format number; a reader accepts the present format only until there is
an older one to accept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import attrgetter
from operator import call as _call
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import to_json

from dormie_protocol.games import AnyPocketEvent, Pocket, PocketEvent
from dormie_protocol.table_view import (
    About,
    Fairness,
    PublicEvent,
    TablePublic,
)
from dormie_rules.drawers import Event
from dormie_rules.game import AnyEvent
from dormie_rules.grid_cards import NOTHING
from dormie_rules.values import replace
from dormie_server.table.state import Sitter, Table, TableSecret, kind_of

FORMAT: Final = 1

NO_CHAIN = ""


class TableDocument(BaseModel):
    """A table as the store keeps it."""

    # A damaged document is told of in the log, and its contents are not.
    model_config = ConfigDict(
        frozen=True, ser_json_bytes="hex", val_json_bytes="hex", hide_input_in_errors=True
    )
    format: Literal[1] = FORMAT
    chain: str
    """Hashed over what everybody was told so far: with the version it says where a reader is."""
    table: Table


TableEvents: TypeAlias = tuple[
    Event[Annotated[PublicEvent, Field(discriminator="event")], AnyPocketEvent], ...
]
"""What happened, with both drawers of every event; ``hear`` opens them for a viewer."""


class TableNote(BaseModel):
    """What one change did, and what the record of the match will say about it."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)
    format: Literal[1] = FORMAT
    chain: str
    events: TableEvents
    lines: tuple[str, ...] = ()


class _Lines(BaseModel):
    """A note, as far as the record of a match needs it."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)
    format: Literal[1]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as it was kept, with the chain of its notes."""

    table: Table
    chain: str = NO_CHAIN
    public: bytes = field(init=False, repr=False)
    """What everybody sees, as text: written once, for the store and for everybody who watches."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "public", _write(self.table.public))


class EventText(NamedTuple):
    """An event as text: the part for everybody, and the parts for single seats."""

    public: bytes
    pockets: tuple[tuple[int, bytes], ...] = ()


def write_events(events: Sequence[AnyEvent]) -> tuple[EventText, ...]:
    """Events as text: written once, for the chain, for the note and for everybody who watches."""
    return tuple(
        EventText(
            _write(event.public),
            tuple((seat, _write(part)) for seat, part in event.pockets) if event.pockets else (),
        )
        for event in events
    )


class Pen:
    """Writes the documents of one table, and does not write again what stayed as it was.

    Nearly every change is a move, and a move changes the same few things.
    """

    def __init__(self) -> None:
        self._calm: tuple[object, ...] = ()
        self._calm_text = b""
        self._before: tuple[About | None, Fairness | None] = (None, None)
        self._before_text = b""
        self._sitters: tuple[Sitter | None, ...] = ()
        self._sitter_texts: list[bytes] = []

    def write(self, kept: Kept) -> bytes:
        """The body of a table's document."""
        table = kept.table
        secret = table.secret
        before, calm = (table.about, table.fairness), _read_calm(secret)
        if self._before != before:
            self._before_text = _ABOUT_IT % tuple(map(_write, before))
        if self._calm != calm:
            self._calm_text = b",".join(map(_call, _CALM.values(), calm))
        # These very values the next time: what is the same needs no comparing.
        self._before, self._calm = before, calm
        return _TABLE % (
            kept.chain.encode(),
            table.version,
            self._before_text,
            kept.public,
            b",".join([write_pocket(pocket) for pocket in table.state.pockets]),
            self._calm_text,
            self._write_sitters(secret.sitters),
            b",".join(map(_call, _BUSY.values(), _read_busy(secret))),
        )

    def _write_sitters(self, sitters: tuple[Sitter | None, ...]) -> bytes:
        """Whoever sits there; a move changes one of them."""
        if len(sitters) != len(self._sitters):
            self._sitters, self._sitter_texts = sitters, [_write_sitter(s) for s in sitters]
        for seat, old in enumerate(self._sitters):
            if (new := sitters[seat]) is not old:
                self._sitter_texts[seat] = _write_sitter(new)
        self._sitters = sitters
        return b",".join(self._sitter_texts)


def write_table(kept: Kept) -> bytes:
    """The body of a table's document, by a new pen."""
    return Pen().write(kept)


def read_table(body: bytes) -> Kept:
    """A table from its document. Raises pydantic's ValidationError for a damaged or a newer one."""
    document = TableDocument.model_validate_json(body)
    table = document.table
    about = replace(table.about, rules=kind_of(table).shared(table.about.rules))
    return Kept(replace(table, about=about), document.chain)


def write_pocket(pocket: Pocket) -> bytes:
    """A pocket as text; nearly all pockets are empty."""
    return _NOTHING if pocket is NOTHING else _write(pocket)


def write_note(
    chain: str, events: Sequence[EventText], lines: tuple[str, ...]
) -> tuple[str, bytes]:
    """The chain after a note that follows *chain*, and the note's body."""
    # Everybody sees the chain: hashed over a pocket, it would tell the card to whoever tries them all.
    after = next_chain(chain, b"[%s]" % b",".join([event.public for event in events]))
    return after, _note(after, events, lines)


def rewrite_note(chain: str, events: Sequence[AnyEvent], lines: tuple[str, ...]) -> bytes:
    """The body of a note that says something else than it did, under the chain it had."""
    return _note(chain, write_events(events), lines)


def read_note(body: bytes) -> TableNote:
    """A note. Raises pydantic's ValidationError for a damaged one."""
    return TableNote.model_validate_json(body)


def read_lines(body: bytes) -> tuple[str, ...]:
    """What a note says for the record, without its events. Raises pydantic's ValidationError likewise."""
    return _Lines.model_validate_json(body).lines


def next_chain(chain: str, told: bytes) -> str:
    """The chain after events whose text is *told*.

    >>> next_chain("", b"[]") != next_chain("00", b"[]")
    True
    """
    return blake2b(chain.encode() + b"\n" + told, digest_size=8).hexdigest()


_NOTE = b'{"format":1,"chain":"%s","events":[%s],"lines":%s}'
_TABLE = (
    b'{"format":1,"chain":"%s","table":{"version":%d,%s,'
    b'"state":{"public":%s,"pockets":[%s],"secret":{%s,"sitters":[%s],%s}}}}'
)
_ABOUT_IT = b'"about":%s,"fairness":%s'


def _note(chain: str, events: Sequence[EventText], lines: tuple[str, ...]) -> bytes:
    told = b",".join([b'{"public":%s,"pockets":[%s]}' % (e.public, _pockets(e)) for e in events])
    return _NOTE % (chain.encode(), told, to_json(lines))


def _pockets(event: EventText) -> bytes:
    return b",".join([b"[%d,%s]" % pocket for pocket in event.pockets])


def _writer(kind: Any) -> Callable[[Any], bytes]:  # any type that pydantic can write
    config = ConfigDict(ser_json_bytes="hex")
    adapter = TypeAdapter(kind | None, config=config)  # a bare dataclass would take no config
    return adapter.serializer.to_json


_KINDS = (
    *get_args(PublicEvent),
    *get_args(PocketEvent),
    *get_args(Pocket),
    TablePublic,
    About,
    Fairness,
)
_WRITERS: dict[type, Callable[[Any], bytes]] = {kind: _writer(kind) for kind in _KINDS}


def _write(value: object) -> bytes:
    """The text of one of the values that a document is made of."""
    return _WRITERS[value.__class__](value)


_NOTHING = _write(NOTHING)


def _named(name: str, write: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    before = b'"%s":' % name.encode()
    return lambda value: before + write(value)


_BUSY_FIELDS = ("last_human", "turn", "bot_for", "bot_at", "hole", "alarm", "generations")
"""What a move changes, or who comes back; the rest of a table's secrets stays as it is for a hole or longer."""
_SECRET = {name: _named(name, _writer(kind)) for name, kind in get_type_hints(TableSecret).items()}
_BUSY = {name: _SECRET[name] for name in _BUSY_FIELDS}
_CALM = {name: write for name, write in _SECRET.items() if name not in {*_BUSY, "sitters"}}
_write_sitter = _writer(Sitter)
_read_busy, _read_calm = attrgetter(*_BUSY), attrgetter(*_CALM)
