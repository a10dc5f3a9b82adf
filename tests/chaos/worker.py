"""A crowd in a process of its own, so that a server is never kept waiting by its clients.

The one who starts it (`Workers`) tells it by lines on standard input what to do to the lines of its
players, and hears on standard output, line by line, how many moves were acknowledged so far. The
ledger is left in a file.
"""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import uvloop
from pydantic import TypeAdapter

from tests.chaos.crowd import Crowd
from tests.chaos.ledger import Ledger, together
from tests.chaos.plan import Plan
from tests.chaos.proxy import ROUGH, Proxy

ROOT = Path(__file__).resolve().parents[2]
TELL_EVERY = 0.1


@dataclass(frozen=True)
class Order:
    """What one worker is to do."""

    port: int
    plans: list[Plan]
    ledger: str
    """The file for it."""


@dataclass
class Report:
    """One line of a worker."""

    acknowledged: int
    seated: bool
    codes: list[str]
    broken: dict[str, int]
    """What the proxy has done to the lines."""


_ORDER, _REPORT = TypeAdapter(Order), TypeAdapter(Report)


class Workers:
    """Some workers, as the one who started them sees them."""

    def __init__(self, port: int, plans: Sequence[Plan], folder: Path, processes: int) -> None:
        self._orders = [
            Order(port, list(plans[at::processes]), str(folder / f"ledger-{at}.json"))
            for at in range(min(processes, len(plans)))
        ]
        self._reports: dict[int, Report] = {}
        self._processes: list[Process] = []
        self._ears: list[asyncio.Task[None]] = []

    @property
    def acknowledged(self) -> int:
        return sum(report.acknowledged for report in self._reports.values())

    @property
    def all_seated(self) -> bool:
        reports = list(self._reports.values())
        return len(reports) == len(self._orders) and all(report.seated for report in reports)

    @property
    def finished(self) -> bool:
        """Whether all matches have ended."""
        return all(process.returncode is not None for process in self._processes)

    @property
    def codes(self) -> list[str]:
        return [code for report in self._reports.values() for code in report.codes]

    @property
    def broken(self) -> Counter[str]:
        """What the proxies have done."""
        return sum((Counter(report.broken) for report in self._reports.values()), Counter())

    async def start(self) -> None:
        for at, order in enumerate(self._orders):
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.chaos.worker", stdin=PIPE, stdout=PIPE, cwd=ROOT
            )
            self._processes.append(process)
            self._ears.append(asyncio.create_task(self._listen(at, process)))
            await _tell(process, _ORDER.dump_json(order).decode())

    async def tell(self, word: str) -> None:
        """`cut`, `half` or `hole SECONDS` to the proxies; `finish`: this match is the last."""
        for process in self._processes:
            await _tell(process, word)

    async def ledger(self) -> Ledger:
        """Wait until all matches have ended; returns what everybody wrote down."""
        await asyncio.gather(*(process.wait() for process in self._processes))
        await asyncio.gather(*self._ears)
        assert not any(process.returncode for process in self._processes), "a worker has failed"
        return together(Ledger.load(Path(order.ledger)) for order in self._orders)

    async def stop(self) -> None:
        """End those that are still there."""
        for process in self._processes:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def _listen(self, at: int, process: Process) -> None:
        assert process.stdout is not None, "it is a pipe"
        async for line in process.stdout:
            self._reports[at] = _REPORT.validate_json(line)


async def _tell(process: Process, line: str) -> None:
    assert process.stdin is not None, "it is a pipe"
    with contextlib.suppress(ConnectionError):  # it has ended already
        process.stdin.write(f"{line}\n".encode())
        await process.stdin.drain()


@dataclass
class Worker:
    """The other end of the pipes."""

    order: Order
    words: asyncio.StreamReader
    swallowing: set[asyncio.Task[None]] = field(default_factory=set)

    async def work(self) -> None:
        """Play until told to finish, and leave the ledger."""
        proxy = Proxy(self.order.port, ROUGH, Random(len(self.order.plans)), "127.7.7.7")
        await proxy.open()
        crowd = Crowd(f"ws://127.0.0.1:{self.order.port}/ws", proxy.url, self.order.plans)
        playing = asyncio.create_task(crowd.play())
        others = [
            asyncio.create_task(self._obey(crowd, proxy, playing)),
            asyncio.create_task(self._report(crowd, proxy)),
        ]
        try:
            await playing
        finally:
            for task in others:
                task.cancel()
            self._say(crowd, proxy)
            crowd.ledger.save(Path(self.order.ledger))
            await proxy.close()

    async def _obey(self, crowd: Crowd, proxy: Proxy, playing: asyncio.Task[None]) -> None:
        async for line in self.words:
            match line.decode().split():
                case ["cut"]:
                    proxy.cut()
                case ["half"]:
                    proxy.half_close()
                case ["hole", seconds]:
                    self.swallowing.add(asyncio.create_task(proxy.swallow(float(seconds))))
                case ["finish"]:
                    crowd.finishing.set()
                case ["why"]:
                    sys.stderr.write(crowd.waits_for() + "\n")
                case words:
                    raise AssertionError(f"nobody says {words}")
        playing.cancel()  # whoever has started this process is gone

    async def _report(self, crowd: Crowd, proxy: Proxy) -> None:
        while True:
            self._say(crowd, proxy)
            await asyncio.sleep(TELL_EVERY)

    def _say(self, crowd: Crowd, proxy: Proxy) -> None:
        tables = crowd.tables
        seated = len(tables) == len(crowd.plans) and all(one.seated.is_set() for one in tables)
        codes = [one.code for one in tables if one.code]
        report = Report(crowd.ledger.acknowledged, seated, codes, dict(proxy.done))
        sys.stdout.buffer.write(_REPORT.dump_json(report) + b"\n")
        sys.stdout.buffer.flush()


async def main() -> None:
    loop = asyncio.get_running_loop()
    words = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(words), sys.stdin)
    order = _ORDER.validate_json(await words.readline())
    await Worker(order, words).work()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
