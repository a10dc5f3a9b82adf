"""A whole course alone, in a terminal: the terminal is killed in it, and so is the server, and both go on."""

import asyncio
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.serving import ServerProcess, fetch

DORMIE = (sys.executable, "-m", "dormie_client.cli")
PLAY = ("--game", "patience", "--name", "Ada", "--lang", "en", "--letters")
IN_TIME = 300.0


@dataclass
class Terminal:
    """A terminal in which somebody types, and everything that was ever on it."""

    process: asyncio.subprocess.Process
    screen: list[str] = field(default_factory=list)

    @classmethod
    async def open(cls, home: Path, *words: str) -> "Terminal":
        kept = {name: of for name, of in os.environ.items() if not name.startswith("DORMIE")}
        process = await asyncio.create_subprocess_exec(
            *(*DORMIE, "play", *words),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**kept, "DORMIE_HOME": str(home), "LANG": "C.UTF-8"},
        )
        return cls(process)

    async def until(self, sign: str) -> str:
        """Read on until a line has *sign* in it; returns that line."""
        assert self.process.stdout is not None
        while True:
            line = (await self.process.stdout.readline()).decode()
            assert line, "\n".join(self.screen[-20:])
            self.screen.append(line.rstrip("\n"))
            if re.search(sign, line):
                return self.screen[-1]

    def type(self, line: str) -> None:
        """Type a line; on the paper it stands behind its prompt, as on a screen."""
        assert self.process.stdin is not None
        if self.screen and self.screen[-1].endswith(" >"):
            self.screen[-1] += f" {line}"
        self.process.stdin.write(f"{line}\n".encode())

    async def kill(self) -> None:
        self.process.kill()
        await self.process.communicate()


async def play_one(terminal: Terminal, prompt: str) -> str:
    """Make a move as a newcomer would: the first column that fits, else a draw; returns the next prompt."""
    column = re.match(r"Column (\d)", prompt)
    if prompt.startswith("The match is over"):
        return prompt
    if column:
        terminal.type(column[1])
    else:
        terminal.type("" if prompt.startswith("Enter") else "d" if "draw" in prompt else "g")
    return await terminal.until(" >$")


def board(terminal: Terminal) -> list[str]:
    """The last board that was shown: the columns and the foundation."""
    last = max(at for at, line in enumerate(terminal.screen) if line.startswith("foundation "))
    first = max(at for at in range(last) if terminal.screen[at].startswith("1  "))
    return terminal.screen[first : last + 1]


async def test_a_course_alone_goes_on_after_the_terminal_and_the_server_were_killed(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path / "house.db")
    await server.start()
    url, home = f"http://127.0.0.1:{server.port}", tmp_path / "home"
    async with asyncio.timeout(IN_TIME):
        first = await Terminal.open(home, url, *PLAY)
        prompt = await first.until(" >$")
        while "Hole 2 of 9" not in "\n".join(first.screen):
            prompt = await play_one(first, prompt)
        for _ in range(8):
            prompt = await play_one(first, prompt)
        before = board(first)
        await first.kill()

        second = await Terminal.open(home, url, "--lang", "en", "--letters")
        prompt = await second.until(" >$")
        assert board(second) == before, "the board is as it was left"
        for _ in range(3):
            prompt = await play_one(second, prompt)
        before = board(second)
        await server.kill()
        await second.until("connection is lost")
        await server.start()
        await second.until("connection is back")
        await second.until(" >$")
        second.type("look")
        await second.until("^foundation ")
        prompt = await second.until(" >$")
        assert board(second) == before, "the board is as it was kept"
        while not prompt.startswith("The match is over"):
            prompt = await play_one(second, prompt)
        second.type("score")
        await second.until(" >$")
        second.type("quit")
        await second.process.wait()
        record = (await fetch(server.port, f"/record/{_code(second)}-1")).splitlines()
    await server.stop()
    screen = [*first.screen, "", *second.screen]
    keep(screen)
    scores = [int(line.split(" ")[2]) for line in record if line.startswith("charged ")]
    total = re.findall(r"^So far (-?\d+)", "\n".join(second.screen), re.MULTILINE)[-1]

    assert 9 == len(scores)
    assert sum(scores) == int(total)
    moved = [line for line in screen if line.startswith(("You play ", "You turn up "))]
    made = [line for line in record if line.startswith("move ") and not line.endswith("give up")]
    assert len(moved) == len(made), "no move was lost, and none was made twice"


def keep(screen: list[str]) -> None:
    """Write the evening down for `docs/patience-evening.md`: TRANSCRIPT=FILE make test ARGS="-k evening"."""
    if paper := os.environ.get("TRANSCRIPT"):
        Path(paper).write_text("\n".join(screen) + "\n", "utf-8")


def _code(terminal: Terminal) -> str:
    found = re.search(r"at table (\w{8})", "\n".join(terminal.screen))
    assert found is not None
    return found[1]
