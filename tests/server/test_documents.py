"""What is written into the store is read back as it was, and what is damaged tells no secrets."""

import json
from dataclasses import replace

import pytest
from pydantic import ValidationError

from dormie_rules.cards import pack
from dormie_rules.grid_events import DrewCard
from dormie_rules.variants import names
from dormie_server.documents import (
    NO_CHAIN,
    Kept,
    TableDocument,
    next_chain,
    read_note,
    read_table,
    write_events,
    write_note,
)
from dormie_server.pen import Pen, write_table
from tests.evening import Evening
from tests.grid_only import grid_secret
from tests.server.table.test_evenings import play_on


@pytest.fixture
def evening() -> Evening:
    evening = Evening()
    evening.begin("p-bob")
    return evening


@pytest.mark.parametrize("variant", names())
def test_a_table_and_its_notes_are_read_as_they_were_written(variant: str) -> None:
    """The evening itself writes and reads everything that happens in it."""
    evening = Evening(variant, {}, size=3, bots=("random",))
    evening.begin("p-bob")
    play_on(evening)

    assert len(evening.changes) > 50


@pytest.mark.parametrize("variant", names())
def test_a_pen_writes_what_the_document_itself_would_write(variant: str) -> None:
    """One pen for a whole evening, which writes only what is new; and a new one."""
    evening = Evening(variant, {}, size=3, bots=("random",))
    evening.begin("p-bob")
    play_on(evening)
    pen = Pen()
    for change in evening.changes:
        kept = Kept(change.table, "00ff")
        whole = TableDocument(chain="00ff", table=change.table).model_dump_json()

        assert json.loads(whole) == json.loads(pen.write(kept)) == json.loads(write_table(kept))


def test_a_note_is_what_it_would_itself_write(evening: Evening) -> None:
    for change in evening.changes:
        _, body = write_note("00ff", write_events(change.events), change.lines)

        assert body == read_note(body).model_dump_json().encode()


def test_a_chain_depends_on_everything_that_was_ever_told(evening: Evening) -> None:
    told = [write_events(change.events) for change in evening.changes]
    chains = {NO_CHAIN}
    for left_out in range(len(told)):
        chain = NO_CHAIN
        for events in (*told[:left_out], *told[left_out + 1 :]):
            chain, _ = write_note(chain, events, ())
        chains.add(chain)

    assert evening.chain not in chains
    assert next_chain("", b"[]") != next_chain("", b"")


def test_a_chain_tells_nobody_which_card_was_drawn(evening: Evening) -> None:
    """There are so few cards that a digest over one hides nothing: whoever tries them all finds it."""
    while not evening.changes[-1].events[0].pockets:
        evening.play(evening.waiting()[0], evening.moves(evening.waiting()[0])[0])
    (drew,) = evening.changes[-1].events
    ((seat, _),) = drew.pockets
    chains = {
        write_note("00ff", write_events([replace(drew, pockets=((seat, DrewCard(card)),))]), ())[0]
        for card in pack()
    }

    assert 1 == len(chains)


def test_a_note_says_what_the_record_will_say() -> None:
    _, note = write_note(NO_CHAIN, (), ("hole 1", "move 1 draw"))

    assert ("hole 1", "move 1 draw") == read_note(note).lines


@pytest.mark.parametrize("format_number", [0, 2, 99])
def test_a_document_of_another_format_is_not_guessed_at(
    evening: Evening, format_number: int
) -> None:
    body = write_table(Kept(evening.table, evening.chain))
    other = body.replace(b'"format":1', b'"format":%d' % format_number, 1)

    assert evening.table == read_table(body).table
    with pytest.raises(ValidationError):
        read_table(other)


def test_nasty_S12_a_damaged_document_tells_no_secrets_in_its_error(evening: Evening) -> None:
    """What is wrong with it goes into the log, and the log is not locked away."""
    secret = evening.table.secret
    hole = grid_secret(evening.table)
    assert hole is not None
    body = write_table(Kept(evening.table, evening.chain))
    for old, new in [
        (b'"master":"', b'"master_":"'),
        (b'"stock":[', b'"stock":[1,'),
        (b'"luck":"', b'"luck":"xx'),
        (b'"hidden":[', b'"hidden":[1,'),
        (b'"generation":', b'"generation":"x'),
    ]:
        with pytest.raises(ValidationError) as error:
            read_table(body.replace(old, new, 1))
        said = f"{error.value} {error.value!r}"

        assert secret.master not in said
        assert secret.master[:16] not in said
        assert ", ".join(repr(card) for card in hole.stock[:2]) not in said
        assert "input_value" not in said


def test_nasty_S12_a_table_that_is_shown_to_a_programmer_shows_no_secrets(evening: Evening) -> None:
    secret = evening.table.secret
    hole = grid_secret(evening.table)
    assert hole is not None
    shown = repr(evening.table) + repr(Kept(evening.table)) + repr(evening.changes)

    assert secret.master not in shown
    assert repr(hole.stock) not in shown
    assert repr(hole.luck) not in shown
    assert repr(replace(hole).hidden) not in shown
