import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from dormie_protocol import schema
from dormie_protocol.messages import SUBPROTOCOL, ClientMessage, ServerMessage
from dormie_protocol.table_view import PublicEvent
from dormie_protocol.words import SENTENCES

WRITTEN: dict[str, Any] = json.loads(schema.SCHEMA.read_text("utf-8"))
DEFS: dict[str, Any] = WRITTEN["$defs"]


def inside(part: object) -> Iterator[dict[str, Any]]:
    """Every object in a piece of JSON."""
    if isinstance(part, list):
        for item in part:
            yield from inside(item)
    if isinstance(part, dict):
        yield part
        for item in part.values():
            yield from inside(item)


def names(of: str) -> list[str]:
    """The messages of one side, as the schema lists them."""
    return [one["$ref"].rpartition("/")[2] for one in DEFS[of]["oneOf"]]


def required(name: str) -> set[str]:
    return set(DEFS[name].get("required", ()))


def test_what_is_generated_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert (0, "") == (schema.main(["--check"]), capsys.readouterr().err)


def test_a_stale_file_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schema, "SCHEMA", tmp_path / "schema.json")
    monkeypatch.setattr(schema, "PAGE", tmp_path / "missing.md")
    stale = schema.main(["--check"]), capsys.readouterr().err
    written = schema.main([]), schema.main(["--check"])

    assert (1, "schema.json: no longer what the code says; make docs writes it again\n") == stale
    assert (0, 0) == written


def test_checking_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "SCHEMA", tmp_path / "schema.json")
    schema.main(["--check"])

    assert not (tmp_path / "schema.json").exists()


def test_every_message_of_each_side_is_in_the_schema() -> None:
    assert [kind.__name__ for kind in get_args(ClientMessage)] == names("ClientMessage")
    assert [kind.__name__ for kind in get_args(ServerMessage)] == names("ServerMessage")


def test_every_event_is_in_the_schema() -> None:
    assert [] == [kind.__name__ for kind in get_args(PublicEvent) if kind.__name__ not in DEFS]


def test_the_schema_says_which_protocol_it_is_of() -> None:
    assert SUBPROTOCOL == WRITTEN["title"]


def test_every_reference_leads_somewhere() -> None:
    wanted = {part["$ref"] for part in inside(WRITTEN) if "$ref" in part}
    wanted |= {
        to
        for part in inside(WRITTEN)
        for to in part.get("discriminator", {}).get("mapping", {}).values()
    }

    assert set() == wanted - {f"#/$defs/{name}" for name in DEFS}


def test_what_a_field_is_called_is_said_once() -> None:
    titled = [
        (name, field)
        for name, of in DEFS.items()
        for field, about in of.get("properties", {}).items()
        if "title" in about
    ]

    assert [] == titled


def test_a_field_with_one_value_is_never_left_out() -> None:
    """The tag of a message, a move or an event: generators of types rely on it."""
    left_out = [
        (name, field)
        for name, of in DEFS.items()
        for field, about in of.get("properties", {}).items()
        if "const" in about and field not in required(name)
    ]

    assert [] == left_out


@pytest.mark.parametrize("name", names("ServerMessage"))
def test_a_server_writes_every_field(name: str) -> None:
    assert set(DEFS[name]["properties"]) == required(name)


def test_a_client_may_leave_out_what_has_a_usual_value() -> None:
    assert {"type", "id"} == required("Create")
    assert {"type", "id", "table", "count", "move"} == required("Play")


@pytest.mark.parametrize("name", names("ClientMessage"))
def test_what_a_client_sends_is_closed(name: str) -> None:
    assert DEFS[name]["additionalProperties"] is False


@pytest.mark.parametrize("name", names("ServerMessage"))
def test_what_a_server_sends_may_grow(name: str) -> None:
    assert "additionalProperties" not in DEFS[name]


def test_the_page_lists_every_word() -> None:
    page = schema.PAGE.read_text("utf-8")

    assert [] == [word for word in SENTENCES if f"| `{word}` |" not in page]
