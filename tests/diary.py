"""What a house writes down; how it does belongs to the whole process, and is as before afterwards."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from dormie_server import logs


@contextmanager
def diary(level: logs.Level = "warning") -> Iterator[io.StringIO]:
    """Everything from *level* on that this process writes down, on pages of one's own."""
    root, library = logging.getLogger(), logging.getLogger("websockets")
    handlers, levels = root.handlers[:], (root.level, library.level)
    pages = io.StringIO()
    logs.set_up(level, "json", pages)
    try:
        yield pages
    finally:
        structlog.reset_defaults()
        root.handlers[:] = handlers
        root.setLevel(levels[0])
        library.setLevel(levels[1])
