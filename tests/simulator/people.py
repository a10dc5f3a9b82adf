"""People at a table, each with a device that may lose its line, its battery, or its place to another.

They use the client's SDK as any program would, and know nothing of the simulation but the time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, TypeVar

from dormie_client import ClosedError, Dormie, Pace, RefusedError, Summary, Table
from dormie_client.bot_seat import Manners, play_at
from dormie_client.errors import TRY_AGAIN
from dormie_protocol.games import Move
from dormie_rules.grid_moves import Discard, Draw, Flip, Swap, Take
from dormie_rules.patience_moves import Concede, GiveUp, Play, TakeBack
from tests.simulator.company import mingle
from tests.simulator.machine import Machine
from tests.simulator.network import FRONT
from tests.simulator.own_affairs import OwnAffairs
from tests.simulator.plan import AN_HOUR, SHORTEST_DAY, Evening

if TYPE_CHECKING:
    from tests.simulator.simulation import World

T = TypeVar("T")
URL = f"ws://127.0.0.1:{FRONT}/ws"
NOT_ALLOWED = (Draw(), Take(), Discard(), Flip(0), Flip(99), Swap(3), TakeBack(), Play(0), Play(9))
SELDOM: dict[type[Move], float] = {TakeBack: 0.15, GiveUp: 0.01, Concede: 0.004}
"""Moves that nobody would play a hole with who chose them as often as others."""
LIES_ABOUT = 0.3
"""How often a device that was replaced stays connected for a while, and is not looked at."""
MOST_RETURNS = 10
LONGEST_NAP = 60
"""Nobody sleeps for longer where a hole may take minutes."""
ENDED = ("over", "closed")


class Party:
    """What everybody at one table shares: its plan, and its code once there is one."""

    def __init__(self, world: "World", number: int, evening: Evening) -> None:
        self.world = world
        self.name = f"{world.seed} table {number}"
        self.evening = evening
        self.code: str | None = None
        self.opened = asyncio.Event()
        self.overslept = False
        names = [f"Ada {number}", f"Ben {number}", *(f"Cy {number}{i}" for i in range(4))]
        self.people = [
            Person(self, name, host=name == names[0]) for name in names[: evening.people]
        ]
        self.people += [
            Person(self, f"Bot {number}{i}", level=level)
            for i, level in enumerate(evening.sdk_bots)
        ]
        self.people += [Person(self, f"Eve {i}", watches=True) for i in range(evening.watchers)]
        if evening.stranger:
            self.people.append(Person(self, f"Quinn {number}", stranger=True))

    def may_oversleep(self, table: Table) -> bool:
        """Whether somebody may sleep here for longer than the days that a turn may take."""
        long = table.about.turn_seconds == SHORTEST_DAY
        return self.evening.oversleeps and long and not self.overslept

    def open(self, code: str) -> None:
        """The table is there, for all others to come."""
        self.code = code
        self.opened.set()


class Person:
    """Somebody at a table, over any number of devices and lines."""

    def __init__(
        self,
        party: Party,
        name: str,
        *,
        host: bool = False,
        level: str | None = None,
        watches: bool = False,
        stranger: bool = False,
    ) -> None:
        self.party = party
        self.world = party.world
        self.name = name
        self.host = host
        self.level = level
        self.watches = watches
        self.stranger = stranger
        self.luck = Random(f"{party.name} {name}")
        self.keys: list[str] = []
        """The tokens by which this person is known, the one that was used last at the end."""
        self.code: str | None = None
        """With which the next device becomes this person, if there is one."""
        self.erased = False
        """Whether this person has asked to be forgotten, and nothing more is known of them."""
        self.devices: dict[Machine, asyncio.Task[None]] = {}
        self.tables: dict[Machine, Table] = {}
        """What each device that is there shows."""
        self.enough = False
        """Whether this person has played as much as planned."""
        self._count = 0
        self._returns = 0
        self._undone = 0
        """How often this person asked to take a move back: nobody should do so all evening."""
        self._leaves = not host and not watches and level is None and self.luck.random() < 0.1
        self.affairs = OwnAffairs(self) if party.evening.devices and level is None else None

    @property
    def is_wanted(self) -> bool:
        """Whether somebody should be there, and has no device."""
        return not self.erased and (not self.keys or not self.enough)

    def come(self) -> None:
        """Take up a device and begin; on another one than before, if there was one."""
        if self.erased:
            return
        self._count += 1
        address = f"10.0.{len(self.name)}.{self.luck.randrange(1, 250)}"
        device = Machine(f"{self.name.replace(' ', '-')}.{self._count}", address)
        self.world.trace.note("device", f"{device} comes")
        self.devices[device] = device.do(lambda: self.world.loop.create_task(self._visit(device)))

    def lose(self, device: Machine, *, quietly: bool) -> None:
        """A device is gone in the middle of everything."""
        self.world.trace.note("device", f"{device} dies" + (" quietly" if quietly else ""))
        device.state = "dead"
        device.died = True
        self.world.dead.append(device)
        self.tables.pop(device, None)
        self.devices.pop(device, None)
        self.world.network.machine_died(device, quietly=quietly)

    async def go(self) -> None:
        """End every session."""
        self.enough = True
        for device, visit in list(self.devices.items()):
            if device.state == "running":
                device.do(visit.cancel)
                await asyncio.wait([visit])

    async def _visit(self, device: Machine) -> None:
        pace = Pace(luck=self.luck.random, clock=self.world.loop.time)
        house = await self._arrive(pace)
        if house is None:
            return
        try:
            table = await self._insist(lambda: self._sit_down(house))
            self.tables[device] = table
            # A mirror tells its listeners in no particular order, so there is never a second one.
            ear = None if self.level else asyncio.create_task(self._listen(table))
            try:
                await self._stay(house, table)
            finally:
                if ear is not None:
                    ear.cancel()
        except (ClosedError, RefusedError) as why:
            self.world.trace.note("device", f"{device} goes: {why}")
        finally:
            await house.close()
            if device.state == "running":
                self.tables.pop(device, None)
                self.devices.pop(device, None)
                self._come_back()

    def _come_back(self) -> None:
        """Whoever has forgotten the device in use takes another one, and is not away for good."""
        if (
            self.affairs is None
            or self.devices
            or not self.is_wanted
            or self._returns > MOST_RETURNS
        ):
            return
        self._returns += 1
        self.world.loop.call_later(1.0 + self.luck.random(), self._come_if_away)

    def _come_if_away(self) -> None:
        if not self.devices and self.is_wanted:
            self.come()

    async def _arrive(self, pace: Pace) -> Dormie | None:
        """Say hello, as somebody new, by a token, or by a code; None when one is nobody any more."""
        code, self.code = self.code, None
        token = self.keys[-1] if self.keys and code is None else None
        name = self.name if code is None else None
        try:
            house = await Dormie.connect(URL, name=name, token=token, claim=code, pace=pace)
        except RefusedError as refused:
            self.world.trace.note("refused", f"{self.name}: {refused.word}")
            if token in self.keys:
                self.keys.remove(token)
            if not self.keys and code is None:
                self.erased = True
                return None
            return await self._arrive(pace)
        self.keys = [*(key for key in self.keys if key != house.token), house.token or ""]
        return house

    async def _sit_down(self, house: Dormie) -> Table:
        party, evening = self.party, self.party.evening
        if self.host and party.code is None:
            if house.tables:  # it was opened, and the answer lost with a device
                table = await house.watch(house.tables[0])
            else:
                table = await house.create(
                    evening.variant,
                    options=evening.options or {"end": "holes", "holes": 1},
                    size=evening.size,
                    turn_seconds=None if evening.options else evening.turn_seconds,
                    bots=evening.house_bots,
                    listed=evening.turn_seconds <= AN_HOUR,  # no stranger has days for a move
                    clock=evening.clock,
                    spectators=evening.spectators,
                    undo=evening.undo,
                    password=evening.password,
                )
            party.open(table.code)
            return table
        if self.stranger and not self.enough:
            return await house.quick(evening.variant)
        await party.opened.wait()
        assert party.code is not None, "the table is open"
        if self.watches or self.enough:
            return await house.watch(party.code, password=evening.password)
        return await house.join(party.code, password=evening.password)

    async def _stay(self, house: Dormie, table: Table) -> None:
        if self.level is not None:
            manners = Manners(thinks=True, luck=lambda: self.luck.randbytes(16))
            await play_at(table, self.level, manners, house.server_time)
        while not table.closed:
            if table.replaced:
                if self.affairs is not None and self.luck.random() < LIES_ABOUT:
                    await asyncio.sleep(20.0 + 40.0 * self.luck.random())
                    return
                if self.luck.random() < 0.8:
                    return
                await self._insist(table.take_back)
            await self._do_something(house, table)
            version = table.version
            try:
                await table.until(_news_since(version), within=1.0 + 5.0 * self.luck.random())
            except TimeoutError:
                continue

    async def _do_something(self, house: Dormie, table: Table) -> None:
        if table.seat is None or self.watches:
            if table.about.spectators.chat in ("apart", "all") and self.luck.random() < 0.05:
                await self._speak(table)
            return
        try:
            await self._act(house, table)
        except RefusedError as refused:
            self.world.trace.note("refused", f"{self.name}: {refused.word}")

    async def _speak(self, table: Table) -> None:
        try:
            await table.say(f"{self.name} {self.luck.random()}")
        except RefusedError as refused:
            self.world.trace.note("refused", f"{self.name}: {refused.word}")

    async def _look_around(self, house: Dormie) -> None:
        """Ask what is told away from the tables; it agrees with what is seen there."""
        own = [one.table for one in await house.mine()]
        this = sum(device.this for device in await house.devices())
        if this > 1 or (this == 0 and self.affairs is None):  # it may just have been forgotten
            self.world.trace.fail(f"{self.name} is asking from {this} of the devices")
        told = await house.lobby()
        if len(own) != len(set(own)):
            self.world.trace.fail(f"{self.name} sits twice at {own}")
        if any(card.free + card.taken > card.size for card in told.tables):
            self.world.trace.fail(f"{self.name} is told of too many at {told.tables}")
        played = await house.history()
        if len(played) != len({one.record for one in played}):
            self.world.trace.fail(f"{self.name} has played twice: {played}")

    async def _act(self, house: Dormie, table: Table) -> None:
        luck, phase = self.luck, table.view.phase
        if luck.random() < 0.03:
            await self._look_around(house)
        if self.affairs is not None and await self.affairs.see_to(house, table):
            return
        if self._leaves and phase == "playing" and luck.random() < 0.05:
            await table.leave()
            self.enough = True
        elif table.awaits_ready():
            await asyncio.sleep(luck.random())
            await table.ready(luck.randbytes(16))
        elif phase == "lobby" and self.host and luck.random() < 0.3:
            await self._begin(table)
        elif phase == "lobby" and self.stranger and luck.random() < 0.1:
            await (table.end() if table.view.host == table.seat else table.leave())
            self.enough = True
        elif await self._aside(table):
            pass
        elif table.my_turn():
            await self._move(table)
        elif phase == "over" and not self.enough:
            mine = table.view.seats[table.seat] if table.seat is not None else None
            if self.party.evening.rematch and table.about.match == 1:
                if mine is not None and not mine.ready:
                    await table.rematch()
            else:
                self.enough = True

    async def _aside(self, table: Table) -> bool:
        """Something that is not the game, now and then; whether anything was done."""
        if await self._about_time(table):
            return True
        return self.party.evening.company and await mingle(self.luck, table)

    async def _about_time(self, table: Table) -> bool:
        """Vote, agree, or ask for a pause now and then, where time was spoken of; whether that was done."""
        evening, luck = self.party.evening, self.luck
        if table.view.phase not in ("playing", "between"):
            return False
        clocks, seat = table.clocks, table.seat
        took = getattr(table.view.match and table.view.match.play, "taken", None)
        wants = evening.undo and self._undone < 2 and not clocks.ask
        if wants and luck.random() < (0.4 if took else 0.05):
            await table.undo()
            self._undone += 1
            return True
        if evening.clock is None and not evening.undo:
            return False
        if clocks.votes is not None and luck.random() < 0.3 and not table.my_turn():
            await table.vote(luck.choice(("wait", "bot", "bot", "withdraw")))
        elif clocks.ask is not None and seat not in clocks.ask.agreed and luck.random() < 0.8:
            await table.agree(yes=luck.random() < 0.9)
        elif clocks.pause is not None and luck.random() < 0.1:
            await table.resume()
        elif evening.clock and not clocks.pause and not clocks.ask and luck.random() < 0.02:
            await table.pause(luck.choice((None, 2)))
        else:
            return False
        return True

    async def _begin(self, table: Table) -> None:
        """Start; once all is fine, without those who will not come back, or not at all."""
        seats = enumerate(table.view.seats)
        gone = [seat for seat, who in seats if who and not who.here and seat != table.seat]
        if gone and self.world.weather.over:
            await table.kick(gone[0])
            if sum(who is not None for who in table.view.seats) == 1:
                await table.end()
                return
        await table.start()

    async def _move(self, table: Table) -> None:
        luck = self.luck
        if luck.random() < (0.5 if self.party.may_oversleep(table) else 0.03):
            await self._sleep(table)
        await asyncio.sleep(0.05 + 0.5 * luck.random())
        if table.about.game == "patience" and luck.random() < (
            0.01 if table.about.size > 1 else 0.05
        ):
            await table.hint(luck.choice(("fair", "open")))
        if not table.my_turn():
            return
        look, move = table.look(), _choose(luck, table.moves)
        if luck.random() < 0.05:
            move = luck.choice(NOT_ALLOWED)
        await table.play(move, on=look)

    async def _sleep(self, table: Table) -> None:
        """Sleep for longer than a turn may take; where that is days, once an evening at most."""
        party, seconds = self.party, table.about.turn_seconds
        if seconds > AN_HOUR:
            if not party.may_oversleep(table):
                return
            party.overslept = True
            self.world.trace.note("overslept", self.name)
        elif seconds > LONGEST_NAP:
            return
        await asyncio.sleep(seconds + self.luck.random())

    async def _listen(self, table: Table) -> None:
        """Hear every change in order; the SDK promises that nothing is missing."""
        last = None
        async for seen in table.updates():
            if seen.rolled_back and table.about.spectators.delay and table.seat is None:
                last = None  # a server that keeps nothing old enough lets spectators begin anew
                continue
            if seen.rolled_back and table.code in self.world.referee.losses.lost:
                last = seen.version
                continue
            whole = seen.after == last or (last is None) or isinstance(seen, Summary)
            again = seen.after == seen.version >= (last or 0)
            if seen.rolled_back or not (whole or again):
                self.world.trace.fail(f"{self.name} hears {seen.after}-{seen.version} after {last}")
            last = seen.version

    async def _insist(self, what: Callable[[], Awaitable[T]]) -> T:
        """Ask again what could not be done just then."""
        while True:
            try:
                return await what()
            except RefusedError as refused:
                if refused.word not in TRY_AGAIN:
                    raise
                await asyncio.sleep(0.5 + self.luck.random())


def _choose(luck: Random, moves: Sequence[Move]) -> Move:
    """Any of the moves, but what ends a hole or takes it back not as often as the others."""
    return luck.choices(moves, [SELDOM.get(type(move), 1.0) for move in moves])[0]


def _news_since(version: int) -> Callable[[Table], bool]:
    return lambda table: table.version != version or table.replaced
