"""What happens when the time of a player is over: what the table has agreed on.

Each policy serves those who wait. Where no other person does, the usual move is made as at any table.
"""

from dormie_protocol.clocks import Choice, Forfeited, SatIn, VoteCalled, WaitsOn
from dormie_rules.record import leave_line
from dormie_rules.tuples import put
from dormie_server.table import matches
from dormie_server.table.clock import level_of
from dormie_server.table.draft import Draft
from dormie_server.table.running import change, clocks_of, on_turn, spent, whole_turn
from dormie_server.table.seats import close
from dormie_server.table.state import Table, course_of, in_match, match_of, people_here


def run_out(draft: Draft) -> None:
    """The deadline of a turn is over; of an allowance, or of the time to think itself."""
    table = draft.table
    clocks, seat, rule = clocks_of(table), on_turn(table), table.about.clock.when_out
    usual = seat is None or rule == "default" or clocks.out or not waits(table, seat)
    if seat is None or level_of(table, seat) is not None:
        matches.time_out(draft)
    elif usual and clocks.runs == "away":
        left = clocks.left or 0.0
        change(draft, runs="turn", left=None, away=put(clocks.away, seat, 0.0))
        draft.public(deadline=draft.now + left)
    elif usual:
        matches.time_out(draft)
    elif rule == "vote":
        _call_vote(draft, seat)
    else:
        assert rule != "default", "that is the usual move"
        carry_out(draft, seat, rule)


def waits(table: Table, seat: int) -> tuple[int, ...]:
    """The seats of the other persons who are here and still in the match."""
    return tuple(s for s in people_here(table) if s != seat and in_match(table, s))


def carry_out(draft: Draft, seat: int, choice: Choice) -> None:
    """Do to *seat*, whose turn it is and whose time is over, what was agreed or voted for."""
    match choice:
        case "end":
            close(draft, "voted")
        case "withdraw":
            draft.public(clocks=spent(draft))
            draft.tell(Forfeited(seat))
            draft.note(leave_line(seat))
            draft.play(course_of(draft.table).withdraw(match_of(draft.table), seat))
            matches.settle(draft)
        case "wait":
            clock = draft.table.about.clock
            draft.public(clocks=spent(draft), deadline=draft.now + clock.wait_seconds)
            change(draft, runs="wait", votes=None)
            draft.tell(WaitsOn(seat, clock.wait_seconds))
        case "bot":
            _sit_in(draft, seat)


def played(draft: Draft, seat: int) -> None:
    """The player of *seat* has made a move after all: nobody waits or votes any longer."""
    if on_turn(draft.table) == seat and clocks_of(draft.table).runs in ("vote", "wait"):
        change(draft, runs="turn", votes=None)
        whole = whole_turn(draft.table, clocks_of(draft.table), seat)
        draft.public(deadline=draft.now + whole)


def _sit_in(draft: Draft, seat: int) -> None:
    """A bot plays on until the player is back; the seat and its numbers stay the player's."""
    about = draft.table.about
    draft.public(clocks=spent(draft), deadline=draft.now + about.turn_seconds)
    sits_in = put(clocks_of(draft.table).sits_in, seat, about.clock.bot)
    change(draft, sits_in=sits_in, votes=None)
    draft.tell(SatIn(seat, about.clock.bot))
    matches.settle(draft)


def _call_vote(draft: Draft, seat: int) -> None:
    seconds = draft.table.about.clock.vote_seconds
    nobody = (None,) * len(draft.table.public.seats)
    draft.public(clocks=spent(draft), deadline=draft.now + seconds)
    change(draft, runs="vote", votes=nobody)
    draft.tell(VoteCalled(seat, seconds))
