"""People without a seat: they come in the middle of things, see what spectators may see, and go again."""

import asyncio
import time
from typing import TYPE_CHECKING

from dormie_client import ClosedError, Dormie, RefusedError
from dormie_protocol.messages import Seen
from tests.chaos.ledger import Glimpse, Ledger, Sight, Story, check_race

if TYPE_CHECKING:
    from tests.chaos.crowd import Fourball

VISIT = (1.0, 6.0)
"""So many seconds somebody looks on, before they go and come again."""


GUESSERS_WAIT, LOOKS_AGAIN = 120.0, 2.0
"""So many seconds after a wrong guess nobody is taken for a guesser any more; and between two looks."""


class Watcher:
    """One spectator, visit after visit."""

    def __init__(self, fourball: "Fourball", number: int) -> None:
        self._fourball = fourball
        self._name = f"W{number}"
        self._luck = fourball.luck(100 + number)
        self._waited = 0

    async def live(self) -> None:
        """Come and go until somebody ends it."""
        fourball = self._fourball
        session = await Dormie.connect(fourball.url, name=self._name, pace=fourball.pace)
        try:
            while True:
                try:
                    await self._visit(session)
                except (ClosedError, RefusedError) as no:
                    if not await self._may_come_again(session, no):
                        return
        finally:
            await session.close()

    async def _may_come_again(self, session: Dormie, no: Exception) -> bool:
        """Whether whoever was shown out comes again: strangers at the same address have guessed too often.

        Then a house tells nobody there of any table who has no seat at it, for a minute.
        """
        if session.over:
            self._fourball.ledger.surprise(f"{self._fourball.code}: a spectator is gone: {no}")
            return False
        if self._fourball.plan.company:
            self._fourball.ledger.deed("spectators who do not know the new password")
            return False
        self._waited += 1
        if self._waited > GUESSERS_WAIT / LOOKS_AGAIN:
            self._fourball.ledger.surprise(
                f"{self._fourball.code}: a spectator was shown out: {no}"
            )
            return False
        await asyncio.sleep(LOOKS_AGAIN)
        return True

    async def _visit(self, session: Dormie) -> None:
        fourball = self._fourball
        table = await session.watch(fourball.code, password=fourball.key)
        self._waited = 0
        gaze = Gaze(fourball.ledger, fourball.story, fourball.plan.delay)
        late = "late " if fourball.plan.delay else ""
        fourball.ledger.deed(f"visits of {late}spectators")
        try:
            async with asyncio.timeout(self._luck.uniform(*VISIT)):
                async for seen in table.updates():
                    gaze.look(seen, time.monotonic())
        except TimeoutError:
            await table.unwatch()


class Gaze(Sight):
    """What a spectator sees: in order, never anybody's own, and never too early."""

    def __init__(self, ledger: Ledger, story: Story, delay: float) -> None:
        super().__init__(ledger, story)
        self._delay = delay
        self._counts = dict[str, int]()

    def look(self, seen: Seen, now: float, *, asked: int | None = None) -> None:  # noqa: ARG002 - it never does
        """Take in what the server has sent, in the order in which it came."""
        mine = any(heard.mine is not None for heard in seen.events)
        if seen.seat is not None or seen.pocket is not None or seen.moves or mine:
            self.ledger.surprise(f"{seen.table}: a spectator is shown what is somebody's own")
        if seen.rolled_back:
            self.stories += not self._delay  # a house that kept nothing old enough begins anew
            self._counts.clear()
        elif self.version and seen.version > self.version and seen.after != self.version:
            gap = f"{self.version} to {seen.after}"
            self.ledger.surprise(f"{seen.table}: a spectator was told nothing of {gap}")
        elif self.version and seen.events and seen.version <= self.version:
            self.ledger.surprise(f"{seen.table}: a spectator was told {seen.version} twice")
        self.version = seen.version
        if seen.version:  # a table that shows nothing yet has version 0
            self._story.hear(seen.version, seen.chain, self)
            check_race(seen, self._before, self.ledger)
            self._before = seen.view or self._before
        self._glimpse(seen, now)
        self.ledger.deed("versions that spectators saw")

    def _glimpse(self, seen: Seen, now: float) -> None:
        for who in seen.view.seats if seen.view and self._delay else ():
            if who is None or who.bot is not None or who.count <= self._counts.get(who.name, 0):
                continue
            self._counts[who.name] = who.count
            glimpses = self.ledger.glimpses.setdefault(seen.table, [])
            glimpses.append(Glimpse(who.name, who.count, now, self._delay))
