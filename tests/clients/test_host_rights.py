"""A host's rights and a table's door, through the SDK and a real server."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dormie_client import ClosedError, Dormie, RefusedError
from dormie_client.invitation import Invitation, invitation_url, read_invitation
from dormie_server.app import App
from tests.serving import serving, url_of

SECRET = "birdie & eagle"


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


@pytest.mark.parametrize(
    "address", ["http://localhost:8421", "wss://golf.example/club/ws", "https://[::1]:8421/"]
)
@pytest.mark.parametrize("key", [None, "kq3vYcHTFz0W5yq1o1cJ8e", SECRET, "#&=?%+", "clé/ключ"])
def test_an_invitation_is_read_as_it_was_written(address: str, key: str | None) -> None:
    link = invitation_url(address, "PARTEE23", key)
    read = read_invitation(link)

    assert ("PARTEE23", key) == (read.code, read.key)
    assert link.startswith(read.url)
    assert key is None or key not in repr(read)


@pytest.mark.parametrize(
    "link",
    [
        "",
        "PARTEE23",
        "http://localhost:8421",
        "http://localhost:8421/?table=PARTEE23",
        "http://localhost:8421/#table=PARTEE2",
        "http://localhost:8421/#table=PARTEE23&table=PARTEE24",
        "http://localhost:8421/#table=PARTEE23&key=abc",
        "http://localhost:8421/#table=PARTEE23&key=" + "a" * 65,
        "http://localhost:8421/#table=PARTEE23" + "&a=1" * 20,
        "ftp://localhost/#table=PARTEE23",
        "javascript:alert(1)#table=PARTEE23",
        "http://#table=PARTEE23",
        "http://[::1/#table=PARTEE23",
    ],
)
def test_what_is_no_invitation_is_refused_without_its_key(link: str) -> None:
    with pytest.raises(ClosedError) as error:
        read_invitation(link)

    assert "key=" not in str(error.value)


def test_an_invitation_without_a_key_is_one() -> None:
    assert Invitation("http://h/", "PARTEE23") == read_invitation(" http://h/#table=partee23 ")


async def test_a_password_opens_a_table_and_is_remembered_when_the_line_breaks(house: App) -> None:
    async with (
        await Dormie.connect(url_of(house), name="Ada") as ada,
        await Dormie.connect(url_of(house), name="Eve") as eve,
    ):
        table = await ada.create(size=2, password=SECRET, listed=True)
        assert (True, True) == (table.about.password, table.about.listed)
        for wrong in (None, "wrong"):
            with pytest.raises(RefusedError) as no:
                await eve.watch(table.code, wrong)
            assert "wrong_password" == no.value.word
        watched = await eve.watch(table.code, SECRET)
        for socket in list(house.reception.open):
            socket.transport.abort()
        await table.lock()
        await watched.until(lambda seen: seen.view.locked, within=20)

        assert None is watched.seat


async def test_a_host_who_changes_the_password_knows_it(house: App) -> None:
    async with (
        await Dormie.connect(url_of(house), name="Ada") as ada,
        await Dormie.connect(url_of(house), name="Ben") as ben,
    ):
        table = await ada.create(size=3)
        await table.set_password(SECRET)
        await ben.join(table.code, password=SECRET)
        await table.hand_over(1)
        assert 1 == table.view.host
        with pytest.raises(RefusedError) as no:
            await table.set_password("abc")

        assert ("bad_option", "password") == (no.value.word, no.value.field)


async def test_whoever_is_sent_away_for_good_is_told_and_goes(house: App) -> None:
    async with (
        await Dormie.connect(url_of(house), name="Ada") as ada,
        await Dormie.connect(url_of(house), name="Eve") as eve,
    ):
        table = await ada.create(size=3)
        theirs = await eve.join(table.code)
        await table.until(lambda seen: seen.view.seats[1] is not None, within=20)
        kick = asyncio.create_task(table.kick(1, ban=True))
        events = [told.all.event async for seen in theirs.updates() for told in seen.events]
        await kick

        assert "kicked" == events[-1]
        with pytest.raises(ClosedError, match="sent you away"):
            await theirs.ready()
        with pytest.raises(RefusedError, match="no such table"):
            await eve.join(table.code)
        assert None is table.view.seats[1]
