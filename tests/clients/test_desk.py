"""Tables that are followed over bad lines, and requests that are answered once, on real sockets."""

import asyncio
import json
import random
from collections.abc import AsyncIterator

import pytest

from dormie_client import ClosedError, RefusedError, Table
from dormie_protocol.codec import write
from dormie_protocol.messages import (
    Create,
    Done,
    Heard,
    Join,
    Play,
    Ready,
    Refused,
    Replaced,
    Start,
    Unwatch,
    Watch,
)
from dormie_protocol.table_view import BecameReady
from dormie_rules.grid_moves import Draw
from tests.clients.fake_server import (
    CODE,
    SOON,
    TOKEN,
    FakePace,
    FakeServer,
    about,
    lose,
    meet,
    seat,
    sight,
    soon,
)

SEEN_LATER = Heard(all=BecameReady(0))


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


async def reach(table: Table, version: int) -> None:
    await table.until(lambda t: t.version >= version, within=SOON)


async def test_scenario_A9_a_table_is_taken_up_where_it_was_left(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(sight(3, 4))
    await reach(table, 4)
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    watch = await again.show(sight(4, 9, replay=True, events=(SEEN_LATER,)), version=9)
    await reach(table, 9)
    await session.close()

    assert (CODE, 4, "0004") == (watch.table, watch.after, watch.chain)
    assert "0009" == table.chain
    assert (2, True) == (watch.line, watch.run != "")


async def test_scenario_A2_what_has_no_answer_is_sent_again_after_the_table_is_seen(
    server: FakeServer,
) -> None:
    """The same id and the same number, so that it is done once."""
    session, peer = await meet(server)
    table = await seat(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    first = await peer.hear(Play)
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    watch = await again.hear(Watch)
    await again.hears_nothing()
    await again.say(Done(re=watch.id, version=4))
    await again.hears_nothing()
    await again.say(sight(3, 4, replay=True))
    second = await again.do(Play, version=5)
    await again.say(sight(4, 5, count=1, moves=()))
    await soon(playing)
    await session.close()

    assert first == second
    assert (1, Draw()) == (second.count, second.move)


async def test_scenario_A1_a_move_made_without_a_connection_waits_for_one(
    server: FakeServer,
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await lose(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 4), version=4)
    await again.do(Play, version=5)
    await asyncio.sleep(0)
    assert not playing.done(), "a move is made when it can be seen"
    await again.say(sight(4, 5, count=1, moves=()))
    await soon(playing)
    await session.close()

    assert () == table.moves


async def test_a_request_in_mid_sentence_of_a_server_that_goes(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    starting = asyncio.create_task(table.start())
    first = await peer.hear(Start)
    await peer.close(1012)
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 4), version=4)
    second = await again.do(Start, version=4)
    await soon(starting)
    await session.close()

    assert first == second


async def test_scenario_A2_what_a_stopping_server_does_not_do_the_next_one_does(
    server: FakeServer,
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    first = await peer.refuse(Play, "stopping", "The server is restarting.")
    await peer.hears_nothing()
    assert not playing.done()
    await peer.close(1012)
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 4), version=4)
    second = await again.do(Play, version=4)
    await soon(playing)
    await session.close()

    assert first == second


