"""Guests and their devices: who a token belongs to.

A token is sent once and kept as a hash; the player it proves has an id that everybody may know and a
secret that nobody sees, from which the codes of the player's tables follow.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace

from pydantic import ConfigDict, TypeAdapter

from dormie_server.ids import new_player_id, new_token, same, token_key
from dormie_server.luck_source import LuckSource
from dormie_server.names import clean_name
from dormie_server.store import Conflict, Store, StoreUnavailable
from dormie_server.table.refusal import No

_LIVES = 400 * 86400.0
"""A guest who has not been here for so long is forgotten."""
_LIVES_AT_FIRST = 21 * 86400.0
"""And one who never came a second time already after so long: longer than the longest turn, so that nobody
is forgotten before it is their turn."""
_RENEW = 86400.0

GUEST = "Guest"


@dataclass(frozen=True, slots=True)
class Device:
    """A token, by its hash, and the player it belongs to."""

    key: str
    player: str


@dataclass(frozen=True, slots=True)
class Player:
    """A player, as only the server knows one."""

    __pydantic_config__ = ConfigDict(hide_input_in_errors=True)
    id: str
    name: str
    secret: str = field(repr=False)
    """256 random bits in hexadecimal."""
    seen: float = 0.0
    """When the player was last here, give or take a day."""


_DEVICE = TypeAdapter(Device)
_PLAYER = TypeAdapter(Player)


class Players:
    """Everybody who has ever said hello, and lately."""

    def __init__(self, store: Store, luck: LuckSource) -> None:
        self._store = store
        self._luck = luck

    async def hello(self, token: str | None, name: str | None) -> tuple[Player, str | None]:
        """The player with *token*, or a new guest and the guest's new token. Raises No."""
        wish = _wish(name)
        try:
            if token is None:
                return await self._new(wish or GUEST)
            return await self._known(token, wish), None
        except StoreUnavailable:
            raise No("store_unavailable") from None

    async def _new(self, name: str) -> tuple[Player, str]:
        now = await self._store.now()
        player = Player(new_player_id(), name, self._luck.draw().hex(), now)
        token = new_token()
        device = Device(token_key(token), player.id)
        lives, key = _LIVES_AT_FIRST, _device_key(device.key)
        await self._store.put(_player_key(player.id), _PLAYER.dump_json(player), 0, lifetime=lives)
        await self._store.put(key, _DEVICE.dump_json(device), 0, lifetime=lives)
        return player, token

    async def _known(self, token: str, name: str | None) -> Player:
        key = token_key(token)
        found = await self._store.get(_device_key(key))
        device = _DEVICE.validate_json(found.body) if found else None
        if found is None or device is None or not same(device.key, key):
            raise No("unknown_token", field="token")
        document = await self._store.get(_player_key(device.player))
        if document is None:
            raise No("unknown_token", field="token")
        player = _PLAYER.validate_json(document.body)
        now = await self._store.now()
        fresh = replace(player, name=name or player.name, seen=now)
        first_return = document.version == 1
        if first_return or fresh.name != player.name or now - player.seen > _RENEW:
            with suppress(Conflict):  # another device said the same at the same moment
                await self._store.put(
                    _player_key(player.id),
                    _PLAYER.dump_json(fresh),
                    document.version,
                    lifetime=_LIVES,
                )
                await self._store.put(
                    _device_key(key), _DEVICE.dump_json(device), found.version, lifetime=_LIVES
                )
        return fresh


def _wish(name: str | None) -> str | None:
    if name is None:
        return None
    try:
        return clean_name(name)
    except ValueError as because:
        raise No("bad_name", str(because), "name") from None


def _player_key(player: str) -> str:
    return f"player:{player}"


def _device_key(key: str) -> str:
    return f"device:{key}"
