"""The record of a finished match: put together from the notes, kept under a key of its own."""

from contextlib import suppress

from dormie_rules.record import finish
from dormie_server import documents
from dormie_server.store import Conflict, Store
from dormie_server.table.state import Table

_LIVES = 30 * 86400.0
"""A record is kept for thirty days."""


def record_id(code: str, match: int) -> str:
    """The name under which the record of match number *match* at a table is asked for.

    >>> record_id("ABCDEFGH", 2)
    'ABCDEFGH-2'
    """
    return f"{code}-{match}"


def record_key(name: str) -> str:
    """The store's key of a record."""
    return f"record:{name}"


async def keep_record(store: Store, table: Table) -> None:
    """Keep the record that *table* owes; kept already, it stays as it is."""
    assert table.secret.owes_record is not None, "asked only when one is owed"
    match, began = table.secret.owes_record
    notes = await store.notes(f"table:{table.about.table}", began - 1)
    lines = [line for note in notes for line in documents.read_lines(note.body)]
    whole = next(at for at, line in enumerate(lines) if line.startswith("places ")) + 1
    text = finish(lines[:whole])
    key = record_key(record_id(table.about.table, match))
    with suppress(Conflict):
        await store.put(key, text.encode(), 0, lifetime=_LIVES)


async def find_record(store: Store, name: str) -> str | None:
    """The record called *name*, or None."""
    document = await store.get(record_key(name))
    return document.body.decode() if document else None
