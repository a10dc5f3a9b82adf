"""A player, as only the server knows one: devices, the people one does not want to hear, and who asks."""

from dataclasses import dataclass, field

from pydantic import ConfigDict, TypeAdapter

from dormie_server.watching import Peer

MOST_DEVICES = 20
MOST_HIDDEN = 200
"""So many players one can mute, and so many one can block."""
MOST_NAMES = 20
MOST_FORGOT = 4
"""So many commands are remembered; whoever lost an answer asks again soon."""


@dataclass(frozen=True, slots=True)
class Gadget:
    """One of a player's devices, by a made-up name; its token is kept as a hash."""

    label: str
    key: str = field(repr=False)
    seen: float
    """When it last said hello, give or take a day."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Somebody a player blocks: the word to take it back with, who it is, and the name they had."""

    entry: str
    player: str
    name: str
    since: float


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
    devices: tuple[Gadget, ...] = ()
    """Whoever holds another token is not this player; empty only in documents of older servers."""
    claim: str = field(default="", repr=False)
    """The hash of the code for a new device, while there is one."""
    claim_until: float = 0.0
    blocked: tuple[Blocked, ...] = ()
    muted: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    """The names the player had before."""
    forgotten: tuple[str, ...] = field(default=(), repr=False)
    """The devices that were forgotten last, by the hashes of their tokens: whose documents may be left."""
    forgot: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The last commands that forgot a device, each with the hash of its token: asked again, they are done."""


PLAYER: TypeAdapter[Player] = TypeAdapter(Player)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the player, the connection, and the address under which guesses are counted."""

    player: Player
    peer: Peer
    address: str


def player_key(player: str) -> str:
    """The store's key of a player."""
    return f"player:{player}"


def device_key(key: str) -> str:
    """The store's key of a device, by the hash of its token."""
    return f"device:{key}"


def claim_key(key: str) -> str:
    """The store's key of a claim code, by its hash."""
    return f"claim:{key}"


def hidden_from(player: Player) -> frozenset[str]:
    """The players whose words never reach this one."""
    return frozenset((*player.muted, *(one.player for one in player.blocked)))


def blocks(one: Player, other: Player) -> bool:
    """Whether one of two players blocks the other: then they are not brought together.

    >>> ada = Player("p1", "Ada", "", blocked=(Blocked("b1", "p2", "Bob", 0.0),))
    >>> bob = Player("p2", "Bob", "")
    >>> blocks(ada, bob), blocks(bob, ada), blocks(ada, Player("p3", "Cleo", ""))
    (True, True, False)
    """
    return _blocks(one, other.id) or _blocks(other, one.id)


def _blocks(player: Player, other: str) -> bool:
    return any(one.player == other for one in player.blocked)


def names_of(player: Player) -> tuple[str, ...]:
    """Every name the player is known to have had, the present one first."""
    return player.name, *player.called


_WORDS = ("amber", "blue", "brisk", "calm", "green", "quiet", "red", "silver")
_THINGS = ("bunker", "caddie", "driver", "fairway", "flag", "green", "putter", "tee")


def made_up_label(luck: bytes, taken: tuple[str, ...]) -> str:
    """A name for a device that says nothing about it.

    >>> made_up_label(bytes(2), ()), made_up_label(bytes(2), ("amber_bunker",))
    ('amber_bunker', 'amber_bunker_2')
    """
    first = f"{_WORDS[luck[0] % len(_WORDS)]}_{_THINGS[luck[1] % len(_THINGS)]}"
    label, number = first, 1
    while label in taken:
        number += 1
        label = f"{first}_{number}"
    return label
