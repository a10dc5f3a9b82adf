"""What a player asks about the own tables and matches."""

from collections.abc import Sequence

from dormie_protocol import messages as m
from dormie_protocol.lobby_messages import HISTORY_KEPT
from dormie_protocol.lobby_view import OwnTable
from dormie_server.keeper import Keeper
from dormie_server.records import history_shelf, read_played
from dormie_server.seen import waiting_of
from dormie_server.store import Store, StoreUnavailable
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, seat_of


async def own_tables(keeper: Keeper, player: str, codes: Sequence[str], re: str) -> m.MineSeen:
    """The tables with these *codes* at which *player* has a seat, most urgent first. Raises No."""
    found = list[OwnTable]()
    for code in codes:
        kept = await keeper.table(code)
        own = _own(kept.table, player) if kept else None
        if own is not None:
            found.append(own)
    return m.MineSeen(re=re, tables=tuple(sorted(found, key=_most_urgent_first)))


async def history(store: Store, player: str, wish: m.History) -> m.HistorySeen:
    """A page of the matches that *player* has played, newest first. Raises No."""
    try:
        cards = await store.on(history_shelf(player))
    except StoreUnavailable:
        raise No("store_unavailable") from None
    every = sorted(map(read_played, cards.values()), key=lambda one: (one.when, one.record))
    newest = every[: -HISTORY_KEPT - 1 : -1]
    names = [one.record for one in newest]
    start = 0
    if wish.before is not None:  # a match that is forgotten was the oldest: none is older
        start = names.index(wish.before) + 1 if wish.before in names else len(names)
    end = start + wish.limit
    return m.HistorySeen(re=wish.id, matches=tuple(newest[start:end]), more=end < len(newest))


def _own(table: Table, player: str) -> OwnTable | None:
    seat, public = seat_of(table, player), table.public
    if seat is None or public.phase == "closed":
        return None
    return OwnTable(
        table=table.about.table,
        variant=table.about.variant,
        phase=public.phase,
        seat=seat,
        my_turn=seat in waiting_of(table),
        deadline=public.deadline,
        names=tuple(who.name if who else None for who in public.seats),
    )


def _most_urgent_first(own: OwnTable) -> tuple[bool, bool, float, str]:
    return not own.my_turn, own.deadline is None, own.deadline or 0.0, own.table
