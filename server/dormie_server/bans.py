"""Who is not let in: players and networks, for so many days. Kept in the store, so for every server.

A player who is banned can come again as another guest, from the same address: that is what bans of
addresses are for. An IPv6 address is banned with all of its /64, as everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, Literal

from pydantic import ConfigDict, TypeAdapter

from dormie_server.addresses import shared_by
from dormie_server.store import Conflict, Store, StoreUnavailable

BANS: Final = "house:bans"
"""The store's key of all of them."""
MOST: Final = 1000
WIDEST: Final = {4: 8, 6: 32}
"""The shortest prefixes that can be banned: a slip of the finger should not shut the house."""

_TRIES: Final = 20
_EMPTY_LIVES: Final = 60.0

Network = IPv4Network | IPv6Network


class BadBan(Exception):
    """What cannot be banned, with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Ban:
    """Somebody who is not let in."""

    __pydantic_config__ = ConfigDict(hide_input_in_errors=True)
    id: str
    what: Literal["player", "address"]
    who: str
    """The id of a player, or a network."""
    since: float
    until: float
    because: str = ""
    """For those who run the house; whoever is banned is not told."""


_BANS: TypeAdapter[tuple[Ban, ...]] = TypeAdapter(tuple[Ban, ...])


def network_of(text: str) -> Network:
    """The network that an address or a network names. Raises BadBan.

    >>> str(network_of("192.0.2.7")), str(network_of("2001:db8::1")), str(network_of("10.1.0.0/16"))
    ('192.0.2.7/32', '2001:db8::/64', '10.1.0.0/16')
    >>> network_of("0.0.0.0/0")
    Traceback (most recent call last):
        ...
    dormie_server.bans.BadBan: 0.0.0.0/0 is too much: at least /8
    """
    try:
        network = ip_network(text if "/" in text else shared_by(text), strict=False)
    except ValueError:
        raise BadBan(f"{text!r:.60} is no address and no network") from None
    if isinstance(network, IPv6Network) and network.prefixlen > _OF_ONE:
        network = _undressed(network) or network.supernet(new_prefix=_OF_ONE)
    if network.prefixlen < WIDEST[network.version]:
        raise BadBan(f"{network} is too much: at least /{WIDEST[network.version]}")
    return network


_OF_ONE: Final = 64
_DRESS: Final = 96
"""So many bits come before an IPv4 address that is dressed as IPv6."""


def _undressed(network: IPv6Network) -> IPv4Network | None:
    plain = network.network_address.ipv4_mapped
    if plain is None or network.prefixlen < _DRESS:
        return None
    return IPv4Network((plain, network.prefixlen - _DRESS))


class Bans:
    """The bans of a house."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self) -> tuple[Ban, ...]:
        """Those that hold now, oldest first. Raises StoreUnavailable."""
        now = await self._store.now()
        found = await self._store.get(BANS)
        return () if found is None else _holding(found.body, now)

    async def add(self, ban: Ban) -> None:
        """Ban somebody, instead of any earlier ban of theirs. Raises BadBan, StoreUnavailable."""

        def added(before: tuple[Ban, ...]) -> tuple[Ban, ...]:
            others = tuple(one for one in before if (one.what, one.who) != (ban.what, ban.who))
            if len(others) >= MOST:
                raise BadBan(f"there are {MOST} bans already: ban a network instead, or lift some")
            return (*others, ban)

        await self._change(added)

    async def lift(self, name: str) -> tuple[Ban, ...]:
        """Let in again whom a ban of this id, or of this player or network, keeps out; returns those bans.

        Raises StoreUnavailable.
        """
        names, lifted = _names(name), list[Ban]()

        def without(before: tuple[Ban, ...]) -> tuple[Ban, ...]:
            lifted[:] = [one for one in before if one.id in names or one.who in names]
            return tuple(one for one in before if one not in lifted)

        await self._change(without)
        return tuple(lifted)

    async def forget(self, player: str) -> None:
        """Keep no ban of a player, by id. Raises StoreUnavailable."""
        whose = ("player", player)
        await self._change(lambda bans: tuple(ban for ban in bans if (ban.what, ban.who) != whose))

    async def _change(self, how: Callable[[tuple[Ban, ...]], tuple[Ban, ...]]) -> None:
        for _ in range(_TRIES):
            now, found = await self._store.now(), await self._store.get(BANS)
            before = () if found is None else _holding(found.body, now)
            after = how(before)
            if after == before:
                return
            lives = max((ban.until for ban in after), default=now + _EMPTY_LIVES) - now
            body, was = _BANS.dump_json(after), 0 if found is None else found.version
            try:
                await self._store.put(BANS, body, was, lifetime=lives)
            except Conflict:
                continue
            return
        raise StoreUnavailable("too many bans at once")


class Barred:
    """The bans as one server last heard of them: what it asks at its door."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._bans = Bans(store)
        self.players: dict[str, float] = {}
        self.networks: dict[Network, float] = {}
        self._lengths = frozenset[int]()
        """The prefixes that networks have: few, however many networks there are."""

    async def look(self) -> None:
        """Read them again. Raises StoreUnavailable."""
        bans = await self._bans.all()
        self.players = {ban.who: ban.until for ban in bans if ban.what == "player"}
        self.networks = {network_of(ban.who): ban.until for ban in bans if ban.what == "address"}
        self._lengths = frozenset(network.prefixlen for network in self.networks)

    async def player(self, player: str) -> bool:
        """Whether a player, by id, is not let in."""
        until = self.players.get(player)
        return until is not None and await self._holds(until)

    async def address(self, address: str) -> bool:
        """Whether whoever comes from *address*, as limits count it, is not let in."""
        if not self.networks:
            return False
        try:
            place = ip_network(address if "/" in address else shared_by(address))
        except ValueError:
            return False
        around = [
            place.supernet(new_prefix=length)
            for length in self._lengths
            if length <= place.prefixlen
        ]
        ends = [self.networks[network] for network in around if network in self.networks]
        return bool(ends) and await self._holds(max(ends))

    async def _holds(self, until: float) -> bool:
        try:
            return await self._store.now() < until
        except StoreUnavailable:
            return True


def _holding(body: bytes, now: float) -> tuple[Ban, ...]:
    return tuple(ban for ban in _BANS.validate_json(body) if now < ban.until)


def _names(name: str) -> set[str]:
    """What a ban may be called by whoever wants to lift it."""
    try:
        return {name, str(network_of(name))}
    except BadBan:
        return {name}
