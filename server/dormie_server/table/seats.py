"""Taking a seat, giving it up, seating bots, and passing the host's rights on."""

from dormie_protocol.table_view import Closed, Joined, LeftTable, NewHost, Seat
from dormie_rules.record import leave_line
from dormie_rules.tuples import put
from dormie_rules.values import replace
from dormie_server.names import distinct
from dormie_server.table.commands import Join, SetBot
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.state import (
    Sitter,
    Table,
    course_of,
    in_match,
    kind_of,
    match_of,
    people,
    people_here,
    seat_of,
    taken,
)

_BOT_NAMES = ("Birdie", "Bogey", "Caddie", "Divot", "Fairway", "Mulligan")


def join(draft: Draft, player: str, request: Join) -> int:
    """Give *player* a seat. Raises No when there is none."""
    seat = _free_seat(draft.table, request.seat)
    name = distinct(request.name, _names(draft.table))
    draft.sit(seat, Seat(name, here=False), Sitter(player))
    draft.tell(Joined(seat, name))
    if draft.table.public.host is None:
        draft.public(host=seat)
    return seat


def set_bot(draft: Draft, request: SetBot) -> int | None:
    """Seat a bot, or send one away. Raises No for a level, a seat or a person that does not fit."""
    if request.level is None:
        return _send_bot_away(draft, request.seat)
    return seat_bot(draft, request.level, request.seat)


def seat_bot(draft: Draft, level: str, wish: int | None = None) -> int:
    """Seat a bot of *level* in the seat wished for or the first free one."""
    if level not in kind_of(draft.table).levels:
        raise No("no_such_bot", field="level")
    seat = _free_seat(draft.table, wish)
    name = distinct(_BOT_NAMES[seat], _names(draft.table))
    draft.sit(seat, Seat(name, bot=level, ready=True), Sitter(None))
    draft.tell(Joined(seat, name, level))
    return seat


def leave(draft: Draft, seat: int) -> None:
    """Let the player in *seat* go: out of the match if one is on, and the host's rights pass on."""
    who = draft.table.public.seats[seat]
    assert who is not None, "whoever leaves sat there"
    draft.tell(LeftTable(seat, who.name))
    vacate(draft, seat)


def vacate(draft: Draft, seat: int) -> None:
    """Whoever sat in *seat* has no part in anything here any more."""
    if draft.table.public.phase in ("playing", "between"):
        draft.seat(seat, here=False, ready=True)
        draft.sitter(seat, player=None, server=None)
        if (clocks := draft.table.public.clocks) is not None:
            draft.public(clocks=replace(clocks, sits_in=put(clocks.sits_in, seat, None)))
        if in_match(draft.table, seat):  # whose time was over may be out already
            draft.note(leave_line(seat))
        draft.play(course_of(draft.table).withdraw(match_of(draft.table), seat))
    else:
        draft.sit(seat, None, None)
    pass_host_on(draft)
    if not people(draft.table):
        close(draft, "empty")


def pass_host_on(draft: Draft) -> None:
    """Let somebody be the host who is there: whoever opened the table if possible, else whoever is host now.

    Nobody waits for a host who has left or whose line is down, and both come back into their rights.
    """
    table = draft.table
    here, seated = people_here(table), people(table)
    first = seat_of(table, table.secret.founder)
    wishes = [s for s in (first, table.public.host, *here) if s in here]
    wishes += [s for s in (table.public.host, first, *seated) if s in seated]
    host = wishes[0] if wishes else None
    if host != table.public.host:
        draft.public(host=host)
        if host is not None:
            draft.tell(NewHost(host))


def close(draft: Draft, why: str, said: str | None = None) -> None:
    """Close the table: nothing happens here any more. *said* is what its players are told of it."""
    draft.public(phase="closed", deadline=None, clocks=None)
    draft.secret(bot_at=None, turn=None)
    draft.tell(Closed(why, said=said))  # type: ignore[arg-type]  # every caller names one of its reasons


def close_ranks(draft: Draft) -> None:
    """Let only the seats that are taken remain, in their order, before a match is played.

    A dealer who has gone is followed by the next one who stays.
    """
    table = draft.table
    stay = taken(table)
    if len(stay) == len(table.public.seats):
        return
    host, dealer, size = table.public.host, table.secret.dealer, len(table.public.seats)
    if dealer is not None and stay:
        next_one = min(stay, key=lambda seat: (seat - dealer) % size)
        draft.secret(dealer=stay.index(next_one))
    draft.public(
        seats=tuple(table.public.seats[s] for s in stay),
        host=stay.index(host) if host in stay else None,
    )
    draft.secret(
        sitters=tuple(
            sitter and (sitter if old == new else replace(sitter, since=draft.before.version))
            for new, old in enumerate(stay)
            for sitter in [table.secret.sitters[old]]
        ),
        contributions=tuple(table.secret.contributions[s] for s in stay),
    )
    draft.match(replace(table.about, size=len(stay)), table.fairness)
    draft.pockets(table.state.pockets[: len(stay)])


def _send_bot_away(draft: Draft, seat: int | None) -> int | None:
    who = (
        draft.table.public.seats[seat] if seat in taken(draft.table) and seat is not None else None
    )
    if who is None or who.bot is None or seat is None:
        raise No("no_such_seat", field="seat")
    draft.sit(seat, None, None)
    draft.tell(LeftTable(seat, who.name))
    return seat


def free_seats(table: Table) -> tuple[int, ...]:
    """The seats that one may take now; none while a match is on."""
    if table.public.phase not in ("lobby", "over"):
        return ()
    return tuple(seat for seat in range(len(table.public.seats)) if _is_free(table, seat))


def _free_seat(table: Table, wish: int | None) -> int:
    free = free_seats(table)
    if not free:
        raise No("no_table")
    if wish is None:
        return free[0]
    if wish >= len(table.public.seats):
        raise No("no_such_seat", field="seat")
    if wish not in free:
        raise No("seat_taken", field="seat")
    return wish


def _is_free(table: Table, seat: int) -> bool:
    """Whether nobody sits there; when a match is over, whoever left it makes room, too."""
    who, sitter = table.public.seats[seat], table.secret.sitters[seat]
    gone = sitter is not None and sitter.player is None and who is not None and who.bot is None
    return who is None or (gone and table.public.phase == "over")


def _names(table: Table) -> list[str]:
    return [seat.name for seat in table.public.seats if seat is not None]
