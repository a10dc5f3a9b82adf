"""The links under which people reach a server: on this machine, on the local network, from outside."""

import socket
from contextlib import suppress

_NOWHERE = ("192.0.2.1", 9)
"""An address of nobody: asking the system for the way there sends nothing and shows our own address."""


def links(
    host: str, port: int, public_url: str | None = None, *, tls: bool = False
) -> tuple[str, ...]:
    """The addresses to open, the one for this machine first.

    >>> links("127.0.0.1", 8421), links("127.0.0.1", 8421, "https://golf.example")
    (('http://127.0.0.1:8421/',), ('http://127.0.0.1:8421/', 'https://golf.example/'))
    """
    scheme = "https" if tls else "http"
    here = host if host not in ("0.0.0.0", "::", "") else "127.0.0.1"  # noqa: S104 - compared, not bound
    found = [_link(scheme, here, port)]
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        found += [_link(scheme, address, port) for address in _own_addresses()]
    if public_url:
        found.append(public_url.rstrip("/") + "/")
    return tuple(dict.fromkeys(found))


def _own_addresses() -> list[str]:
    """The address of this machine on the local network, if it is on one."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_NOWHERE)
        address: str = probe.getsockname()[0]
        if not address.startswith("127."):
            return [address]
    return []


def _link(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"
