"""The lobby over real sockets, and what is behind it: one answer for everybody, and told when it changes."""

import asyncio
import json
from collections.abc import AsyncIterator
from random import Random

import pytest

from dormie_protocol.codec import write
from dormie_protocol.lobby_messages import LISTED_AT_ONCE
from dormie_protocol.lobby_view import Counts, LobbyCard, Tables
from dormie_protocol.messages import Lobby as Wish
from dormie_protocol.messages import LobbySeen, MineSeen
from dormie_server.app import App
from dormie_server.census import Census
from dormie_server.lobby import Lobby, write_tables
from dormie_server.lobby_cards import LOBBY, write_card
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import StoreUnavailable
from dormie_server.table.refusal import No
from dormie_server.table_shelves import OPEN_TABLES
from tests.contracts.stores import Clock
from tests.scenarios.tables import begin, reach, view_of
from tests.server.backstage import Backstage, Ear, backstage
from tests.server.guest import Guest, guests, play_alone
from tests.server.moody_store import MoodyStore
from tests.serving import fetch, serving
from tests.waiting import until


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def look(guest: Guest, **wish: object) -> LobbySeen:
    """Ask what the lobby shows."""
    done = await guest.do("lobby", **wish)
    return next(s for s in guest.heard if isinstance(s, LobbySeen) and s.re == done.re)


async def mine(guest: Guest) -> MineSeen:
    done = await guest.do("mine")
    return next(s for s in guest.heard if isinstance(s, MineSeen) and s.re == done.re)


def codes(seen: LobbySeen) -> set[str]:
    return {card.table for card in seen.tables}


# --------------------------------------------------------------------------- what is shown


async def test_a_listed_table_is_seen_and_another_is_not(house: App) -> None:
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code = await ada.create(listed=True, size=3)
        await bob.create()
        (card,) = (await look(eve)).tables

        assert (code, "Ada", 3, 1, 2, 1) == (
            card.table,
            card.host,
            card.size,
            card.taken,
            card.free,
            card.here,
        )
        assert ("lobby", "six_card", ("holes 1",)) == (card.phase, card.variant, card.options)
        assert Tables(lobby=2) == (await look(eve)).counts.tables


