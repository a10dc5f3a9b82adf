"""What people open in a browser or hand to a friend: addresses of a server, not of its socket."""

from collections.abc import Sequence

from dormie_client.address import socket_url


def record_url(address: str, code: str, match: int) -> str:
    """Where the record of a match is.

    >>> record_url("http://localhost:8421", "PARTEE23", 1)
    'http://localhost:8421/record/PARTEE23-1'
    >>> record_url("wss://golf.example/club/ws", "PARTEE23", 2)
    'https://golf.example/club/record/PARTEE23-2'
    """
    return named_record_url(address, f"{code}-{match}")


def named_record_url(address: str, name: str) -> str:
    """Where the record of this name is.

    >>> named_record_url("http://localhost:8421", "day-2026-11-29")
    'http://localhost:8421/record/day-2026-11-29'
    """
    socket = socket_url(address)
    return f"http{socket.removeprefix('ws').removesuffix('/ws')}/record/{name}"


def without_end(address: str) -> str:
    """An address without the slash that nobody types.

    >>> without_end("http://localhost:8421/"), without_end("http://")
    ('http://localhost:8421', 'http://')
    """
    return address if address.endswith("//") else address.removesuffix("/")


def for_others(url: str, links: Sequence[str]) -> str:
    """Where others reach the house: an address of this very machine is of no use to them.

    >>> for_others("http://127.0.0.1:8421", ["http://127.0.0.1:8421/", "http://192.168.1.20:8421/"])
    'http://192.168.1.20:8421'
    >>> for_others("https://golf.example", ["http://127.0.0.1:8421/"])
    'https://golf.example'
    """
    here = any(name in url for name in ("//127.", "//localhost", "//[::1]"))
    return links[-1].rstrip("/") if here and links else url
