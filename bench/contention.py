"""Six players of one race move as fast as they can; and then beside games of turns, both at the same pace.

    python -m bench contention                 one server on a file, then two on a Redis; three minutes
    python -m bench contention --rounds 2      a look

A move's time is from its sending until it is acknowledged. The race is one table, whose six players all move at
once; turns are played at six tables, by the same lines and in the same minutes. Games of turns cannot make as many
moves a second as a race in a hurry, so the two are compared at a pace that both can keep. Whoever is refused ends
the bench, and in the end every acknowledged move has to be counted at its seat. The exit status is 1 when the p99
of a move in the race is more than twice that of a move in turn.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench.load.processes import cores, dormie
from dormie_protocol.messages import SUBPROTOCOL
from tests.redis_server import running_redis
from tests.serving import fetch

SEATS = 6
PART = 0.4
"""Of the moves a second that the race makes as fast as it can, so many are made in both games to compare them."""
MOST, SOON, LEAST = 2.0, 30.0, 20
MOST_MOVES = 2000  # in a window: with more, thirty-six holes are not enough for two of them
KINDS = ("race in a hurry", "race at a pace", "turns at a pace")
ENTROPY = "ab" * 16
SLOW = ("give_up", "concede", "take")
"""Moves that nobody makes here: with the others a hole lasts."""


class Line:
    """One player's connection: it knows the newest view of each table, and no rules."""

    def __init__(self, socket: ClientConnection) -> None:
        self.views: dict[str, dict[str, Any]] = {}  # JSON, as it is
        self._socket = socket
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._bells: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._number = 0
        self._ear = asyncio.create_task(self._listen())

    @classmethod
    async def come(cls, port: int, name: str) -> "Line":
        url = f"ws://127.0.0.1:{port}/ws"
        socket = await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None)
        line = cls(socket)
        await line.ask("hello", name=name)
        return line

    async def ask(self, kind: str, **fields: object) -> dict[str, Any]:
        """Ask, and wait for the answer, which has to be yes."""
        self._number += 1
        number = f"r{self._number}"
        waiting: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = waiting
        await self._socket.send(json.dumps({"type": kind, "id": number, **fields}))
        answer = await waiting
        del self._answers[number]
        if answer["type"] == "refused":
            raise AssertionError(answer)
        return answer

    async def news(self, table: str) -> None:
        """Wait until something is seen of a table."""
        bell = self._bells[table]
        await bell.wait()
        bell.clear()

    async def close(self) -> None:
        self._ear.cancel()
        await self._socket.close()

    async def _listen(self) -> None:
        async for frame in self._socket:
            said = json.loads(frame)
            if said["type"] == "seen":
                if said["view"] is not None:
                    self.views[said["table"]] = said
                self._bells[said["table"]].set()
            elif (waiting := self._answers.get(said.get("re", ""))) is not None:
                waiting.set_result(said)


@dataclass
class Game:
    """Tables of one kind at which the same six play, and how long each move took."""

    codes: list[str]
    on: asyncio.Event = field(default_factory=asyncio.Event)
    pause: float = 0.0
    """Seconds between two moves at a table; 0 for as fast as they can."""
    times: list[float] = field(default_factory=list)
    made: defaultdict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))
    """For each seat, the moves that were acknowledged."""
    seats: list[asyncio.Task[None]] = field(default_factory=list)
    _under_way: int = 0
    _still: asyncio.Event = field(default_factory=asyncio.Event)
    _due: dict[str, float] = field(default_factory=dict)

    async def sit(self, line: Line, code: str, luck: Random) -> None:
        """Play one seat until the match is over."""
        while True:
            seen = line.views[code]
            seat, view = seen["seat"], seen["view"]
            mine = view["seats"][seat]
            moves = [move for move in seen["moves"] if move["move"] not in SLOW]
            if view["phase"] == "over":
                raise AssertionError("the match is over before the bench")
            if view["phase"] in ("lobby", "between") and not mine["ready"]:
                entropy = ENTROPY if view["phase"] == "lobby" else None
                await line.ask("ready", table=code, entropy=entropy)
            elif moves and mine["count"] == self.made[code, seat]:
                await self._move(line, code, seat, luck.choice(moves))
            else:
                await line.news(code)

    async def _move(self, line: Line, code: str, seat: int, move: dict[str, Any]) -> None:
        await self.on.wait()
        if self.pause:
            due = max(self._due.get(code, 0.0) + self.pause, time.perf_counter() - self.pause)
            self._due[code] = due
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if not self.on.is_set():
                return
        self._under_way += 1
        self._still.clear()
        began, count = time.perf_counter(), self.made[code, seat] + 1
        try:
            await line.ask("play", table=code, count=count, move=move)
            self.times.append(time.perf_counter() - began)
            self.made[code, seat] = count
        finally:  # also when it is refused: nobody waits for it then
            self._under_way -= 1
            if not self._under_way:
                self._still.set()

    async def window(self, seconds: float) -> "Window":
        """Let them play for so long, and longer where hardly anything has happened."""
        self.times.clear()
        self.on.set()
        began, taken = time.perf_counter(), list[float]()
        while len(taken) < LEAST:
            until = time.perf_counter() + seconds
            while time.perf_counter() < until and len(self.times) < MOST_MOVES:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            for seat in filter(asyncio.Task.done, self.seats):
                seat.result()  # raises what has ended it
            taken = sorted(self.times)
        self.on.clear()
        passed = time.perf_counter() - began
        await self._still.wait()  # what is under way ends outside the window
        return Window(len(taken) / passed, taken)


