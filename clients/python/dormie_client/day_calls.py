"""What a session asks about the hole of the day: what it is, one's own try at it, and how it ended."""

from dormie_client.errors import refusing
from dormie_client.lobby_calls import Session
from dormie_client.table import Table
from dormie_client.told import told
from dormie_protocol.day_messages import Day, DayResults, DayResultsSeen, DaySeen, PlayDay


class DayCalls:
    """What a session can ask about a day."""

    async def day(self: Session, date: str | None = None) -> DaySeen:
        """A day by its date, like ``2026-11-30``, or today. Raises RefusedError, ``no_day``."""
        with refusing(self.language):
            message = Day(id=self.new_id(), date=date)
        return await told(self, message, DaySeen)

    async def play_day(self: Session) -> Table:
        """Your table for today's hole, where your try begins or goes on.

        Raises RefusedError, ``day_played`` after the one try that counts.
        """
        done = await self.answer(self.put(PlayDay(id=self.new_id())))
        assert done.table is not None, "a try has a table"
        return await self.enter(done.table, done.version)

    async def day_results(
        self: Session, date: str | None = None, *, after: int = 0, limit: int = 20
    ) -> DayResultsSeen:
        """The results of a day that is over, yesterday's if none is named, *after* so many lines.

        Raises RefusedError, ``no_day``, or ``wrong_time`` for a day that is not over.
        """
        with refusing(self.language):
            message = DayResults(id=self.new_id(), date=date, after=after, limit=limit)
        return await told(self, message, DayResultsSeen)
