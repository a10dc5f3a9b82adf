"""Bytes on an open line: frames with anything wrong that a frame can have, and bytes that are no frames."""

import struct
from collections.abc import Callable, Sequence
from random import Random

from tests.wire import BINARY, CLOSE, CONT, PING, PONG, TEXT, framed

Chunks = list[bytes]


def masked(luck: Random, opcode: int, payload: bytes, *, fin: bool = True) -> bytes:
    """One frame as a client should send it, with a mask that is not all zeros."""
    frame = framed(opcode, payload, fin=fin)
    start = len(frame) - len(payload) - 4
    mask = luck.randbytes(4)
    return frame[:start] + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def wild(luck: Random, text: bytes) -> Chunks:
    """Some frames, most of them wrong somehow; *text* is a message that might be right."""
    data = b"".join(luck.choice(_WILD)(luck, text) for _ in range(luck.choice((1, 1, 2, 3))))
    if luck.random() < 0.3:
        data = data[: luck.randint(0, len(data))]
    return cut_up(luck, data) if luck.random() < 0.5 else [data]


def cut_up(luck: Random, data: bytes) -> Chunks:
    """The same bytes as they may arrive: in pieces, some of a single byte."""
    pieces: Chunks = []
    while data and len(pieces) < 40:
        size = luck.choice((1, 1, 2, 3, 7, 60, len(data)))
        pieces.append(data[:size])
        data = data[size:]
    return [*pieces, data] if data else pieces


def fragments(luck: Random, text: bytes) -> bytes:
    """One message in pieces, as it may be sent; control frames may stand between them."""
    places = sorted(
        luck.randint(0, len(text)) for _ in range(luck.choice((1, 2, 5, 62, 63, 64, 70)))
    )
    parts = [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    frames = []
    for number, part in enumerate(parts):
        opcode = CONT if number else TEXT
        frames.append(masked(luck, opcode, part, fin=number == len(parts) - 1))
        if luck.random() < 0.1:
            frames.append(masked(luck, luck.choice((PING, PONG)), luck.randbytes(5)))
    return b"".join(frames)


def goodbye(luck: Random) -> bytes:
    """A close frame with a code that may be none, and a reason that may be no text."""
    codes = (0, 999, *range(1000, 1016), 1100, 2999, 3000, 3999, 4000, 4400, 4999, 5000, 65535)
    code = struct.pack("!H", luck.choice(codes))
    reason = luck.choice((b"", b"bye", b"\xff\xfe", "é".encode()[:1], b"x" * 123, b"x" * 124))
    return masked(luck, CLOSE, luck.choice((b"", b"\x03", code, code + reason, code + reason)))


def _any_head(luck: Random, text: bytes) -> bytes:
    """Any first two bytes: reserved bits, unknown opcodes, no mask."""
    payload = luck.choice((text, b"", luck.randbytes(luck.choice((1, 4, 125)))))[:125]
    first, second = luck.randrange(256), (0x80 if luck.random() < 0.8 else 0) | len(payload)
    return bytes([first, second]) + (bytes(4) if second & 0x80 else b"") + payload


def _unmasked(luck: Random, text: bytes) -> bytes:
    short = text[:125]
    return bytes([0x80 | TEXT, len(short)]) + short


def _lying(luck: Random, text: bytes) -> bytes:
    """A length that is not the length: more, less, huge, or written with too many bytes."""
    sizes = (len(text) + 1, max(0, len(text) - 3), 0, 125, 126, 4096, 4097, 65535, 65536)
    size = luck.choice((*sizes, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1))
    first = bytes([0x80 | luck.choice((TEXT, BINARY, PING, CLOSE))])
    if luck.random() < 0.5 or size >= 65536:
        return first + b"\xff" + struct.pack("!Q", size) + bytes(4) + text
    return first + b"\xfe" + struct.pack("!H", size) + bytes(4) + text


def _control(luck: Random, text: bytes) -> bytes:
    """Pings and pongs: in pieces, too long, or with the text of a message."""
    payload = luck.choice((b"", b"x" * 125, b"x" * 126, text, luck.randbytes(8)))
    fin = luck.random() < 0.8
    return masked(luck, luck.choice((PING, PONG, CLOSE)), payload, fin=fin)


def _binary(luck: Random, text: bytes) -> bytes:
    return masked(luck, BINARY, luck.choice((text, b"", luck.randbytes(40))))


def _no_utf8(luck: Random, text: bytes) -> bytes:
    wrong = luck.choice(
        (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80")
    )
    at = luck.randint(0, len(text))
    return masked(luck, TEXT, text[:at] + wrong + text[at:])


def _loose(luck: Random, text: bytes) -> bytes:
    """A piece that continues nothing, or a message that begins inside another."""
    first = masked(luck, luck.choice((CONT, TEXT)), text, fin=luck.random() < 0.5)
    return first + masked(luck, luck.choice((CONT, TEXT, BINARY)), text)


def _flood(luck: Random, _text: bytes) -> bytes:
    """Very many very small frames."""
    one = masked(luck, luck.choice((PING, PONG, TEXT, CONT)), b"", fin=luck.random() < 0.7)
    return one * luck.choice((20, 150, 700))


def _long(luck: Random, text: bytes) -> bytes:
    size = luck.choice((4095, 4096, 4097, 5000, 66000))
    return masked(luck, TEXT, text[:-1] + b" " * (size - len(text)) + text[-1:])


def _http_again(_luck: Random, _text: bytes) -> bytes:
    return b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"


def _noise(luck: Random, _text: bytes) -> bytes:
    return luck.randbytes(luck.choice((1, 2, 6, 14, 200, 5000)))


def _right(luck: Random, text: bytes) -> bytes:
    return masked(luck, TEXT, text)


def _goodbye(luck: Random, _text: bytes) -> bytes:
    return goodbye(luck)


_WILD: Sequence[Callable[[Random, bytes], bytes]] = (
    *(_any_head, _any_head, _unmasked, _lying, _lying, _control, _binary, _no_utf8, _loose),
    *(_flood, _long, _http_again, _noise, _right, fragments, _goodbye, _goodbye),
)
