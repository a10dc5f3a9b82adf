"""Bytes before any greeting: handshakes with something wrong, other requests, and what is no HTTP at all."""

from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.lexicon import TEXTS
from tests.wire import Place, request

HERE = Place("127.0.0.1", 0)
GREETING = request(HERE)

_PATHS = (
    *("/", "/ws", "/ws?token=1", "/WS", "/ws/", "//ws", "/%77s", "/metrics", "/healthz", "/readyz"),
    *("/record/ABCDEFGH-1", "/record/../dormie.db", "/record/", "/record/%00", "/../../etc/passwd"),
    *(
        "/favicon.svg",
        "/index.html",
        "*",
        "",
        "http://127.0.0.1/ws",
        "/" + "a" * 9000,
        "/é",
        "/ws#",
    ),
)
_METHODS = (
    "GET",
    "HEAD",
    "POST",
    "OPTIONS",
    "PUT",
    "CONNECT",
    "TRACE",
    "get",
    "G\x00T",
    "",
    "X" * 99,
)
_LINES = (
    *("Origin: http://evil.example", "Origin: null", "Origin: http://game.example", "Origin: \xff"),
    *("Host: a", "Host: ", "Sec-WebSocket-Version: 8", "Sec-WebSocket-Version: 13, 13"),
    *("Sec-WebSocket-Key: short", "Sec-WebSocket-Key: ", "Sec-WebSocket-Protocol: other.9"),
    *("Sec-WebSocket-Protocol: dormie.1, , dormie.1", "Sec-WebSocket-Protocol: \x80"),
    *("Sec-WebSocket-Extensions: permessage-deflate", 'Sec-WebSocket-Extensions: ;;=,"'),
    *("Connection: close", "Upgrade: h2c", "Content-Length: 5", "Content-Length: -1"),
    *("Content-Length: 99999999999999999999", "Transfer-Encoding: chunked", "Expect: 100-continue"),
    *("X-Forwarded-For: 10.0.0.1", "X-Forwarded-For: ,,", 'Forwarded: for="[::1]"', "Via: x"),
    *(
        "If-None-Match: *",
        "Accept-Encoding: gzip;q=x",
        "Range: bytes=0-",
        "Cookie: a=b",
        "no colon",
    ),
    *(
        ": empty",
        " folded: yes",
        "X: " + "a" * 9000,
        "X-Null: \x00",
        "Authorization: Bearer hunter2",
    ),
)
_ENDS = ("\r\n", "\n", "\r", "\r\n\r\n", "\r\n\x00", "\n\r\n")


def doorbell(luck: Random) -> bytes:
    """What somebody says who has not been greeted."""
    return luck.choice(_WAYS)(luck)


def _request(luck: Random) -> bytes:
    lines = "".join(f"{line}\r\n" for line in luck.sample(_LINES, k=luck.choice((0, 1, 2, 5))))
    return request(
        HERE, luck.choice(_PATHS), lines, luck.choice(_METHODS[: luck.choice((1, 3, 11))])
    )


def _greeting(luck: Random) -> bytes:
    """A handshake with a line more, less, twice, or changed."""
    lines = GREETING.split(b"\r\n")[:-2]
    at = luck.randrange(1, len(lines))
    way = luck.randrange(4)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(at, lines[luck.randrange(1, len(lines))])
    elif way == 2:
        lines[at] = lines[at].partition(b":")[0] + b": " + luck.choice(TEXTS).encode()
    else:
        lines.insert(at, luck.choice(_LINES).encode("latin-1"))
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _spoilt(luck: Random) -> bytes:
    data = bytearray(_request(luck))
    for _ in range(luck.choice((1, 3, 9))):
        data[luck.randrange(len(data))] = luck.randrange(256)
    return bytes(data)


def _ends(luck: Random) -> bytes:
    return _request(luck).replace(b"\r\n", luck.choice(_ENDS).encode())


def _version(luck: Random) -> bytes:
    versions = (b"HTTP/1.0", b"HTTP/2.0", b"HTTP/0.9", b"HTTP/1.1 HTTP/1.1", b"", b"RTSP/1.0")
    return GREETING.replace(b"HTTP/1.1", luck.choice(versions), 1)


def _crowded(luck: Random) -> bytes:
    return request(HERE, lines="".join(f"X-{n}: a\r\n" for n in range(luck.choice((90, 200)))))


def _other_protocols(luck: Random) -> bytes:
    return luck.choice(
        (
            *(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            *(
                b"SSH-2.0-x\r\n",
                b"PING\r\n",
                b"*1\r\n$4\r\nPING\r\n",
                b"\x81\x85\x00\x00\x00\x00hello",
            ),
            *(b"", b"\r\n\r\n", b"\n", b"\x00" * 20, b"GET / \r\n", b"EHLO a\r\n"),
        )
    )


def _noise(luck: Random) -> bytes:
    return luck.randbytes(luck.choice((1, 10, 300, 9000)))


def _with_frames(luck: Random) -> bytes:
    """A greeting, and more before the answer can have come."""
    return GREETING + luck.choice(
        (luck.randbytes(9), b"\x81\x82\x00\x00\x00\x00{}", b"\x88\x80\x00")
    )


_WAYS: Sequence[Callable[[Random], bytes]] = (
    *(_request, _request, _greeting, _greeting, _spoilt, _ends, _version, _crowded),
    *(_other_protocols, _noise, _with_frames),
)
