"""Whole matches over real sockets, with everybody who is ever at a table.

Players who play anything legal and now and then ask for what is not; bots; people who only watch, from
the beginning, or come late; people who lose the line and take up where they were, or long before; a
second device that takes a seat over while the first one listens on; one who leaves, and a rematch.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from dormie_bots import LEVELS
from dormie_protocol.messages import Done, Seen
from dormie_rules.grid_moves import Discard, Draw, Flip, Swap, Take
from dormie_rules.variants import find, names
from tests.server.guest import Guest
from tests.waiting import until

ENDED = ("over", "closed")
SPECTATORS: tuple[dict[str, object], ...] = (
    {},
    {"delay": 1},
    {"chat": "all"},
    {"chat": "apart", "delay": 1},
)
"""The switches for spectators, table by table."""
NOT_ALLOWED = (Draw(), Take(), Discard(), Flip(0), Flip(99), Swap(3))


@dataclass
class Season:
    """All the people of many matches."""

    port: int
    progress: Callable[[str], int]
    """The version a table is at; when its match is over, more than any version."""
    everybody: list[Guest] = field(default_factory=list)
    """Every connection there ever was."""
    matches: int = 0

    async def come(self, name: str = "", token: str | None = None) -> Guest:
        guest = await Guest.come(self.port, name or "Watcher", token)
        self.everybody.append(guest)
        return guest

    async def match(self, number: int) -> str:
        """One table, from its opening until nobody wants to go on; returns its code."""
        luck = Random(number)
        variant = find(names()[number % len(names())])
        size = luck.randint(variant.min_seats, variant.max_seats)
        people = min(size, luck.choice((1, 1, 1, 2, 3)))
        host = await self.come("Host")
        code = await host.create(
            variant=variant.name,
            options={"end": "holes", "holes": 1},
            listed=number % 2 == 0,
            size=size,
            bots=[luck.choice(LEVELS) for _ in range(min(size - people, size - 1))],
            spectators=SPECTATORS[number % len(SPECTATORS)],
            undo=number % 3 == 0,
        )
        players = [host]
        for _ in range(people - 1):
            player = await self.come("Player")
            await player.join(code)
            players.append(player)
        for player in players:  # one after the other, so that each is seen to be ready
            ready = await self._ready(player, code, luck)
            await host.see(code, lambda seen, since=ready: seen.version >= since)  # type: ignore[misc]  # mypy cannot see its default
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch(code, luck.randrange(1, 60)))
            group.create_task(self._come_back_and_watch(code, luck))
            for seat, player in enumerate(players):
                group.create_task(self._sit(player, code, Random(f"{number}/{seat}")))
        return code

    async def _sit(self, player: Guest, code: str, luck: Random) -> None:
        """Play the match, and perhaps another."""
        matches = luck.choice((1, 1, 1, 2))
        player = await self._play(player, code, luck)
        self.matches += 1
        if matches > 1 and isinstance(await player.ask("rematch", table=code), Done):
            await player.wait(lambda: _goes_on(player.last(code)) or None)
            await self._ready(player, code, luck)
            player = await self._play(player, code, luck)
        await self._look_around(player)
        await player.ask("leave", table=code)

    async def _play(self, player: Guest, code: str, luck: Random) -> Guest:
        """Play anything legal until the match is over; returns the connection then."""
        leaving = luck.random() < 0.05
        while _phase(seen := player.last(code)) not in ENDED:
            if luck.random() < 0.05:
                await self._look_around(player)
            if luck.random() < 0.03:
                player = await self._lose_the_line(player, code, luck)
            elif not seen.moves:
                if _waits_for_its_host(seen) and not await self._start(player, code):
                    return player
                await player.see(code)
            elif leaving and luck.random() < 0.1:
                await player.ask("leave", table=code)
                return player
            elif luck.random() < 0.05:
                await self._talk(player, code, luck)
            elif luck.random() < 0.1:
                await player.play(code, luck.choice(NOT_ALLOWED))
                await player.ask("play", table=code, count=luck.randrange(1, 99), move=Draw())
            else:
                await self._move(player, code, seen, luck)
        return player

    async def _look_around(self, guest: Guest) -> None:
        """Ask whatever is told away from the tables."""
        await guest.ask("lobby", follow=True)
        await guest.ask("mine")
        await guest.ask("history")
        await guest.ask("day")
        await guest.ask("day_results")
        await guest.ask("lobby", follow=False)  # the people of a season stay, and there are many

    async def _talk(self, player: Guest, code: str, luck: Random) -> None:
        """Say something, or do something about somebody."""
        seat, number = luck.randrange(4), luck.randrange(1000)
        kind, fields = luck.choice(
            (
                ("say", {"text": f"line {number}"}),
                ("emote", {"emote": "well_played"}),
                ("mute", {"seat": seat}),
                ("unmute", {"seat": seat}),
                ("report", {"seat": seat, "reason": "stalling"}),
                ("chat", {"after": 0}),
                ("undo", {}),
                ("agree", {}),
            )
        )
        await player.ask(kind, table=code, **fields)

    async def _ready(self, player: Guest, code: str, luck: Random) -> int:
        """Be ready, with something for luck; returns the version then."""
        answer = await player.ask("ready", table=code, entropy=luck.randbytes(16).hex())
        return (isinstance(answer, Done) and answer.version) or 0

    async def _start(self, host: Guest, code: str) -> bool:
        """Start with those who are left, if somebody went just before the match began."""
        return isinstance(await host.ask("start", table=code), Done)

    async def _move(self, player: Guest, code: str, seen: Seen, luck: Random) -> None:
        answer = await player.play(code, luck.choice(seen.moves))
        version = answer.version if isinstance(answer, Done) else None
        await player.see(code, lambda later: later.version >= (version or seen.version + 1))

    async def _lose_the_line(self, player: Guest, code: str, luck: Random) -> Guest:
        """Come back on another device, from something seen before; the first one may hear on."""
        past = luck.choice(player.of(code))
        token = next(one.token for one in self.everybody if one.player == player.player)
        if luck.random() < 0.5:
            await player.vanish()
        again = await self.come(token=token)
        await again.do("watch", table=code, after=past.version, chain=past.chain)
        return again

    async def _watch(self, code: str, version: int) -> None:
        """Come when the table is at *version*, or over, and watch."""
        await until(lambda: self.progress(code) >= version, within=60)
        watcher = await self.come()
        await watcher.do("watch", table=code)
        await watcher.ask("say", table=code, text="from the gallery")
        await self._look_around(watcher)
        await watcher.wait(lambda: _over(watcher, code))

    async def _come_back_and_watch(self, code: str, luck: Random) -> None:
        """Watch, go, and come back; from something that was seen, or from something that never was."""
        watcher, version = await self.come(), luck.randrange(1, 60)
        await watcher.do("watch", table=code)
        await until(lambda: self.progress(code) >= version, within=60)
        past = luck.choice(watcher.of(code))
        await watcher.leave()
        again = await self.come()
        chain = past.chain if luck.random() < 0.7 else "00ff"
        await again.do("watch", table=code, after=past.version, chain=chain)
        await again.wait(lambda: _over(again, code))


def _phase(seen: Seen) -> str:
    return seen.view.phase if seen.view else ""


def _waits_for_its_host(seen: Seen) -> bool:
    view = seen.view
    return view is not None and (view.phase, view.host) == ("lobby", seen.seat)


def _goes_on(seen: Seen) -> bool:
    """Whether the next match begins, or nobody is left to play it with."""
    return _phase(seen) != "over" or (seen.view is not None and seen.view.seats.count(None) > 0)


def _over(guest: Guest, code: str) -> bool | None:
    return _phase(guest.last(code)) in ENDED or None
