import errno
import json
import socket
import ssl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus
from websockets.frames import Close
from websockets.http11 import Response

from dormie_client.wire import close_code, hear, trouble
from dormie_protocol.codec import write
from tests.clients.fake_server import sight

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ConnectionRefusedError(111, "Connect call failed ('10.0.0.1', 80)"), "nobody answers"),
        (OSError(errno.EHOSTUNREACH, "Connect call failed ('10.0.0.1', 80)"), "No route to host"),
        (OSError("Multiple exceptions: [Errno 111] Connect call failed"), "nobody answers there"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (ConnectionError(0, "The server is restarting."), "The server is restarting."),
        (TimeoutError("timed out during opening handshake"), "it does not answer in time"),
        (ssl.SSLCertVerificationError(1, "self-signed"), "its certificate cannot be trusted"),
        (ssl.SSLError(1, "wrong version number"), "it does not speak TLS"),
        (InvalidStatus(Response(404, "Not Found", Headers())), "it answers with HTTP status 404"),
        (InvalidMessage("did not receive a valid HTTP response"), "it does not speak as it should"),
        (ConnectionClosedError(None, None), "it closes the connection"),
    ],
)
def test_what_is_wrong_is_said_in_a_few_words(error: Exception, words: str) -> None:
    assert trouble(error).startswith(words)
    assert "10.0.0.1" not in trouble(error)


def test_only_a_code_that_the_server_sent_counts() -> None:
    """4401 means one thing from a server; a code of our own is no word of theirs."""
    from_them = ConnectionClosedError(Close(4401, ""), None)
    from_us = ConnectionClosedError(None, Close(1009, ""))

    assert (4401, None, None) == tuple(map(close_code, (from_them, from_us, OSError())))


@given(st.lists(JSON, max_size=5))
def test_events_of_a_later_time_leave_the_rest_of_the_message(events: list[object]) -> None:
    seen = sight(3, 4)
    loose = json.loads(write(seen)) | {"events": events}

    assert seen == hear(json.dumps(loose))


@given(st.text() | st.binary() | JSON.map(json.dumps))
def test_what_is_no_message_is_nothing(text: str | bytes) -> None:
    assert hear(text) is None


def test_a_message_of_great_depth_is_nothing() -> None:
    assert hear('{"events":' + "[" * 100_000) is None
