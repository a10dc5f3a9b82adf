"""A player who asked to be forgotten is forgotten, also by a server that dies in the middle of it."""

from collections.abc import AsyncIterator, Mapping

import pytest

from dormie_server.alarms import Alarms
from dormie_server.erasing import Eraser
from dormie_server.ids import token_key
from dormie_server.keeper import Keeper
from dormie_server.luck_source import SystemLuck
from dormie_server.metrics import Metrics
from dormie_server.person import device_key, player_key
from dormie_server.players import Players
from dormie_server.reports import FILED, Filed
from dormie_server.sqlite_store import SqliteStore
from dormie_server.traces import traces_shelf
from tests.server.guest import Guest
from tests.serving import serving


class Dies(Exception):
    """The process is gone."""


class Mortal(SqliteStore):
    """A store whose process dies just before it drops a key that begins so."""

    last: str | None = None

    async def drop(self, key: str) -> None:
        if self.last is not None and key.startswith(self.last):
            raise Dies
        await super().drop(key)


NOW = [1000.0]
NAME = "Xenophontia"


@pytest.fixture
async def store() -> AsyncIterator[Mortal]:
    opened = Mortal(":memory:", clock=lambda: NOW[0])
    yield opened
    await opened.close()


@pytest.mark.parametrize("last", ["device:", "player:"])
async def test_nasty_S17_a_server_that_dies_in_the_middle_leaves_no_name_and_soon_nothing_at_all(
    store: Mortal, last: str
) -> None:
    """With the last device gone the player could not even ask again."""
    luck, metrics = SystemLuck(), Metrics(())
    players = Players(store, luck)
    player, _ = await players.hello(None, NAME)
    alarms = Alarms(store, luck, metrics)
    eraser = Eraser(store, Keeper(store, luck, alarms.changed, metrics), players)
    store.last = last
    with pytest.raises(Dies):
        await eraser.erase(player.id)
    left = await store.get(player_key(player.id))
    assert left is not None, "it died before that was dropped"
    assert NAME.encode() not in left.body
    NOW[0] += 61

    assert await store.get(player_key(player.id)) is None
    store.last = None
    await eraser.erase(player.id)
    await alarms.stop()


async def two_devices(store: Mortal) -> tuple[Players, Eraser, str, str]:
    """Somebody with two devices: players, an eraser, who it is, and the key of the second device."""
    luck, metrics = SystemLuck(), Metrics(())
    players = Players(store, luck)
    player, _ = await players.hello(None, NAME)
    code, _ = await players.new_claim(player.id)
    _, token = await players.claim(code)
    alarms = Alarms(store, luck, metrics)
    eraser = Eraser(store, Keeper(store, luck, alarms.changed, metrics), players)
    return players, eraser, player.id, device_key(token_key(token))


async def test_nasty_S17_a_device_that_was_not_quite_forgotten_is_forgotten_with_its_player(
    store: Mortal,
) -> None:
    """The server died between the player's list and the device's own document."""
    players, eraser, player, device = await two_devices(store)
    known = await players.find(player)
    assert known is not None
    label = next(one.label for one in known.devices if device_key(one.key) == device)
    store.last = "device:"
    with pytest.raises(Dies):
        await players.forget_device(player, label, "f")
    store.last = None
    assert await store.get(device) is not None, "it died before that was dropped"

    assert await eraser.erase(player)
    assert None is await store.get(device)


async def test_nasty_S17_a_device_that_was_not_quite_claimed_is_forgotten_with_its_player(
    store: Mortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server died between the device's own document and the player's list."""
    players, eraser, player, _ = await two_devices(store)
    code, _ = await players.new_claim(player)

    async def dies(*_: object) -> None:
        raise Dies

    with monkeypatch.context() as here:
        here.setattr(players, "change", dies)
        with pytest.raises(Dies):
            await players.claim(code)

    assert await eraser.erase(player)
    assert [] == await store.keys("device:")
    assert {} == await store.on(traces_shelf(player))


async def test_a_device_on_the_list_may_ask_until_the_player_goes(store: Mortal) -> None:
    """What is laid down for a claimed device must not take it from somebody who has to ask again."""
    _, eraser, player, device = await two_devices(store)
    store.last = "device:"
    with pytest.raises(Dies):
        await eraser.erase(player)
    assert await store.get(device) is not None
    store.last = None

    assert await eraser.erase(player)
    assert None is await store.get(device)


async def test_nasty_S17_a_report_written_while_somebody_is_erased_names_them_no_longer_than_it_must(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that stood still files it when nobody looks for them any more."""
    async with serving() as app:
        ada, ben = await Guest.come(app.port, NAME), await Guest.come(app.port, "Ben")
        code = await ada.create(size=2)
        await ben.join(code)
        people = app.reception.desk.people
        reports = people._reports  # noqa: SLF001 - where a server may stand still
        file = reports._file  # noqa: SLF001 - likewise

        async def late(filed: Filed, named: Mapping[str, str]) -> bool:
            await people._eraser.erase(ada.player)  # noqa: SLF001 - another server does it
            return await file(filed, named)

        monkeypatch.setattr(reports, "_file", late)
        await ben.do("report", table=code, seat=0, reason="abuse", text="rude")
        (filed,) = await reports.waiting()
        left = FILED.dump_json(filed)

    assert b"Ben" in left
    assert NAME.encode() not in left
    assert ada.player.encode() not in left
