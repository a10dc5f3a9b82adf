"""What the house writes down about itself, on stderr: lines for people on a terminal, else JSON.

Nothing secret is ever written: what bears the name of a secret is hidden, and so is anything that
looks like a token, wherever it stands. What a stranger sent cannot begin a line of its own or move
a terminal. Addresses are not written down.
"""

import logging
import re
import sys
from collections.abc import Mapping
from typing import Final, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

Level = Literal["debug", "info", "warning", "error"]
Style = Literal["auto", "human", "json"]

HIDDEN: Final = "[hidden]"
SECRETS: Final = frozenset({"token", "entropy", "secret", "link", "pack"})
LONGEST: Final = 500
"""Characters of one value; what a stranger sent is not worth more."""

_TOKEN = re.compile(r"(?<![\w-])(?:[A-Za-z0-9_-]{43}|[0-9a-f]{64})(?![\w-])")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")

# What ends a connection every day. It is written down, but it is nobody's mistake.
_EXPECTED = (
    ConnectionClosed,
    ConnectionError,
    EOFError,
    InvalidHandshake,
    InvalidMessage,
    TimeoutError,
)


def set_up(level: Level = "info", style: Style = "auto", stream: TextIO | None = None) -> None:
    """Send every log line of this process to *stream* (stderr), the libraries' lines too."""
    stream = stream or sys.stderr
    human = style == "human" or (style == "auto" and stream.isatty())
    number = logging.getLevelNamesMapping()[level.upper()]
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("%H:%M:%S" if human else "iso", utc=not human),
        _calm(number),
        structlog.processors.format_exc_info,
    ]
    after: list[Processor] = [hide, _pen(human, stream)]
    structlog.configure(
        processors=before + after,
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    _listen_to_libraries(number, stream, before, after)


def hide(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    r"""Take out of a line what nobody may read, and what could pass for another line.

    >>> hide(None, "", {"event": "hello", "token": "x", "name": "a\nb", "seats": [1, "c"]})
    {'event': 'hello', 'token': '[hidden]', 'name': 'a\\nb', 'seats': [1, 'c']}
    """
    return {key: _shown(key, value) for key, value in line.items()}


def _shown(key: str, value: object) -> object:
    if not SECRETS.isdisjoint(key.lower().split("_")):
        return HIDDEN
    match value:
        case bool() | int() | float() | None:
            return value
        case Mapping():
            return {str(name): _shown(str(name), inner) for name, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_shown(key, inner) for inner in value]
        case _:
            return _text(str(value), key == "exception")


def _text(text: str, many_lines: bool) -> str:  # noqa: FBT001 - a traceback has many
    text = _TOKEN.sub(HIDDEN, text)
    lines = text.split("\n") if many_lines else [text[:LONGEST]]
    return "\n".join(_CONTROL.sub(_escape, line) for line in lines)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def _calm(level: int) -> Processor:
    """Take the alarm out of what happens every day: no traceback, and no error."""

    def calm(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
        error = line.get("exc_info")
        if error is True:
            error = sys.exc_info()[1]
        if not isinstance(error, _EXPECTED):
            return line
        if level > logging.INFO:
            raise structlog.DropEvent
        return {**line, "level": "info", "exc_info": None, "because": type(error).__name__}

    return calm


class _Calm(logging.Filter):
    """The same for the lines of libraries."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self._level = level

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, _EXPECTED):
            return True
        record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}", None
        record.levelno, record.levelname, record.exc_info = logging.INFO, "INFO", None
        return self._level <= logging.INFO


def _pen(human: bool, stream: TextIO) -> Processor:  # noqa: FBT001 - one of two pens
    if not human:
        return structlog.processors.JSONRenderer(ensure_ascii=True)
    traceback = structlog.dev.plain_traceback
    return structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=traceback)


def _listen_to_libraries(
    level: int, stream: TextIO, before: list[Processor], after: list[Processor]
) -> None:
    """Give the standard library's loggers the same pen.

    At its debug level `websockets` writes down every message, tokens and all: it never gets there.
    """
    handler = logging.StreamHandler(stream)
    meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processors=[meta, *after], foreign_pre_chain=before)
    )
    handler.addFilter(_Calm(level))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    quiet = logging.INFO if level <= logging.DEBUG else max(level, logging.WARNING)
    logging.getLogger("websockets").setLevel(quiet)
