"""Answers over HTTP, as they are put together."""

from http import HTTPStatus

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from dormie_server.answers import SAFE, Answer, of_file, response, short
from dormie_server.assets import Asset

PLAIN_FILE = Asset(b"<p>page</p>", "text/html; charset=utf-8", "1a2b")
PACKED_FILE = Asset(b"a" * 2000, "text/css; charset=utf-8", "3c4d", packed=b"packed")


def asked(method: str = "GET", **headers: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request("/", Headers(named), method)


def test_every_answer_is_safe() -> None:
    for answer in (short(HTTPStatus.NOT_FOUND), of_file(asked(), PLAIN_FILE)):
        headers = response(asked(), answer).headers

        assert SAFE == {name: headers[name] for name in SAFE}
        assert "close" == headers["Connection"]


def test_what_may_change_is_not_kept_and_a_file_is_asked_for_again() -> None:
    assert "no-store" == response(asked(), short(HTTPStatus.OK)).headers["Cache-Control"]
    assert "no-cache" == response(asked(), of_file(asked(), PLAIN_FILE)).headers["Cache-Control"]


def test_a_head_has_the_length_and_not_the_body() -> None:
    answer = response(asked("HEAD"), Answer(HTTPStatus.OK, b"12345"))

    assert "5" == answer.headers["Content-Length"]
    assert b"" == answer.body


@pytest.mark.parametrize("known", ['"1a2b"', 'W/"1a2b"', '"x", "1a2b"', "*"])
def test_whoever_has_the_file_is_not_sent_it_again(known: str) -> None:
    request = asked(If_None_Match=known)
    answer = response(request, of_file(request, PLAIN_FILE))

    assert 304 == answer.status_code
    assert b"" == answer.body
    assert "Content-Length" not in answer.headers
    assert '"1a2b"' == answer.headers["ETag"]


def test_whoever_has_another_file_is_sent_this_one() -> None:
    answer = of_file(asked(If_None_Match='"1a2b-gz", "9"'), PLAIN_FILE)

    assert (HTTPStatus.OK, PLAIN_FILE.body) == (answer.status, answer.body)


@pytest.mark.parametrize("accepted", ["gzip", "deflate, GZIP;q=0.8", "br, gzip"])
def test_a_packed_file_is_sent_to_whoever_can_unpack_it(accepted: str) -> None:
    answer = of_file(asked(Accept_Encoding=accepted), PACKED_FILE)

    assert b"packed" == answer.body
    assert "gzip" == answer.headers["Content-Encoding"]
    assert '"3c4d-gz"' == answer.headers["ETag"]
    assert "Accept-Encoding" == answer.headers["Vary"]


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "identity, gzip; q=0"])
def test_nobody_else_is_sent_a_packed_file(accepted: str) -> None:
    answer = of_file(asked(Accept_Encoding=accepted), PACKED_FILE)

    assert PACKED_FILE.body == answer.body
    assert "Content-Encoding" not in answer.headers
    assert "Accept-Encoding" == answer.headers["Vary"]
