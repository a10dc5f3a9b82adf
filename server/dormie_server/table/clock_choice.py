"""The clocks of a new table: what its host wishes for, and what follows where nothing is said."""

from typing import get_args

from dormie_bots import LEVELS
from dormie_protocol.clock_messages import ClockWish
from dormie_protocol.clocks import Clock, WhenOut
from dormie_rules.values import replace
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy

HOUR, DAY = 3600, 86400

# The least and the most of every number, and how that is said.
_RANGES = {
    "turn_seconds": (5, 14 * DAY, "from 5 seconds to 14 days"),
    "game_seconds": (0, 60 * DAY, "at most 60 days"),
    "away_seconds": (0, 14 * DAY, "at most 14 days"),
    "pauses": (0, 100, "at most 100"),
    "pause_seconds": (0, 14 * DAY, "at most 14 days"),
    "vote_seconds": (5, 7 * DAY, "from 5 seconds to 7 days"),
    "wait_seconds": (5, 14 * DAY, "from 5 seconds to 14 days"),
}


def choose_clock(wish: ClockWish | None, asked: int | None, usual: float) -> Clock:
    """The clock that *wish* means. *asked* is the older way to say turn_seconds, *usual* the house's own.

    Raises No, with the field and the reason, for a clock that cannot be had.

    >>> choose_clock(ClockWish(turn_seconds=86400, when_out="wait"), None, 60.0).away_seconds
    0.0
    """
    wish = wish or ClockWish()
    if asked is not None and wish.turn_seconds not in (None, asked):
        raise _bad("turn_seconds", "it is said twice, and not the same")
    turn = wish.turn_seconds or asked or usual
    chosen = wish.model_dump(exclude_none=True) | {"turn_seconds": turn}
    for name, (least, most, words) in _RANGES.items():
        if name in chosen:
            if not least <= chosen[name] <= most:
                raise _bad(name, words)
            chosen[name] = int(chosen[name]) if name == "pauses" else float(chosen[name])
    if chosen.get("when_out", "default") not in get_args(WhenOut):
        raise _bad("when_out", f"one of {', '.join(get_args(WhenOut))}")
    if chosen.get("bot", "medium") not in LEVELS:
        raise _bad("bot", f"one of {', '.join(LEVELS)}")
    return replace(usual_clock(turn), **chosen)


def usual_clock(turn: float) -> Clock:
    """A clock of which only the time for a turn is said; who has hours for it need not stay connected."""
    if turn <= HOUR:
        return Clock(turn)
    return Clock(turn, away_seconds=0.0, vote_seconds=float(DAY), wait_seconds=float(7 * DAY))


def patience(policy: Policy, clock: Clock, size: int) -> Policy:
    """How patient a table with this clock is: the house's patience, and more where the clock asks for it.

    Nobody is idle who may still think, and a lobby is open for as long as a turn may take.
    """
    longer = size * (_longest_turn(clock) - _longest_turn(Clock()))
    longer += clock.pause_seconds - Clock().pause_seconds
    lobby = clock.turn_seconds - Clock().turn_seconds
    return replace(
        policy,
        idle=policy.idle + max(0.0, longer),
        lobby=policy.lobby + max(0.0, lobby),
    )


def _longest_turn(clock: Clock) -> float:
    """How long the others may have to wait for one turn, whatever happens."""
    longest = clock.turn_seconds + (clock.game_seconds or 0.0) + clock.away_seconds
    if clock.when_out in ("vote", "wait"):
        longest += clock.wait_seconds + clock.turn_seconds
    return longest + (clock.vote_seconds if clock.when_out == "vote" else 0.0)


def _bad(name: str, reason: str) -> No:
    return No("bad_option", f"clock.{name}: {reason}.", f"clock.{name}")
