"""Which table a player sits down at: the one that was named, one left behind, or a new one."""

from collections.abc import Sequence

from dormie_client.commands import Unclear, meant
from dormie_client.errors import RefusedError
from dormie_client.here import Here
from dormie_client.house_lines import own_lines
from dormie_client.house_text import TYPED
from dormie_client.house_words import ASKS_PASSWORD, open_and_tell
from dormie_client.play_wish import Wish
from dormie_client.table import Table
from dormie_client.typed_lines import Lines
from dormie_protocol.lobby_view import OwnTable

USUAL_BOT = "medium"
"""Who plays against somebody who plays alone and has not said against whom."""
FINISHED = ("over", "closed")


async def sit_down(here: Here, wish: Wish, lines: Lines) -> Table:
    """The table that is wished for.

    Raises RefusedError, Unclear or ClosedError when it cannot be had. Where several tables wait for
    the player, *lines* say which.
    """
    house = here.house
    if wish.code:
        known = wish.code in house.tables
        go = house.watch if wish.watch else house.join
        try:
            table = await go(wish.code, password=wish.password)
        except RefusedError as no:
            if no.word in ASKS_PASSWORD and wish.password is None:
                raise Unclear("needs_password_first") from None
            raise
        return _named(here, wish, table) if known else table
    left = None if wish.new else await _left_behind(here, lines)
    return _named(here, wish, left) if left else await _new(here, wish)


async def _left_behind(here: Here, lines: Lines) -> Table | None:
    """A table where the player has a seat and the match is not over; None for a new one."""
    own = [table for table in await here.house.mine() if table.phase not in FINISHED]
    while own:
        chosen = own[0] if len(own) == 1 else await _chosen(here, own, lines)
        if chosen is None:
            return None
        try:
            return await here.house.watch(chosen.table)
        except RefusedError:
            own.remove(chosen)  # it has ended in the meantime
    return None


async def _chosen(here: Here, own: Sequence[OwnTable], lines: Lines) -> OwnTable | None:
    """Which of one's tables one means; the first when nobody says."""
    console = here.show.console
    console.say(*own_lines(own, here.show.screen))
    while True:
        console.ask(here.word("ask_which", count=len(own)))
        line = await lines.next()
        if line is None:
            return own[0]
        console.heard(line)
        if meant(line, TYPED) == "new":
            return None
        code = line.strip().upper()
        for number, table in enumerate(own, start=1):
            if code in (str(number), table.table):
                return table
        here.text("which_number")


def _named(here: Here, wish: Wish, table: Table) -> Table:
    """The same table; whoever has another name there keeps it, and is told."""
    seat = table.view.seats[table.seat] if table.seat is not None else None
    if seat is not None and wish.name is not None and seat.name != here.house.name:
        here.text("name_stays", name=seat.name, new=here.house.name)
    return table


async def _new(here: Here, wish: Wish) -> Table:
    told = wish.table_wish(_bots(here.house.bots, wish))
    return await open_and_tell(here, told)


def _bots(levels: Sequence[str], wish: Wish) -> Sequence[str]:
    """The bots of a new table: at a server of one's own there is one at least."""
    if wish.bots is not None or not wish.local:
        return wish.bots or ()
    return [USUAL_BOT] if USUAL_BOT in levels else levels[-1:]
