import json
import re
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_protocol.codec import Unreadable, read_client, read_server, write
from dormie_protocol.messages import (
    MAX_MESSAGE,
    ClientMessage,
    Create,
    FromServer,
    Play,
    Refused,
    ServerMessage,
)
from dormie_protocol.words import sentence
from dormie_rules.grid_moves import Swap
from tests.protocol.strategies import CLIENT, SERVER

PLAY = '{"type":"play","id":"m-1","table":"ABCDEFGH","count":1,"move":{"move":"swap","at":0}}'
WATCH = '{"type":"watch","id":"w-1","table":"ABCDEFGH","after":1}'
CREATE = '{"type":"create","id":"c-1","options":{"limit":100}}'
HELLO = '{"type":"hello","id":"h-1","name":"Ada"}'
LONG = 100_000


def fault(text: str | bytes) -> Unreadable:
    """What the wire says to *text*."""
    with pytest.raises(Unreadable) as what:
        read_client(text)
    return what.value


def changed(text: str, field: str, value: str) -> str:
    """A message with the number or text of *field* written in another way."""
    return re.sub(rf'("{field}":)("[^"]*"|\d+)', lambda found: found[1] + value, text, count=1)


# ---------------------------------------------------------------- both ways


def test_every_message_is_tried() -> None:
    assert set(get_args(ClientMessage)) == set(CLIENT)
    assert set(get_args(ServerMessage)) == set(SERVER)


@given(st.one_of(*CLIENT.values()))
def test_what_a_client_writes_is_what_the_server_reads(message: ClientMessage) -> None:
    assert message == read_client(write(message))


@given(st.one_of(*CLIENT.values()))
def test_bytes_are_read_like_text(message: ClientMessage) -> None:
    assert message == read_client(write(message).encode())


@given(st.one_of(*SERVER.values()))
def test_what_the_server_writes_is_what_a_client_reads(message: ServerMessage) -> None:
    assert message == read_server(write(message))


@given(st.one_of(*SERVER.values()))
def test_a_client_skips_a_field_it_does_not_know(message: FromServer) -> None:
    later = {**json.loads(write(message)), "added_next_year": {"to": ["everybody's", "surprise"]}}

    assert message == read_server(json.dumps(later))


# ------------------------------------------------------------------- strict

NUMBERS = ['"1"', "true", "1.0", "1e0", "-0.0", "null", "NaN", "Infinity", "-1e400", "01", "+1"]


@pytest.mark.parametrize("number", [*NUMBERS, "0x1", "[1]"])
@pytest.mark.parametrize(
    ("message", "field"), [(PLAY, "count"), (PLAY, "at"), (WATCH, "after")], ids=str
)
def test_only_a_whole_number_is_one(message: str, field: str, number: str) -> None:
    fault(changed(message, field, number))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "[NaN]", '{"a":NaN}'])
def test_an_option_is_json(number: str) -> None:
    """The fastest readers of JSON let NaN through, and then nobody can read what is written."""
    what = fault(CREATE.replace("100", number))

    assert ("c-1", "options") == (what.re, what.field)


def test_a_program_cannot_write_what_is_no_json_either() -> None:
    with pytest.raises(ValueError, match="JSON"):
        Create(id="1", options={"limit": float("nan")})


@pytest.mark.parametrize("name", ["1", "true", "[]", "{}"])
def test_a_name_is_text(name: str) -> None:
    assert "name" == fault(changed(HELLO, "name", name)).field


@pytest.mark.parametrize(
    "message",
    [
        PLAY.replace('"count"', '"seat":1,"count"'),
        PLAY.replace('"at":0', '"at":0,"seat":1'),
        PLAY.replace('"at":0', '"at":0,"card":"5S"'),
        PLAY.replace('"swap","at":0', '"draw","at":0'),
        WATCH.replace('"after"', '"seat":1,"after"'),
        HELLO.replace('"name"', '"admin":true,"name"'),
    ],
)
def test_a_field_too_many_is_one_too_many(message: str) -> None:
    fault(message)


@pytest.mark.parametrize(
    "move", ["null", "1", '"draw"', "[]", "{}", '{"at":1}', '{"move":"peek"}', '{"move":"swap"}']
)
def test_a_move_is_one_of_six(move: str) -> None:
    what = fault(PLAY.replace('{"move":"swap","at":0}', move))

    assert "m-1" == what.re
    assert what.field in ("move", "move.at")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "hello",
        "null",
        "1",
        "[]",
        f"[{PLAY}]",
        "\ufeff" + PLAY,
        PLAY + "x",
        PLAY + PLAY,
        PLAY + "\n" + PLAY,
        PLAY[:-1],
        PLAY.replace('"', "'"),
        PLAY.replace('"type"', "type"),
        PLAY[:-1] + ",}",
        "// a comment\n" + PLAY,
        "[" * LONG,
        '{"a":' * LONG,
        CREATE.replace("100", "[" * 1000 + "]" * 1000),
        "\ud800",
        HELLO.replace("Ada", "\ud800"),
        HELLO.replace("Ada", "\\ud800"),
        HELLO.encode("utf-16"),
        HELLO.encode().replace(b"Ada", b"\xff"),
        HELLO.replace("Ada", "A" * LONG),
        b"\x00" * 10,
    ],
    ids=lambda text: repr(text)[:24],
)
def test_what_is_no_message_is_unreadable(text: str | bytes) -> None:
    fault(text)


