"""Nasty inputs, done to any server of ours: `observe` does what a case says and tells what it saw.

The cases are data, in `tests/cases/nasty.json`; `faults` compares what was seen with what a case
expects.
"""

import json
import socket
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.wire import CLOSE, HELLO, PING, PONG, TEXT, Place, Wire, framed, request

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases" / "nasty.json").read_text("utf-8"))[
        "cases"
    ]
}

ON_THE_WIRE = tuple(name for name in CASES if name[0] in "FH" or name == "J20")
"""The cases that are bytes, done one by one to a server in a process of its own."""

UNREADABLE = tuple(n for n, case in CASES.items() if case["expected"].get("no_echo_of_input"))
"""The cases that are messages which are none, said one by one by somebody who has been greeted."""

Case = dict[str, Any]


@dataclass
class Observed:
    """What came of a case; one entry for each run, where it has several."""

    codes: list[int | None] = field(default_factory=list)
    """The codes with which the server closed."""
    statuses: list[int] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    texts: int = 0
    """Messages that the server sent."""
    ended: bool = False
    """The server has ended the connection."""
    seconds: float = 0.0
    """Until it did."""
    growth: int = 0
    """KiB by which the server has grown, at most."""
    neighbour: bool = False
    """Somebody else's connection still answers."""


ROUNDS = 4
"""How often an input is given that must not make a server grow: what it costs, it costs each time.

A process takes memory in pages and arenas, now and then and for whoever comes next.
"""


def observe(place: Place, case: Case, pid: int | None = None) -> Observed:
    """Do to the server at *place* what *case* says. With its *pid*, see how it grows, too."""
    room = case["expected"].get("rss_growth_max_kib")
    seen = _observe_once(place, case, pid)
    for _ in range(ROUNDS - 1):
        if room is None or seen.growth <= room:
            break
        seen = _observe_once(place, case, pid)
    return seen


def _observe_once(place: Place, case: Case, pid: int | None) -> Observed:
    seen = Observed()
    scale = Scale(pid)
    with Wire(place) as neighbour:
        neighbour.greet()
        neighbour.say(framed(TEXT, HELLO))
        began = time.monotonic()
        _way(case)(place, case["input"], seen, scale)
        seen.seconds = time.monotonic() - began
        seen.growth = scale.growth()
        neighbour.say(framed(PING, b"still there?"))
        seen.neighbour = (PONG, b"still there?") in list(_until_pong(neighbour))
    return seen


class Scale:
    """Weighs a process, as often as it is asked to."""

    def __init__(self, pid: int | None) -> None:
        self._file = Path(f"/proc/{pid}/statm")
        self._pid = pid
        self._first = self._most = self._weight()

    def look(self) -> None:
        self._most = max(self._most, self._weight())

    def growth(self) -> int:
        self.look()
        return self._most - self._first

    def _weight(self) -> int:
        if self._pid is None or not self._file.exists():
            return 0
        return int(self._file.read_text("ascii").split()[1]) * 4


def faults(case: Case, seen: Observed, diary: str, handshake_seconds: float) -> list[str]:
    """What is not as *case* expects, in words. *diary* is what the server wrote down meanwhile."""
    hopes = case["expected"]
    checks = _checks(hopes, seen, diary, handshake_seconds)
    unknown = set(hopes) - set(checks) - NOT_SEEN_FROM_OUTSIDE
    assert not unknown, f"{case['id']} hopes for {unknown}, and nobody looks"
    wrong = [word for word, right in checks.items() if word in hopes and not right]
    return [f"{word}: {hopes[word]!r}, but {seen}" for word in wrong]


NOT_SEEN_FROM_OUTSIDE = {"note", "seat", "ip_used_for_limits"}


def _checks(
    hopes: dict[str, Any], seen: Observed, diary: str, handshake_seconds: float
) -> dict[str, bool]:
    statuses = hopes.get("status")
    return {
        "connection": seen.ended,
        "close_code": {hopes.get("close_code")} == set(seen.codes),
        "closed_within_s": seen.ended and seen.seconds <= handshake_seconds + 0.2,
        "command_processed": seen.texts == 0,
        "error_log_lines": '"level": "error"' not in diary,
        "handler_ends_within_s": seen.ended and seen.seconds <= 1,
        "handshake": not any("permessage-deflate" in head for head in seen.heads),
        "log_contains_SECRET123": "SECRET123" not in diary,
        "other_connections_unaffected": seen.neighbour,
        "rss_growth_max_kib": seen.growth <= hopes.get("rss_growth_max_kib", 0),
        "server_abort_within_s": seen.ended and seen.seconds <= 1,  # the house is stricter
        "status": (statuses if isinstance(statuses, list) else [statuses]) == seen.statuses,
        "traceback_logged": "Traceback" not in diary,
        "treated_as": seen.codes == [4401],
    }


def _until_pong(wire: Wire) -> Iterator[tuple[int, bytes]]:
    for opcode, payload in wire.frames(within=2.0):
        yield opcode, payload
        if opcode == PONG:
            return


Way = Callable[[Place, dict[str, Any], Observed, Scale], None]


def _way(case: Case) -> Way:
    given = case["input"]
    if case["kind"] == "http":
        return _slowly if "byte_interval_ms" in given else _over_http
    if "rate_per_s" in given:
        return _at_a_rate
    if given.get("client_reads") is False:
        return _without_reading
    return {"deflate": _deflated, "handshake+frame": _pipelined, "each": _each}.get(
        given.get("gen", ""), _raw
    )


