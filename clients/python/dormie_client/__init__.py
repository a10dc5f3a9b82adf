"""A seat at a distant table: play in a terminal, run a bot, check a game afterwards.

``from dormie_client import Dormie`` is where a program of yours begins (``docs/sdk.md``).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dormie_client.backoff import Pace
    from dormie_client.errors import ClosedError, RefusedError
    from dormie_client.session import Dormie
    from dormie_client.table import Table
    from dormie_client.updates import Summary

__all__ = ["ClosedError", "Dormie", "Pace", "RefusedError", "Summary", "Table"]

_HOMES = {
    "ClosedError": "errors",
    "Dormie": "session",
    "Pace": "backoff",
    "RefusedError": "errors",
    "Summary": "updates",
    "Table": "table",
}


def __getattr__(name: str) -> Any:  # whatever lives there
    """Load the network only for those who use it: the referee starts four times as fast without."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