@dataclass(frozen=True, slots=True)
class Window:
    """Moves a second, and the seconds that each took."""

    rate: float
    times: list[float]

    def late(self, part: float) -> float:
        """Milliseconds that *part* of the moves did not exceed."""
        return 1000 * self.times[min(int(part * len(self.times)), len(self.times) - 1)]


Round = tuple[Window, Window, Window]
"""The race as fast as it can; then the race, and turns, at one pace."""


async def measure(ports: Sequence[int], rounds: int, seconds: float) -> list[Round]:
    """Windows of the race and of turns, in turn. Raises AssertionError when a move was refused or lost."""
    async with AsyncExitStack() as stack:
        lines = [await Line.come(ports[n % len(ports)], f"P{n}") for n in range(SEATS)]
        for line in lines:
            stack.push_async_callback(line.close)
        turns = Game([await _table(lines, "six_card") for _ in range(SEATS)])
        rounds_of: list[Round] = []
        async with _playing(lines, turns):
            for number in range(rounds + 1):
                race = Game([await _table(lines, "golf_patience_wrap")])
                async with _playing(lines, race):
                    fast = await race.window(seconds)
                    for game in (race, turns):
                        game.pause = len(game.codes) / (PART * fast.rate)
                    taken = fast, await race.window(seconds), await turns.window(seconds)
                await account(lines, race)
                if number:  # the first warms up
                    rounds_of.append(taken)
                    print(f"  round {number}: {_ratio(taken):.2f} times", flush=True)
        await account(lines, turns)
        return rounds_of


@asynccontextmanager
async def _playing(lines: Sequence[Line], game: Game) -> AsyncIterator[None]:
    seats = game.seats = [
        asyncio.create_task(game.sit(line, code, Random(f"{code} {n}")))
        for code in game.codes
        for n, line in enumerate(lines)
    ]
    yield
    for seat in seats:
        if seat.done():
            seat.result()  # raises what has ended it
        seat.cancel()
    await asyncio.gather(*seats, return_exceptions=True)


async def _table(lines: Sequence[Line], variant: str) -> str:
    host, *others = lines
    opened = await host.ask("create", variant=variant, size=SEATS, options={"holes": 36})
    code = str(opened["table"])
    for line in others:
        await line.ask("join", table=code)
    for line in lines:
        await line.ask("watch", table=code)
        while code not in line.views:
            await line.news(code)
    return code


async def account(lines: Sequence[Line], game: Game) -> None:
    """Every acknowledged move is one that its seat has made, and there are no others."""
    for (code, seat), made in game.made.items():
        counts: list[int] = []
        async with asyncio.timeout(SOON):  # the last one may still be on its way to everybody
            while not counts or min(counts) < made:
                await asyncio.sleep(0.01)
                counts = [line.views[code]["view"]["seats"][seat]["count"] for line in lines]
        assert set(counts) == {made}, f"{made} moves were acknowledged, and {counts} are seen"


def _ratio(taken: Round) -> float:
    _, race, turns = taken
    return race.late(0.99) / turns.late(0.99)


def told(name: str, pairs: Sequence[Round], conflicts: int) -> float:
    """Print what was measured; the median of the ratios."""
    ratio = median(map(_ratio, pairs))
    print(f"{name}: p99 of a move in the race {ratio:.2f} times that of a move in turn")
    for kind, windows in zip(KINDS, zip(*pairs, strict=True), strict=True):
        moves = sum(len(one.times) for one in windows)
        rate = median(one.rate for one in windows)
        late = "  ".join(
            f"p{part * 100:g} {median(one.late(part) for one in windows):6.2f} ms"
            for part in (0.5, 0.99)
        )
        print(f"  {kind:16}  {moves:6} moves  {rate:5.0f} a second  {late}")
    print(f"  {conflicts} moves came too late and were tried again by the server; none was refused")
    return ratio


async def conflicts_of(ports: Sequence[int]) -> int:
    """How often the servers tried again."""
    pages = [await fetch(port, "/metrics") for port in ports]
    lines = [line.split() for page in pages for line in page.splitlines()]
    return round(sum(float(line[1]) for line in lines if line[0] == "dormie_conflicts_total"))


async def _measured(name: str, ports: Sequence[int], asked: argparse.Namespace) -> float:
    pairs = await measure(ports, asked.rounds, asked.seconds)
    return told(name, pairs, await conflicts_of(ports))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench contention", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--seconds", type=float, default=4.0, metavar="S", help="of a window")
    asked = parser.parse_args()
    core, _ = cores()
    with tempfile.TemporaryDirectory() as folder, dormie(f"{folder}/h.db", "NORMAL", core) as house:
        ratios = [asyncio.run(_measured("one server", [house.port], asked))]
    with (
        running_redis("--appendonly", "yes", "--appendfsync", "everysec") as redis,
        dormie(redis.url, "NORMAL", None) as here,
        dormie(redis.url, "NORMAL", None) as there,
    ):
        ratios.append(asyncio.run(_measured("two servers", [here.port, there.port], asked)))
    sys.exit(max(ratios) > MOST)


if __name__ == "__main__":
    main()
