"""What is kept of an evening of chaos in which a promise was broken: so that one can find out how."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic_core import from_json

from dormie_protocol.fields import CODE_LENGTH, CODE_LETTERS
from dormie_server.keeper import table_key
from dormie_server.store import Store
from tests.chaos.ledger import Ledger

_CODE = re.compile(rf"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")


async def holes_in(store: Store, codes: Iterable[str]) -> list[str]:
    """Tables whose notes do not go from 1 to the version of the table, in words."""
    wrong = list[str]()
    for code in codes:
        document, notes = await store.get(table_key(code)), await store.notes(table_key(code))
        versions = [note.version for note in notes]
        if document is not None and versions != list(range(1, document.version + 1)):
            wrong.append(f"{code} is at version {document.version}, and has notes {versions}")
    return wrong


async def notes_of(store: Store, wrong: Sequence[str]) -> dict[str, dict[int, object]]:
    """The notes of every table that is named in *wrong*, by table and version."""
    named = {found[0] for one in wrong if (found := _CODE.search(one))}
    every = {code: await store.notes(table_key(code)) for code in sorted(named)}
    return {
        code: {note.version: from_json(note.body) for note in notes}
        for code, notes in every.items()
    }


def keep(
    folder: Path,
    ledger: Ledger,
    records: Mapping[str, Sequence[str]],
    wrong: Sequence[str],
    notes: Mapping[str, Mapping[int, object]],
) -> None:
    """Write all of it into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger.save(folder / "ledger.json")
    (folder / "wrong.txt").write_text("\n".join(wrong), "utf-8")
    for code, texts in records.items():
        for number, text in enumerate(texts, 1):
            (folder / f"{code}-{number}.txt").write_text(text, "utf-8")
    for code, told in notes.items():
        (folder / f"{code}-notes.json").write_text(json.dumps(told, indent=1), "utf-8")
