"""The protocol for programs in any language: ``schema.json``, and words in ``docs/protocol.md``.

Both are written from the code by ``python -m dormie_protocol.schema``; with ``--check`` nothing is
written, and one line says so when a file no longer says what the code does.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import core_schema

from dormie_protocol.codec import CLIENT, SERVER
from dormie_protocol.messages import SUBPROTOCOL
from dormie_protocol.words import SENTENCES

SCHEMA = Path(__file__).with_name("schema.json")
PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
"""Only in the repository: an installed Dormie has no docs beside it."""
BEGIN, END = "<!-- words: written by make docs -->\n", "<!-- end of words -->"

_SIDES: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [  # both unions of messages
    ("ClientMessage", "validation", CLIENT),
    ("ServerMessage", "serialization", SERVER),
]


def main(argv: Sequence[str]) -> int:
    """Write what is generated, or with ``--check`` only compare; 1 when something was stale."""
    stale = [path for path, text in generated().items() if _read(path) != text]
    if "--check" not in argv:
        for path in stale:
            path.write_text(generated()[path], "utf-8")
        return 0
    if stale:
        names = " and ".join(path.name for path in stale)
        sys.stderr.write(f"{names}: no longer what the code says; make docs writes it again\n")
    return 1 if stale else 0


def generated() -> dict[Path, str]:
    """Every generated text and where it belongs."""
    texts = {SCHEMA: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"}
    return {**texts, PAGE: _with_words(_read(PAGE))} if PAGE.exists() else texts


def schema() -> dict[str, Any]:
    """The JSON Schema of every message; its $defs have a ``ClientMessage`` and a ``ServerMessage``.

    >>> sorted(schema())
    ['$defs', '$schema', 'anyOf', 'description', 'title']
    """
    sides, shared = TypeAdapter.json_schemas(_SIDES, schema_generator=_Generator)
    found = {**{name: sides[name, mode] for name, mode, _ in _SIDES}, **shared["$defs"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SUBPROTOCOL,
        "description": "Every message of Dormie. A server may send fields that are not here.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name, _, _ in _SIDES],
        "$defs": _renamed(found),
    }


class _Generator(GenerateJsonSchema):
    """Says what is really on the wire: a server writes every field, and a tag is never left out."""

    def field_title_should_be_set(self, schema: object) -> bool:
        del schema
        return False

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - as pydantic calls it
    ) -> bool:
        is_tag = _is_tag(field["schema"])
        return is_tag or self.mode == "serialization" or super().field_is_required(field, total)


def _is_tag(inner: Mapping[str, Any]) -> bool:
    """Whether a field can have one value only."""
    while inner["type"] == "default":
        inner = inner["schema"]
    return inner["type"] == "literal" and len(inner["expected"]) == 1


_NAMES = {
    "dormie_protocol__messages__Play": "Play",
    "dormie_rules__patience_moves__Play": "PlayColumn",
    "dormie_protocol__lobby_view__Played": "Played",
    "dormie_rules__patience_events__Played": "PlayedColumn",
}
"""Where a message and something in it are called alike."""


def _renamed(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same definitions by better names, in alphabetical order.

    Moves are the one thing both sides send; those of the server, the legal ones, may gain fields.
    """
    text = json.dumps(found)
    for name, better in _NAMES.items():
        text = text.replace(name, better)
    for name in json.loads(text):
        if name.endswith("-Output"):
            text = text.replace(name, f"Legal{name.removesuffix('-Output')}")
    renamed: dict[str, Any] = json.loads(text.replace("-Input", ""))
    return dict(sorted(renamed.items()))


def _with_words(page: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = [f"| `{word}` | {english} |\n" for word, (english, _) in SENTENCES.items()]
    table = "".join(["| word | what a person reads |\n", "|---|---|\n", *rows])
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
