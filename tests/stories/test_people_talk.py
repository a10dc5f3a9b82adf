"""People talk through the SDK, move to another device, and go for good."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dormie_client import ClosedError, Dormie, RefusedError
from dormie_client.one_line import plain
from dormie_protocol.people_messages import Said
from dormie_server.app import App
from tests.serving import url_of


async def lines(talk: AsyncIterator[Said], count: int) -> list[str]:
    """The next so many lines."""
    async with asyncio.timeout(20):
        return [(await anext(talk)).text for _ in range(count)]


async def test_two_people_talk_and_one_of_them_comes_back(house: App) -> None:
    url = url_of(house)
    async with await Dormie.connect(url, name="Ada") as ada:
        table = await ada.create(size=2)
        talk = table.talk()
        await table.say("is anybody here?")
        async with await Dormie.connect(url, name="Bob") as bob:
            there = await bob.join(table.code)
            await there.emote("hello")

            assert ["is anybody here?", "Hello!"] == await lines(there.talk(), 2)
            assert ["is anybody here?", "Hello!"] == await lines(talk, 2)
            await table.mute(1)
            await there.say("you cannot hear me")
            await table.say("good bye")
            assert ["good bye"] == await lines(talk, 1)
            with pytest.raises(RefusedError, match="invisible") as error:
                await there.say("\x1b[2J")
            assert "bad_text" == error.value.word
            await there.report(0, "other", "no reason")
        token = bob.token
        async with await Dormie.connect(url, token=token) as bob:
            again = await bob.watch(table.code)
            heard = await lines(again.talk(), 4)

            assert ["you cannot hear me", "good bye"] == heard[2:]
        await table.end()
        with pytest.raises(StopAsyncIteration):
            await anext(talk)


async def test_a_player_moves_to_another_device_and_goes_for_good(house: App) -> None:
    url = url_of(house)
    ada = await Dormie.connect(url, name="Ada")
    table = await ada.create(size=2)
    ticket = await ada.claim_code()
    async with await Dormie.connect(url, claim=ticket.code) as phone:
        there = await phone.watch(table.code)
        assert (ada.player, "Ada", 0) == (phone.player, phone.name, there.seat)
        assert phone.token != ada.token

        old = next(one for one in await phone.devices() if not one.this)
        await phone.forget_device(old.device)
        async with asyncio.timeout(20):
            with pytest.raises(ClosedError):
                await table.until(lambda _: False)
        assert (True,) == tuple(one.this for one in await phone.devices())

        async with await Dormie.connect(url, name="Bob") as bob:
            seat = (await bob.join(table.code)).seat
            assert seat is not None
            await there.block(seat)
            (entry,) = await phone.blocked()
            await phone.unblock(entry.entry)
            assert ("Bob", ()) == (entry.name, await phone.blocked())
        with pytest.raises(RefusedError) as error:
            await phone.erase("Bob")
        assert "wrong_name" == error.value.word
        await phone.erase("Ada")
    with pytest.raises(RefusedError) as error:
        await Dormie.connect(url, token=phone.token)
    assert "unknown_token" == error.value.word
    await ada.close()


def test_nasty_S08_a_strangers_text_moves_no_terminal() -> None:
    assert "]0;pwn[2J" == plain("\x1b]0;pwn\x07\x1b[2J")
