"""Where a server is: what people type, and what a socket needs."""

from urllib.parse import SplitResult, urlsplit

from dormie_client.errors import ClosedError

_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_PORTS = {"ws": 80, "wss": 443}


def socket_url(address: str) -> str:
    """The address of the server's socket. Raises ClosedError for what cannot be one.

    >>> socket_url("http://localhost:8000"), socket_url("wss://golf.example/ws")
    ('ws://localhost:8000/ws', 'wss://golf.example/ws')
    >>> socket_url("localhost:8000"), socket_url("https://club.example/golf/")
    ('ws://localhost:8000/ws', 'wss://club.example/golf/ws')
    """
    parts = _split(address)
    path = parts.path.rstrip("/")
    if not path or (parts.scheme.startswith("http") and not path.endswith("/ws")):
        path += "/ws"
    return parts._replace(scheme=_SCHEMES[parts.scheme], path=path, query="", fragment="").geturl()


def server_name(address: str) -> str:
    """The server's name for people and for files: no password, no path that is always the same.

    >>> server_name("http://ada:secret@LOCALHOST:8000/"), server_name("wss://golf.example/ws")
    ('localhost:8000', 'golf.example:443')
    """
    parts = urlsplit(socket_url(address))
    port = parts.port or _PORTS[parts.scheme]
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{host}:{port}{parts.path.removesuffix('/ws')}"


def _split(address: str) -> SplitResult:
    text = address.strip()
    try:
        parts = urlsplit(text if "://" in text else f"ws://{text}")
        port, host = parts.port, (parts.hostname or "").encode("idna")
    except ValueError:  # a port that is no number, a name that no host can have
        port, host = None, b""
        parts = urlsplit("")
    if not host or port == 0 or parts.scheme not in _SCHEMES or not text.isprintable():
        raise ClosedError("This is not the address of a server: it looks like ws://host:port/ws.")
    return parts
