"""Chaos: real servers die while people play, and the players' own ledgers say what became of it.

    python -m bench chaos --tables 50 --kills 50
    python -m bench chaos --power-cuts 20 --synchronous FULL
    python -m bench chaos --tables 4 --kills 3 --seed word      (a small one)
    python -m bench chaos --servers 2 --tables 25 --kills 50    (on a Redis of its own)
    python -m bench chaos --servers 2 --power-cuts 20 --appendfsync everysec    (of that Redis alone)
    python -m bench chaos --races --tables 12 --kills 20        (Golf Patience, 18 holes)

A server runs as people run it, on one file; clients of the SDK play at tables of four in processes of
their own, some of them through a bad line, some on a bare socket that says everything several times.
Then luck chooses, fault by fault: SIGKILL, SIGTERM, SIGSTOP past every deadline, a power cut, lines
that are reset, half-closed or swallow everything, hundreds of strangers with wrong tokens. At the end
every acknowledged move is looked up in the records, and every record is verified.
`docs/chaos.md` explains the table. The exit status is 1 when a promise was broken.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

from bench import chaos_power, chaos_shared
from bench.chaos_tables import TURN_SECONDS, plans
from tests.chaos.figures import rows, table
from tests.chaos.house import OPEN_DOORS, House
from tests.chaos.ledger import Ledger
from tests.chaos.power import Disk, NoPower, build, sound
from tests.chaos.reckoning import Reckoning, found_in, reckon
from tests.chaos.strangers import Storm
from tests.chaos.worker import Workers

STALLED = 90.0
"""When so many seconds have brought no move, something is wrong."""
FROZEN_SECONDS = 6.5
BLACK_HOLES = (3.0, 3.0, 25.0)
STRANGERS = 300
MOST_SAID = 200
"""So many promises that were broken are said one by one."""
BETWEEN, RACE_BETWEEN = 40, 200
"""Between two faults there are at most so many moves for each table."""


@dataclass
class Evening:
    """One evening of chaos."""

    asked: argparse.Namespace
    house: House
    workers: Workers
    disk: Disk | None
    luck: Random
    strangers: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    harm: list[str] = field(default_factory=list)
    background: set[asyncio.Task[None]] = field(default_factory=set)

    async def play(self) -> Ledger:
        """Do all faults in an order that luck chooses, let the matches end; returns the ledger."""
        await self.workers.start()
        await self._until(lambda: self.workers.all_seated, "everybody has a seat")
        if self.disk:
            await self.house.die_settled(self.disk)
        faults = self._faults()
        for number, fault in enumerate(faults, 1):
            most = (RACE_BETWEEN if self.asked.races else BETWEEN) * self.asked.tables
            await self._moves(self.luck.randint(1, most))
            say(f"{number}/{len(faults)} {fault}, {self.workers.acknowledged:,} moves")
            await self._do(fault)
            self.done[fault] += 1
        await asyncio.gather(*self.background)
        await self.workers.tell("finish")
        say("the last matches end")
        await self._until(lambda: self.workers.finished, "the last matches end")
        return await self.workers.ledger()

    def counts(self) -> Counter[str]:
        """Every fault that was done, and how often."""
        names = {
            "kill": "SIGKILL",
            "stop": "SIGTERM",
            "freeze": f"SIGSTOP for {FROZEN_SECONDS} s, turns of {TURN_SECONDS} s",
            "power": "power cuts",
            "storm": f"storms of {STRANGERS} strangers",
        }
        done = Counter({names.get(name, name): number for name, number in self.done.items()})
        for name in ("cut", "half", "hole"):
            del done[name]
        done["answers to strangers, all no"] = self.strangers.total()
        done.update({f"lines {name}": number for name, number in self.workers.broken.items()})
        return done

    def _faults(self) -> list[str]:
        asked = self.asked
        share = asked.kills if not asked.alone else 0
        faults = ["kill"] * asked.kills + ["power"] * asked.power_cuts
        faults += ["stop"] * -(-share // 10) + ["freeze"] * -(-share // 12)
        faults += ["cut", "half"] * -(-share // 4) + ["hole"] * min(share, len(BLACK_HOLES))
        faults += ["storm"] * -(-share // 16)
        self.luck.shuffle(faults)
        return faults

    async def _do(self, fault: str) -> None:
        match fault:
            case "kill":
                await self.house.die()
            case "stop":
                await self.house.restart()
            case "freeze":
                await self.house.freeze(FROZEN_SECONDS)
            case "power":
                await self._power_cut()
            case "hole":
                await self.workers.tell(f"hole {BLACK_HOLES[self.done['hole']]}")
            case "storm":
                self.background.add(asyncio.create_task(self._storm()))
            case line:
                await self.workers.tell(line)

    async def _power_cut(self) -> None:
        """Every other time exactly what was synced is left, and otherwise some of the rest, too."""
        assert self.disk is not None, "there is a disk when power can be cut"
        cut = await self.house.lose_power(self.disk, self.luck if self.done["power"] % 2 else None)
        say(f"    of {cut.unsynced:,} bytes not synced {cut.kept:,} are there")

    async def _storm(self) -> None:
        storm = Storm(self.house.port, self.workers.codes[:3], self.luck)
        await storm.blow(STRANGERS)
        self.strangers += storm.answers
        self.harm += storm.harm

    async def _moves(self, more: int) -> None:
        goal = self.workers.acknowledged + more
        await self._until(lambda: self.workers.acknowledged >= goal, "moves are made")

    async def _until(self, true: Callable[[], bool], what: str) -> None:
        began, last, moved = time.monotonic(), self.workers.acknowledged, time.monotonic()
        while not true():
            await asyncio.sleep(0.02)
            now = time.monotonic()
            if self.workers.acknowledged != last:
                last, moved = self.workers.acknowledged, now
            if now - max(began, moved) > STALLED:
                await self.workers.tell("why")
                await asyncio.sleep(2)
                raise TimeoutError(f"waited {STALLED:.0f} s in vain until {what}")


async def evening(asked: argparse.Namespace, folder: Path) -> bool:
    """Play one; returns whether every promise was kept."""
    _end_well()
    if asked.servers > 1 and asked.power_cuts:
        return await chaos_power.cuts(asked, folder)
    if asked.servers > 1:
        return await _on_redis(asked, folder)
    data = folder / "dormie.db"
    environment, disk = dict(OPEN_DOORS), None
    if asked.power_cuts:
        disk = Disk(data, build(folder), folder / "shadow")
        disk.settle()
        environment |= disk.environment
    house = House(data, environment, "--synchronous", asked.synchronous)
    workers = Workers(house.port, plans(asked), folder, asked.processes)
    chaos = Evening(asked, house, workers, disk, Random(asked.seed))
    began = time.monotonic()
    try:
        await house.open()
        ledger = await chaos.play()
        seconds = time.monotonic() - began
        result = reckon(ledger, await house.records(ledger.matches))
    finally:
        await workers.stop()
        await house.kill()
    result.wrong += [*chaos.harm, *house.faults()]
    result.wrong += found_in(data, ledger.traces)
    if (verdict := sound(data)) != "ok":
        result.wrong.append(f"the file is not sound: {verdict}")
    tell(chaos, ledger, result, seconds)
    return result.good


def _end_well() -> None:
    """Whoever stops this stops what it has started, too."""
    me = asyncio.current_task()
    assert me is not None, "this is a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)


async def _on_redis(asked: argparse.Namespace, folder: Path) -> bool:
    far = [replace(plan, far_store=True) for plan in plans(asked)]
    told = await chaos_shared.evening(asked, folder, far)
    where = f"{asked.servers} servers, appendfsync {asked.appendfsync}"
    print(f"| {asked.tables} tables of 4, {where} | {told.seconds:.0f} s |\n|---|---|")
    print(table(rows(told.result, told.ledger, told.outages, told.counts)))
    print("refused in play:", dict(sorted(told.ledger.refusals.items())))
    return _say_whether_good(told.result)


def tell(chaos: Evening, ledger: Ledger, result: Reckoning, seconds: float) -> None:
    """Print the one table, and what was wrong."""
    asked = chaos.asked
    print(f"| {asked.tables} tables of 4, {asked.synchronous} | {seconds:.0f} s |\n|---|---|")
    print(table(rows(result, ledger, chaos.house.outages, chaos.counts())))
    print("refused in play:", dict(sorted(ledger.refusals.items())))
    print("strangers heard:", dict(chaos.strangers.most_common()))
    _say_whether_good(result)


def _say_whether_good(result: Reckoning) -> bool:
    for wrong in result.wrong[:MOST_SAID]:
        print("WRONG:", wrong)
    print("every promise was kept" if result.good else f"{len(result.wrong)} things are wrong")
    return result.good


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def read_arguments() -> argparse.Namespace:
    assert __doc__ is not None, "it is at the top"
    parser = argparse.ArgumentParser(
        prog="python -m bench chaos",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = partial(parser.add_argument, type=int, metavar="N")
    add("--tables", help="of four seats (50; 10 for power cuts)")
    add("--kills", help="SIGKILLs (50; none for power cuts)")
    parser.add_argument("--alone", action="store_true", help="kills and power cuts, nothing else")
    add("--power-cuts", default=0, help="which needs a C compiler")
    parser.add_argument("--synchronous", choices=("FULL", "NORMAL"), default="FULL")
    parser.add_argument("--think", type=float, default=0.2, help="seconds before a move, at most")
    add("--servers", default=1, help="that share a Redis; 1 is alone with a file")
    syncs = ("always", "everysec", "no")
    parser.add_argument("--appendfsync", choices=syncs, default="always", help="of that Redis")
    parser.add_argument("--races", action="store_true", help="nothing but Golf Patience")
    add("--holes", default=18, help="of a race")
    add("--processes", default=2, help="in which the clients live")
    parser.add_argument("--seed", default="chaos", help="for everything that is left to luck")
    kept = "where ledger, records and notes are kept if a promise was broken, with several servers"
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help=kept)
    asked = parser.parse_args()
    if asked.tables is None:
        asked.tables = 10 if asked.power_cuts else 50
    if asked.kills is None:
        asked.kills = 0 if asked.power_cuts else 50
    return asked


def main() -> None:
    asked = read_arguments()
    with tempfile.TemporaryDirectory(prefix="dormie-chaos-") as folder:
        try:
            good = asyncio.run(evening(asked, Path(folder)))
        except NoPower as why:
            sys.exit(str(why))
    sys.exit(not good)


if __name__ == "__main__":
    main()
