"""When a table acts by itself: no state but the last one waits without an alarm."""

from dormie_bots.thinking import think_seconds
from dormie_protocol.games import MatchPublic
from dormie_protocol.table_view import Phase
from dormie_rules.drawers import look
from dormie_rules.luck import digest
from dormie_server.table.state import (
    Table,
    Turn,
    course_of,
    least,
    match_of,
    people,
    people_here,
    players,
)


def next_alarm(table: Table, now: float) -> float | None:
    """When *table* wants to be woken; None only when it is closed."""
    public, secret = table.public, table.secret
    if public.phase == "closed" and not secret.owes_record:
        return None
    if again_asked(table) or secret.owes_record or _wants_deal_at_once(table):
        return now
    alarm = earlier(public.deadline, secret.bot_at if public.phase == "playing" else None)
    clocks = public.clocks
    return alarm if clocks is None or clocks.ask is None else min(alarm, clocks.ask.at)


def earlier(deadline: float | None, bot_at: float | None) -> float:
    """The earlier of the two moments at which a table may have something to do."""
    if bot_at is None or deadline is None:
        known = bot_at if deadline is None else deadline
        assert known is not None, "a table that is open has a deadline"
        return known
    return min(deadline, bot_at)


def again_asked(table: Table) -> bool:
    """Whether every person who is here asks for another match, and there are enough to play it.

    Bots always want to; whoever is away for the moment keeps the seat, and nobody waits for their word.
    """
    if table.public.phase != "over":
        return False
    asking = willing(table)
    if len(asking) < least(table):
        return False
    return set(people_here(table)) <= set(asking) and not set(people(table)).isdisjoint(asking)


def willing(table: Table) -> tuple[int, ...]:
    """The seats that would play another match: bots, and whoever has asked for it."""
    seats = table.public.seats
    return tuple(s for s in players(table) if (who := seats[s]) and who.ready)


def turn_of(table: Table) -> Turn | None:
    """What the clock is running for, or None when no hole is being played."""
    return turn_in(table.public.phase, table.public.match)


def turn_in(phase: Phase, match: MatchPublic | None) -> Turn | None:
    """The same, from those two alone."""
    if phase != "playing" or match is None or match.play is None:
        return None
    play = match.play
    return None if play.stage == "over" else (match.hole, play.turns, play.turn)


def waiting_bot(table: Table) -> int | None:
    """A bot whose move the table waits for, if there is one."""
    public = table.public
    clocks = public.clocks
    bots = any(seat and seat.bot for seat in public.seats)
    if not bots and (clocks is None or not any(clocks.sits_in)):
        return None
    if turn_of(table) is None or paused(table):
        return None
    waiting = course_of(table).waiting_for(match_of(table))
    thinking = [s for s in waiting if level_of(table, s) is not None]
    # In a race many are waited for: then it is the bot that has moved least, so that they keep abreast.
    return min(thinking, key=lambda s: made(table, s), default=None)


def made(table: Table, seat: int) -> int:
    """How many moves have been made in *seat*."""
    who = table.public.seats[seat]
    return who.count if who else 0


def paused(table: Table) -> bool:
    """Whether the players have a pause."""
    return table.public.clocks is not None and table.public.clocks.pause is not None


def level_of(table: Table, seat: int) -> str | None:
    """The level of the bot that plays *seat*: its own, or one that sits in for a person."""
    who, clocks = table.public.seats[seat], table.public.clocks
    if clocks is not None and clocks.sits_in[seat] is not None:
        return clocks.sits_in[seat]
    return who.bot if who else None


def bot_time(table: Table, now: float) -> float | None:
    """When the bot that the table waits for has thought enough."""
    seat = waiting_bot(table)
    who = table.public.seats[seat] if seat is not None else None
    if who is None:
        return None
    pace = table.secret.policy.pace
    if not pace:
        return now
    # The pause is taken from the bot's own stream: what follows from it is a rhythm, never a card.
    stream = digest(b"dormie thinking", table.about.table.encode(), f"{seat} {who.count}".encode())
    choices = len(course_of(table).moves(look(match_of(table), seat)))
    return now + pace * think_seconds(stream, choices, table.about.turn_seconds)


def _wants_deal_at_once(table: Table) -> bool:
    public = table.public
    return (
        public.phase == "playing"
        and public.match is not None
        and course_of(table).wants_deal(match_of(table))
    )
