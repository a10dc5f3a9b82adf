"""A player who asked to be forgotten is forgotten, also by a server that dies in the middle of it."""

from collections.abc import AsyncIterator

import pytest

from dormie_server.alarms import Alarms
from dormie_server.erasing import Eraser
from dormie_server.keeper import Keeper
from dormie_server.luck_source import SystemLuck
from dormie_server.metrics import Metrics
from dormie_server.person import player_key
from dormie_server.players import Players
from dormie_server.sqlite_store import SqliteStore


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
