"""How a table and its notes are written into the store, and read back.

Every document and note carries a format number; a reader accepts the present format only until there is
an older one to accept.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from dormie_protocol.table_view import PocketEvent, PublicEvent
from dormie_rules.drawers import Event
from dormie_rules.game import AnyEvent
from dormie_server.table.state import Table

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
    Event[Annotated[PublicEvent, Field(discriminator="event")], PocketEvent], ...
]
"""What happened, with both drawers of every event; ``hear`` opens them for a viewer."""


class TableNote(BaseModel):
    """What one change did, and what the record of the match will say about it."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)
    format: Literal[1] = FORMAT
    chain: str
    events: TableEvents
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as it was kept, with the chain of its notes."""

    table: Table
    chain: str = NO_CHAIN


_TOLD: TypeAdapter[tuple[PublicEvent, ...]] = TypeAdapter(
    tuple[Annotated[PublicEvent, Field(discriminator="event")], ...]
)


def write_table(kept: Kept) -> bytes:
    """The body of a table's document."""
    document = TableDocument.model_construct(format=FORMAT, chain=kept.chain, table=kept.table)
    return document.__pydantic_serializer__.to_json(document)


def read_table(body: bytes) -> Kept:
    """A table from its document. Raises pydantic's ValidationError for a damaged or a newer one."""
    document = TableDocument.model_validate_json(body)
    return Kept(document.table, document.chain)


def write_note(
    chain: str, events: tuple[AnyEvent, ...], lines: tuple[str, ...]
) -> tuple[str, bytes]:
    """The chain after a note that follows *chain*, and the note's body."""
    # Everybody sees the chain: hashed over a pocket, it would tell the card to whoever tries them all.
    after = next_chain(chain, _TOLD.dump_json(tuple(event.public for event in events)))
    note = TableNote.model_construct(format=FORMAT, chain=after, events=events, lines=lines)
    return after, note.__pydantic_serializer__.to_json(note)


def read_note(body: bytes) -> TableNote:
    """A note. Raises pydantic's ValidationError for a damaged one."""
    return TableNote.model_validate_json(body)


def next_chain(chain: str, told: bytes) -> str:
    """The chain after events whose text is *told*.

    >>> next_chain("", b"[]") != next_chain("00", b"[]")
    True
    """
    return blake2b(chain.encode() + b"\n" + told, digest_size=8).hexdigest()
