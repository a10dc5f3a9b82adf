"""How a table and its notes are written into the store, and read back.

Every document and note carries a format number; a reader accepts the present format only until there is
an older one to accept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, get_args

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
from dormie_server.table.state import Table, kind_of

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
    mark: str = ""
    """Of this document alone, whatever version it is: no other one bears it."""
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
    public: bytes = field(default=b"", repr=False)
    """What everybody sees, as text: written or read once, for the store and for everybody who watches."""
    mark: str = ""
    """Which document it is."""

    def __post_init__(self) -> None:
        if not self.public:
            object.__setattr__(self, "public", write_part(self.table.public))


class EventText(NamedTuple):
    """An event as text: the part for everybody, and the parts for single seats."""

    public: bytes
    pockets: tuple[tuple[int, bytes], ...] = ()


def write_events(events: Sequence[AnyEvent]) -> tuple[EventText, ...]:
    """Events as text: written once, for the chain, for the note and for everybody who watches."""
    return tuple(
        EventText(
            write_part(event.public),
            tuple((seat, write_part(part)) for seat, part in event.pockets)
            if event.pockets
            else (),
        )
        for event in events
    )


def read_table(body: bytes) -> Kept:
    """A table from its document. Raises pydantic's ValidationError for a damaged or a newer one."""
    document = TableDocument.model_validate_json(body)
    table = document.table
    about = replace(table.about, rules=kind_of(table).shared(table.about.rules))
    return Kept(replace(table, about=about), document.chain, mark=document.mark)


def write_pocket(pocket: Pocket) -> bytes:
    """A pocket as text; nearly all pockets are empty."""
    return _NOTHING if pocket is NOTHING else write_part(pocket)


def write_note(
    chain: str, events: Sequence[EventText], lines: tuple[str, ...]
) -> tuple[str, bytes]:
    """The chain after a note that follows *chain*, and the note's body."""
    # Everybody sees the chain: hashed over a pocket, it would tell the card to whoever tries them all.
    after = next_chain(chain, _told(events))
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


def follows(chain: str, events: Sequence[EventText], after: str) -> bool:
    """Whether *after* is the chain after *chain* and *events*."""
    return after == next_chain(chain, _told(events))


def next_chain(chain: str, told: bytes) -> str:
    """The chain after events whose text is *told*.

    >>> next_chain("", b"[]") != next_chain("00", b"[]")
    True
    """
    return blake2b(chain.encode() + b"\n" + told, digest_size=8).hexdigest()


def _told(events: Sequence[EventText]) -> bytes:
    return b"[%s]" % b",".join([event.public for event in events])


_NOTE = b'{"format":1,"chain":"%s","events":[%s],"lines":%s}'


def _note(chain: str, events: Sequence[EventText], lines: tuple[str, ...]) -> bytes:
    told = b",".join([b'{"public":%s,"pockets":[%s]}' % (e.public, _pockets(e)) for e in events])
    return _NOTE % (chain.encode(), told, to_json(lines))


def _pockets(event: EventText) -> bytes:
    return b",".join([b"[%d,%s]" % pocket for pocket in event.pockets])


def writer(kind: Any) -> Callable[[Any], bytes]:  # any type that pydantic can write
    """What writes values of a kind, or None, as parts of documents."""
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
_WRITERS: dict[type, Callable[[Any], bytes]] = {kind: writer(kind) for kind in _KINDS}


def write_part(value: object) -> bytes:
    """The text of one of the values that a document is made of."""
    return _WRITERS[value.__class__](value)


_NOTHING = write_part(NOTHING)