async def test_a_hole_in_the_numbers_is_noticed_and_asked_for(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(sight(5, 6))
    watch = await peer.show(sight(3, 6, replay=True), version=6)
    await reach(table, 6)
    await peer.say(sight(6, 7))
    await reach(table, 7)
    await peer.hears_nothing()
    await session.close()

    assert (3, "0003") == (watch.after, watch.chain)


async def test_an_answer_that_does_not_fill_the_hole_is_not_asked_for_in_a_storm(
    server: FakeServer,
) -> None:
    pace = FakePace()
    session, peer = await meet(server, pace.pace())
    await seat(session, peer)
    await peer.say(sight(5, 6))
    for _ in range(3):
        await peer.show(sight(5, 6), version=6)
    await peer.hear(Watch)
    await session.close()

    assert [3.375, 5.0625, 7.59375] == pace.slept[:3]


async def test_what_was_heard_before_is_not_told_again(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    listening = aiter(table.updates())
    await anext(listening)
    await peer.say(sight(3, 4), sight(3, 4), sight(0, 3), sight(4, 5), sight(3, 4))
    await reach(table, 5)
    await peer.say(sight(5, 6))
    heard = [(await anext(listening)).version for _ in range(3)]
    await peer.hears_nothing()
    await session.close()

    assert [4, 5, 6] == heard


async def test_scenario_A10_a_seat_played_from_elsewhere_is_not_taken_back(
    server: FakeServer,
) -> None:
    """Two tabs must not steal a seat from each other."""
    session, peer = await meet(server)
    table = await seat(session, peer)
    listening = aiter(table.updates())
    await anext(listening)
    await peer.say(Replaced(table=CODE))
    await anext(listening)
    assert table.replaced
    assert not table.my_turn()
    with pytest.raises(RefusedError, match="another connection") as refused:
        await table.play(Draw())
    await peer.say(sight(5, 6))  # a hole in the numbers is no reason either
    await peer.hears_nothing()
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    await again.hears_nothing()
    await session.close()

    assert "replaced" == refused.value.word


async def test_a_seat_is_taken_back_when_the_player_says_so(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(Replaced(table=CODE))
    await table.until(lambda t: t.replaced, within=SOON)
    back = asyncio.create_task(table.take_back())
    await peer.show(sight(3, 7), version=7)
    await soon(back)

    assert table.my_turn()
    assert 7 == table.version
    await session.close()


async def test_what_was_under_way_when_the_seat_went_elsewhere_is_not_sent_again(
    server: FakeServer,
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    await peer.hear(Play)
    await peer.say(Replaced(table=CODE))
    await table.until(lambda t: t.replaced, within=SOON)
    assert not playing.done(), "this server may still answer"
    await peer.cut()
    again = await server.peer()
    await again.welcome()

    with pytest.raises(RefusedError, match="another connection"):
        await soon(playing)
    await again.hears_nothing()
    await session.close()


async def test_a_refusal_may_be_the_first_to_say_that_the_seat_is_played_elsewhere(
    server: FakeServer,
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    playing = asyncio.create_task(table.play(Draw()))
    await peer.refuse(Play, "replaced")
    with pytest.raises(RefusedError):
        await soon(playing)
    await session.close()

    assert table.replaced


async def test_a_seat_that_went_elsewhere_while_it_was_being_taken_up(server: FakeServer) -> None:
    session, peer = await meet(server)
    watching = asyncio.create_task(session.watch(CODE))
    await peer.hear(Watch)
    await peer.say(Replaced(table=CODE))

    with pytest.raises(RefusedError, match="another connection"):
        await soon(watching)
    await session.close()


async def test_joining_a_table_played_from_elsewhere_takes_the_seat_back(
    server: FakeServer,
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await peer.say(Replaced(table=CODE))
    await table.until(lambda t: t.replaced, within=SOON)
    joining = asyncio.create_task(session.join(CODE))
    await peer.show(sight(3, 4), version=4)
    await peer.do(Join, seat=0, version=4)
    await peer.show(version=4)
    await soon(joining)

    assert table.my_turn()
    await session.close()


async def test_a_thousand_requests_find_their_answers_in_any_order(server: FakeServer) -> None:
    session, peer = await meet(server)
    codes = [f"{n:08d}".translate(str.maketrans("0189", "WXYZ")) for n in range(1000)]
    asking = [asyncio.create_task(session.join(code)) for code in codes]
    asked = [await peer.hear(Join) for _ in codes]
    random.Random(1).shuffle(asked)
    for join in asked:
        await peer.say(Refused(re=join.id, word="no_table", because=join.table))
    answers = await soon(asyncio.gather(*asking, return_exceptions=True))
    await session.close()

    assert codes == [str(answer) for answer in answers]
    assert 1000 == len({join.id for join in asked})


async def test_a_table_is_asked_no_more_at_once_than_it_remembers(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    asking = [asyncio.create_task(table.start()) for _ in range(6)]
    first = [await peer.hear(Start) for _ in range(4)]
    await peer.hears_nothing()
    await peer.say(Done(re=first[2].id), Done(re=first[0].id))
    for _ in range(2):
        await peer.do(Start)
    await peer.say(Done(re=first[1].id), Done(re=first[3].id))
    await soon(asyncio.gather(*asking))
    await session.close()


async def test_a_request_that_was_given_up_before_it_was_sent_never_is(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    await lose(session, peer)
    given_up = asyncio.create_task(table.play(Draw()))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 4), version=4)
    await again.hears_nothing()
    playing = asyncio.create_task(table.play(Draw()))
    await again.do(Play, version=4)
    await soon(playing)
    await session.close()


async def test_a_request_that_was_given_up_after_it_was_sent_is_still_brought_to_an_end(
    server: FakeServer,
) -> None:
    """Nobody knows whether the move was made: until that is known, its number is in use."""
    session, peer = await meet(server)
    table = await seat(session, peer)
    given_up = asyncio.create_task(table.play(Draw()))
    first = await peer.hear(Play)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(table.play(Draw()))
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    await again.show(sight(3, 4), version=4)
    second = await again.do(Play, version=5)
    await again.hears_nothing()
    with pytest.raises(RefusedError, match="overtaken"):
        await soon(table.play(Draw()))
    await again.say(sight(4, 5, count=1))
    await reach(table, 5)
    playing = asyncio.create_task(table.play(Draw()))
    third = await again.do(Play, version=5)
    await soon(playing)
    await session.close()

    assert first == second
    assert 2 == third.count


async def test_a_table_that_is_gone_after_the_cut_is_over(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    listening = aiter(table.updates())
    await anext(listening)
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    await again.refuse(Watch, "no_table", "There is no such table.")
    with pytest.raises(StopAsyncIteration):
        await soon(anext(listening))
    with pytest.raises(ClosedError, match="no such table"):
        await table.start()
    await again.cut()
    await (await server.peer()).welcome()
    await session.close()

    assert table.closed


async def test_a_table_that_cannot_be_watched_says_why(server: FakeServer) -> None:
    session, peer = await meet(server)
    watching = asyncio.create_task(session.watch(CODE))
    await peer.refuse(Watch, "no_table", "There is no such table.")
    with pytest.raises(RefusedError, match="no such table"):
        await soon(watching)
    watching = asyncio.create_task(session.watch(CODE))
    await peer.show(sight(0, 3), version=3)
    table = await soon(watching)
    await session.close()

    assert 3 == table.version


@pytest.mark.parametrize("word", ["too_fast", "store_unavailable", "stopping"])
async def test_a_table_that_cannot_be_watched_just_now_is_tried_again(
    server: FakeServer, word: str
) -> None:
    pace = FakePace()
    session, peer = await meet(server, pace.pace())
    watching = asyncio.create_task(session.watch(CODE))
    await peer.refuse(Watch, word)
    await peer.refuse(Watch, word)
    await peer.show(sight(0, 3), version=3)
    await soon(watching)
    await session.close()

    assert [2.25, 3.375] == pace.slept


async def test_codes_are_read_as_people_type_them(server: FakeServer) -> None:
    session, peer = await meet(server)
    watching = asyncio.create_task(session.watch(" abcdefgh\n"))
    await peer.show(sight(0, 3), version=3)
    table = await soon(watching)
    again = await session.watch(CODE)
    await peer.hears_nothing()
    await session.close()

    assert CODE == table.code == again.code


@pytest.mark.parametrize("code", ["", "ABC", "ABCDEFG0", "ABCDEFGHJ", "ÀBCDEFGH"])
async def test_what_cannot_be_a_code_is_no_table(server: FakeServer, code: str) -> None:
    session, peer = await meet(server)
    for ask in (session.join, session.watch):
        with pytest.raises(RefusedError) as refused:
            await ask(code)
        assert "no_table" == refused.value.word
    await peer.hears_nothing()
    await session.close()


async def test_options_longer_than_a_message_are_refused_here(server: FakeServer) -> None:
    """Sent, they would cost the connection, again and again."""
    session, peer = await meet(server)
    with pytest.raises(RefusedError) as refused:
        await session.create(options={"values": "x" * 5000})
    await peer.hears_nothing()
    await session.close()

    assert ("unreadable", "options") == (refused.value.word, refused.value.field)


async def test_a_new_table_is_followed_at_once(server: FakeServer) -> None:
    session, peer = await meet(server)
    creating = asyncio.create_task(
        session.create("six_card", options={"holes": 3}, size=2, bots=["easy"])
    )
    create = await peer.do(Create, seat=0, version=1)
    await peer.show(sight(0, 2), version=2)
    table = await soon(creating)
    await session.close()

    assert ({"holes": 3}, 2, ("easy",)) == (create.options, create.size, create.bots)
    assert (0, about(), "c0") == (table.seat, table.about, table.fairness.commitment)


async def test_a_closed_table_ends_everything_at_it(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    hoping = asyncio.create_task(table.until(lambda t: t.view.phase == "over"))
    closing = asyncio.create_task(table.until(lambda t: t.view.phase == "closed"))
    await asyncio.sleep(0)
    await peer.say(sight(3, 4, phase="closed", moves=()))
    phases = [seen.view.phase async for seen in table.updates() if seen.view]
    await soon(closing)
    with pytest.raises(ClosedError, match="table is closed"):
        await soon(hoping)
    with pytest.raises(ClosedError, match="table is closed"):
        await table.rematch()
    await peer.cut()
    again = await server.peer()
    await again.welcome()
    await again.hears_nothing()
    await session.close()

    assert ["playing", "closed"] == phases
    assert not table.my_turn()


async def test_a_table_can_be_left_alone(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    leaving = asyncio.create_task(table.unwatch())
    await peer.refuse(Unwatch, "wrong_time")
    await soon(leaving)
    await peer.say(sight(3, 4))
    await peer.hears_nothing()
    await session.close()

    assert table.closed
    assert 3 == table.version


async def test_words_of_a_later_time_are_skipped(server: FakeServer) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    listening = aiter(table.updates())
    await anext(listening)
    news = sight(3, 4, events=(SEEN_LATER,))
    loose = json.loads(write(news))
    loose["events"] += [{"all": {"event": "rained", "mm": 3}, "mine": None}, 7]
    loose["weather"] = "wet"
    for text in ('{"type":"forecast"}', "not JSON", "[]", json.dumps(loose)):
        await peer.socket.send(text)
    seen = await soon(anext(listening))

    assert (SEEN_LATER,) == seen.events
    assert (4, True) == (table.version, table.my_turn())
    await session.close()


async def test_answers_to_nothing_and_tables_of_others_are_no_business_of_ours(
    server: FakeServer,
) -> None:
    session, peer = await meet(server)
    table = await seat(session, peer)
    other = sight(0, 8).model_copy(update={"table": "ZZZZZZZZ"})
    await peer.say(Done(re="nobody"), other, Replaced(table="ZZZZZZZZ"), sight(3, 4))
    await reach(table, 4)
    await session.close()

    assert not table.replaced


async def test_two_sessions_with_one_token_never_use_the_same_id(server: FakeServer) -> None:
    ids = []
    for _ in range(2):
        session, peer = await meet(server, token=TOKEN)
        table = await seat(session, peer)
        readying = asyncio.create_task(table.ready())
        ids.append((await peer.do(Ready)).id)
        await soon(readying)
        await session.close()

    assert 2 == len(set(ids))
