"""A match of eighteen holes between two people who have never played one, each at a terminal.

A real house over real sockets; only its clock is moved on by hand, and Ben's line goes through a relay that
can be cut. Ada plays the first card that fits and Ben the last, and both draw where none does, so the luck of
the house, which is the same every time, decides how the match goes.
`python -m tests.stories.match_evening` writes what the two saw to `docs/match-evening.md`.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.serving import fetch, serving
from tests.stories.evening import Evening, Relay, Told
from tests.terminals import Terminal, terminal

PAGE = Path(__file__).parents[2] / "docs" / "match-evening.md"
LUCK, ENTROPY = "match 27", bytes([7])
"""With these Ben is dormie after the sixteenth hole, and has to play the eighteenth all the same."""
WISH = "--variant golf_patience_match --size 2"
WIDTH = "96"
HOLES, BREAKS, CONCEDES = 18, 2, 5
"""The holes of the match; the one in which Ben's line breaks, and the one that he concedes."""
A_MINUTE = 60.0
NEVER = "\0"
_ELLIPSIS = "[...]"
MORE_OF_THE_SAME = re.compile("^(1 |You (play|turn)|foundation|Others)|[♠♥♦♣]|>")
"""Moves, and what is seen of the cards after them."""
FIRST, LAST = 22, 14
"""Of what somebody sees in a scene the page has so many lines, from its beginning and from its end."""
TITLES = {
    16: "Three holes are left, and Ben is two up",
    17: "Ben is dormie: he can only be caught",
    18: "The last hole",
}
HEAD = """\
# A match of two people

What Ada and Ben see, who play a match of eighteen holes of Golf Patience against each other, each in a terminal of
their own: hole against hole, both on the same deal. Ben’s line is down for a minute in the second hole, and he
concedes the fifth. The house was a real one and so were the lines. What stands behind a `>` was typed; `[...]`
stands for more of the same, and nothing is shown of the holes between. A test lives through the match again;
`python -m tests.stories.match_evening` writes what was seen to this page. What match play is says
[Golf Patience together](race.md).
"""


@dataclass(frozen=True)
class Words:
    """What the two type and look for, in the language of their screens."""

    lang: str = "en"
    ready: str = "Enter when you are ready"
    here: str = "Ben takes seat 2"
    begins: str = "Hole {hole} begins"
    draw: str = "d"
    give_up: str = "give up"
    sure: str = "Type it again"
    done: str = "{name} has finished the hole"
    lost: str = "The connection is lost"
    away: str = "Ben has lost the connection"
    back: str = "The connection is back"
    returned: str = "Ben is back"
    between: str = "Enter for the next hole"
    over: str = "The match is over: rematch or quit"
    score: str = "score"
    card: str = "Par "
    quit: str = "quit"


@dataclass
class Two:
    """The two at their terminals, and the evening as it is written down."""

    words: Words
    evening: Evening
    ada: Terminal
    ben: Terminal

    async def hole(self, number: int) -> None:
        """Both play a hole: whoever leads off has finished before the other begins."""
        first, second = (self.ada, self.ben) if number % 2 else (self.ben, self.ada)
        await self.begins(number)
        await self.plays(first, second)
        await self.plays(second, first)

    async def begins(self, number: int) -> None:
        for one in (self.ada, self.ben):
            await one.sees(self.words.begins.format(hole=number))

    async def plays(self, one: Terminal, other: Terminal, moves: int = 1000) -> None:
        """Make so many moves, or all until the hole is over for that player, which the other is told."""
        done = self.words.done.format(name=one.name)
        for _ in range(moves):
            prompt = await one.prompted(done, other)
            if prompt is None:
                await other.sees(done)
                return
            if prompt.endswith((self.words.between, self.words.over)):
                await other.sees(done)
                return
            columns = re.findall(r"\d", prompt)
            one.type(columns[0 if one is self.ada else -1] if columns else self.words.draw)

    async def looks_up(self, one: Terminal) -> None:
        """Wait until the last move was made, and something is asked again."""
        assert await one.prompted(NEVER, one), "the hole is not over so soon"

    async def goes_on(self) -> None:
        """Both have looked at the hole that is over."""
        for one in (self.ada, self.ben):
            await one.asked(self.words.between)
        for one in (self.ada, self.ben):
            one.type("")

    async def scores(self) -> None:
        """Both look at their cards."""
        for one in (self.ada, self.ben):
            await self.evening.says(one, self.words.score, self.words.card)


