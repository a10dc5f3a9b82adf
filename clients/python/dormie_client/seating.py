"""Which table a player sits down at: the one that was named, the one left behind, or a new one."""

from collections.abc import Sequence

from dormie_client.errors import ClosedError, RefusedError
from dormie_client.play_text import text
from dormie_client.play_wish import Wish
from dormie_client.session import Dormie
from dormie_client.show import Show
from dormie_client.table import Table
from dormie_protocol.messages import Language

USUAL_BOT = "medium"
"""Who plays against somebody who plays alone and has not said against whom."""
FINISHED = ("over", "closed")


async def sit_down(session: Dormie, wish: Wish, show: Show) -> Table:
    """The table that is wished for. Raises RefusedError or ClosedError when it cannot be had."""
    if wish.code:
        return await (session.watch if wish.watch else session.join)(wish.code)
    table = None if wish.new else await _left_behind(session, show)
    return table or await _new(session, wish, show)


async def _left_behind(session: Dormie, show: Show) -> Table | None:
    """A table where the player has a seat and the match is not over."""
    codes = session.tables
    for code in codes:
        try:
            table = await session.watch(code)
        except RefusedError:
            continue  # it has ended in the meantime
        if table.view.phase in FINISHED:
            await table.unwatch()
            continue
        others = [other for other in codes if other != code]
        if others:
            show.text("also_at", codes=", ".join(others))
        return table
    return None


async def _new(session: Dormie, wish: Wish, show: Show) -> Table:
    language, variants, bots = show.screen.language, session.variants, session.bots
    _check("no_variant", [wish.variant], variants, language)
    _check("no_bot", wish.bots or (), bots, language)
    table = await session.create(
        wish.variant,
        options=wish.options,
        size=wish.size,
        turn_seconds=wish.turn_seconds,
        bots=_bots(bots, wish),
    )
    if not wish.local:
        show.text("opened", code=table.code)
        show.console.say(f"  dormie play {_for_others(show.url, session.links)} {table.code}")
    return table


def _for_others(url: str, links: Sequence[str]) -> str:
    """Where others reach the house: an address of this very machine is of no use to them.

    >>> _for_others("http://127.0.0.1:8421", ["http://127.0.0.1:8421/", "http://192.168.1.20:8421/"])
    'http://192.168.1.20:8421'
    >>> _for_others("https://golf.example", ["http://127.0.0.1:8421/"])
    'https://golf.example'
    """
    here = any(name in url for name in ("//127.", "//localhost", "//[::1]"))
    return links[-1].rstrip("/") if here and links else url


def _bots(levels: Sequence[str], wish: Wish) -> Sequence[str]:
    """The bots of a new table: at a server of one's own there is one at least."""
    if wish.bots is not None or not wish.local:
        return wish.bots or ()
    return [USUAL_BOT] if USUAL_BOT in levels else levels[-1:]


def _check(key: str, wished: Sequence[str], there: Sequence[str], language: Language) -> None:
    """Say what there is when what is wished for is not there."""
    for name in wished:
        if name not in there:
            raise ClosedError(text(key, language, name=name, there=", ".join(there)))
