"""An evening as new users have it, in three terminals: a host, a friend with a link, somebody who looks on.

A real house over real sockets; only its clock is moved on by hand, and Ben's line goes through a relay
that can be cut. `python -m tests.stories.evening` writes what the three saw to `docs/evening.md`.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock
from tests.serving import serving
from tests.terminals import Terminal, terminal

PAGE = Path(__file__).parents[2] / "docs" / "evening.md"
WIDTH = "96"
HEAD = """\
# An evening

What three people see who have never used Dormie: Ada hosts, Ben has been sent a link, Eve looks on. The house
was a real one and so were the lines; only the minutes that nobody wants to wait for were skipped. What stands
behind a `>`, or alone on a line of Eve’s, was typed. A test lives through the evening again;
`python -m tests.stories.evening` writes what was seen to this page.
"""


@dataclass
class Told:
    """One scene: what happens, and what each terminal showed meanwhile."""

    title: str
    shown: list[tuple[str, str]] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)


class Relay:
    """A line to the house that can be cut, and repaired."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self._house = port
        self._cut = False
        self._ends: list[asyncio.StreamWriter] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Relay"]:
        """Listen for as long as the block lasts."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            self.cut()
            server.close()

    def cut(self) -> None:
        """Nothing goes through any more."""
        self._cut = True
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()

    def repair(self) -> None:
        """Everything goes through again."""
        self._cut = False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        far, near = await asyncio.open_connection("127.0.0.1", self._house)
        self._ends += [writer, near]
        await asyncio.gather(_copy(reader, near), _copy(far, writer))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


class Evening:
    """The evening as it goes on."""

    def __init__(self) -> None:
        self.scenes: list[Told] = []
        self._people: list[Terminal] = []
        self._marks: dict[str, int] = {}

    def scene(self, title: str) -> None:
        """What follows is a scene of its own."""
        self.end_scene()
        self.scenes.append(Told(title))

    def end_scene(self) -> None:
        """Write down what everybody has seen since the scene began."""
        for one in self._people:
            since, end = self._marks.get(one.name, 0), len(one.shown)
            if one.shown.endswith(" > "):  # a prompt belongs to what is typed behind it
                end = one.shown.rfind("\n") + 1
            self._marks[one.name] = end
            if self.scenes and one.shown[since:end].strip():
                self.scenes[-1].shown.append((one.name, one.shown[since:end]))

    def come(self, one: Terminal, command: str) -> None:
        """Somebody sits down at a terminal and types a command."""
        one.paper.write(f"$ {command}\n")
        self._people.append(one)
        self.scenes[-1].typed.append("dormie")

    async def says(self, one: Terminal, typed: str, *seen: str) -> str:
        """Somebody types something, and sees what comes of it."""
        self.scenes[-1].typed.append(typed)
        return await one.says(typed, *seen)

    async def plays_until(self, one: Terminal, end: str, shown_to: Terminal | None = None) -> None:
        """Somebody answers every prompt, without much thought, until *end* is shown (to another)."""
        while True:
            prompt = await one.prompted(end, shown_to or one)
            if prompt is None:
                return
            one.type(answer_to(prompt))


def answer_to(prompt: str) -> str:
    """What a player of little ambition types: what is offered last, with the first card there is.

    >>> answer_to("Your turn: draw or take 7♠"), answer_to("5♠ in hand: swap 2-6 or throw")
    ('draw', 'swap 2')
    """
    choices = re.split(r", (?!\d)| or ", prompt.rpartition(": ")[2])
    word, _, cards = choices[0].partition(" ")
    if word in ("swap", "flip"):
        return f"{word} {re.split('[-,]', cards)[0]}"
    return "" if word == "Enter" else word


async def tell(folder: Path) -> list[Told]:
    """Live through the evening; the scenes as they were seen."""
    clock, evening = Clock(), Evening()
    store = SqliteStore(":memory:", clock=clock)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(serving({"store": store}))
        relay = await stack.enter_async_context(Relay(app.port).open())
        url = f"http://127.0.0.1:{app.port}"

        async def sit(name: str, command: str, where: str, *argv: str) -> Terminal:
            said = (*argv, "--width", WIDTH, "--lang", "en", where)
            one = await stack.enter_async_context(terminal(name, folder, *said, looked_at=True))
            evening.come(one, command)
            return one

        evening.scene("Ada opens a table for three, for friends only")
        wish = "--size 3 --private -o holes=1 -o when_out=bot -o watch_chat=all"
        ada = await sit(
            "Ada", f"dormie play {url} --name Ada {wish}", url, "--name", "Ada", *wish.split()
        )
        link = re.findall(r'http[^"]+#[^"]+', await ada.sees("#table="))[0]
        await ada.sees("bot LEVEL")
        await evening.says(ada, "bot easy", "takes seat 2", "start or bot LEVEL")

        evening.scene("Ben comes with the link, Eve looks on with the same one")
        through = link.replace(str(app.port), str(relay.port))
        ben = await sit("Ben", f'dormie play "{link}" --name Ben', through, "--name", "Ben")
        await ben.sees("Everybody is here")
        eve = await sit(
            "Eve", f'dormie watch "{link}" --name Eve', link, "--watch", "--name", "Eve"
        )
        await eve.sees("You watch table")
        await ada.sees("Ben takes seat 3")
        await evening.says(ben, "say hello! what do I do?", "You say: hello!")
        await evening.says(ada, "say type ? and Enter when you are ready", "You say: type ?")
        await evening.says(ben, "?", "More: ? host")
        await evening.says(eve, "say may I watch?", "may I watch?")
        await evening.says(ada, "emote hello", "You say: Hello!")
        await eve.sees("Ada says: Hello!")

        evening.scene("Everybody is ready, and the hole begins")
        for one in (ada, ben):
            await evening.says(one, "", "You are ready")
        for one in (ada, ben):
            await one.sees("Turn 2 of your cards up: flip 1-6 > ")
            await evening.says(one, "flip 1", "Turn 1 of your cards up: flip 2-6 > ")
            await evening.says(one, "flip 2", "turn card 2 up")
        await evening.plays_until(ada, "Your turn", shown_to=ben)
        await ben.sees("Your turn")

        evening.scene(
            "Ben’s line breaks in the middle of his turn, and after a while a bot plays for him"
        )
        relay.cut()
        await ben.sees("The connection is lost")
        await ada.sees("Ben has lost the connection")
        await eve.sees("Ben has lost the connection")
        clock.advance(200.0)
        await ada.sees("sits in for Ben")
        await eve.sees("sits in for Ben")
        await ada.sees("Your turn")

        evening.scene("Ben is back, and so is his seat")
        relay.repair()
        await ben.sees("The connection is back")
        await ada.sees("gives Ben the seat back")
        await evening.says(ben, "say sorry, my train was in a tunnel", "You say: sorry")
        await evening.says(ada, "say I have to go, have fun", "You say: I have to go")
        await eve.sees("I have to go")

        evening.scene("Ada has to go; Ben is the host now")
        await evening.says(ada, "leave", "Type leave again")
        await evening.says(ada, "leave", "You have given your seat up")
        await ada.ended()
        await ben.sees("the host")
        await eve.sees("the host")

        evening.scene("The match is played to its end")
        await evening.plays_until(ben, "The match is over: rematch")
        await eve.sees("The match is over.")

        evening.scene("Ben closes the table")
        await evening.says(ben, "end", "Type end again")
        await evening.says(ben, "end", "closed the table")
        await eve.sees("closed the table")
        for one in (ben, eve):
            await one.ended()
        evening.end_scene()
        ports = re.compile(f":(?:{app.port}|{relay.port})\\b")
    for told in evening.scenes:
        told.shown = [(name, ports.sub(":8421", shown)) for name, shown in told.shown]
    return evening.scenes


def page(scenes: Sequence[Told]) -> str:
    """The evening as a page to read."""
    parts = [HEAD]
    for told in scenes:
        parts.append(f"## {told.title}\n")
        for name, shown in told.shown:
            lines = "\n".join(line.rstrip() for line in shown.strip().splitlines())
            parts.append(f"{name} sees:\n\n```text\n{lines}\n```\n")
    return "\n".join(parts)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(page(await tell(Path(folder))), "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
