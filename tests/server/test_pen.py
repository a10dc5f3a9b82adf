"""What another server has written is read as it is, and only what has changed is read again."""

import dataclasses
import json
import re
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from dormie_rules.values import replace
from dormie_rules.variants import names
from dormie_server import pen as pens
from dormie_server.documents import Kept, read_table
from dormie_server.pen import Pen, write_table
from tests.evening import Evening
from tests.server.table.test_evenings import play_on


def bodies(variant: str) -> list[bytes]:
    """Every document of an evening, by the pen of another server."""
    evening = Evening(variant, {}, size=3, bots=("random",))
    evening.begin("p-bob")
    play_on(evening)
    pen = Pen()
    return [
        pen.write(Kept(change.table, f"{at:04x}", mark=f"{at:012x}"))
        for at, change in enumerate(evening.changes)
    ]


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The documents that were read as a whole."""
    read: list[bytes] = []

    def reading(body: bytes) -> Kept:
        read.append(body)
        return read_table(body)

    monkeypatch.setattr(pens, "read_table", reading)
    return read


@pytest.fixture(scope="module")
def damaged() -> tuple[bytes, bytes]:
    """Two documents of which the second is read with what is remembered of the first; before any damage."""
    before, last = bodies("six_card")[38:40]
    return before, last


@pytest.mark.parametrize("variant", names())
def test_every_document_is_read_as_it_was_written(variant: str) -> None:
    pen = Pen()
    for body in bodies(variant):
        assert read_table(body) == pen.read(body)


def test_a_document_of_a_server_that_knows_of_no_marks_is_read() -> None:
    body = bodies("six_card")[-1]
    old = re.sub(rb',"mark":"[0-9a-f]*"', b"", body)
    pen = Pen()
    pen.read(body)

    assert old != body
    assert dataclasses.replace(read_table(body), mark="") == pen.read(old)


@pytest.mark.parametrize("variant", ["six_card", "nine_card"])
def test_moves_are_read_without_what_stays_as_it_is(variant: str, whole: list[bytes]) -> None:
    every, pen = bodies(variant), Pen()
    for body in every:
        pen.read(body)

    assert len(whole) < len(every) / 3


@pytest.mark.parametrize("variant", names())
def test_whoever_writes_in_turn_with_another_writes_the_same(variant: str) -> None:
    """What one has read from the other is written as the other would."""
    one, two = Pen(), Pen()
    for body in bodies(variant):
        assert body == one.write(two.read(body))
        one, two = two, one


@pytest.mark.parametrize(
    "other",
    [lambda body: json.dumps(json.loads(body)).encode(), lambda body: body.replace(b"\n", b"")],
)
def test_documents_without_lines_are_read_too(other: Callable[[bytes], bytes]) -> None:
    pen = Pen()
    for body in bodies("six_card")[:40]:
        pen.read(body)
        assert read_table(body) == pen.read(other(body))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"format":1', b'"format":2'),
        (b'"version":', b'"version":"x'),
        (b'"phase":"', b'"phase":"x'),
        (b'"pockets":[\n{', b'"pockets":[\n{{'),
        (b'"sitters":[\n{', b'"sitters":[\n7,{'),
        (b'"stock":[', b'"stock":[1,'),
        (b'"generations":', b'"generations":"x'),
        (b"}}}}", b"}}}"),
    ],
)
def test_a_damaged_document_is_found_whatever_is_remembered(old: bytes, new: bytes) -> None:
    *before, last = bodies("six_card")[:40]
    pen = Pen()
    for body in before:
        pen.read(body)
    assert old in last

    with pytest.raises(ValidationError) as error:
        pen.read(last.replace(old, new, 1))
    assert "input_value" not in str(error.value)
    assert read_table(last) == pen.read(last), "and does not mislead"


def found(read: Callable[[bytes], Kept], body: bytes) -> object:
    """What is read of a document, however it is spaced, or that it is damaged."""
    try:
        kept = read(body)
    except ValidationError:
        return "damaged"
    return kept.table, kept.chain, json.loads(kept.public)


@pytest.mark.parametrize("line", range(13))
@pytest.mark.parametrize(
    "change",
    [
        lambda _: b"",
        lambda _: b"null",
        lambda _: b"{}",
        lambda _: b"[]",
        lambda line: line + b" ",
        lambda line: b" " + line,
        lambda line: line + line,
        lambda line: line + b",null",
        lambda line: line + b"]",
        lambda line: line.replace(b'"version":', b'"version":0'),
        lambda line: line.replace(b'"version":', b'"version":-'),
        lambda line: line.replace(b'"version":', b'"version":' + b"1" * 5000),
        lambda line: line[:-1] + b"\xff" + line[-1:],
    ],
)
def test_whoever_remembers_reads_nothing_that_whoever_does_not_would_read_otherwise(
    line: int, change: Callable[[bytes], bytes], damaged: tuple[bytes, bytes]
) -> None:
    before, last = damaged
    lines, pen = last.split(b"\n"), Pen()
    pen.read(before)
    lines[line] = change(lines[line])
    body = b"\n".join(lines)

    assert found(read_table, body) == found(pen.read, body)


NOT_TEXT = "\ud800"
"""Half a character, which no document can hold."""


def test_what_could_not_be_written_misleads_nobody() -> None:
    """What a pen remembers of a table that it was given is what it has written of it, or nothing."""
    evening = Evening(size=2)
    evening.come("p-bob", "Bob")
    table, pen = evening.table, Pen()
    right = pen.write(Kept(table))
    about, (ada, bob) = replace(table.about, table="BCDEFGHJ"), table.secret.sitters
    assert ada is not None
    assert bob is not None
    come = (replace(ada, run="new"), replace(bob, run=NOT_TEXT))
    for secret in ({"salt": NOT_TEXT}, {"sitters": come}):
        state = replace(table.state, secret=replace(table.secret, **secret))
        with pytest.raises(ValueError, match="surrogates"):
            pen.write(Kept(replace(table, about=about, state=state)))

        assert right == pen.write(Kept(table))


def test_a_name_with_everything_in_it_breaks_no_line() -> None:
    evening = Evening(size=2)
    evening.come("p-bob", 'Bob\n],\n}}}}\u2028"{')
    kept = Kept(evening.table, "ab")

    assert 13 == len(write_table(kept).split(b"\n"))
    assert kept == Pen().read(write_table(kept))
