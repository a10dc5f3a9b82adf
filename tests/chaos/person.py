"""One person at a table of chaos: an ordinary client of the SDK, which does the reconnecting and resuming."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from dormie_client import ClosedError, Dormie, RefusedError, Table
from dormie_client.errors import TRY_AGAIN
from dormie_protocol.messages import Seen
from tests.chaos import affairs
from tests.chaos.ledger import Sight
from tests.chaos.moves import anything, pick, written
from tests.chaos.stubborn import GO_ROUND, OVERTAKEN
from tests.waiting import Result, awaited

if TYPE_CHECKING:
    from tests.chaos.crowd import Fourball

STUCK = 180.0
"""Nobody at a table waits longer than this for any one thing, in whatever weather."""

OUT = ("out", "not_playing")
"""So whoever asked for something hears when, meanwhile, the others or the clock took them out of the match."""


class Person:
    """One player, on one device at a time."""

    session: Dormie
    table: Table
    sight: Sight

    def __init__(self, fourball: "Fourball", number: int, name: str | None = None) -> None:
        self.fourball = fourball
        self.ledger = fourball.ledger
        self.luck = fourball.luck(number)
        self.number = number
        self.name = name or f"P{number}"
        self.naps = 0
        self.devices = 0
        self.gone = False
        """Whether this person has no seat any more, and nobody should wait for them."""
        self._state = "not connected"
        self._waits_for = "nothing"
        self._following: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        """Who it is, how far it has come, and what it waits for."""
        told = f"{self.name} waits for {self._waits_for}; its session: {self._state}"
        if not hasattr(self, "sight"):
            return f"<{told}, no seat yet>"
        table = self.table
        return (
            f"<{told}, {table!r}, match {table.about.match}, {table.view.phase}, may {table.moves}, "
            f"ready {table.awaits_ready()}, replaced {table.replaced}, closed {table.closed}>"
        )

    async def open(self) -> None:
        """Begin a session, and open the table."""
        await self.connect()
        plan = self.fourball.plan
        creating = self.session.create(
            plan.variant,
            size=plan.seats,
            options={"holes": plan.holes, **plan.options},
            turn_seconds=None if plan.race else plan.turn_seconds,
            bots=["easy"] * plan.bots,
            **self.fourball.manners,
        )
        table = await self.wait(creating, "a table")
        self.fourball.story.code = table.code
        self.sit(table)

    async def join(self) -> None:
        """Begin a session, and take a seat."""
        await self.connect()
        joining = self.session.join(self.fourball.code, password=self.fourball.key)
        self.sit(await self.wait(joining, "a seat"))

    async def leave(self) -> None:
        """End the session."""
        if hasattr(self, "session"):
            await self.wait(self.session.close(), "the end of the session")

    async def connect(self, claim: str | None = None) -> None:
        """Begin a session: as somebody new or, by the code that *claim* is, on another device."""
        self.devices += 1
        connecting = Dormie.connect(
            self.fourball.url,
            name=None if claim else self.name,
            claim=claim,
            on_state=partial(self._on_state, self.devices),
            pace=self.fourball.pace,
        )
        self.session = await self.wait(connecting, "a first connection")

    async def wait(self, what: Awaitable[Result], name: str) -> Result:
        """The result of *what*, which is called *name* if it does not come."""
        self._waits_for = name
        try:
            return await awaited(what, STUCK, self.fourball.waits_for)
        finally:
            self._waits_for = "nothing"

    def sit(self, table: Table) -> None:
        """Play here from now on."""
        self.table = table
        self.sight = Sight(self.ledger, self.fourball.story, rough=self.fourball.plan.rough)
        if self._state == "reconnecting":
            self.sight.away(time.monotonic())
        if self._following is not None:
            self.follow()

    async def live(self) -> None:
        """Play, and write down what is seen meanwhile."""
        self.follow()
        try:
            await self._play()
        except (ClosedError, RefusedError) as no:
            if not await affairs.has_gone(self, no):
                raise
        finally:
            await self._follow_no_more()

    def follow(self) -> None:
        """Write down what is seen on this device, and no longer what was seen on another."""
        if self._following is not None:
            self._following.cancel()
        self._following = asyncio.create_task(self._watch(self.table, self.sight))

    async def _follow_no_more(self) -> None:
        following, self._following = self._following, None
        if following is not None:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following

    async def _watch(self, table: Table, sight: Sight) -> None:
        async for seen in table.updates():
            sight.look(seen, time.monotonic())

    async def _play(self) -> None:
        while True:
            table = self.table
            # Whoever waits for strangers hears nothing at the table when it is time to go home.
            within = GO_ROUND if self.fourball.plan.quick else None
            doing = table.until(self._has_something_to_do, within)
            try:
                await self.wait(doing, "something to do")
            except TimeoutError:
                continue
            if table.seat is None:
                self.gone = True
                if not await affairs.was_sent_away(self):
                    self.ledger.left_out += 1
                return
            if table.view.phase == "over":
                if await self._is_enough():
                    return
                await self.attempt(table.rematch(), "the answer to a rematch")
            elif affairs.goes_home(self):
                return
            elif self._has_to_begin(table):
                if self.fourball.alone():
                    return
                await self.attempt(table.start(), "the answer to start")
            elif table.awaits_ready():
                await self.attempt(table.ready(), "the answer to ready")
            elif affairs.is_asked(self):
                await affairs.answer(self)
            elif await self._turn():
                return

    async def _is_enough(self) -> bool:
        """Look back at a match that is over; whether it was the last one here."""
        if self.fourball.plan.looks:
            await affairs.look_back(self)
        if self.fourball.goes_on(self.table.about.match) and not self.fourball.alone():
            return False
        await affairs.farewell(self)
        return True

    def _has_something_to_do(self, table: Table) -> bool:
        if table.view.phase == "over":  # whoever has asked for a rematch is ready for it
            mine = table.view.seats[table.seat] if table.seat is not None else None
            return mine is None or not mine.ready or self.fourball.alone()
        if self.fourball.plan.company and table.clocks.pause is not None:
            return table.seat is None
        return (
            table.seat is None
            or self._may_move()
            or table.awaits_ready()
            or affairs.is_asked(self)
            or affairs.goes_home(self)
            or self._has_to_begin(table)
        )

    def _has_to_begin(self, table: Table) -> bool:
        """Whether all are ready but somebody who has left as the match was to start: then the host begins."""
        if self.fourball.plan.quick or table.view.phase != "lobby" or table.about.match == 1:
            return False
        others = [who for who in table.view.seats if who is not None]
        return table.view.host == table.seat and all(who.ready for who in others)

    def _may_move(self) -> bool:
        return self.table.my_turn() and anything(self.table.moves, race=self.fourball.plan.race)

    async def _turn(self) -> bool:
        """Make a move, perhaps after something else; whether that was the end of it all."""
        await asyncio.sleep(self.luck.random() * self.fourball.plan.think)
        if await affairs.aside(self):
            return True
        if self._may_move() and self.table.seat is not None:
            await self._move()
        return False

    async def _move(self) -> None:
        table, race = self.table, self.fourball.plan.race
        look, story = table.look(), self.sight.stories
        move = pick(look.moves, self.luck, race=race)
        if move is None:
            return
        count, text = _count(look) + 1, written(move, race=race)
        self.ledger.card(table.code, self.name).ask(count, text, time.monotonic())
        try:
            await self.wait(table.play(move, on=look), f"the answer to move {count}")
        except RefusedError as no:
            self.refused(no)
            return
        if story == self.sight.stories:
            self.ledger.acknowledge(table.code, self.name, count, text)
        else:  # acknowledged, and taken back before that could be written down
            self.ledger.card(table.code, self.name).taken_back += 1

    async def attempt(self, asking: Awaitable[None], name: str) -> bool:
        """Ask; whoever is too early, or alone at the table for a moment, has to ask again."""
        try:
            await self.wait(asking, name)
        except RefusedError as no:
            self.refused(no)
            await asyncio.sleep(0.2)
            return False
        return True

    async def insist(self, asking: Callable[[], Awaitable[Result]], name: str) -> Result:
        """The result of what is asked for; again and again, while the house cannot do it just now."""
        while True:
            try:
                return await self.wait(asking(), name)
            except RefusedError as no:
                if no.word not in TRY_AGAIN:
                    raise
                self.ledger.refuse(no.word)
                await asyncio.sleep(0.2)

    def refused(self, no: RefusedError) -> None:
        """The house said no: that is nobody's loss, or it is a surprise."""
        self.ledger.refuse(no.word)
        plan = self.fourball.plan
        soft = OVERTAKEN | {"not_seated"}  # which is looked into at the end
        if plan.company:
            soft |= {"paused", "nothing_asked", *OUT}
        if plan.when_out != "default":
            soft |= {"no_vote", "no_pause", *OUT}
        if no.word not in soft and not (plan.far_store and no.word in TRY_AGAIN):
            self.ledger.surprise(f"{self.table.code}: refused with {no.word}: {no}")

    def _on_state(self, device: int, state: str) -> None:
        if device != self.devices:
            return  # the old one, which nobody looks at any more
        self._state = state
        if not hasattr(self, "sight"):
            return
        if state == "reconnecting":
            self.sight.away(time.monotonic())
        elif state == "connected":
            self.sight.back()


def _count(look: Seen) -> int:
    assert look.view is not None, "whoever plays has seen the table"
    assert look.seat is not None, "and has a seat"
    seat = look.view.seats[look.seat]
    return seat.count if seat else 0
