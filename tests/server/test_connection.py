"""Conversations over real sockets: hello first, one answer to every request, and an end that says why."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from dormie_protocol.messages import Done, Refused
from dormie_server.app import App
from dormie_server.ids import new_token
from dormie_server.sqlite_store import SqliteStore
from tests.diary import diary
from tests.server.guest import ENTROPY, Guest, guests
from tests.server.moody_store import MoodyStore
from tests.serving import serving

USUAL = {"messages_per_second": 20, "messages_at_once": 40}


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def answers(guest: Guest, count: int) -> list[Done | Refused]:
    """The first so many answers of a connection."""

    def enough() -> list[Done | Refused] | None:
        found = [one for one in guest.heard if isinstance(one, Done | Refused)]
        return found if len(found) >= count else None

    return await guest.wait(enough)


# --------------------------------------------------------------------------- hello


async def test_nasty_P09_hello_twice_is_refused_and_the_talk_goes_on(house: App) -> None:
    async with guests(house.port, "Ada") as (ada,):
        assert "already_greeted" == await ada.refused("hello", token=new_token())
        assert (await ada.do("create", options={"holes": 1})).table


@pytest.mark.parametrize(
    ("text", "word", "re"),
    [
        ('{"type":"create","id":"c1"}', "hello_first", "c1"),
        ('{"type":"watch","id":"w1","table":"ABCDEFGH"}', "hello_first", "w1"),
        ('{"type":"hello","id":"h1","token":"short"}', "unreadable", "h1"),
        ("not json", "unreadable", None),
    ],
)
async def test_nasty_P09_before_hello_nothing_else_is_heard(
    house: App, text: str, word: str, re: str | None
) -> None:
    guest = await Guest.connect(house.port)
    await guest.say(text)
    refused = await guest.hear(Refused)

    assert (word, re) == (refused.word, refused.re)
    assert 4401 == await guest.closed()


async def test_nasty_P09_whoever_says_nothing_is_not_waited_for() -> None:
    async with serving(hello_seconds=0.1) as app:
        guest = await Guest.connect(app.port)

        assert 4408 == await guest.closed()
        assert [] == guest.frames


async def test_a_binary_message_ends_the_talk(house: App) -> None:
    guest = await Guest.come(house.port)
    await guest.socket.send(b'{"type":"create","id":"c1"}')

    assert 1003 == await guest.closed()


async def test_whoever_has_a_token_is_known_and_is_sent_no_other(house: App) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()
        again = await Guest.come(house.port, token=ada.token)

        assert (ada.player, "Ada", None) == (again.player, again.welcome.name, again.welcome.token)
        assert (code,) == again.welcome.tables
        await again.leave()


async def test_a_name_that_cannot_be_used_is_refused_with_its_reason(house: App) -> None:
    for name in ("a\0b", "\x07", "\x1b[31m", "", "x" * 65):
        guest = await Guest.connect(house.port)
        await guest.say({"type": "hello", "id": "h", "name": name})
        refused = await guest.hear(Refused)

        assert refused.word in ("bad_name", "unreadable")
        assert await guest.closed() in (1008, 4401)


async def test_only_so_many_guests_come_from_one_address_at_once() -> None:
    async with serving(limits={"guests_per_minute": 1, "guests_at_once": 2}) as app:
        known = await Guest.come(app.port)
        await Guest.come(app.port)
        third = await Guest.connect(app.port)
        await third.say({"type": "hello", "id": "h"})

        assert "too_fast" == (await third.hear(Refused)).word
        assert 1008 == await third.closed()
        assert known.player == (await Guest.come(app.port, token=known.token)).player


async def test_a_hello_that_finds_the_store_away_is_refused() -> None:
    store = MoodyStore(SqliteStore(":memory:"))
    async with serving({"store": store}) as app:
        ada = await Guest.come(app.port)
        store.away = True
        for hello in ({"name": "Bob"}, {"token": ada.token}):
            guest = await Guest.connect(app.port)
            await guest.say({"type": "hello", "id": "h", **hello})

            assert "store_unavailable" == (await guest.hear(Refused)).word
            assert 1008 == await guest.closed()
        store.away = False


# --------------------------------------------------------------------------- tokens


async def refused_with(house: App, token: str) -> str:
    guest = await Guest.connect(house.port)
    await guest.say({"type": "hello", "id": "h", "token": token})
    word = (await guest.hear(Refused)).word
    assert {"unknown_token": 4401, "too_fast": 1008}[word] == await guest.closed()
    return word


async def test_nasty_S02_after_twenty_guesses_guessing_is_over_and_a_right_token_still_opens(
    house: App,
) -> None:
    """Others may share the guesser's address: they must not be locked out."""
    now = 0.0
    house.reception.clock = lambda: now
    ada = await Guest.come(house.port)
    words = [await refused_with(house, new_token()) for _ in range(20)]

    assert ["unknown_token"] * 20 == words
    assert "too_fast" == await refused_with(house, new_token())
    assert ada.player == (await Guest.come(house.port, token=ada.token)).player
    now = 61.0
    assert "unknown_token" == await refused_with(house, new_token())


