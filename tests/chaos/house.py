"""A server in a process of its own, to which everything is done that machines do to servers."""

import asyncio
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal
from urllib.error import HTTPError

from tests.chaos.power import Cut, Disk, sound
from tests.serving import ServerProcess, fetch

OPEN_DOORS = {
    "DORMIE_PAUSE_SECONDS": "0.05",
    "DORMIE_LIMITS__SOCKETS_PER_ADDRESS": "2000",
    "DORMIE_LIMITS__MESSAGES_PER_SECOND": "1000",
    "DORMIE_LIMITS__MESSAGES_AT_ONCE": "1000",
    "DORMIE_LIMITS__PASSWORDS_PER_MINUTE": "100000",
    "DORMIE_LIMITS__PASSWORDS_AT_ONCE": "100000",
    "DORMIE_LIMITS__CLAIMS_PER_MINUTE": "100000",
    "DORMIE_LIMITS__CLAIMS_AT_ONCE": "100000",
    "DORMIE_LIMITS__CREATIONS_PER_MINUTE": "100000",
    "DORMIE_LIMITS__CREATIONS_AT_ONCE": "100000",
    "DORMIE_LIMITS__ERASURES_PER_MINUTE": "100000",
    "DORMIE_LIMITS__ERASURES_AT_ONCE": "100000",
    "DORMIE_LIMITS__GUESTS_PER_MINUTE": "100000",
    "DORMIE_LIMITS__GUESTS_AT_ONCE": "100000",
}
"""A house for programs that come in crowds from one address and think fast.

What strangers may try, wrong tokens and guesses at codes, is as limited as everywhere.
"""

Kind = Literal["killed", "stopped", "frozen", "power cut"]


@dataclass(frozen=True)
class Outage:
    """A time without a server, on the clock of `time.monotonic`, which all processes share."""

    kind: Kind
    began: float
    ready: float
    """When the server had said that it is ready again, or was thawed."""


class House(ServerProcess):
    """``dormie-server`` on one file and one port, through all its deaths."""

    def __init__(self, data: Path, environment: Mapping[str, str], *flags: str) -> None:
        super().__init__(data, *flags)
        self.data = data
        paths = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
        self.environment = {**paths, **environment}  # whoever runs another tree means its server
        self.outages: list[Outage] = []

    async def open(self) -> None:
        """Start the process."""
        await self.start(self.environment)

    async def die(self) -> None:
        """SIGKILL, and a new process on the same file and port."""
        began = time.monotonic()
        await self.kill()
        await self.come_back("killed", began)

    async def restart(self) -> None:
        """SIGTERM, and a new process."""
        began = time.monotonic()
        status = await self.stop()
        assert status == 0, f"a server that is asked to stop ends well, not with {status}"
        await self.come_back("stopped", began)

    async def freeze(self, seconds: float) -> None:
        """SIGSTOP and, after a while, SIGCONT: the process does not know that time has passed."""
        process = self._process
        assert process is not None, "a server is running"
        began = time.monotonic()
        process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            process.send_signal(signal.SIGCONT)
        self.outages.append(Outage("frozen", began, time.monotonic()))

    async def lose_power(self, disk: Disk, luck: Random | None) -> Cut:
        """The power fails and comes back: of the files there is what *disk* says, and it is sound."""
        began = time.monotonic()
        await self.kill()
        cut = disk.cut(luck)
        verdict = await asyncio.to_thread(sound, self.data)
        assert verdict == "ok", f"after a power cut the file is damaged: {verdict}"
        await self.come_back("power cut", began)
        return cut

    async def die_settled(self, disk: Disk) -> None:
        """SIGKILL, and so long a rest that the system has written everything to the disk."""
        began = time.monotonic()
        await self.kill()
        disk.settle()
        await self.come_back("killed", began)

    async def come_back(self, kind: Kind, began: float) -> None:
        """Start again after an outage that began at *began*."""
        await self.open()
        self.outages.append(Outage(kind, began, time.monotonic()))

    async def records(self, matches: Mapping[str, int]) -> dict[str, list[str]]:
        """The records of so many matches at each table; a missing one is an empty text."""
        found: dict[str, list[str]] = {}
        for code, most in matches.items():
            found[code] = [await self._record(code, number) for number in range(1, most + 1)]
        return found

    async def _record(self, code: str, match: int) -> str:
        """The record is kept a moment after the last move."""
        for _ in range(100):
            try:
                return await fetch(self.port, f"/record/{code}-{match}")
            except HTTPError:
                await asyncio.sleep(0.05)
        return ""

    def faults(self) -> list[str]:
        """Lines of the server's diary that no outage explains."""
        text = self.log.read_text("utf-8", "replace")
        return [line for line in text.splitlines() if "Traceback" in line or '"error"' in line]
