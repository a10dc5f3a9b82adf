"""Who finds a table, who gets in, and what becomes of whoever the host has sent away."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dormie_protocol import messages as m
from dormie_protocol.messages import Done, SentAway
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Join, Kick, Lock, SetPassword
from dormie_server.table.refusal import No
from tests.contracts.stores import Clock
from tests.scenarios.tables import view_of
from tests.server.backstage import CODE, PATIENT, Ear, backstage, caught_up, opening_of
from tests.server.counter import PLENTY, Counter, create, opened
from tests.server.guest import Guest, guests
from tests.serving import serving
from tests.waiting import until

SECRET = "birdie & eagle"
WRONG = "NQSVCHTE"


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


@pytest.fixture
async def counter() -> AsyncIterator[Counter]:
    async with opened(PLENTY) as counter:
        yield counter


async def opens(counter: Counter, **fields: Any) -> str:
    return (await counter.ask("ada", create(password=SECRET, **fields))).table or ""


# ---------------------------------------------------------------------------- the password


@pytest.mark.parametrize("said", [None, "wrong", SECRET.upper(), SECRET + " "])
@pytest.mark.parametrize("kind", [m.Join, m.Watch])
async def test_scenario_C10_nobody_joins_or_watches_without_the_password(
    counter: Counter, kind: type[m.Join] | type[m.Watch], said: str | None
) -> None:
    """And nobody learns from the answer that there is such a table."""
    code = await opens(counter)
    answers = set()
    for table in (code, WRONG):
        with pytest.raises(No) as no:
            await counter.ask("eve", kind(id="q", table=table, password=said))
        answers.add((no.value.why, str(no.value), no.value.field))

    assert 1 == len(answers)
    assert [] == counter.caller("eve").peer.frames  # type: ignore[attr-defined]  # it is an Ear
    assert "done" == await counter.word("eve", kind(id="q2", table=code, password=SECRET))


async def test_scenario_C10_whoever_has_a_seat_needs_no_password(counter: Counter) -> None:
    code = await opens(counter)
    await counter.ask("bob", m.Join(id="j", table=code, password=SECRET))

    for who in ("ada", "bob"):
        assert "done" == await counter.word(who, m.Watch(id="w", table=code))
        assert "done" == await counter.word(who, m.Join(id="j2", table=code))


async def test_only_where_everybody_knows_of_the_table_a_wrong_password_is_called_one(
    counter: Counter,
) -> None:
    code = await opens(counter, listed=True)

    assert "wrong_password" == await counter.word("eve", m.Watch(id="w", table=code))
    assert "wrong_password" == await counter.word(
        "eve", m.Join(id="j", table=code, password="no!!")
    )


@pytest.mark.parametrize("listed", [False, True])
async def test_a_wrong_password_is_a_guess_and_there_are_ten(
    counter: Counter,
    listed: bool,  # noqa: FBT001 - both kinds of tables
) -> None:
    code = await opens(counter, listed=listed)
    for number in range(10):
        await counter.word("eve", m.Join(id=f"j{number}", table=code, password=f"guess{number}"))
    right = m.Join(id="j", table=code, password=SECRET)

    assert "no_table" == await counter.word("eve", right)
    assert "done" == await counter.word("bob", right, "198.51.100.7")


async def test_so_many_passwords_and_no_more_are_looked_at_for_an_address(
    counter: Counter,
) -> None:
    """A right one costs as much as a wrong one."""
    code = await opens(counter)
    words = [
        await counter.word("eve", m.Watch(id=f"w{number}", table=code, password=SECRET))
        for number in range(PLENTY.passwords_at_once)
    ]

    assert ({"done"}, "too_fast") == (set(words[:-1]), words[-1]), "opening one has counted, too"
    back = m.Watch(id="back", table=code, password=SECRET)
    assert "done" == await counter.word("ada", back), "who has a seat needs none to come back to it"


async def test_nasty_P01_a_table_with_a_password_asked_for_twice_is_one_table(
    counter: Counter,
) -> None:
    first = await opens(counter)

    assert first == await opens(counter)
    assert "id_conflict" == await counter.word("ada", create(password="another"))
    assert "id_conflict" == await counter.word("ada", create())


async def test_a_password_is_kept_nowhere(counter: Counter) -> None:
    code = await opens(counter)
    await counter.ask("bob", m.Join(id="j", table=code, password=SECRET))
    await counter.ask("ada", m.SetPassword(id="p", table=code, password="swordfish"))
    document = await counter.store.get(f"table:{code}")
    assert document is not None
    notes = b"".join(note.body for note in await counter.store.notes(f"table:{code}"))
    table = await counter.house.table(code)

    for text in (document.body, notes, repr(table).encode()):
        assert SECRET.encode() not in text
        assert b"swordfish" not in text
    assert table.secret.key
    assert table.secret.key.encode() not in notes
    assert table.secret.key not in repr(table)


async def test_a_host_changes_and_lifts_the_password(counter: Counter) -> None:
    code = await opens(counter)
    await counter.ask("ada", m.SetPassword(id="p", table=code, password="swordfish"))
    assert "no_table" == await counter.word("eve", m.Join(id="j", table=code, password=SECRET))
    assert "done" == await counter.word("eve", m.Watch(id="w", table=code, password="swordfish"))
    await counter.ask("ada", m.SetPassword(id="p2", table=code, password=None))

    assert "done" == await counter.word("fay", m.Watch(id="w", table=code))


async def test_scenario_C3_of_fifty_who_know_the_password_one_gets_the_last_seat(
    counter: Counter,
) -> None:
    code = await opens(counter)
    words = await asyncio.gather(
        *(
            counter.word(f"p{n}", m.Join(id="j", table=code, password=SECRET), f"203.0.113.{n}")
            for n in range(50)
        )
    )

    assert (1, 49) == (words.count("done"), words.count("no_table"))


async def test_scenario_C4_friends_who_follow_one_link_together_are_different_people(
    house: App,
) -> None:
    async with guests(house.port, "Ada", *["Friend"] * 5) as (ada, *friends):
        code = await ada.create(size=4, password=SECRET)
        got = await asyncio.gather(
            *(one.ask("join", table=code, password=SECRET) for one in friends)
        )
        seats = [answer.seat for answer in got if isinstance(answer, Done)]
        await until(lambda: None not in view_of(ada.last(code)).seats)
        names = [seat.name for seat in view_of(ada.last(code)).seats if seat]

        assert [1, 2, 3] == sorted(seat for seat in seats if seat)
        assert 5 == len({one.token for one in friends})
        assert 4 == len(set(names))


# ----------------------------------------------------------------------------- sent away


async def test_scenario_C1_whoever_is_sent_away_for_good_plays_and_sees_nothing_more(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(size=3)
        await eve.join(code)
        other = await Guest.come(house.port, token=eve.token)
        await other.do("watch", table=code)
        await ada.do("kick", table=code, seat=1, ban=True, name="Eve")
        await other.hear(SentAway, lambda said: said.table == code)
        told = [heard.all for seen in other.of(code) for heard in seen.events]
        heard = len(other.of(code))
        await ada.do("lock", table=code, locked=True)

        assert "kicked" == told[-1].event
        assert heard == len(other.of(code))
        assert "no_table" == await eve.refused("watch", table=code)
        assert "no_table" == await eve.refused("join", table=code)
        assert "not_seated" == await eve.refused("leave", table=code)
        await other.leave()


async def test_whoever_is_sent_away_and_no_more_may_go_on_watching(house: App) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(size=3)
        await eve.join(code)
        await ada.do("kick", table=code, seat=1)
        await ada.do("lock", table=code, locked=True)
        seen = await eve.see(code, lambda one: view_of(one).locked)

        assert (None, [None, None]) == (seen.seat, list(view_of(seen).seats[1:]))
        assert "no_table" == await eve.refused("join", table=code)


async def test_on_every_server_whoever_is_sent_away_for_good_hears_no_more() -> None:
    store = SqliteStore(":memory:", clock=Clock())
    async with backstage(store, "one") as one, backstage(store, "two") as two:
        await one.open("p-ada", "p-eve", size=3)
        eve, fay = Ear("p-eve"), Ear("p-fay")
        for ear in (eve, fay):
            await two.hub.watch(ear, CODE, 0, "")
        await one.ask("p-ada", Kick(1, ban=True))
        change = await one.ask("p-ada", Lock(locked=True))
        await caught_up(fay, change.version)

        assert SentAway(table=CODE) == eve.heard[-1]
        assert change.version > eve.seen[-1].version
        with pytest.raises(No, match="no such table"):
            await two.hub.watch(eve, CODE, 0, "")
    await store.close()


async def test_a_new_password_is_known_on_every_server() -> None:
    """Also to one that remembers the table with the old one."""
    store = SqliteStore(":memory:", clock=Clock())
    async with backstage(store, "one") as one, backstage(store, "two") as two:
        await one.keeper.open(opening_of("p-ada", CODE, 3, key="old"), PATIENT)
        await two.ask("p-bob", Join("Bob", proof="old"))
        await one.ask("p-ada", SetPassword("new"))

        assert 2 == (await two.ask("p-cleo", Join("Cleo", proof="new"))).seat
        with pytest.raises(No, match="no such table"):
            await two.hub.watch(Ear("p-eve"), CODE, 0, "", proof="old")
        assert (None, 4) == await two.hub.watch(Ear("p-eve"), CODE, 0, "", proof="new")
    await store.close()
