"""The desk: every request gets one answer, and a guess at a code learns nothing."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_protocol.words import REFUSALS
from dormie_rules.grid_moves import Draw, Flip
from dormie_server.ids import table_code
from dormie_server.limits import Limits
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from tests.server.backstage import CODE
from tests.server.counter import PLENTY, Counter, create, opened

Request = (
    m.Watch | m.Play | m.Ready | m.Bot | m.Start | m.Rematch | m.Unwatch | m.Join | m.Leave | m.End
) | (
    (
        m.Kick
        | m.HandOver
        | m.Lock
        | m.SetPassword
        | m.SetSpectators
        | m.Pause
        | m.Resume
        | m.Agree
        | m.Vote
        | m.Undo
        | m.Hint
    )
    | (p.Say | p.Emote | p.Chat | p.Mute | p.Unmute | p.Block | p.Report)
)
WRONG = "NQSVCHTE"


@pytest.fixture
async def counter() -> AsyncIterator[Counter]:
    async with opened(PLENTY) as counter:
        yield counter


# ------------------------------------------------------------------------ opening


async def test_nasty_P01_a_table_asked_for_five_times_is_one_table(counter: Counter) -> None:
    answers = [await counter.ask("ada", create()) for _ in range(5)]

    assert 1 == len(set(answers))
    assert (0, 1) == (answers[0].seat, answers[0].version)
    assert 1 == len(await counter.desk.tables(counter.caller("ada").player))


async def test_two_players_who_call_their_requests_alike_have_two_tables(counter: Counter) -> None:
    codes = {(await counter.ask(who, create())).table for who in ("ada", "bob")}

    assert 2 == len(codes)
    assert table_code(bytes.fromhex(counter.caller("ada").player.secret), "c1") in codes


async def test_nasty_P02_an_id_that_opened_another_table_is_refused(counter: Counter) -> None:
    await counter.ask("ada", create())

    assert "id_conflict" == await counter.word("ada", create(size=3))
    assert "id_conflict" == await counter.word("ada", create(options={"holes": 2}))


async def test_nobody_sits_at_more_tables_by_joining_them() -> None:
    async with opened(PLENTY, tables_per_player=2) as counter:
        codes = [(await counter.ask("bob", create(f"c{n}"))).table or "" for n in range(2)]
        mine = (await counter.ask("ada", create())).table or ""
        words = [await counter.word("ada", m.Join(id=f"j{n}", table=codes[n])) for n in range(2)]
        again = await counter.word("ada", m.Join(id="j9", table=mine))

        assert (["done", "too_many_tables"], "done") == (words, again)


async def test_a_house_has_room_for_so_many_tables_and_no_more() -> None:
    async with opened(PLENTY, tables=2) as counter:
        words = [await counter.word(who, create()) for who in ("ada", "bob", "cleo")]

        assert ["done", "done", "too_many_tables"] == words


async def test_only_so_many_tables_are_open_for_one_player() -> None:
    async with opened(PLENTY, tables_per_player=3) as counter:
        words = [await counter.word("ada", create(f"c{n}")) for n in range(4)]

        assert ["done"] * 3 + ["too_many_tables"] == words
        assert "done" == await counter.word("bob", create())


async def test_only_so_many_tables_are_opened_at_once() -> None:
    async with opened(Limits(creations_per_minute=6, creations_at_once=2)) as counter:
        words = [await counter.word("ada", create(f"c{n}")) for n in range(3)]
        counter.now = 10.0

        assert ["done", "done", "too_fast"] == words
        assert "done" == await counter.word("ada", create("c9"))


async def test_nasty_P01_a_table_that_is_open_is_answered_again_beyond_every_limit() -> None:
    """The answer may have been lost, and the client asks again: it opens nothing new."""
    limits = Limits(creations_per_minute=1, creations_at_once=2)
    async with opened(limits, tables_per_player=2) as counter:
        first, second = [await counter.ask("ada", create(f"c{n}")) for n in range(2)]

        assert [first, second] == [await counter.ask("ada", create(f"c{n}")) for n in range(2)]


@pytest.mark.parametrize(
    ("fields", "word", "at"),
    [
        ({"variant": "crazy"}, "bad_option", "variant"),
        ({"variant": "__init__"}, "bad_option", "variant"),
        ({"options": {"holes": 0}}, "bad_option", "holes"),
        ({"options": {"rows": 1, "cols": 6}}, "bad_option", "rows"),
        ({"options": {"nothing": 1}}, "bad_option", "options"),
        ({"bots": ("random", "random")}, "bad_option", "bots"),
        ({"bots": ("genius",)}, "no_such_bot", "level"),
    ],
)
async def test_a_table_that_cannot_be_had_is_refused_with_the_field_at_fault(
    counter: Counter, fields: dict[str, Any], word: str, at: str
) -> None:
    with pytest.raises(No) as no:
        await counter.ask("ada", create(**fields))

    assert (word, at) == (no.value.why, no.value.field)


# ------------------------------------------------------------------------ guessing


async def test_nasty_S01_wrong_full_and_running_tables_give_one_answer(counter: Counter) -> None:
    await counter.house.open("p-ada", "p-bob")
    answers = []
    for code in (WRONG, CODE):
        with pytest.raises(No) as no:
            await counter.ask("eve", m.Join(id="j", table=code))
        answers.append((no.value.why, str(no.value), no.value.field))
    await counter.house.start("p-ada", "p-bob")
    with pytest.raises(No) as no:
        await counter.ask("eve", m.Join(id="j", table=CODE))

    assert {(no.value.why, str(no.value), no.value.field)} == set(answers)


async def test_nasty_S01_after_ten_misses_a_right_guess_is_refused_like_a_wrong_one(
    counter: Counter,
) -> None:
    await counter.house.open("p-ada", size=3)
    words = [await counter.word("eve", m.Watch(id="w", table=WRONG)) for _ in range(10)]
    right = m.Join(id="j", table=CODE)

    assert ["no_table"] * 11 == [*words, await counter.word("eve", right)]
    assert "done" == await counter.word("fay", right, "198.51.100.7"), "it is one address's fault"
    counter.now = 61.0
    assert "done" == await counter.word("eve", right)


async def test_nasty_S01_a_thousand_guesses_from_many_addresses_are_too_many(
    counter: Counter,
) -> None:
    await counter.house.open("p-ada", size=3)
    for number in range(1000):  # too few from each of them to be noticed
        await counter.word("eve", m.Watch(id="w", table=WRONG), f"198.51.{number // 9}.1")

    assert "no_table" == await counter.word("eve", m.Watch(id="w", table=CODE), "203.0.113.5")


async def test_whoever_sits_at_a_table_is_never_taken_for_a_guesser(counter: Counter) -> None:
    await counter.house.open("p-ada", "p-bob")
    for _ in range(20):
        await counter.word("eve", m.Watch(id="w", table=WRONG))

    assert "done" == await counter.word("ada", m.Watch(id="w", table=CODE))
    assert "no_table" == await counter.word("ada", m.Watch(id="w", table=WRONG))


# -------------------------------------------------------------------------- asking


async def test_every_request_at_a_table_has_an_answer(counter: Counter) -> None:
    """Of all kinds of messages, by the host, by another player, and by somebody who only watches."""
    await counter.house.open("p-ada", "p-bob", size=3)
    requests: list[Request] = [
        m.Watch(id="1", table=CODE),
        m.Play(id="2", table=CODE, count=1, move=Draw()),
        m.Ready(id="3", table=CODE),
        m.Bot(id="4", table=CODE, level="random"),
        m.Start(id="5", table=CODE),
        m.Rematch(id="6", table=CODE),
        m.Pause(id="21", table=CODE),
        m.Resume(id="22", table=CODE),
        m.Agree(id="23", table=CODE),
        m.Vote(id="24", table=CODE, choice="bot"),
        m.Undo(id="25", table=CODE),
        m.Unwatch(id="7", table=CODE),
        m.Join(id="8", table=CODE),
        m.HandOver(id="11", table=CODE, seat=1),
        m.Lock(id="12", table=CODE, locked=True),
        m.SetPassword(id="13", table=CODE, password="swordfish"),
        m.SetSpectators(id="15", table=CODE, chat="off"),
        m.Kick(id="14", table=CODE, seat=1),
        m.Hint(id="30b", table=CODE),
        p.Say(id="31", table=CODE, text="hello"),
        p.Emote(id="32", table=CODE, emote="hello"),
        p.Chat(id="33", table=CODE),
        p.Mute(id="34", table=CODE, seat=1),
        p.Unmute(id="35", table=CODE, seat=1),
        p.Block(id="36", table=CODE, seat=1),
        p.Report(id="37", table=CODE, seat=1, reason="other"),
        m.Leave(id="9", table=CODE),
        m.End(id="10", table=CODE),
    ]
    for who in ("eve", "bob", "ada"):
        for request in requests:
            try:
                done = await counter.ask(who, request)
            except No as no:
                assert no.why in REFUSALS
            else:
                assert (request.id, CODE) == (done.re, done.table)

    assert {type(request) for request in requests} == {
        *m.AtTable.__subclasses__(),
        *p.AtSeat.__subclasses__(),
    } - {p.AtSeat}


async def test_scenario_C9_a_spectator_may_not_touch_anything(counter: Counter) -> None:
    await counter.house.begin("p-ada", "p-bob")
    await counter.ask("eve", m.Watch(id="w", table=CODE))
    before = await counter.house.table()
    for request in (
        m.Play(id="2", table=CODE, count=1, move=Flip(0)),
        m.Ready(id="3", table=CODE),
        m.Bot(id="4", table=CODE, level="random"),
        m.Start(id="5", table=CODE),
        m.Rematch(id="6", table=CODE),
        m.Kick(id="7", table=CODE, seat=1),
        m.HandOver(id="8", table=CODE, seat=1),
        m.Lock(id="11", table=CODE, locked=True),
        m.SetPassword(id="12", table=CODE, password=None),
        m.SetSpectators(id="13", table=CODE, delay=0),
        m.Pause(id="21", table=CODE),
        m.Resume(id="22", table=CODE),
        m.Agree(id="23", table=CODE),
        m.Vote(id="24", table=CODE, choice="bot"),
        m.Undo(id="25", table=CODE),
        m.Leave(id="9", table=CODE),
        m.End(id="10", table=CODE),
    ):
        assert "not_seated" == await counter.word("eve", request)

    assert before == await counter.house.table()


async def test_hello_twice_is_refused(counter: Counter) -> None:
    assert "already_greeted" == await counter.word("ada", m.Hello(id="h"))


async def test_a_move_comes_from_the_connection_that_plays_the_seat(counter: Counter) -> None:
    await counter.house.begin("p-ada", "p-bob")
    move = m.Play(id="p", table=CODE, count=1, move=Flip(0))
    with pytest.raises(No, match="Watch this table first") as no:
        await counter.ask("ada", move)
    assert "replaced" == no.value.why
    await counter.ask("ada", m.Watch(id="w", table=CODE))

    assert "done" == await counter.word("ada", move)


async def test_whoever_stops_watching_is_not_there_and_may_come_back(counter: Counter) -> None:
    await counter.house.open("p-ada", "p-bob")
    await counter.ask("ada", m.Watch(id="w1", table=CODE))
    await counter.ask("ada", m.Unwatch(id="u", table=CODE))
    assert not _here(await counter.house.table())
    await counter.ask("ada", m.Watch(id="w2", table=CODE))

    assert _here(await counter.house.table())


async def test_whoever_cannot_stop_watching_now_may_do_so_later(counter: Counter) -> None:
    await counter.house.open("p-ada", "p-bob")
    await counter.ask("ada", m.Watch(id="w", table=CODE))
    counter.store.refusing_puts = True
    assert "store_unavailable" == await counter.word("ada", m.Unwatch(id="u", table=CODE))
    counter.store.refusing_puts = False

    assert "done" == await counter.word("ada", m.Unwatch(id="u", table=CODE))
    assert not _here(await counter.house.table())


def _here(table: Table) -> bool:
    host = table.public.seats[0]
    return host is not None and host.here


@pytest.mark.parametrize("mood", ["away", "refusing_puts"])
async def test_what_cannot_be_kept_is_refused(counter: Counter, mood: str) -> None:
    await counter.house.open("p-ada", "p-bob", size=3)
    setattr(counter.store, mood, True)
    words = {
        await counter.word("ada", create("c2")),
        await counter.word("eve", m.Join(id="j", table=CODE)),
        await counter.word("ada", m.Watch(id="w", table=CODE)),
        await counter.word("ada", m.Ready(id="r", table=CODE)),
    }

    assert {"store_unavailable"} == words


async def test_scenario_C3_of_fifty_who_want_the_last_seat_one_gets_it(counter: Counter) -> None:
    await counter.house.open("p-ada", "p-bob", size=3)
    words = await asyncio.gather(
        *(counter.word(f"p{n}", m.Join(id="j", table=CODE), f"203.0.113.{n}") for n in range(50))
    )

    assert (1, 49) == (words.count("done"), words.count("no_table"))
