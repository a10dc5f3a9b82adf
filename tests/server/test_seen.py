"""The pages of the hub are put together from pieces; they must be the very text of a Seen message."""

import pytest

from dormie_protocol.codec import read_server, write
from dormie_protocol.messages import Seen
from dormie_rules.variants import names
from dormie_server import documents
from dormie_server.documents import Kept
from dormie_server.seen import Look, Page, Span
from dormie_server.table.draft import Change
from tests.evening import CODE, Evening
from tests.server.table.test_evenings import play_on


def span_of(change: Change, chain: str = "00ff") -> Span:
    texts = documents.write_events(change.events)
    return Span(CODE, change.version - 1, change.version, chain, 1000.25, texts)


@pytest.mark.parametrize("variant", names())
def test_a_page_is_the_text_of_the_message_it_stands_for(variant: str) -> None:
    evening = Evening(variant, {}, size=3, bots=("random",))
    evening.begin("p-bob")
    play_on(evening)

    for change in evening.changes:
        page = Page(span_of(change), Kept(change.table))
        for seat in (None, 0, 1, 2):
            text = page.text(Look(seat, replay=seat == 1, whole=seat != 2)).decode()
            message = read_server(text)
            assert isinstance(message, Seen)
            assert text == write(message)


def test_a_page_without_a_table_has_no_view() -> None:
    evening = Evening()
    text = Page(span_of(evening.changes[0]), None).text(Look(0, replay=True))
    message = read_server(text)

    assert isinstance(message, Seen)
    assert (None, None, (), True) == (message.view, message.pocket, message.moves, message.replay)
    assert "opened" == message.events[0].all.event


def test_only_the_drawer_hears_which_card_it_was() -> None:
    evening = Evening()
    evening.begin("p-bob")
    while not evening.changes[-1].events[0].pockets:
        seat = (evening.waiting() or (0,))[0]
        evening.play(seat, evening.moves(seat)[0])
    change = evening.changes[-1]
    drawer, part = change.events[0].pockets[0]
    page = Page(span_of(change), Kept(change.table))
    heard = [read_server(page.text(Look(seat))) for seat in (drawer, 1 - drawer, None)]

    mine = [seen.events[0].mine for seen in heard if isinstance(seen, Seen)]
    assert [part, None, None] == mine
