"""Where a connection comes from, and which addresses count as one.

Whoever has an IPv6 address has 2**64 of them, so a limit for one address is a limit for its /64. An
IPv4 address that comes dressed as IPv6 is still the IPv4 address.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Network = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))


@lru_cache(maxsize=1024)
def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in *text*, in its plainest form; a zone or a port is left out.

    >>> read_address("::ffff:192.0.2.7"), read_address("[2001:db8::1]:443")
    (IPv4Address('192.0.2.7'), IPv6Address('2001:db8::1'))
    >>> read_address("192.0.2.7:5000"), read_address("unknown")
    (IPv4Address('192.0.2.7'), None)
    """
    text = text.strip().partition("%")[0]
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def shared_by(address: str) -> str:
    """Return the name under which limits count *address*: all of a /64 have the same.

    >>> shared_by("2001:db8:1:2:3:4:5:6"), shared_by("::ffff:192.0.2.7"), shared_by("192.0.2.7")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.7')
    """
    plain = read_address(address)
    if isinstance(plain, IPv6Address):
        return str(IPv6Network((plain, 64), strict=False))
    return address if plain is None else str(plain)


def among(address: str, networks: Iterable[Network]) -> bool:
    """Whether *address* is in one of *networks*.

    >>> among("127.0.0.1", LOOPBACK), among("::ffff:127.0.0.1", LOOPBACK), among("", LOOPBACK)
    (True, True, False)
    """
    plain = read_address(address)
    return plain is not None and any(plain in network for network in networks)


def behind(peer: str, forwarded: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return who is really there when *peer* may be a proxy that says for whom it *forwarded*.

    Each proxy adds the address it heard from at the end, and a stranger may have written the rest:
    the last address that is not a trusted proxy is the one to believe.

    >>> proxies = (IPv4Network("10.0.0.0/8"),)
    >>> behind("10.0.0.1", ["1.2.3.4, 192.0.2.7", "10.0.0.2"], proxies)
    '192.0.2.7'
    >>> behind("192.0.2.7", ["1.2.3.4"], proxies)
    '192.0.2.7'
    """
    believed = peer
    hops = [hop for value in forwarded for hop in value.split(",")]
    while hops and among(believed, trusted):
        hop = read_address(hops.pop())
        if hop is None:
            break
        believed = str(hop)
    return believed
