"""Mistakes of other servers at turn-based games, each as the behaviour owed here, over real sockets."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dormie_protocol.messages import Done, Refused, Seen
from dormie_protocol.table_view import Closed
from dormie_rules.grid_events import Flipped
from dormie_rules.grid_moves import Flip
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock
from tests.scenarios.tables import begin, reach, view_of
from tests.server.guest import ENTROPY, guests, play_alone
from tests.serving import serving


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def test_scenario_R79_fast_clicking_does_a_thing_once(house: App) -> None:
    """Ten times the same in one breath, and then ten different things under one number."""
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        same = [ada.ask("play", table=code, count=1, move=Flip(0)) for _ in range(10)]
        first = await asyncio.gather(*same)
        other = [ada.ask("play", table=code, count=2, move=Flip(at % 5 + 1)) for at in range(10)]
        second = await asyncio.gather(*other)
        done = [one.version for one in second if isinstance(one, Done)]
        await reach(bob, code, lambda seen: seen.version >= (done[0] or 0))
        flips = [one.all for seen in bob.of(code) for one in seen.events]

        assert 1 == len({one.version for one in first if isinstance(one, Done)})
        assert not any(isinstance(one, Refused) for one in first)
        assert {"stale"} == {one.word for one in second if isinstance(one, Refused)}
        assert 1 == len(set(done))
        assert 2 == sum(isinstance(event, Flipped) for event in flips)


async def test_scenario_R11_the_end_of_a_match_is_no_broken_line() -> None:
    """A table that has ended says why, and the connection goes on to the next one."""
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create(bots=["random"])
        await play_alone(ada, code)
        clock.advance(1801)
        seen = await reach(ada, code, lambda one: view_of(one).phase == "closed")
        again = await ada.create()

        assert [Closed("finished")] == [one.all for one in seen.events]
        assert None is ada.socket.close_code
        assert "lobby" == view_of(ada.last(again)).phase
        assert "no_table" == await ada.refused("rematch", table="ABCDEFGH")


MISNAMED: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"type": "play", "count": 1, "move": {"move": "flip", "at": 0}}, "count", "turn"),
    ({"type": "play", "count": 1, "move": {"move": "flip", "at": 0}}, "move", "hole"),
    ({"type": "ready", "entropy": ENTROPY}, "entropy", "luck"),
    ({"type": "join", "seat": 1}, "seat", "place"),
    ({"type": "watch", "after": 0, "chain": ""}, "after", "since"),
    ({"type": "bot", "level": "random", "seat": 1}, "level", "strength"),
    ({"type": "start"}, "type", "kind"),
    ({"type": "rematch"}, "table", "room"),
)


@pytest.mark.parametrize(("message", "right", "wrong"), MISNAMED, ids=lambda part: str(part)[:12])
async def test_scenario_R22_a_field_by_another_name_is_not_read_as_if_it_were_right(
    house: App, message: dict[str, Any], right: str, wrong: str
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()
        before = ada.last(code).version
        whole = {**message, "table": code, "id": "m"}
        whole[wrong] = whole.pop(right)
        await ada.say(whole)
        refused = await ada.hear(Refused)

        assert ("m", "unreadable") == (refused.re, refused.word)
        assert before == ada.last(code).version


@pytest.mark.parametrize("variant", ["golf", "Six_Card", "no_such_game", "0", "six_card_quick"])
async def test_scenario_R48_an_unknown_variant_is_an_answer_and_no_crash(
    house: App, variant: str
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        answer = await ada.ask("create", variant=variant, size=2)
        assert isinstance(answer, Refused)

        assert answer.word in ("bad_option", "unreadable")
        assert "variant" == answer.field
        assert await ada.create(), "and the next one is opened"


async def test_scenario_R73_a_click_out_of_turn_is_answered_to_its_sender_alone(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code = await begin(ada, bob)
        await eve.do("watch", table=code)
        before = {guest: len(guest.frames) for guest in (ada, eve)}
        wrong = [await bob.ask("play", table=code, count=1, move=Flip(at)) for at in (6, 99)]
        wrong.append(await bob.ask("play", table=code, count=9, move=Flip(0)))
        words = Counter(one.word for one in wrong if isinstance(one, Refused))

        assert {"no_such_card": 2, "stale": 1} == words
        assert before == {guest: len(guest.frames) for guest in (ada, eve)}
        assert isinstance(await bob.play(code, Flip(0)), Done)


async def test_scenario_G8_whoever_watched_goes_on_watching_in_the_rematch(house: App) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(bots=["random"])
        await eve.do("watch", table=code)
        await play_alone(ada, code)
        await ada.do("rematch", table=code)
        await reach(ada, code, lambda one: view_of(one).phase == "starting")
        await ada.do("ready", table=code, entropy=ENTROPY)
        while True:
            last = await reach(ada, code, lambda one: bool(one.moves) or _over(one))
            if _over(last):
                break
            done = await ada.play(code, last.moves[0])
            version = done.version if isinstance(done, Done) else None
            await reach(ada, code, lambda one, v=version: one.version >= (v or 0))  # type: ignore[misc]  # mypy cannot see its default
        seen = await reach(eve, code, lambda one: one.version >= last.version)

        assert _over(seen)
        assert 2 == max(one.about.match for one in eve.of(code) if one.about)
        assert {None} == {one.seat for one in eve.of(code)}
        assert ["Ada", "Bogey"] == [seat.name for seat in view_of(seen).seats if seat]


def _over(seen: Seen) -> bool:
    return view_of(seen).phase == "over"


def test_scenario_R22_a_message_is_an_object_with_one_name_for_each_thing() -> None:
    """The examples above are right but for one word."""
    for message, right, wrong in MISNAMED:
        assert right in {**message, "table": ""}
        assert wrong not in json.dumps(message)
