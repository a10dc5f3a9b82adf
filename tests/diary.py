"""What a house writes down; how it does belongs to the whole process, and is as before afterwards."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from dormie_server import logs


@contextmanager
def as_before() -> Iterator[None]:
    """Whoever sets up how this process writes things down: afterwards it is as it was."""
    root, library = logging.getLogger(), logging.getLogger("websockets")
    handlers, levels = root.handlers[:], (root.level, library.level)
    ours = structlog.get_config() if structlog.is_configured() else None
    try:
        yield
    finally:
        structlog.reset_defaults()
        if ours is not None:
            structlog.configure(**ours)
        root.handlers[:] = handlers
        root.setLevel(levels[0])
        library.setLevel(levels[1])


@contextmanager
def diary(level: logs.Level = "warning") -> Iterator[io.StringIO]:
    """Everything from *level* on that this process writes down, on pages of one's own."""
    pages = io.StringIO()
    with as_before():
        logs.set_up(level, "json", pages)
        yield pages
