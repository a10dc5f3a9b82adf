"""Answers over HTTP: what they say, and what every one of them says beside that, to be safe."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from http import HTTPStatus
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from dormie_protocol.words import REFUSED, sentence
from dormie_server.assets import Asset

PLAIN: Final = "text/plain; charset=utf-8"

SAFE: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent, before it is known how it was asked for."""

    status: HTTPStatus
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def short(status: HTTPStatus, headers: Mapping[str, str] | None = None) -> Answer:
    """Return an answer that only names its status."""
    body = f"{status.phrase}\n".encode()
    return Answer(status, body, {"Content-Type": PLAIN, **(headers or {})})


def not_let_in() -> Answer:
    """Return the answer to whoever is banned: a sentence for people, and the word of it for programs."""
    body = f"{sentence('banned')}\n".encode()
    return Answer(HTTPStatus.FORBIDDEN, body, {"Content-Type": PLAIN, REFUSED: "banned"})


def of_file(request: Request, asset: Asset) -> Answer:
    accepted = ",".join(request.headers.get_all("Accept-Encoding"))
    packed = asset.packed if _takes_gzip(accepted) else None
    tag = asset.tag(packed=packed is not None)
    headers = {"Cache-Control": asset.cache, "ETag": tag, "Vary": "Accept-Encoding"}
    known = ",".join(request.headers.get_all("If-None-Match")).replace("W/", "").split(",")
    if {tag, "*"} & {one.strip() for one in known}:
        return Answer(HTTPStatus.NOT_MODIFIED, b"", headers)
    headers["Content-Type"] = asset.type
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Answer(HTTPStatus.OK, asset.body if packed is None else packed, headers)


def _takes_gzip(accepted: str) -> bool:
    ways = [way.strip().lower().replace(" ", "") for way in accepted.split(",")]
    return any(way.startswith("gzip") and way not in {"gzip;q=0", "gzip;q=0.0"} for way in ways)


def response(request: Request, answer: Answer) -> Response:
    headers = Headers({"Date": formatdate(usegmt=True), "Connection": "close", **SAFE})
    for name, value in answer.headers.items():
        headers[name] = value
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "no-store"
    if answer.status is not HTTPStatus.NOT_MODIFIED:
        headers["Content-Length"] = str(len(answer.body))
    body = b"" if request.method == "HEAD" else answer.body
    return Response(answer.status.value, answer.status.phrase, headers, body)
