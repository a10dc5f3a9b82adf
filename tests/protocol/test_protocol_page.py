"""The page for authors of clients: what it shows is what the wire takes."""

import json
import re
from typing import Any, get_args

import pytest

from dormie_protocol.codec import read_client, read_server
from dormie_protocol.messages import MAX_MESSAGE, SUBPROTOCOL, ClientMessage, ServerMessage
from dormie_protocol.schema import PAGE
from dormie_protocol.table_view import Phase

TEXT = PAGE.read_text("utf-8")


def examples(side: str) -> list[str]:
    """Every message of a side that the page shows."""
    found = []
    for block in re.findall(rf"^```json {side}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        rest = block.strip()
        while rest:
            _, end = json.JSONDecoder().raw_decode(rest)
            found.append(rest[:end])
            rest = rest[end:].strip()
    return found


def types(side: str) -> set[str]:
    return {json.loads(text)["type"] for text in examples(side)}


def tags(union: Any) -> set[str]:  # a union is no type
    return {kind.model_fields["type"].default for kind in get_args(union)}


@pytest.mark.parametrize("text", examples("client"))
def test_what_the_page_lets_a_client_say_is_read(text: str) -> None:
    assert json.loads(text)["id"] == read_client(text).id


@pytest.mark.parametrize("text", examples("server"))
def test_what_the_page_lets_a_server_say_is_read(text: str) -> None:
    assert json.loads(text)["type"] == read_server(text).type


def test_the_page_shows_every_message() -> None:
    assert tags(ClientMessage) == types("client")
    assert tags(ServerMessage) == types("server")


def test_every_piece_of_json_on_the_page_says_whose_it_is() -> None:
    assert [] == re.findall(r"^```json\n", TEXT, re.MULTILINE)


def test_the_page_knows_the_numbers() -> None:
    assert f"`{SUBPROTOCOL}`" in TEXT
    assert f"at most {MAX_MESSAGE} bytes" in TEXT


def test_the_page_lists_every_phase() -> None:
    assert [] == [phase for phase in get_args(Phase) if f"| `{phase}` |" not in TEXT]


@pytest.mark.parametrize("code", [1003, 1008, 1009, 1011, 1012, 4400, 4401, 4408])
def test_the_page_explains_how_a_connection_ends(code: int) -> None:
    assert f"| {code} |" in TEXT