async def test_scenario_A4_a_storm_of_wrong_tokens_changes_nothing_for_the_player(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        before = await house.keeper.table(code)
        await asyncio.gather(*(refused_with(house, new_token()) for _ in range(15)))

        assert before == await house.keeper.table(code)
        await ada.do("ready", table=code, entropy=ENTROPY)


# -------------------------------------------------------------------------- answers


async def test_every_request_has_exactly_one_answer_however_fast_they_come(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create(size=3)
        await bob.join(code)
        kinds = ("watch", "ready", "join", "start", "rematch", "leave", "unwatch", "end", "hello")
        sent = [(f"x{n}", kinds[n % len(kinds)]) for n in range(90)]
        start = len(bob.frames)
        for number, kind in sent:
            table = {} if kind == "hello" else {"table": code}
            await bob.say({"type": kind, "id": number, **table})
        await bob.ask("hello", id="last")

        answered = [one for one in bob.heard[start:] if isinstance(one, Done | Refused)]
        assert [number for number, _ in sent] + ["last"] == [one.re for one in answered]


async def test_a_request_that_fails_by_our_mistake_ends_one_talk_and_no_other(
    house: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> Done:
        raise ZeroDivisionError("a mistake of ours")

    async with guests(house.port, "Ada") as (ada,):
        bob = await Guest.come(house.port, "Bob")
        with diary() as pages, monkeypatch.context() as patch:
            patch.setattr(house.reception.desk, "answer", broken)
            await bob.say({"type": "watch", "id": "w", "table": "PARTEE23"})
            assert 1011 == await bob.closed()
        (line,) = map(json.loads, pages.getvalue().splitlines())

        assert await ada.create()
        assert ("conversation_failed", bob.player, "watch", "PARTEE23") == (
            *(line["event"], line["player"]),
            *(line["asked"], line["table"]),
        )
        assert "Bob" not in pages.getvalue()


async def test_nasty_L08_whoever_floods_is_shut_out_and_the_others_play_on() -> None:
    async with serving(limits=USUAL) as app, guests(app.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        eve = await Guest.come(app.port, "Eve")
        await eve.do("watch", table=code)
        for number in range(1000):
            if eve.socket.close_code is not None:
                break
            await eve.say({"type": "ready", "id": f"f{number}", "table": code})
        assert 1008 == await eve.closed()

        for guest in (ada, bob):
            await guest.do("ready", table=code, entropy=ENTROPY)
        await ada.phase(code, "playing")


async def test_nasty_P14_whoever_asks_for_the_view_again_and_again_is_shut_out() -> None:
    async with serving(limits=USUAL) as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create()
        eve = await Guest.come(app.port, "Eve")
        for number in range(1000):
            if eve.socket.close_code is not None:
                break
            await eve.say({"type": "watch", "id": f"f{number}", "table": code})
        assert 1008 == await eve.closed()

        assert len(eve.frames) < 200
        assert await ada.create(id="another")


async def test_ten_messages_that_are_none_within_a_minute_are_too_many(house: App) -> None:
    now = 0.0
    house.reception.clock = lambda: now
    guest = await Guest.come(house.port)
    for number in range(18):  # nine in a minute, and nine in the next
        now = 61.0 * (number // 9)
        await guest.say("{")
        await answers(guest, number + 1)
    await guest.say("{")

    assert 4400 == await guest.closed()
    assert 19 == len(await answers(guest, 19))
