"""One attack: who comes, what is said, and whether all of it is answered as it should be.

Attack number *n* of a seed is the same however many came before it, as far as the house is the same.
"""

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, get_args

from tests.fuzz.doors import GREETING, doorbell
from tests.fuzz.house import House
from tests.fuzz.judge import CODES, STATUSES, Judge, status
from tests.fuzz.line import Line, SocketLine, polite
from tests.fuzz.raw_frames import fragments, masked, wild
from tests.fuzz.scramble import scrambled
from tests.fuzz.twist import straight, twisted
from tests.leaks import Leak
from tests.wire import TEXT, framed

PATIENCE = 10.0
Role = Literal["door", "newcomer", "stranger", "spectator", "player"]
"""door: who is never greeted; newcomer: greeted, and has not said hello; stranger: a player without a
seat; spectator: one who watches a table; player: one who sits at it."""
ROLES = get_args(Role)


@dataclass
class Attack:
    """One line, from its beginning to its end."""

    house: House
    judge: Judge
    seed: str
    number: int
    how: str = ""
    """What makes this attack happen again."""
    most: int = 1000
    """So many frames at most."""
    sent: list[bytes] = field(default_factory=list)
    """The last pieces that were sent, for whoever has to find out what happened."""
    frames: int = 0
    _answers: int = 0
    _due: int = 0
    _player: str = ""
    _limit: asyncio.Timeout | None = None

    def __post_init__(self) -> None:
        self.luck = Random(f"{self.seed}/{self.number}")
        self.role: Role = self.luck.choices(ROLES, (12, 12, 18, 18, 40))[0]
        self.raw = self.role != "door" and self.luck.random() < 0.35
        self.deaf = self.role not in ("door", "newcomer") and self.luck.random() < 0.005
        self.table = self._choose_table()
        self.words = self.house.words(self.luck, self.table)
        self.line: Line

    async def run(self) -> None:
        """Do it, and tell the judge."""
        by_socket = self.luck.random() < 0.02 and not self.deaf
        if by_socket:
            self.line = await SocketLine.open(self.house.app.port)
        else:
            self.line = self.house.line(self.number, deaf=self.deaf)
        try:
            async with asyncio.timeout(PATIENCE) as self._limit:
                await self._run()
        except TimeoutError:
            self._blame("no answer came, and no end either")
        finally:
            self.line.hang_up()
        self._look()
        self._end()

    async def _run(self) -> None:
        if self.role == "door":
            return await self._at_the_door()
        if self.luck.random() < 0.97:
            polite(self.line)
        self.line.say(GREETING)
        if self.deaf:
            return await self._without_listening()
        await self.line.ear.until(lambda: self.line.ear.head is not None)
        if self.role != "newcomer":
            await self._come()
        return await (self._wildly() if self.raw else self._with_texts())

    # the ways to attack

    async def _at_the_door(self) -> None:
        data = doorbell(self.luck)
        self._count("http")
        for piece in self._pieces(data):
            self._say(piece)
        for _ in range(30):
            if self.line.ear.head is not None or self.line.ear.over:
                break
            await asyncio.sleep(0)
        if self.luck.random() < 0.995:  # else: until the house has had enough
            self.line.hang_up()
        await self.line.ear.until(lambda: False)

    async def _come(self) -> None:
        """Say hello, and watch a table."""
        token = self.house.attackers.get(self.table) or self.luck.choice(self.house.strangers)
        await self._ask({"type": "hello", "id": "hello", "token": token})
        if self.role in ("spectator", "player"):
            await self._ask({"type": "watch", "id": "watch", "table": self.words.tables[0]})

    async def _with_texts(self) -> None:
        left = min(self.most, self.luck.randint(20, 70))
        while left > 0 and self.line.ear.open:
            burst = min(left, self.luck.choice((1, 1, 2, 3, 5, 10)))
            for _ in range(burst):
                self._text()
            await self._answered()
            left -= burst
            if self.role == "newcomer":
                return

    async def _wildly(self) -> None:
        for _ in range(min(self.most, self.luck.randint(1, 8))):
            text = straight(self.luck, self.words).encode()
            self._count("raw")
            for piece in wild(self.luck, text):
                self._say(piece)
            for _ in range(4):
                await asyncio.sleep(0)
            if not self.line.ear.open:
                return
        if self.line.ear.open or self.luck.random() < 0.98:  # else: until the house has had enough
            self.line.hang_up()
        await self.line.ear.until(lambda: False)

    async def _without_listening(self) -> None:
        """Ask for very much and take nothing of it."""
        token = self.luck.choice(self.house.strangers)
        self._say(framed(TEXT, json.dumps({"type": "hello", "id": "1", "token": token}).encode()))
        watch = {"type": "watch", "id": "2", "table": self.words.tables[0]}
        for _ in range(self.luck.choice((5, 100, 800))):
            self._count("unread")
            self._say(masked(self.luck, TEXT, json.dumps(watch).encode()))
            await asyncio.sleep(0)
            self._go_on()
        self.line.hang_up()
        await self.line.ear.until(lambda: False)

    def _go_on(self) -> None:
        """Each step has its time: a whole attack may take long where much goes on."""
        if self._limit:
            self._limit.reschedule(asyncio.get_running_loop().time() + PATIENCE)

    # one text

    def _text(self) -> None:
        data, kind = self._any_text()
        self._count(kind)
        self._due += 1
        if self.luck.random() < 0.03:
            for piece in self._pieces(fragments(self.luck, data)):
                self._say(piece)
        else:
            self._say(framed(TEXT, data))

    def _any_text(self) -> tuple[bytes, str]:
        chance = self.luck.random()
        if chance < 0.2:
            return straight(self.luck, self.words).encode(), "valid"
        if chance < 0.65:
            return twisted(self.luck, self.words).encode("utf-8", "replace"), "twisted"
        return scrambled(self.luck, self.words.recorded), "scrambled"

    async def _ask(self, message: dict[str, object]) -> None:
        self._due += 1
        self._say(framed(TEXT, json.dumps(message).encode()))
        await self._answered()

    async def _answered(self) -> None:
        """Wait until every text has its answer, or the line its end."""

        def all_answered() -> bool:
            self._look()
            return self._answers >= self._due or self.line.ear.code is not None

        await self.line.ear.until(all_answered)
        self._look()
        self._go_on()
        if self._answers > self._due:
            self._blame(f"{self._due} requests have {self._answers} answers")

    # listening

    def _look(self) -> None:
        """Judge what has been heard meanwhile, and learn from it."""
        texts, self.line.ear.texts = self.line.ear.texts, []
        for raw in texts:
            if raw.startswith(b'{"type":"seen"'):
                self._learn(json.loads(raw))
            elif raw.startswith(b'{"type":"refused"'):
                self._answers += 1
            elif raw.startswith((b'{"type":"done"', b'{"type":"welcome"')):
                self._answers += 1
                self._remember(json.loads(raw))
            self._ask_the_judge(raw)

    def _remember(self, answer: Any) -> None:  # as it is on the wire
        """Who one is, and which tables are one's own."""
        own = answer.get("tables") or [answer.get("table")]
        self._player = answer.get("player", self._player)
        if self.role == "stranger" and own[0] and answer.get("seat", 0) is not None:
            self.words.tables = (self.luck.choice(own), *self.words.tables[1:])

    def _learn(self, seen: Any) -> None:  # as it is on the wire
        if seen["table"] != self.words.tables[0] or seen["view"] is None:
            return
        words, seat = self.words, seen["seat"]
        words.version, words.chain, words.moves = (
            seen["version"],
            seen["chain"],
            tuple(seen["moves"]),
        )
        if seat is not None and seen["view"]["seats"][seat]:
            words.count = seen["view"]["seats"][seat]["count"]

    def _end(self) -> None:
        """How the line ended."""
        ear = self.line.ear
        if ear.broken:
            self._blame(f"broken: {ear.broken}")
        closes = self.judge.findings.closes
        if ear.head is not None and (found := status(ear.head)) != 101:
            closes[f"HTTP {found}"] += 1
            self._ask_the_judge(ear.head + ear.rest, page=True)
            if found not in STATUSES:
                self._blame(f"HTTP {found}")
        elif ear.code in CODES:
            closes[str(ear.code)] += 1
        elif ear.code is not None:
            closes["said back"] += 1
            if not self._is_echo():
                self._blame(f"closed with {ear.code}")
        else:
            closes["without a word"] += 1

    def _is_echo(self) -> bool:
        """Whether the house only says back the attacker's own goodbye."""
        theirs = getattr(self.line, "theirs", None)
        return self.raw if theirs is None else bool(theirs.protocol.close_rcvd_then_sent)

    def _ask_the_judge(self, raw: bytes, *, page: bool = False) -> None:
        try:
            wrong = self.judge.page(raw) if page else self.judge.text(raw, self._player)
        except Leak as leak:
            self.judge.findings.leaks.append(self._told(str(leak)))
        else:
            if wrong:
                self._blame(wrong)

    def _blame(self, what: str) -> None:
        self.judge.findings.wrong.append(self._told(what))

    def _told(self, what: str) -> str:
        """What happened, and how to make it happen again."""
        last = " ".join(piece.hex() for piece in self.sent[-4:])[:1200]
        return f"{what} [{self.how} --only {self.number}; a {self.role} sent ... {last}]"

    # speaking

    def _choose_table(self) -> str:
        """The attacker's own table, for one who sits at one."""
        mixed = [table.code for table in self.house.mixed]
        return self.luck.choice(mixed) if self.role == "player" and mixed else ""

    def _pieces(self, data: bytes) -> list[bytes]:
        if self.luck.random() < 0.8:
            return [data]
        at = self.luck.randint(0, len(data))
        return [data[:at], data[at:]]

    def _say(self, data: bytes) -> None:
        self.sent = [*self.sent[-3:], data]
        self.line.say(data)

    def _count(self, kind: str) -> None:
        self.frames += 1
        self.judge.findings.frames[kind] += 1
