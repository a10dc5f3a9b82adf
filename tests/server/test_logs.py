"""The diary: nothing secret, nothing that passes for another line, no alarm about every day."""

import io
import json
import logging
from typing import Any

import pytest
import structlog
from websockets.exceptions import ConnectionClosedError, InvalidMessage

from dormie_server import logs
from dormie_server.ids import new_token
from tests.diary import as_before
from tests.nasty import CASES

NASTY = [text.encode().decode("unicode_escape") for text in CASES["J14"]["input"]["each"]]


def reported(error: Exception) -> None:
    """Let *error* happen, and both kinds of loggers write it down."""
    try:
        happen(error)
    except Exception:
        structlog.get_logger().exception("conversation_failed", error=error)
        logging.getLogger("websockets.server").exception("connection handler failed")


def happen(error: Exception) -> None:
    raise error


class Diary(io.StringIO):
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


def diary(level: logs.Level = "info", style: logs.Style = "json") -> Diary:
    pages = Diary()
    logs.set_up(level, style, pages)
    return pages


def test_a_line_for_programs_is_json_with_a_time_and_a_level() -> None:
    pages = diary()
    structlog.get_logger("dormie_server.hub").info("table_opened", table="ABCDEFGH", seats=4)
    (line,) = pages.lines()

    assert line.pop("timestamp").endswith("Z")
    assert {"event": "table_opened", "level": "info", "table": "ABCDEFGH", "seats": 4} == line


def test_a_line_for_people_is_one_line() -> None:
    pages = diary(style="human")
    structlog.get_logger().warning("alarm_late", table="ABCDEFGH")

    assert 1 == pages.getvalue().count("\n")
    assert "warning" in pages.getvalue()
    assert "alarm_late" in pages.getvalue()
    assert "table=ABCDEFGH" in pages.getvalue()


def test_without_a_terminal_lines_are_for_programs() -> None:
    pages = diary(style="auto")
    structlog.get_logger().info("open")

    assert "open" == pages.lines()[0]["event"]


@pytest.mark.parametrize("style", ["json", "human"])
@pytest.mark.parametrize("key", ["token", "entropy", "secret", "link", "pack", "seat_token"])
def test_what_bears_the_name_of_a_secret_is_hidden(key: str, style: logs.Style) -> None:
    pages = diary(style=style)
    structlog.get_logger().info("hello", **{key: "canary"}, deep={"a": [{key: "canary"}]})

    assert "canary" not in pages.getvalue()
    assert logs.HIDDEN in pages.getvalue()


@pytest.mark.parametrize("style", ["json", "human"])
def test_a_token_is_hidden_wherever_it_stands(style: logs.Style) -> None:
    token, pages = new_token(), diary(style=style)
    structlog.get_logger().info(
        f"hello {token}", text=f'{{"t":"{token}"}}', names=[token], raw=token.encode()
    )
    logging.getLogger("websockets.server").error("bad %s", token)
    reported(ValueError(token))

    assert token not in pages.getvalue()


def test_a_hash_of_a_token_is_hidden_too() -> None:
    pages = diary()
    structlog.get_logger().info("device", key="0123456789abcdef" * 4)

    assert "0123456789abcdef" not in pages.getvalue()


@pytest.mark.parametrize("harmless", ["ABCDEFGH-12", "p" + "0a" * 10, "x" * 42, "x" * 44])
def test_what_is_no_token_is_not_hidden(harmless: str) -> None:
    pages = diary()
    structlog.get_logger().info("seen", what=harmless)

    assert harmless == pages.lines()[0]["what"]


@pytest.mark.parametrize("style", ["json", "human"])
@pytest.mark.parametrize("text", [*NASTY, "a\nb", "a\r\nb", "\x9b2J", "\u202eb", "\u2028b"])
def test_nasty_J14_nothing_passes_for_another_line_or_moves_a_terminal(
    text: str, style: logs.Style
) -> None:
    pages = diary(style=style)
    structlog.get_logger().info(f"from {text}", name=text, names=[text])
    logging.getLogger("websockets.server").warning("bad header: %s", text)
    written = pages.getvalue()

    assert 2 == written.count("\n")
    assert [] == [sign for sign in written if not (sign.isprintable() or sign == "\n")]


def test_a_long_text_is_cut() -> None:
    pages = diary()
    structlog.get_logger().info("seen", text="x" * 100_000)

    assert len(pages.getvalue()) < 2 * logs.LONGEST


@pytest.mark.parametrize(
    "error", [ConnectionClosedError(None, None), ConnectionResetError(), InvalidMessage("garbage")]
)
def test_the_end_of_a_connection_is_no_error(error: Exception) -> None:
    pages = diary()
    reported(error)

    assert ["info", "info"] == [line["level"] for line in pages.lines()]
    assert "Traceback" not in pages.getvalue()


def test_whoever_asks_for_warnings_hears_nothing_of_connections_that_end() -> None:
    pages = diary("warning")
    reported(ConnectionResetError())

    assert "" == pages.getvalue()


@pytest.mark.parametrize("style", ["json", "human"])
def test_a_mistake_of_ours_has_its_traceback(style: logs.Style) -> None:
    pages = diary(style=style)
    reported(ZeroDivisionError("division by zero"))

    assert 2 == pages.getvalue().count("ZeroDivisionError: division by zero")


@pytest.mark.parametrize("level", ["debug", "info", "warning"])
def test_the_library_never_writes_down_messages(level: logs.Level) -> None:
    """At its debug level it writes down every frame, and a hello has a token."""
    diary(level)

    assert not logging.getLogger("websockets.server").isEnabledFor(logging.DEBUG)


def test_what_is_below_the_level_is_not_written() -> None:
    pages = diary("warning")
    structlog.get_logger().info("seen")
    logging.getLogger("websockets.server").info("connection open")

    assert "" == pages.getvalue()


def test_a_house_that_another_test_opened_is_not_heard_of_again() -> None:
    """It writes on a stream that is closed by then: the next one to write down anything would fail."""
    with as_before():
        with Diary() as pages:
            logs.set_up("info", "json", pages)
        with pytest.raises(ValueError, match="closed"):
            structlog.get_logger().warning("redis_forgets")
    structlog.get_logger().warning("redis_forgets")
