"""What is hidden stays hidden, on every road by which anything reaches anybody.

The cards of these tables have names nobody can guess, so that one look at the bytes tells.
"""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import fields
from typing import Any
from urllib.error import HTTPError

import pytest

from dormie_protocol.codec import read_server
from dormie_protocol.lobby_view import LobbyCard
from dormie_protocol.messages import Done, Welcome
from dormie_protocol.table_view import Fairness, Seat, TablePublic
from dormie_rules.cards import Card
from dormie_rules.course_state import CoursePublic
from dormie_rules.grid_events import Dealt, Drew, DrewCard
from dormie_rules.grid_moves import Discard, Draw, Flip
from dormie_rules.grid_state import GridPublic, GridSecret
from dormie_server.app import App
from dormie_server.lobby_cards import LOBBY
from dormie_server.table.state import Sitter, Table, TableSecret
from dormie_server.table_shelves import OPEN_TABLES
from tests.grid_only import grid_pocket, grid_secret
from tests.leaks import mark
from tests.scenarios.tables import begin, first_turn, hole_of, on_turn, reach, view_of
from tests.server.guest import Guest, guests
from tests.server.leak_scan import Packs
from tests.serving import fetch, serving

PAGES = ("/", "/metrics", "/healthz", "/readyz", "/record/{}-1", "/record/{}")


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving({"deal": Packs().deal}) as app:
        yield app


async def table_of(house: App, code: str) -> Table:
    kept = await house.keeper.table(code)
    assert kept is not None, "there is such a table"
    return kept.table


def hidden_from(table: Table, seat: int | None) -> list[Card]:
    """Every card that *seat* (None: whoever watches) cannot have seen in its first turn."""
    hole = grid_secret(table)
    assert hole is not None, "a hole is on"
    pockets = [
        grid_pocket(pocket).drawn for at, pocket in enumerate(table.state.pockets) if at != seat
    ]
    under = [card for grid in hole.hidden for card in grid]
    return [card for card in (*hole.stock, *under, *pockets) if card is not None]


def named(cards: list[Card], texts: list[str]) -> list[Card]:
    """Those of *cards* that some text names."""
    whole = "\n".join(texts)
    return [card for card in cards if mark(card).decode() in whole]


async def in_hand(house: App, *people: Guest, **fields: object) -> tuple[str, Guest, Guest]:
    """A table at which somebody has just drawn a card: its code, the drawer, and the other one."""
    code = await first_turn(*people, **fields)
    drawer, other = await on_turn(code, *people)
    done = await drawer.play(code, Draw())
    assert isinstance(done, Done)
    for guest in people:
        await reach(guest, code, lambda seen: seen.version >= (done.version or 0))
    assert 1 == sum(
        grid_pocket(pocket).drawn is not None
        for pocket in (await table_of(house, code)).state.pockets
    )
    return code, drawer, other


async def test_scenario_B3_no_road_to_a_table_shows_what_is_hidden_there(house: App) -> None:
    """Whoever comes late to watch, comes back to watch, comes back to play, or may not come at all."""
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code, drawer, other = await in_hand(house, ada, bob)
        table, past = await table_of(house, code), other.of(code)[0]
        await eve.do("watch", table=code)
        again = await Guest.come(house.port)
        await again.do("watch", table=code, after=past.version, chain=past.chain)
        lost = await Guest.come(house.port)
        await lost.do("watch", table=code, after=past.version, chain="00ff")
        phone = await Guest.come(house.port, token=other.token)
        await phone.do("watch", table=code, after=past.version, chain=past.chain)
        shut_out = await Guest.come(house.port)
        assert "no_table" == await shut_out.refused("join", table=code)
        assert "not_seated" == await shut_out.refused("ready", table=code)

        for guest in (eve, again, lost, shut_out):
            assert [] == named(hidden_from(table, None), guest.frames)
        for guest in (other, phone):
            assert [] == named(hidden_from(table, other.last(code).seat), guest.frames)
        assert 1 == len(named(hidden_from(table, None), drawer.frames)), "the look can find a card"
        for guest in (again, lost, phone, shut_out):
            await guest.leave()