@pytest.mark.parametrize("space", [" ", "\n", "\t\r\n"])
def test_space_around_a_message_means_nothing(space: str) -> None:
    assert read_client(PLAY) == read_client(space + PLAY + space)


# ---------------------------------------------------------------- the answer


@pytest.mark.parametrize(
    "id_", ["", "a" * 37, "a b", "é", "🙂", "a\\n", "a.b", "\\u0000", "m-1\u200b"]
)
def test_an_id_is_short_and_plain(id_: str) -> None:
    what = fault(changed(PLAY, "id", f'"{id_}"'))

    assert (None, "id") == (what.re, what.field)


@pytest.mark.parametrize("id_", ["7", "a" * 36, "A-z_0", "-"])
def test_the_id_is_found_when_the_rest_is_wrong(id_: str) -> None:
    broken = PLAY.replace('"count":1', '"count":"one"').replace("m-1", id_)

    assert id_ == fault(broken).re


@pytest.mark.parametrize(
    "text", ['{"id":"7"}', '{"id":"7","type":"unheard-of"}', '{"id":"7","type":null}']
)
def test_the_id_is_found_in_a_message_of_no_type(text: str) -> None:
    assert ("7", None) == (fault(text).re, fault(text).field)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (PLAY.replace('"at":0', '"at":"0"'), "move.at"),
        (PLAY.replace('"count":1', '"count":0'), "count"),
        (PLAY.replace("ABCDEFGH", "abcdefgh"), "table"),
        ('{"type":"create","id":"1","bots":["easy",1]}', "bots.1"),
        (CREATE.replace("limit", "NOT A WORD"), "options"),
        (CREATE.replace("limit", "9" * 40), "options"),
        (CREATE.replace("limit", "٣" * 20), "options"),
        (PLAY.replace('"at":0', '"at":0,"secret":1'), "move"),
        (WATCH.replace('"after"', '"12345":0,"after"'), None),
    ],
)
def test_the_answer_names_the_field_at_fault_in_our_own_words(text: str, field: str | None) -> None:
    """A client's own words come back in nobody's answer, be they only digits."""
    assert field == fault(text).field


SECRET = "hunter2-the-token"


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        HELLO.replace("Ada", "Ada" + "\\u" + SECRET),
        HELLO.replace('"name"', f'"{SECRET}":1,"name"'),
        HELLO.replace('"h-1"', f'"h-1","token":"{SECRET}"'),
        PLAY.replace("swap", SECRET),
        PLAY.replace('"at":0', f'"at":"{SECRET}"'),
        PLAY.replace('"at"', f'"{SECRET}"'),
        PLAY.replace('"play"', f'"{SECRET}"'),
        PLAY.replace("m-1", SECRET * 3),
        CREATE.replace("limit", SECRET),
        CREATE.replace('"options"', f'"variant":"{SECRET}","options"'),
    ],
)
def test_an_unreadable_message_is_not_repeated(text: str) -> None:
    what = fault(text)
    said = f"{what} {what!r} {what.re} {what.field} {what.args} {what.__cause__}"

    assert SECRET not in said
    assert what.__suppress_context__


def complaint(text: str | bytes) -> Unreadable | None:
    """What the wire says to *text*, if it has anything to complain about."""
    try:
        read_client(text)
    except Unreadable as what:
        return what
    return None


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_anything_at_all_is_read_or_unreadable(text: str | bytes) -> None:
    what = complaint(text)

    assert what is None or small(what)


@given(st.one_of(*CLIENT.values()), st.data())
def test_a_message_with_a_hole_in_it_is_read_or_unreadable(
    message: ClientMessage, data: st.DataObject
) -> None:
    text = write(message)
    at = data.draw(st.integers(0, len(text) - 1))
    instead = data.draw(st.text('"{}[]:,0e-\\ux', max_size=3))
    what = complaint(text[:at] + instead + text[at + 1 :])

    assert what is None or small(what)


def small(what: Unreadable) -> bool:
    """Whether the refusal is so short that nobody gains by asking for many."""
    refused = Refused(
        re=what.re, word="unreadable", because=sentence("unreadable", "fr"), field=what.field
    )
    return len(write(refused).encode()) < 256


def test_the_longest_refusal_is_short() -> None:
    assert small(Unreadable("a" * 36, "x" * 60))


def test_the_longest_message_a_client_needs_is_allowed() -> None:
    longest = Play(id="a" * 36, table="ABCDEFGH", count=2**31, move=Swap(at=15))

    assert len(write(longest)) < MAX_MESSAGE


@pytest.mark.parametrize("text", ["", "[]", '{"type":"seen"}', '{"type":"start","id":"1"}'])
def test_a_client_says_so_when_it_cannot_read_the_server(text: str) -> None:
    with pytest.raises(Unreadable):
        read_server(text)


def test_a_message_is_frozen() -> None:
    message: Any = read_client(PLAY)  # any field may be tried

    with pytest.raises(ValueError, match="frozen"):
        message.count = 2
