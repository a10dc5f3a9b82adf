"""Those who only watch: who they are is the host's choice, and so is what they say and hear, and when."""

from collections.abc import AsyncIterator

import pytest

from dormie_client import ClosedError, Dormie, RefusedError
from dormie_protocol import people_messages as p
from dormie_protocol.messages import Audience, LobbySeen, SentAway
from dormie_server.app import App
from tests.server.guest import Guest, guests
from tests.serving import serving


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def hears(guest: Guest, text: str) -> p.Said:
    return await guest.hear(p.Said, lambda line: line.text == text)


def lines(guest: Guest) -> list[str]:
    return [one.text for one in guest.heard if isinstance(one, p.Said)]


async def test_scenario_C10_a_host_may_let_everybody_watch_a_table_that_needs_a_password_to_join(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Eve", "Fay") as (ada, eve, fay):
        code = await ada.create(password="swordfish", listed=True)
        assert "wrong_password" == await eve.refused("watch", table=code)
        await fay.do("watch", table=code, password="swordfish")
        await ada.do("spectators", table=code, password=False)
        await eve.do("watch", table=code)
        await ada.do("spectators", table=code, password=True)
        gone = await eve.hear(SentAway)

        assert "not_for_spectators" == gone.why
        assert "wrong_password" == await eve.refused("watch", table=code)
        await ada.do("lock", table=code, locked=True)
        await fay.see(code, lambda seen: bool(seen.view and seen.view.locked))  # who knew it stays


async def test_where_nobody_may_watch_everybody_is_sent_away_and_the_lobby_says_so(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(listed=True)
        await eve.do("watch", table=code)
        for _ in range(2):
            await ada.do("spectators", id="twice", table=code, allowed=False)
        await eve.hear(SentAway)
        await eve.do("lobby")
        (card,) = (await eve.hear(LobbySeen)).tables

        assert not card.spectators
        assert "no_spectators" == await eve.refused("watch", table=code)
        assert "wrong_time" == await eve.refused("chat", table=code)
        await eve.join(code)


async def test_everybody_sees_how_many_watch(house: App) -> None:
    async with guests(house.port, "Ada", "Eve", "Fay") as (ada, eve, fay):
        code = await ada.create()
        await eve.do("watch", table=code)
        await ada.hear(Audience, lambda told: told.spectators == 1)
        await fay.do("watch", table=code)
        await eve.hear(Audience, lambda told: told.spectators == 2)
        await fay.leave()
        await ada.hear(Audience, lambda told: told.spectators == 1)
        await eve.join(code)

        await ada.hear(Audience, lambda told: told.spectators == 0)


async def test_spectators_talk_among_themselves_and_players_do_not_hear_it(house: App) -> None:
    async with guests(house.port, "Ada", "Eve", "ADA") as (ada, eve, other):
        code = await ada.create(spectators={"chat": "apart"})
        for guest in (eve, other):
            await guest.do("watch", table=code)
        await other.do("say", table=code, text="she has a bad hand")
        line = await hears(eve, "she has a bad hand")
        await ada.do("say", table=code, text="hello")
        await hears(eve, "hello")
        await hears(ada, "hello")
        again = await Guest.come(house.port, token=ada.token)
        await again.do("watch", table=code, chat_after=0)
        await hears(again, "hello")

        assert (None, "ADA 2") == (line.seat, line.name), "no name that somebody at the table has"
        assert ["hello"] == lines(ada) == lines(again)
        await again.leave()


async def test_spectators_who_may_hear_nothing_hear_nothing(house: App) -> None:
    async with guests(house.port, "Ada", "Eve", "Fay") as (ada, eve, fay):
        code = await ada.create(spectators={"chat": "off"})
        await eve.do("watch", table=code, chat_after=0)
        await ada.do("say", table=code, text="not for you")
        await ada.do("spectators", table=code, chat="all")
        await fay.do("watch", table=code)
        await fay.do("say", table=code, text="hello all")
        await hears(ada, "hello all")
        await hears(eve, "hello all")

        assert ["hello all"] == lines(eve)
        await fay.do("chat", table=code, after=0)  # nor does whoever asks for it later
        assert {"hello all"} == set(lines(fay))


async def test_scenario_F8_a_spectator_who_speaks_is_muted_and_reported_by_the_line(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(spectators={"chat": "all"})
        await eve.do("watch", table=code)
        await eve.do("say", table=code, text="rude")
        line = (await hears(ada, "rude")).number
        assert "no_such_line" == await ada.refused("mute", table=code, line=line + 1)
        assert "yourself" == await eve.refused("mute", table=code, line=line)
        assert "no_such_seat" == await ada.refused("mute", table=code)
        await ada.do("mute", table=code, line=line, seat=0)
        await ada.do("unmute", table=code, line=line)
        await ada.do("report", table=code, line=line, reason="abuse")
        await ada.do("mute", table=code, line=line)
        await eve.do("say", table=code, text="ruder")
        await ada.do("unmute", table=code, line=line)
        await eve.do("say", table=code, text="sorry")
        await hears(ada, "sorry")

        assert ["rude", "sorry"] == lines(ada)


async def test_a_host_turns_the_switches_with_the_sdk(house: App) -> None:
    url = f"http://127.0.0.1:{house.port}"
    async with (
        await Dormie.connect(url, name="Ada") as ada,
        await Dormie.connect(url, name="Eve") as eve,
    ):
        table = await ada.create(size=2, spectators={"delay": 30, "chat": "all"})
        assert (30, "all") == (table.about.spectators.delay, table.about.spectators.chat)
        watched = await eve.watch(table.code)
        await table.until(lambda t: t.spectators == 1, within=30)
        await table.set_spectators(delay=0)
        await watched.until(lambda t: t.about.spectators.delay == 0, within=30)
        with pytest.raises(RefusedError, match="read"):
            await table.set_spectators(delay=301)
        await table.set_spectators(allowed=False)

        with pytest.raises(ClosedError, match="may not watch"):
            await watched.until(lambda _: False, within=30)