async def test_scenario_B5_neither_frames_nor_pages_nor_refusals_name_a_hidden_card(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code, drawer, other = await in_hand(house, ada, bob)
        for move in (Draw(), Discard(), Flip(99)):
            await other.play(code, move)
        await drawer.play(code, Draw())
        pages = [text async for text in pages_of(house, code)]
        table = await table_of(house, code)

        assert [] == named(hidden_from(table, other.last(code).seat), other.frames)
        assert [] == named(hidden_from(table, None), pages)
        assert 6 == len(pages)


async def pages_of(house: App, code: str) -> AsyncIterator[str]:
    for page in PAGES:
        try:
            yield await fetch(house.port, page.format(code))
        except HTTPError as error:
            yield error.read().decode()


async def test_scenario_B2_what_is_told_again_is_told_to_everybody_as_it_was(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code, drawer, other = await in_hand(house, ada, bob)
        past = other.of(code)[0]
        told: dict[str, set[object]] = {}
        for name, token in (("drawer", drawer.token), ("other", other.token), ("watcher", None)):
            guest = await Guest.come(house.port, token=token)
            await guest.do("watch", table=code, after=past.version, chain=past.chain)
            events = [one for seen in guest.of(code) for one in seen.events]
            assert 1 == sum(isinstance(one.all, Drew) for one in events)
            told[name] = {type(one.mine) for one in events}
            await guest.leave()

        assert {type(None), DrewCard} == told["drawer"]
        assert {type(None)} == told["other"] == told["watcher"]


async def test_scenario_B6_and_scenario_R75_and_scenario_R76_and_scenario_R77_face_down_is_nothing_at_all(
    house: App,
) -> None:
    """No rank, no suit, no deck, no name of its own: a place in a grid, or a number of cards."""
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code, *_ = await in_hand(house, ada, bob)
        await eve.do("watch", table=code)
        for guest in (ada, bob, eve):
            hole = json.loads(_last(guest))["view"]["match"]["play"]

            assert {field.name for field in fields(GridPublic)} == set(hole)
            assert [4, 4] == [grid.count(None) for grid in hole["grids"]]
            assert [2, 2] == [sum(isinstance(card, str) for card in grid) for grid in hole["grids"]]
            assert isinstance(hole["stock"], int)
            assert isinstance(hole["pile"], int)


def _last(guest: Guest) -> str:
    return next(text for text in reversed(guest.frames) if '"view":{' in text)


async def test_scenario_B8_and_scenario_R78_nobody_is_dealt_a_look_and_only_the_drawer_sees_the_draw(
    house: App,
) -> None:
    """Not even one's own cards are known before they are turned up."""
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        for guest in (ada, bob):
            (dealt,) = [
                one.all
                for seen in guest.of(code)
                for one in seen.events
                if isinstance(one.all, Dealt)
            ]
            table = await table_of(house, code)

            assert hole_of(guest.last(code)).discard == dealt.discard
            assert [] == named(hidden_from(table, guest.last(code).seat), guest.frames)
            assert {"null"} == {
                json.dumps(one.mine) for seen in guest.of(code) for one in seen.events
            }


async def test_scenario_B7_what_a_lobby_could_show_holds_no_game(house: App) -> None:
    """The shelves, the lobby, the welcome of a player who sits at a table, and the figures."""
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code, *_ = await in_hand(house, ada, bob, listed=True)
        for guest in (ada, bob, eve):
            await guest.do("lobby", follow=True)
            await guest.do("mine")
        told = [json.loads(text) for text in eve.frames if "lobby_seen" in text]
        cards = await house.store.on(LOBBY)

        assert [code] == [card["table"] for card in told[0]["tables"]]
        assert {field.name for field in fields(LobbyCard)} == set(told[0]["tables"][0])
        assert not any("~" in text for text in eve.frames), "not even a card that lies face-up"
        assert not any(b"~" in card for card in cards.values())
        again = await Guest.come(house.port, token=bob.token)
        shelf = await house.store.on(OPEN_TABLES)

        assert {f"table:{code}": b""} == shelf
        assert (code,) == again.welcome.tables
        assert set(Welcome.model_fields) == set(json.loads(again.frames[0]))
        assert code not in await fetch(house.port, "/metrics")
        await again.leave()


async def test_scenario_B1_a_frame_says_what_the_protocol_lists_and_nothing_else(
    house: App,
) -> None:
    """Read as a client reads it and written again, it is the very same frame; no drawer is spilt."""
    secret = _fields(TableSecret, GridSecret, Sitter)
    secret -= _fields(TablePublic, Seat, Fairness, CoursePublic, GridPublic)  # the same word
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code, *_ = await in_hand(house, ada, bob)
        await eve.do("watch", table=code)
        for guest in (ada, bob, eve):
            for text in guest.frames:
                frame = json.loads(text)

                assert frame == json.loads(read_server(text).model_dump_json())
                assert set() == secret & set(keys(frame) if frame["type"] != "welcome" else ())


def _fields(*kinds: type[Any]) -> set[str]:  # dataclasses
    return {field.name for kind in kinds for field in fields(kind)}


def keys(value: Any) -> Iterator[str]:  # whatever JSON there is
    """Every key of every object within."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    if isinstance(value, list):
        for inner in value:
            yield from keys(inner)


async def test_scenario_B10_a_second_account_sees_what_everybody_sees(house: App) -> None:
    """Whoever watches their own table under another name learns nothing about anybody's cards."""
    async with guests(house.port, "Ada", "Bob", "Adas twin", "Eve") as (ada, bob, twin, eve):
        code, drawer, _ = await in_hand(house, ada, bob)
        for guest in (twin, eve):
            await guest.do("watch", table=code)
        done = await drawer.play(code, Discard())
        assert isinstance(done, Done)
        for guest in (twin, eve):
            await reach(guest, code, lambda seen: seen.version >= (done.version or 0))
        assert view_of(twin.last(code)) == view_of(eve.last(code))
        assert {(None, None)} == {(seen.seat, seen.pocket) for seen in twin.of(code)}
        assert [] == named(hidden_from(await table_of(house, code), None), twin.frames)
