"""The moments before a match: everybody says that they are here and adds to luck, or is not waited for.

Nobody is drawn into a match who does not know of it: whoever is neither here nor has said ready when the
time is up is left out. They lose nothing but the seat; and where too few remain, not even that.
"""

from dormie_protocol.table_view import Missing
from dormie_server.table.consent import look_again
from dormie_server.table.draft import Draft
from dormie_server.table.matches import begin, call, go_on_if_ready, settle
from dormie_server.table.refusal import No
from dormie_server.table.seats import close_ranks, pass_host_on
from dormie_server.table.state import Table, least, people, taken


def start(draft: Draft) -> None:
    """The host starts with the seats that are taken; those not ready yet get a few seconds for it."""
    if len(taken(draft.table)) < least(draft.table):
        raise No("too_few_players")
    close_ranks(draft)
    gather(draft)


def gather(draft: Draft) -> None:
    """Give everybody a few seconds to be ready; the match begins as soon as all are."""
    call(draft)
    go_on_if_ready(draft)


def begin_again(draft: Draft) -> None:
    """It was the house that was away: everybody has all the seconds again before anybody is missing."""
    if draft.table.public.phase == "starting":
        draft.public(deadline=draft.now + draft.table.secret.policy.gather)


def end(draft: Draft) -> None:
    """The time is up: begin without those who are missing, or not at all if too few are left."""
    gone = missing(draft.table)
    if not gone:
        begin(draft)
        return
    left = set(taken(draft.table)) - set(gone)
    enough = len(left) >= least(draft.table) and not left.isdisjoint(people(draft.table))
    seats = draft.table.public.seats
    names = tuple(who.name for seat in gone if (who := seats[seat]))
    draft.tell(Missing(gone, names, enough))
    if not enough:
        draft.public(phase="lobby", deadline=draft.now + draft.table.secret.policy.lobby)
        return
    for seat in gone:
        draft.sit(seat, None, None)
    begin(draft)
    pass_host_on(draft)


def somebody_left(draft: Draft) -> None:
    """Seats are not counted anew while others are told who left; that waits for the next start."""
    if draft.table.public.phase == "starting":
        draft.public(phase="lobby", deadline=draft.now + draft.table.secret.policy.lobby)
    settle(draft)
    look_again(draft)


def missing(table: Table) -> tuple[int, ...]:
    """The seats of persons who are not here and have not said ready."""
    seats = table.public.seats
    return tuple(s for s in people(table) if (who := seats[s]) and not who.here and not who.ready)