async def tell(folder: Path, words: Words | None = None) -> tuple[list[Told], str]:
    """Live through the match; the scenes as they were seen, and the record."""
    clock, evening = Clock(), Evening()
    parts = {"store": SqliteStore(":memory:", clock=clock), "luck": CountingLuck(LUCK)}
    same = mock.patch("dormie_client.table.os", SimpleNamespace(urandom=lambda n: ENTROPY * n))
    async with serving(parts) as app, Relay(app.port).open() as relay:
        async with _both(folder, words or Words(), evening, app, relay) as two:
            with same:
                await _match(two, relay, clock)
            record = await fetch(app.port, re.findall(r"/record/[\w-]+", two.ada.shown)[-1])
            for one in (two.ada, two.ben):
                one.type(two.words.quit)
                await one.ended()
            evening.end_scene()
        ports = re.compile(f":(?:{app.port}|{relay.port})\\b")
    for told in evening.scenes:
        told.shown = [(name, ports.sub(":8421", shown)) for name, shown in told.shown]
    return evening.scenes, record


@asynccontextmanager
async def _both(
    folder: Path, words: Words, evening: Evening, app: App, relay: Relay
) -> AsyncIterator[Two]:
    """Ada opens a table for a match, and Ben comes to it."""
    url, through = f"http://127.0.0.1:{app.port}", f"http://127.0.0.1:{relay.port}"
    how = ("--width", WIDTH, "--lang", words.lang)
    evening.scene("Ada opens a table for a match, and Ben comes to it")
    argv = (*how, url, "--name", "Ada", *WISH.split())
    async with terminal("Ada", folder, *argv, looked_at=True) as ada:
        evening.come(ada, f"dormie play {url} --name Ada {WISH}")
        code = (await ada.sees("  dormie play ")).split()[-1]
        argv = (*how, through, code, "--name", "Ben")
        async with terminal("Ben", folder, *argv, looked_at=True) as ben:
            evening.come(ben, f"dormie play {through} {code} --name Ben")
            await ada.sees(words.here)
            for one in (ada, ben):
                await one.asked(words.ready)
            yield Two(words, evening, ada, ben)


async def _match(two: Two, relay: Relay, clock: Clock) -> None:
    two.evening.scene("The first hole")
    for one in (two.ada, two.ben):
        one.type("")
    await two.hole(1)
    await two.goes_on()
    two.evening.scene("Ben’s line is down for a minute")
    await _the_line_breaks(two, relay, clock)
    for number in range(BREAKS + 1, HOLES + 1):
        await two.goes_on()
        two.evening.scene(TITLES.get(number, ""))
        if number == CONCEDES:
            two.evening.scenes[-1].title = "Ada has made a good hole of the fifth; Ben concedes it"
            await _ben_concedes(two)
        else:
            await two.hole(number)
        if number in (CONCEDES, HOLES - 3):
            for one in (two.ada, two.ben):
                await one.asked(two.words.between)
            await two.scores()
    for one in (two.ada, two.ben):
        await one.asked(two.words.over)


async def _the_line_breaks(two: Two, relay: Relay, clock: Clock) -> None:
    words, ada, ben = two.words, two.ada, two.ben
    await two.begins(BREAKS)
    await two.plays(ben, ada, moves=6)
    await two.looks_up(ben)
    relay.cut()
    await ben.sees(words.lost)
    await ada.sees(words.away)
    clock.advance(A_MINUTE)
    await two.plays(ada, ada, moves=4)
    relay.repair()
    await ben.sees(words.back)
    await ada.sees(words.returned)
    await two.plays(ben, ada)
    await two.plays(ada, ben)


async def _ben_concedes(two: Two) -> None:
    """He plays a little, sees that it leads nowhere, and gives the hole up."""
    ada, ben = two.ada, two.ben
    await two.begins(CONCEDES)
    await two.plays(ada, ben)
    await two.plays(ben, ada, moves=3)
    await two.looks_up(ben)
    await two.evening.says(ben, two.words.give_up, two.words.sure)
    two.evening.scenes[-1].typed.append(two.words.give_up)
    ben.type(two.words.give_up)


def page(scenes: list[Told]) -> str:
    """The match as a page to read: what has no title is left out."""
    parts = [HEAD]
    for told in scenes:
        parts += [f"## {told.title}\n"] if told.title else []
        for name, shown in told.shown if told.title else []:
            lines = "\n".join(_in_short([one.rstrip() for one in shown.strip().splitlines()]))
            parts.append(f"{name} sees:\n\n```text\n{lines}\n```\n")
    return "\n".join(parts)


def _in_short(lines: list[str]) -> list[str]:
    """The beginning and the end, and what is no move between them."""
    if len(lines) <= FIRST + LAST:
        return lines
    between = [_ELLIPSIS]
    for line in lines[FIRST:-LAST]:
        if MORE_OF_THE_SAME.search(line) is None:
            between += [line, _ELLIPSIS]
    return [*lines[:FIRST], *between, *lines[-LAST:]]


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        scenes, _ = await tell(Path(folder))
    PAGE.write_text(page(scenes), "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