def made(given: Any) -> bytes:
    """The bytes that a generator in a case describes.

    >>> made({"gen": "repeat", "pre": "<", "unit": "ab", "n": 2, "post": ">", "tail": "!"})
    b'<abab>>!'
    """
    if isinstance(given, str):
        return given.encode()
    body = given["pre"] + given["unit"] * given["n"] + given["post"] * given["n"] + given["tail"]
    return str(body).encode()


def _frames(given: dict[str, Any]) -> bytes:
    if "after_handshake_frames_hex" in given:
        return b"".join(bytes.fromhex(text) for text in given["after_handshake_frames_hex"])
    if given["gen"] == "frame":
        return framed(given["opcode"], made(given["payload"]))
    return b"".join(
        framed(one["opcode"], made(one["payload"]), fin=bool(one.get("fin", 1)))
        * one.get("times", 1)
        for one in given["frames"]
    )


def _raw(place: Place, given: dict[str, Any], seen: Observed, _scale: Scale) -> None:
    with Wire(place) as wire:
        wire.greet()
        if "times" in given:
            wire.say(framed(TEXT, HELLO) + framed(TEXT, b"{}") * given["times"])
        else:
            wire.say(_frames(given))
        if given.get("then") == "tcp_fin":
            wire.line.shutdown(socket.SHUT_WR)
        _to_the_end(wire, seen)


def _each(place: Place, given: dict[str, Any], seen: Observed, _scale: Scale) -> None:
    for text in given["frames_hex"]:
        with Wire(place) as wire:
            wire.greet()
            wire.say(bytes.fromhex(text))
            _to_the_end(wire, seen)


def _to_the_end(wire: Wire, seen: Observed) -> None:
    code = None
    for opcode, payload in wire.frames():
        seen.texts += opcode == TEXT
        if opcode == CLOSE:
            code = int.from_bytes(payload[:2], "big")
            wire.line.shutdown(socket.SHUT_WR)
    seen.codes.append(code)
    seen.ended = wire.over


def _pipelined(place: Place, _given: dict[str, Any], seen: Observed, _scale: Scale) -> None:
    with Wire(place) as wire:
        seen.heads.append(wire.greet(more=framed(TEXT, b'{"type":"unwatch","id":"1"}')))
        _to_the_end(wire, seen)


def _deflated(place: Place, given: dict[str, Any], seen: Observed, scale: Scale) -> None:
    for size in given["inflated_bytes"]:
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
        bomb = squeeze.compress(bytes(size)) + squeeze.flush(zlib.Z_SYNC_FLUSH)
        frame = framed(TEXT, bomb[:4000])
        with Wire(place) as wire:
            seen.heads.append(wire.greet("Sec-WebSocket-Extensions: permessage-deflate\r\n"))
            scale.look()
            wire.say(bytes([frame[0] | 0x40]) + frame[1:])
            _to_the_end(wire, seen)


def _without_reading(place: Place, given: dict[str, Any], seen: Observed, scale: Scale) -> None:
    (one,) = given["frames"]
    frame = framed(one["opcode"], made(one["payload"]))
    with Wire(place, small=True) as wire:
        wire.greet()
        try:
            for _ in range(one["times"] // 500):
                wire.say(frame * 500)
                scale.look()
        except OSError:
            seen.ended = True
        else:
            seen.ended = wire.dropped()


def _at_a_rate(place: Place, given: dict[str, Any], seen: Observed, _scale: Scale) -> None:
    """Send so many a second, and read what comes back, until the server has had enough."""
    with Wire(place) as wire:
        wire.greet()
        for _ in range(given["rate_per_s"] * 5):
            wire.say(framed(given["opcode"], b"tick"))
            code = wire.close_code(within=1 / given["rate_per_s"])
            if code is not None:
                seen.codes.append(code)
                wire.line.shutdown(socket.SHUT_WR)
                seen.ended = wire.ended()
                return


def _over_http(place: Place, given: dict[str, Any], seen: Observed, _scale: Scale) -> None:
    for path, lines in _requests(given):
        with Wire(place) as wire:
            wire.say(request(place, path, lines))
            head = wire.head()
            seen.heads.append(head)
            seen.statuses.append(int(head.split(" ")[1]) if head else 0)


def _requests(given: dict[str, Any]) -> list[tuple[str, str]]:
    variants = {
        "path": ("/" + "a" * 9000, ""),
        "header": ("/ws", f"X-Long: {'a' * 9000}\r\n"),
        "count": ("/ws", "".join(f"X-{number}: a\r\n" for number in range(200))),
    }
    if "variants" in given:
        return [variants[name] for name in given["variants"]]
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.get("headers", {}).items())
    lines += given["raw"] + "\r\n" if "raw" in given else ""
    return [(given.get("path", "/ws"), lines)]


def _slowly(place: Place, given: dict[str, Any], seen: Observed, _scale: Scale) -> None:
    with Wire(place) as wire:
        for byte in request(place):
            try:
                wire.say(bytes([byte]))
            except OSError:
                wire.over = True
            if wire.over or (not wire.listen(given["byte_interval_ms"] / 1000) and wire.over):
                seen.ended = True
                return
