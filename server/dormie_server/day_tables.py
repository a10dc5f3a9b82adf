"""What a table at which the hole of a day is played has to do with the day: its deal, and its result."""

from dormie_rules.patience_day import DAY_RULES, day_attempt, day_seed
from dormie_rules.race_state import RacePublic, Shown
from dormie_rules.values import replace
from dormie_server.certified import attempt_of
from dormie_server.day_book import DayBook, HouseDay
from dormie_server.table.commands import DealHole
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, day_of
from dormie_server.worker import Busy, Worker


async def deal_of_day(book: DayBook, table: Table, worker: Worker) -> DealHole:
    """The deal of the day that *table* plays; looked for by *worker* if nobody has. Raises No, Busy.

    Which attempt it was is not told before the day is over: it follows from the secret, and from no card.
    """
    day = await book.day(day_of(table) or "")
    if day is None:
        raise No("no_day")
    attempt = await attempt_at(book, day, worker)
    pack = day_attempt(day.date, bytes.fromhex(day.secret), attempt).pack
    return DealHole(1, pack, b"")


async def attempt_at(book: DayBook, day: HouseDay, worker: Worker) -> int:
    """Which deal of *day* can be cleared; found once, and kept. Raises Busy.

    When a day begins everybody comes at once: one looks, and the others wait for what is found.
    """
    if day.attempt is not None:
        return day.attempt
    waited = book.looking.locked()
    async with book.looking:
        known = await book.day(day.date) if waited else day
        if known is not None and known.attempt is not None:
            return known.attempt
        if waited and book.looked_for == day.date:
            raise Busy("whoever looked has not found it")
        book.looked_for = day.date
        return await _look(book, day, worker)


async def _look(book: DayBook, day: HouseDay, worker: Worker) -> int:
    seed = day_seed(day.date, bytes.fromhex(day.secret))
    found = await worker.run(attempt_of, DAY_RULES, seed)
    await book.change(
        day.date, lambda known: known if known.attempt == found else replace(known, attempt=found)
    )
    return found


async def keep_try(book: DayBook, table: Table) -> None:
    """Keep the result of a try whose table is done with it; kept already, or forgotten, nothing changes."""
    player = table.secret.cast[0] if table.secret.cast else None
    if player is not None:
        shown = _shown(table)
        board = shown.boards[0] if shown else None
        score = board.score if board else None
        await book.end(day_of(table) or "", player, score, shown.paths[0] if shown else "")


def _shown(table: Table) -> Shown | None:
    """How the hole ended, if one was dealt."""
    match = table.public.match
    return match.play.shown if isinstance(match, RacePublic) and match.play else None
