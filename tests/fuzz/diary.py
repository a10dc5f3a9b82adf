"""What a house writes down while it is attacked: there should be nothing."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from dormie_server import logs


@contextmanager
def diary() -> Iterator[io.StringIO]:
    """Every warning of this process, on pages of one's own."""
    root, library = logging.getLogger(), logging.getLogger("websockets")
    handlers, levels = root.handlers[:], (root.level, library.level)
    pages = io.StringIO()
    logs.set_up("warning", "json", pages)
    try:
        yield pages
    finally:
        structlog.reset_defaults()
        root.handlers[:] = handlers
        root.setLevel(levels[0])
        library.setLevel(levels[1])
