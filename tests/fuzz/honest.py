"""Honest people at a table: they say what is right, and count whatever does not go as it should."""

import asyncio
import json
from collections import defaultdict
from itertools import count
from random import Random
from typing import Any

from dormie_protocol.messages import MAX_MESSAGE
from dormie_rules.grid_moves import Flip, Swap, read_move, write_move
from tests.fuzz.doors import GREETING
from tests.fuzz.line import Line, polite
from tests.wire import TEXT, framed

PATIENCE = 20.0
_NUMBERS = count(1)
"""For ids: whoever sits down in somebody's place must not call two requests alike."""

Json = dict[str, Any]  # a message as it is on the wire


class Harm(AssertionError):
    """An honest person does not get what is due."""


class Person:
    """One connection. Every wait is bounded and fails loudly."""

    def __init__(self, line: Line, luck: Random) -> None:
        self.line = line
        self.player = ""
        self.token = ""
        self.tables: tuple[str, ...] = ()
        """Where this person had a seat when they came."""
        self.last: dict[str, Json] = {}
        """The newest view of each table."""
        self.made: dict[str, list[str]] = defaultdict(list)
        """The moves made at each table, as a record writes them."""
        self.said: list[str] = []
        """Everything sent but hello, which holds secrets."""
        self.harms: list[str] = []
        self._luck = luck
        self._answers: dict[str, Json] = {}
        self._versions: dict[str, int] = {}
        line.ear.taps.append(self._hear)
        polite(line)

    @classmethod
    async def come(cls, line: Line, luck: Random, name: str = "", token: str = "") -> "Person":
        """Greet, as somebody new or as the one *token* belongs to."""
        person = cls(line, luck)
        line.say(GREETING)
        await person._until(lambda: line.ear.head is not None)
        who = {"token": token} if token else {"name": name}
        welcome = await person.do("hello", **who)
        person.player, person.token = welcome["player"], token or welcome["token"]
        person.tables = tuple(welcome["tables"])
        person.said.clear()
        return person

    async def ask(self, kind: str, **fields: object) -> Json:
        """Send a request; returns its answer."""
        number = f"honest-{next(_NUMBERS)}"
        text = json.dumps({"type": kind, "id": number, **fields}, separators=(",", ":"))
        assert len(text) <= MAX_MESSAGE, "honest people are brief"
        self.said = [*self.said[-50:], text]
        self.line.say(framed(TEXT, text.encode()))
        await self._until(lambda: number in self._answers)
        return self._answers.pop(number)

    async def do(self, kind: str, **fields: object) -> Json:
        """Ask for something that is done."""
        answer = await self.ask(kind, **fields)
        if answer["type"] == "refused":
            raise Harm(f"{kind} of an honest person is refused: {answer}")
        if version := answer.get("version"):
            await self._until(lambda: self._versions.get(answer["table"], version) >= version)
        return answer

    async def create(self, **fields: object) -> str:
        """Open a table and watch it; returns its code."""
        code: str = (await self.do("create", **fields))["table"]
        await self.do("watch", table=code)
        return code

    async def join(self, code: str) -> None:
        await self.do("join", table=code)
        await self.do("watch", table=code)

    async def ready(self, code: str) -> None:
        await self.do("ready", table=code, entropy=self._luck.randbytes(16).hex())

    def phase(self, code: str) -> str:
        """What this person knows of a table's phase."""
        phase: str = self.last[code]["view"]["phase"]
        return phase

    def moves(self, code: str) -> list[Json]:
        """What this person may play now."""
        moves: list[Json] = self.last[code]["moves"]
        return moves

    async def play(self, code: str, move: Json | None = None) -> None:
        """Make one move: this one, or any that is legal."""
        seen = self.last[code]
        move = move or self._luck.choice(seen["moves"])
        count = seen["view"]["seats"][seen["seat"]]["count"] + 1
        await self.do("play", table=code, count=count, move=move)
        self.made[code].append(written(move))

    async def hears(self, code: str) -> None:
        """Wait until something new is told of a table."""
        version = self._versions[code]
        await self._until(lambda: self._versions[code] > version)

    async def _until(self, true: Any) -> None:  # a question without arguments
        try:
            async with asyncio.timeout(PATIENCE):
                await self.line.ear.until(true)
        except TimeoutError:
            raise Harm(f"an honest person waits in vain: {self.said[-1:]}") from None
        if not true():
            ear = self.line.ear
            raise Harm(f"an honest person was cut off: {ear.code} {ear.broken} {self.harms}")

    def _hear(self, opcode: int, payload: bytes) -> None:
        if opcode != TEXT:
            return
        message: Json = json.loads(payload)
        self.line.ear.texts.clear()
        match message["type"]:
            case "done" | "refused" | "welcome":
                self._answers[message["re"]] = message
            case "seen":
                self._see(message)
            case "said":  # whoever sits there may speak, in plain text
                if not message["text"].isprintable():
                    self.harms.append(f"an honest person is told {message['text']!r}")
            case "audience":  # whoever watches is counted
                if not message["spectators"] >= 0:
                    self.harms.append(f"an honest person is told {message}")
            case other:
                self.harms.append(f"an honest person is told {other}")

    def _see(self, seen: Json) -> None:
        """Take in a view; versions have no holes."""
        code, before = seen["table"], self._versions.get(seen["table"])
        if before is not None and seen["after"] not in (before, seen["version"]):
            self.harms.append(f"{code}: from {before} to {seen['after']}-{seen['version']}")
        self._versions[code] = seen["version"]
        if seen["view"] is not None:
            self.last[code] = seen


def written(move: Json) -> str:
    """A move as a record writes it.

    >>> written({"move": "swap", "at": 3}), written({"move": "draw"})
    ('swap 4', 'draw')
    """
    match move:
        case {"move": "swap", "at": at}:
            return write_move(Swap(at))
        case {"move": "flip", "at": at}:
            return write_move(Flip(at))
        case _:
            return write_move(read_move(move["move"]))
