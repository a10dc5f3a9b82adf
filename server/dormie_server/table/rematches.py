"""Another match at the same table: who is in it, who deals first, and where its luck comes from."""

from dormie_protocol.table_view import BecameReady, Fairness
from dormie_rules.values import replace
from dormie_server.table import fair, gathering
from dormie_server.table.clock import willing
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.seats import close_ranks, pass_host_on
from dormie_server.table.state import least, people_here, players, taken


def ask(draft: Draft, seat: int) -> None:
    """*seat* asks for another match. It begins by itself, when every person who is here has asked."""
    draft.seat(seat, ready=True)
    draft.tell(BecameReady(seat))
    asking = willing(draft.table)
    if len(asking) < least(draft.table) and set(people_here(draft.table)) <= set(asking):
        raise No("too_few_players")


def begin(draft: Draft) -> None:
    """Begin another match with everybody who has not left; the first deal moves one seat on."""
    stay = players(draft.table)
    dealer = _next_dealer(draft, stay)
    for seat in taken(draft.table):
        if seat not in stay:
            draft.sit(seat, None, None)
    draft.public(match=None)
    close_ranks(draft)
    draft.unready()
    number = draft.table.about.match + 1
    draft.secret(contributions=(None,) * len(stay), dealer=dealer, opener=None, hole=None)
    draft.match(
        replace(draft.table.about, match=number),
        Fairness(fair.commitment(draft.table.secret.master, number)),
    )
    gathering.gather(draft)
    pass_host_on(draft)


def _next_dealer(draft: Draft, stay: tuple[int, ...]) -> int | None:
    """The seat after the one that dealt the last match's first hole, as it will be counted in the new match."""
    opener = draft.table.secret.opener
    if opener is None:
        return None
    size = len(draft.table.public.seats)
    return stay.index(min(stay, key=lambda seat: (seat - opener - 1) % size))
