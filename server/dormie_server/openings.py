"""How a house opens tables, and how many."""

from dataclasses import dataclass

from dormie_server.config import Settings
from dormie_server.table.state import Policy


@dataclass(frozen=True, slots=True)
class Openings:
    """How this house opens tables."""

    policy: Policy
    turn_seconds: float = 60.0
    tables_per_player: int = 20
    tables: int = 10_000
    """So many tables at most are open at once."""


def openings_of(settings: Settings) -> Openings:
    """What the settings of a house say about its tables."""
    policy = Policy(
        pause=settings.pause_seconds,
        gather=settings.gather_seconds,
        lobby=settings.lobby_seconds,
        idle=settings.idle_seconds,
        pace=settings.bot_seconds,
    )
    return Openings(
        policy, float(settings.turn_seconds), settings.tables_per_player, settings.tables
    )
