from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_protocol.messages import ClientMessage, FromClient, ServerMessage
from dormie_protocol.table_view import PocketEvent, PublicEvent
from dormie_rules.grid_moves import GridMove

CLIENT: tuple[type[FromClient], ...] = get_args(ClientMessage)
MOVES: tuple[Any, ...] = get_args(GridMove)  # the classes of the moves


def properties(schema: object) -> set[str]:
    """Every name of a field anywhere in a JSON schema."""
    if isinstance(schema, list):
        return {name for item in schema for name in properties(item)}
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})).union(*map(properties, schema.values()))


def fields(kind: Any) -> set[str]:  # a model or a dataclass
    return properties(TypeAdapter(kind).json_schema())


def test_no_message_can_name_a_card() -> None:
    """Which card is meant follows from the table; what cannot be written cannot be forged (U22)."""
    named = set().union(*map(fields, CLIENT))

    assert {"id", "type", "table", "count", "move", "at", "seat"} <= named
    assert [] == [name for name in named if "card" in name or "hand" in name or "grid" in name]


def test_a_move_cannot_name_a_seat() -> None:
    """One could once turn another player's cards up (U22)."""
    assert {"id", "type", "table", "count", "move", "at", "column"} == fields(m.Play)
    assert [{"move"}, {"move"}, {"at", "move"}, {"move"}, {"at", "move"}, {"move"}] == [
        fields(move) for move in MOVES
    ]


def test_a_seat_is_named_only_to_take_it_or_to_say_who_sits_there() -> None:
    """To play it nobody names one."""
    named = {kind for kind in CLIENT if "seat" in fields(kind)}

    assert {m.Join, m.Bot, m.Kick, m.HandOver, p.Mute, p.Unmute, p.Block, p.Report} == named


def test_a_password_is_in_no_repr() -> None:
    said = [
        m.Create(id="1", password="hunter2"),
        m.Join(id="1", table="PARTEE23", password="hunter2"),
        m.Watch(id="1", table="PARTEE23", password="hunter2"),
        m.SetPassword(id="1", table="PARTEE23", password="hunter2"),
    ]

    switches = {m.SetSpectators}  # whether one is needed, not what it is
    assert {m.Create, m.Join, m.Watch, m.SetPassword} == {
        kind for kind in CLIENT if "password" in fields(kind)
    } - switches
    assert "hunter2" not in repr(said)


def test_a_token_is_sent_in_the_first_message_only() -> None:
    assert {m.Hello} == {kind for kind in CLIENT if "token" in fields(kind)}


@pytest.mark.parametrize("kind", CLIENT, ids=lambda kind: kind.__name__)
def test_what_a_client_sends_is_closed_and_bounded(kind: type[FromClient]) -> None:
    schema = kind.model_json_schema()
    unbounded = [
        name
        for name, field in schema["properties"].items()
        for one in field.get("anyOf", [field])
        if not _bounded(one, schema.get("$defs", {}))
    ]

    assert schema["additionalProperties"] is False
    assert [] == unbounded


def _bounded(field: dict[str, Any], defs: dict[str, Any]) -> bool:
    """Whether a field has a largest value."""
    if "$ref" in field:
        inner = defs[field["$ref"].rpartition("/")[2]]
        parts = [p for f in inner["properties"].values() for p in f.get("anyOf", [f])]
        return inner["additionalProperties"] is False and all(_bounded(p, defs) for p in parts)
    match field.get("type"):
        case "string":
            return bool({"pattern", "maxLength", "const", "enum"} & field.keys())
        case "integer":
            return {"minimum", "maximum"} <= field.keys()
        case "array":
            return "maxItems" in field
        case "object":
            return "maxProperties" in field
        case "null" | "boolean":
            return True
        case _:
            return "oneOf" in field  # a move


@pytest.mark.parametrize("union", [ClientMessage, ServerMessage, PublicEvent, GridMove], ids=str)
def test_every_tag_is_used_once(union: Any) -> None:  # a union is no type
    tags = [
        kind.__dataclass_fields__.get("event", kind.__dataclass_fields__.get("move")).default
        if hasattr(kind, "__dataclass_fields__")
        else kind.model_fields["type"].default
        for kind in get_args(union)
    ]

    assert len(set(tags)) == len(tags)


def test_a_part_for_one_seat_is_no_event_for_all() -> None:
    assert PocketEvent not in get_args(PublicEvent)


@pytest.mark.parametrize("code", ["", "ABCDEFG", "ABCDEFGHJ", "ABCDEFGI", "abcdefgh", "ABCD-FGH"])
def test_a_code_has_eight_letters_that_nobody_mixes_up(code: str) -> None:
    with pytest.raises(ValidationError):
        m.Start(id="1", table=code)


def test_the_letters_of_a_code_cannot_be_mixed_up() -> None:
    assert set() == set("IL01O") & set(m.CODE_LETTERS)
    assert len(set(m.CODE_LETTERS)) == len(m.CODE_LETTERS)


@pytest.mark.parametrize(
    ("entropy", "allowed"),
    [
        ("ab" * 16, True),
        ("ab" * 32, True),
        ("ab" * 15, False),
        ("ab" * 16 + "a", False),
        ("AB" * 16, False),
    ],
)
def test_luck_is_whole_bytes(entropy: str, *, allowed: bool) -> None:
    try:
        read = m.Ready(id="1", table="ABCDEFGH", entropy=entropy).entropy
    except ValidationError:
        read = None

    assert read == (entropy if allowed else None)
