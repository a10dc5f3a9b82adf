"""What the house does at a table: bots move, holes are dealt, clocks ring, records are kept."""

from dormie_server.table import consent, gathering, matches, pause, policy, rematches, seats, votes
from dormie_server.table.clock import again_asked, level_of, paused, turn_of
from dormie_server.table.commands import BotMove, DealHole
from dormie_server.table.draft import Change, Draft, unchanged
from dormie_server.table.state import Table, course_of, day_of, match_of


def bot_move(table: Table, command: BotMove, now: float) -> Change:
    """A bot moves, in its own seat or in one that it sits in; whatever comes too late is no move."""
    seat, seats_here = command.seat, table.public.seats
    who = seats_here[seat] if seat < len(seats_here) else None
    if who is None or level_of(table, seat) is None or who.count + 1 != command.count:
        return unchanged(table)
    if turn_of(table) is None or paused(table):
        return unchanged(table)
    draft = Draft(table, now)
    matches.make_move(draft, seat, command.move)
    return draft.done()


def deal(table: Table, command: DealHole, now: float) -> Change:
    if paused(table) or _is_asked(table, now):
        return wake(table, now)
    public = table.public
    due = public.phase == "playing" or (
        public.phase == "between" and public.deadline is not None and now >= public.deadline
    )
    if not due or public.match is None or public.match.hole + 1 != command.hole:
        return unchanged(table)
    if not course_of(table).wants_deal(match_of(table)):
        return unchanged(table)
    draft = Draft(table, now)
    if _abandoned(table, now):
        seats.close(draft, "abandoned")
    else:
        matches.deal(draft, command)
        if (given := table.about.given) and given.until is not None:
            draft.public(deadline=given.until)  # a try may take as long as the day
    return draft.done()


def wake(table: Table, now: float) -> Change:
    """Any server may ring, as often as it likes: before the deadline nothing happens."""
    public = table.public
    draft = Draft(table, now)
    if again_asked(table):
        rematches.begin(draft)
        return draft.done()
    if _is_asked(table, now):
        consent.look_again(draft)
        return draft.done()
    if public.deadline is None or now < public.deadline:
        return unchanged(table)
    match public.phase:
        case "lobby":
            seats.close(draft, "abandoned")
        case "over":
            seats.close(draft, "finished")
        case "starting":
            gathering.end(draft)
        case "playing" if _abandoned(table, now):
            seats.close(draft, "abandoned")
        case "playing":
            _run_out(draft)
        case "between" if paused(table):
            pause.end(draft)
        case _:
            return unchanged(table)
    return draft.done()


def _run_out(draft: Draft) -> None:
    """The deadline at a table that is played at: what it was for is over."""
    clocks = draft.table.public.clocks
    match clocks.runs if clocks else "turn":
        case "pause":
            pause.end(draft)
        case "vote":
            votes.count(draft)
        case "wait":
            matches.time_out(draft)
        case _:
            policy.run_out(draft)


def _is_asked(table: Table, now: float) -> bool:
    """Whether it is time to look who agrees with what is asked; a deadline before that comes first."""
    clocks, deadline = table.public.clocks, table.public.deadline
    if clocks is None or clocks.ask is None:
        return False
    return clocks.ask.at <= now and (deadline is None or now < deadline or clocks.ask.at < deadline)


def give_up(table: Table, now: float) -> Change:
    """Close a table at which nothing works any more; its notes stay for whoever looks into it."""
    if table.public.phase == "closed" and not table.secret.owes_record:
        return unchanged(table)
    draft = Draft(table, now)
    draft.secret(owes_record=None)
    if table.public.phase != "closed":
        seats.close(draft, "failed")
    return draft.done()


def shut(table: Table, said: str, now: float) -> Change:
    """Close the table for those who run the house. A record that it owes is kept all the same."""
    if table.public.phase == "closed":
        return unchanged(table)
    draft = Draft(table, now)
    seats.close(draft, "house", said)
    return draft.done()


def record_kept(table: Table, match: int, now: float) -> Change:
    if table.secret.owes_record is None or table.secret.owes_record[0] != match:
        return unchanged(table)
    draft = Draft(table, now)
    draft.secret(owes_record=None)
    return draft.done()


def _abandoned(table: Table, now: float) -> bool:
    """Whether no person has done anything here for longer than anybody would wait.

    A try at the hole of a day may take all of the day.
    """
    return day_of(table) is None and now - table.secret.last_human > table.secret.policy.idle
