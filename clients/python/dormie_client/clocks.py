"""How much time there is left at a table, for whoever shows it or thinks about it."""

from dataclasses import dataclass

from dormie_protocol.clocks import Clocks, Running, fresh
from dormie_protocol.table_view import About, TablePublic
from dormie_rules.tuples import put


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What the clocks of a table show at one moment, in seconds; nothing is ever less than 0."""

    runs: Running
    """What the deadline is for."""
    seconds: float
    """Until the deadline."""
    bank: tuple[float, ...]
    """For each seat."""
    away: tuple[float, ...]
    """For each seat."""


def clocks_of(about: About, view: TablePublic) -> Clocks:
    """How the clocks of a table stand; the view leaves them out while they stand as at the beginning."""
    return view.clocks or fresh(about.clock, len(view.seats))


def time_left(about: About, view: TablePublic, now: float) -> TimeLeft | None:
    """What the clocks show at *now* on the server's clock; None where nothing has a deadline."""
    if view.deadline is None:
        return None
    clocks, seconds = clocks_of(about, view), max(0.0, view.deadline - now)
    play = view.match.play if view.match else None
    seat = play.turn if play and view.phase == "playing" else None
    bank, away = clocks.bank, clocks.away
    if seat is not None and clocks.runs == "turn":
        bank = put(bank, seat, min(bank[seat], seconds))
    if seat is not None and clocks.runs == "away":
        away = put(away, seat, min(away[seat], seconds))
    return TimeLeft(clocks.runs, seconds, bank, away)