async def test_only_what_is_wished_for_is_told(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        six = await ada.create(listed=True)
        nine = await ada.create(listed=True, variant="nine_card", options={})
        full = await ada.create(listed=True, bots=["random"])

        assert {six, nine, full} == codes(await look(bob))
        assert {nine} == codes(await look(bob, variant="nine_card"))
        assert {six, nine} == codes(await look(bob, free=True))
        assert {six} == codes(await look(bob, free=True, variant="six_card"))
        assert "bad_option" == await bob.refused("lobby", variant="crazy")


async def test_scenario_E11_what_is_closed_is_gone_from_everywhere_at_once(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create(listed=True)
        assert {code} == codes(await look(bob))
        await ada.do("end", table=code)

        assert set() == codes(await look(bob))
        assert () == (await mine(ada)).tables
        for shelf in (LOBBY, OPEN_TABLES, f"seats:{ada.player}"):
            assert {} == await house.store.on(shelf)
        assert Tables() == (await look(bob)).counts.tables


async def test_scenario_E11_what_nobody_came_back_to_is_gone_from_everywhere() -> None:
    clock = Clock()
    async with (
        serving({"store": SqliteStore(":memory:", clock=clock)}) as app,
        guests(app.port, "Ada", "Bob") as (ada, bob),
    ):
        code = await ada.create(listed=True)
        assert {code} == codes(await look(bob))
        clock.advance(1801)
        await reach(ada, code, lambda seen: view_of(seen).phase == "closed")

        assert set() == codes(await look(bob))
        assert () == (await mine(ada)).tables
        assert {} == await app.store.on(LOBBY)


async def test_my_tables_say_where_it_is_my_turn_and_who_sits_there(house: App) -> None:
    async with guests(house.port, "Ada", "Bob", "Cleo") as (ada, bob, cleo):
        waiting = await ada.create(size=3)
        code = await begin(ada, bob)
        await cleo.do("join", table=waiting)
        playing, lobby = (await mine(ada)).tables

        assert (code, "playing", 0, True) == (
            playing.table,
            playing.phase,
            playing.seat,
            playing.my_turn,
        )
        assert ("Ada", "Bob") == playing.names
        assert playing.deadline is not None
        assert (waiting, "lobby", False, ("Ada", "Cleo", None)) == (
            lobby.table,
            lobby.phase,
            lobby.my_turn,
            lobby.names,
        )
        assert {waiting} == {one.table for one in (await mine(cleo)).tables}


# ----------------------------------------------------------------------------- following


async def test_whoever_follows_is_told_what_has_changed_and_nothing_else(house: App) -> None:
    lobby = house.reception.desk.lobby
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        await look(eve, id="mine", follow=True)
        for _ in range(3):
            await lobby.tell()
        code = await ada.create(listed=True)
        await lobby.tell()
        seen = await eve.hear(LobbySeen, lambda one: bool(one.tables))
        told = [one for one in eve.heard if isinstance(one, LobbySeen)]

        assert {"mine"} == {one.re for one in told}
        assert {code} == codes(seen)
        assert len(told) == len({one.model_dump_json() for one in told}), "never the same again"


async def test_a_move_is_no_news_for_the_lobby(house: App) -> None:
    lobby = house.reception.desk.lobby
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code = await begin(ada, bob, listed=True)
        await look(eve, follow=True)
        before = len(eve.frames)
        for guest in (ada, bob):
            await guest.play(code, guest.last(code).moves[0])
        await lobby.tell()

        assert before == len(eve.frames)


async def test_following_ends_when_it_is_asked_to_and_when_the_line_ends(house: App) -> None:
    lobby = house.reception.desk.lobby
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        await look(bob, follow=True)
        await look(eve, follow=True)
        await look(eve)  # only looks
        assert 2 == lobby.followers
        await look(eve, follow=False)
        heard = len(eve.frames)
        await ada.create(listed=True)
        await lobby.tell()
        await bob.hear(LobbySeen, lambda one: bool(one.tables))

        assert heard == len(eve.frames)
        await bob.vanish()
        await until(lambda: lobby.followers == 0)


async def test_a_new_wish_takes_the_place_of_the_one_before(house: App) -> None:
    lobby = house.reception.desk.lobby
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        await look(eve, id="any", follow=True)
        await look(eve, id="nine", follow=True, variant="nine_card")
        await ada.create(listed=True)
        await lobby.tell()
        last = [one for one in eve.heard if isinstance(one, LobbySeen)][-1]

        assert 1 == lobby.followers
        assert ("nine", ()) == (last.re, last.tables)


# ------------------------------------------------------------------------------- counting


async def counted(app: App, guest: Guest) -> list[dict[str, float]]:
    """Tables by phase and people, by everybody who counts them."""
    figures = (await fetch(app.port, "/metrics")).splitlines()
    shown = {
        line.split('"')[1]: float(line.split()[-1])
        for line in figures
        if line.startswith(("dormie_tables{", "dormie_people{"))
    }
    counts = json.loads((await look(guest)).model_dump_json())["counts"]
    tables = counts.pop("tables")
    kept = dict.fromkeys(tables, 0.0) | {p: float(n) for p, n in app.keeper.phases().items()}
    assert kept == tables
    assert sum(tables.values()) == len(await app.store.on(OPEN_TABLES)) == app.keeper.count()
    return [shown, {**tables, **counts}]


async def test_scenario_F3_the_lobby_the_figures_and_the_store_count_alike(house: App) -> None:
    """Over a random evening: people come, open, join, watch, play, lose the line and leave."""
    luck, people, codes_ = Random(4), list[Guest](), list[str]()
    eve = await Guest.come(house.port, "Eve")
    for step in range(60):
        guest = luck.choice(people) if people else None
        match luck.randrange(8):
            case 0 | 1 if len(people) < 8:
                people.append(await Guest.come(house.port, f"P{step}"))
            case 2 if guest:
                codes_.append(await guest.create(listed=luck.random() < 0.7, size=2))
            case 3 if guest and codes_:
                await guest.ask("join", table=luck.choice(codes_))
            case 4 if guest and codes_:
                await guest.ask("watch", table=luck.choice(codes_))
            case 5 if guest:
                await guest.ask("quick", size=2)
            case 6 if guest and codes_:
                await guest.ask(luck.choice(["leave", "end"]), table=luck.choice(codes_))
            case 7 if guest:
                people.remove(guest)
                await guest.vanish()
                await until(lambda: len(house.reception.open) == len(people) + 1)
            case _:
                pass
        shown, told = await counted(house, eve)

        assert shown == told
        assert len(people) + 1 == told["online"]
        cards = (await look(eve)).tables
        for card in cards:
            kept = await house.keeper.table(card.table)
            assert kept is not None
            seats = kept.table.public.seats
            assert (card.phase, card.taken) == (kept.table.public.phase, sum(map(bool, seats)))
    for guest in (*people, eve):
        await guest.leave()


async def test_two_devices_of_one_player_are_one_player_online(house: App) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()
        again = await Guest.come(house.port, token=ada.token)
        stranger = await Guest.come(house.port, "Eve")
        await stranger.do("watch", table=code)
        counts = (await look(again)).counts
        await again.leave()
        await stranger.leave()
        await until(lambda: len(house.reception.open) == 1)

        assert (2, 1, 1) == (counts.online, counts.seated, counts.spectators)
        later = (await look(ada)).counts
        assert (1, 1, 0) == (later.online, later.seated, later.spectators)


# -------------------------------------------------------------------------- behind the scenes


def card(number: int, **more: object) -> LobbyCard:
    usual: dict[str, object] = {
        "table": f"TABLE{number:03}",
        "variant": "six_card",
        "options": (),
        "size": 4,
        "taken": 2,
        "free": 2,
        "here": 2,
        "phase": "lobby",
        "host": "Ada",
        "turn_seconds": 60.0,
        "since": float(number),
    }
    return LobbyCard(**{**usual, **more})  # type: ignore[arg-type]  # the tests choose well


NOBODY = Counts(Tables(), 0, 0, 0)


def test_a_hundred_tables_are_told_and_the_others_counted() -> None:
    cards = [card(number) for number in range(LISTED_AT_ONCE + 7)]
    seen = LobbySeen.model_validate_json(
        b'{"type":"lobby_seen","re":"1",' + write_tables(cards, NOBODY)
    )

    assert (tuple(cards[:LISTED_AT_ONCE]), 7) == (seen.tables, seen.more)


def test_the_text_is_the_very_one_that_the_message_would_write() -> None:
    cards = (card(1), card(2, options=("holes 1",), host=None))
    whole = LobbySeen(re="r-1", tables=cards, more=0, counts=NOBODY)

    assert write(whole).encode() == b'{"type":"lobby_seen","re":"r-1",' + write_tables(
        cards, NOBODY
    )


@pytest.fixture
async def stage() -> AsyncIterator[tuple[Backstage, MoodyStore, Lobby]]:
    store = MoodyStore(SqliteStore(":memory:", clock=Clock()))
    async with backstage(store) as house:
        lobby = Lobby(store, Census(house.keeper, house.hub), every=1e6)
        yield house, store, lobby
        await lobby.stop()
    await store.close()


async def put(store: MoodyStore, one: LobbyCard) -> None:
    await store.put(f"table:{one.table}", b"", 0, shelves={LOBBY: write_card(one)})


Stage = tuple[Backstage, MoodyStore, Lobby]


async def test_the_best_tables_come_first(stage: Stage) -> None:
    """With free seats before those without, fewest missing, newest."""
    _, store, lobby = stage
    for one in (
        card(1, free=2),
        card(2, free=1),
        card(3, free=0),
        card(4, free=2),
        card(5, free=1, locked=True),
    ):
        await put(store, one)
    ear = Ear("p-eve")
    await lobby.answer(Wish(id="1"), ear)
    (seen,) = ear.heard
    assert isinstance(seen, LobbySeen)

    assert ["TABLE002", "TABLE004", "TABLE001", "TABLE003", "TABLE005"] == [
        one.table for one in seen.tables
    ]


async def test_however_many_ask_at_once_the_shelf_is_looked_at_twice(stage: Stage) -> None:
    """Once for whoever came first, and once for all who came while that look was being taken."""
    _, store, lobby = stage
    looks, on = [], store.inner.on

    async def slowly(shelf: str) -> dict[str, bytes]:
        looks.append(shelf)
        for _ in range(5):
            await asyncio.sleep(0)
        return await on(shelf)

    store.inner.on = slowly  # type: ignore[method-assign]  # to be counted
    ears = [Ear(f"p-{number}") for number in range(200)]
    await asyncio.gather(*(lobby.answer(Wish(id="1"), ear) for ear in ears))

    assert 200 == sum(len(ear.frames) for ear in ears)
    assert 1 == len({ear.frames[0] for ear in ears})
    assert 2 >= len(looks)


async def test_whoever_asks_after_a_change_is_told_of_it(stage: Stage) -> None:
    """Also when a look from before the change is still under way."""
    _, store, lobby = stage
    gate, on = asyncio.Event(), store.inner.on

    async def held(shelf: str) -> dict[str, bytes]:
        found = await on(shelf)
        await gate.wait()
        return found

    store.inner.on = held  # type: ignore[method-assign]  # as slow as wished
    early, late = Ear("p-early"), Ear("p-late")
    first = asyncio.create_task(lobby.answer(Wish(id="1"), early))
    await asyncio.sleep(0)
    await put(store, card(1))
    second = asyncio.create_task(lobby.answer(Wish(id="2"), late))
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(first, second)
    (seen,) = late.heard
    assert isinstance(seen, LobbySeen)

    assert {"TABLE001"} == codes(seen)


async def test_a_store_that_is_away_is_said_so_and_followers_wait(stage: Stage) -> None:
    _, store, lobby = stage
    ear = Ear("p-eve")
    await lobby.answer(Wish(id="1", follow=True), ear)
    store.away = True
    with pytest.raises(No, match="saved") as no:
        await lobby.answer(Wish(id="2"), ear)
    with pytest.raises(StoreUnavailable):
        await lobby.tell()
    store.away = False
    await put(store, card(1))
    await lobby.tell()

    assert "store_unavailable" == no.value.why
    assert ["1", "1"] == [one.re for one in ear.heard if isinstance(one, LobbySeen)]


async def test_a_match_that_was_played_leaves_the_lobby_when_it_is_over_for_good(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(listed=True, bots=["random"])
        await play_alone(ada, code)
        over = (await look(eve)).tables
        await ada.do("leave", table=code)

        assert [(code, "over")] == [(one.table, one.phase) for one in over]
        assert set() == codes(await look(eve))
