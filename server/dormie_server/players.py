"""Guests and their devices: who a token belongs to.

A token is sent once and kept as a hash; the player it proves has an id that proves nothing and a
secret that nobody sees, from which the codes of the player's tables follow. A new device of a player
says a code that another one was told, and is sent a token of its own.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from dormie_server.ids import new_player_id, new_token, same, table_code, token_key
from dormie_server.luck_source import LuckSource
from dormie_server.names import clean_name
from dormie_server.person import (
    MOST_DEVICES,
    MOST_FORGOT,
    MOST_NAMES,
    PLAYER,
    Gadget,
    Player,
    claim_key,
    device_key,
    hidden_from,
    made_up_label,
    player_key,
)
from dormie_server.store import NO_CARDS, Conflict, Document, Store, StoreUnavailable
from dormie_server.table.refusal import No
from dormie_server.traces import traces_shelf

_LIVES = 400 * 86400.0
"""A guest who has not been here for so long is forgotten."""
_LIVES_AT_FIRST = 21 * 86400.0
"""And one who never came a second time already after so long: longer than the longest turn, so that nobody
is forgotten before it is their turn."""
_RENEW = 86400.0
_REMEMBERED = 8
"""So many forgotten devices of a player: a server that dies may leave the document of the last one."""
_CLAIM_LIVES = 300.0
_TRIES = 20

GUEST = "Guest"


@dataclass(frozen=True, slots=True)
class Device:
    """A token, by its hash, and the player it belongs to."""

    key: str
    player: str


_DEVICE = TypeAdapter(Device)


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

    async def claim(self, code: str) -> tuple[Player, str]:
        """The player to whom a claim code was told, and a token for the device that says it. Raises No."""
        key, token = token_key(code), new_token()
        try:
            found = await self._store.get(claim_key(key))
            if found is None:
                raise No("unknown_claim", field="claim")
            now = await self._store.now()
            device = Device(token_key(token), found.body.decode())
            # Whatever becomes of the rest: who is erased is found here, too.
            traces: dict[str, bytes | None] = {traces_shelf(device.player): b""}
            body = _DEVICE.dump_json(device)
            await self._store.put(device_key(device.key), body, 0, shelves=traces, lifetime=_LIVES)
            try:
                player = await self.change(
                    device.player, lambda player: self._claimed(player, key, device.key, now)
                )
            except No:
                await self._store.drop(device_key(device.key))
                raise
            with suppress(StoreUnavailable):  # the code is void already, and nobody waits for this
                await self._store.drop(claim_key(key))
        except StoreUnavailable:
            raise No("store_unavailable") from None
        return player, token

    async def new_claim(self, player: str) -> tuple[str, float]:
        """A new code for a device of *player*, and until when it is good; an older one is void. Raises No."""
        try:
            now = await self._store.now()
            code = table_code(self._luck.draw(), "claim")
            key, until = token_key(code), now + _CLAIM_LIVES
            before = await self.find(player)
            if before and len(before.devices) >= MOST_DEVICES:
                raise No("too_many_devices")
            # Whatever becomes of the rest: who is erased is found here, too.
            traces: dict[str, bytes | None] = {traces_shelf(player): b""}
            await self._store.put(
                claim_key(key), player.encode(), 0, shelves=traces, lifetime=_CLAIM_LIVES
            )
            await self.change(player, lambda one: replace(one, claim=key, claim_until=until))
            if before and before.claim:
                await self._store.drop(claim_key(before.claim))
        except (StoreUnavailable, Conflict):
            raise No("store_unavailable") from None
        return code, until

    async def forget_device(self, player: str, label: str, command: str) -> str:
        """Take a device of *player*'s away; returns the hash of its token, which is void. Raises No.

        The same *command* again, whose answer was lost, is answered as before.
        """
        gone = ""

        def without(one: Player) -> Player:
            nonlocal gone
            gone = dict(one.forgot).get(command, "")
            return one if gone else forget(one)

        def forget(one: Player) -> Player:
            nonlocal gone
            gone = next((device.key for device in one.devices if device.label == label), "")
            if not gone:
                raise No("no_such_device", field="device")
            left = tuple(device for device in one.devices if device.key != gone)
            if not left:
                raise No("last_device", field="device")
            forgotten = (gone, *one.forgotten)[:_REMEMBERED]
            forgot = (*one.forgot, (command, gone))[-MOST_FORGOT:]
            return replace(one, devices=left, forgotten=forgotten, forgot=forgot)

        await self.change(player, without)
        # Its token is void already; a refusal now would tell whoever asks that nothing was done.
        with suppress(StoreUnavailable):
            await self._store.drop(device_key(gone))
        return gone

    async def find(self, player: str) -> Player | None:
        """A player by id. Raises No."""
        document = await self._get(player)
        return PLAYER.validate_json(document.body) if document else None

    async def hidden(self, player: str) -> frozenset[str]:
        """The players whose words never reach *player*. Raises No."""
        found = await self.find(player)
        return hidden_from(found) if found else frozenset()

    async def change(
        self,
        player: str,
        how: Callable[[Player], Player],
        shelves: Mapping[str, bytes | None] = NO_CARDS,
    ) -> Player:
        """Change what is known of a player, whoever else does at the moment. Raises No."""
        for _ in range(_TRIES):
            document = await self._get(player)
            if document is None:
                raise No("unknown_token")
            before = PLAYER.validate_json(document.body)
            after = how(before)
            if after == before and not shelves:
                return before
            try:
                await self._put(after, document.version, shelves)
            except Conflict:
                continue
            return after
        raise No("store_unavailable")

    async def _put(self, player: Player, was: int, shelves: Mapping[str, bytes | None]) -> None:
        try:
            await self._store.put(
                player_key(player.id),
                PLAYER.dump_json(player),
                was,
                shelves=shelves,
                lifetime=_LIVES,
            )
        except StoreUnavailable:
            raise No("store_unavailable") from None

    async def _get(self, player: str) -> Document | None:
        try:
            return await self._store.get(player_key(player))
        except StoreUnavailable:
            raise No("store_unavailable") from None

    def _claimed(self, player: Player, key: str, device: str, now: float) -> Player:
        if not player.claim or not same(player.claim, key) or now >= player.claim_until:
            raise No("unknown_claim", field="claim")
        if len(player.devices) >= MOST_DEVICES:
            raise No("too_many_devices")
        gadgets = (*player.devices, self._gadget(device, player.devices, now))
        return replace(player, claim="", claim_until=0.0, devices=gadgets)

    def _gadget(self, key: str, others: tuple[Gadget, ...], now: float) -> Gadget:
        taken = tuple(one.label for one in others)
        return Gadget(made_up_label(self._luck.draw(2), taken), key, now)

    async def _new(self, name: str) -> tuple[Player, str]:
        now = await self._store.now()
        token = new_token()
        secret, key = self._luck.draw().hex(), token_key(token)
        player = Player(new_player_id(), name, secret, now, (self._gadget(key, (), now),))
        device = Device(key, player.id)
        lives = _LIVES_AT_FIRST
        await self._store.put(player_key(player.id), PLAYER.dump_json(player), 0, lifetime=lives)
        await self._store.put(device_key(key), _DEVICE.dump_json(device), 0, lifetime=lives)
        return player, token

    async def _known(self, token: str, name: str | None) -> Player:
        for _ in range(_TRIES):
            with suppress(Conflict):  # somebody was faster: look again what is true
                return await self._met(token, name)
        raise No("store_unavailable")

    async def _met(self, token: str, name: str | None) -> Player:
        """The player with *token*, as is written down where anything is new. Raises No, Conflict."""
        key = token_key(token)
        found = await self._store.get(device_key(key))
        device = _DEVICE.validate_json(found.body) if found else None
        if found is None or device is None or not same(device.key, key):
            raise No("unknown_token", field="token")
        document = await self._store.get(player_key(device.player))
        if document is None:
            raise No("unknown_token", field="token")
        player = PLAYER.validate_json(document.body)
        if player.devices and key not in {one.key for one in player.devices}:
            raise No("unknown_token", field="token")
        now = await self._store.now()
        fresh = self._seen(_renamed(player, name), key, now)
        first_return = document.version == 1
        stale = fresh.devices != player.devices or now - player.seen > _RENEW
        if first_return or fresh.name != player.name or stale:
            body, was = PLAYER.dump_json(fresh), document.version
            await self._store.put(player_key(player.id), body, was, lifetime=_LIVES)
            body, was = _DEVICE.dump_json(device), found.version
            await self._store.put(device_key(key), body, was, lifetime=_LIVES)
        return fresh

    def _seen(self, player: Player, key: str, now: float) -> Player:
        """The player, here now, on a device that was perhaps never listed; those long unseen are no more."""
        listed = player.devices or (self._gadget(key, (), now),)
        devices = tuple(
            replace(one, seen=now) if one.key == key and now - one.seen > _RENEW else one
            for one in listed
            if one.key == key or now - one.seen < _LIVES
        )
        return replace(player, seen=now, devices=devices)


def _renamed(player: Player, name: str | None) -> Player:
    if name is None or name == player.name:
        return player
    called = tuple(dict.fromkeys((player.name, *player.called)))
    return replace(player, name=name, called=called[:MOST_NAMES])


def _wish(name: str | None) -> str | None:
    if name is None:
        return None
    try:
        return clean_name(name)
    except ValueError as because:
        raise No("bad_name", str(because), "name") from None
