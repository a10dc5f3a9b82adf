"""A player on a bare socket who says everything several times, and old things once more.

It stands for every client that is not ours: it resends without need, on the same connection and on
later ones, and holds the server to its word that a request is done once and answered alike.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from pydantic_core import to_json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from dormie_client.backoff import Pace, delay
from dormie_client.errors import TRY_AGAIN, RefusedError
from dormie_protocol.codec import read_server
from dormie_protocol.games import Move
from dormie_protocol.messages import SUBPROTOCOL, Done, Refused, Replaced, Seen, Welcome
from tests.chaos.ledger import Sight
from tests.chaos.moves import pick, written

NAME = "Stubborn"
MOST_REPEATS = 5
REMEMBERED, KEPT = 4, 40
"""Of a player's requests the house remembers so many at least; this player, so many."""
OVERTAKEN = {"stale", "not_your_turn", "hole_over", "wrong_time", "too_few_players"}
"""Refusals that belong to a game in which everything happens at once."""
GO_ROUND = 0.25
"""Without news it looks again, so many seconds later, whether there is something to do."""


@dataclass
class Request:
    """Something asked for, and how it was answered first."""

    text: str
    count: int = 0
    """The number of the move, 0 for anything else."""
    move: str = ""
    answer: Done | Refused | None = None


class Stubborn:
    """One seat at one table, through all its connections."""

    def __init__(
        self,
        url: str,
        code: str,
        sight: Sight,
        luck: Random,
        goes_on: Callable[[int], bool],
        pace: Pace,
        key: str | None = None,
        *,
        race: bool = False,
    ) -> None:
        self._url = url
        self._code = code
        self._ledger = sight.ledger
        self._sight = sight
        self._luck = luck
        self._goes_on = goes_on
        self._pace = pace
        self._race = race
        self._key = {} if key is None else {"password": key}
        self._token: str | None = None
        self._requests: dict[str, Request] = {}
        self._waiting: str | None = None
        """The request that has no answer yet."""
        self._last: Seen | None = None
        self._match = 0
        self.seated = asyncio.Event()
        """Set once it has seen the table from its seat."""
        self._numbers = 0
        self._lines = 0
        self._asked_again: int | None = None
        """After which version it asked again on this line, which may have followed the table all the same."""
        self._plays = False
        """Whether the house has said that this line follows the table, and so plays the seat."""
        self._not_now = set[str]()
        """What kinds of things were refused for the moment: by a store that is away, a house that stops."""
        self._done = False
        self._open = False
        self._trouble = "none yet"

    def __repr__(self) -> str:
        """How far it has come, and what it waits for."""
        view = self._last.view if self._last else None
        waiting = self._requests[self._waiting] if self._waiting else "something to do"
        line = "socket open" if self._open else f"no socket: {self._trouble}"
        return (
            f"<Stubborn waits for {waiting}; {line}, at version {self._sight.version}, "
            f"{view and view.phase}>"
        )

    async def live(self) -> None:
        """Play until the last match is over."""
        while not self._done:
            try:
                async with connect(
                    self._url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None
                ) as socket:
                    await self._talk(socket)
            except (OSError, WebSocketException, TimeoutError) as error:
                self._open, self._trouble = False, repr(error)
                self._sight.away(time.monotonic())
                await asyncio.sleep(delay(0, self._pace.luck()))

    async def _talk(self, socket: ClientConnection) -> None:
        who = {"token": self._token} if self._token else {"name": NAME}
        await socket.send(_json(type="hello", id="hello", **who))
        welcome = read_server(await asyncio.wait_for(socket.recv(), 10))
        if isinstance(welcome, Refused) and welcome.word not in TRY_AGAIN:
            raise RefusedError(welcome.word, welcome.because)
        if not isinstance(welcome, Welcome):
            raise ConnectionError(f"no welcome, but {welcome}")
        self._token = welcome.token or self._token
        self._open = True
        self._lines, self._asked_again = self._lines + 1, None
        await self._take_up(socket)
        while not self._done:
            try:
                async with asyncio.timeout(GO_ROUND):
                    text = await socket.recv()
            except TimeoutError:
                await self._ask_again(socket)
                await self._act(socket)
                continue
            await self._hear(socket, text)

    async def _take_up(self, socket: ClientConnection) -> None:
        """Join, which is done once; watch; and ask once more for what may have been done before."""
        self._not_now.clear()
        self._plays = False
        self._sight.back()
        last = self._last
        after, chain = (last.version, last.chain) if last else (0, "")
        self._numbers += 1
        await socket.send(_json(type="join", id="join", table=self._code, **self._key))
        await socket.send(  # before any move: a seat is played by the connection that watches
            _json(
                type="watch",
                id=f"w{self._numbers}",
                table=self._code,
                after=after,
                chain=chain,
                run=NAME,
                line=self._lines,
                **self._key,
            )
        )
        await self._say(socket, _json(type="join", id="join", table=self._code, **self._key))
        if self._waiting:
            await self._say(socket, self._requests[self._waiting].text)

    async def _ask_again(self, socket: ClientConnection) -> None:
        """What was refused for the moment; whoever watches already does not begin to once more."""
        if "w" in self._not_now:
            self._asked_again = self._sight.version
            await self._take_up(socket)
        elif self._not_now and self._waiting:
            self._not_now.clear()
            await self._say(socket, self._requests[self._waiting].text)

    async def _say(self, socket: ClientConnection, text: str) -> None:
        """Say it two to five times, and something old after it."""
        times = self._luck.randint(2, MOST_REPEATS)
        if self._luck.random() < 0.3 and (old := self._something_old()):
            times += 1
            await socket.send(old)
        for _ in range(times):
            await socket.send(text)
        self._ledger.repeats += times - 1

    def _something_old(self) -> str:
        """A request of long ago; but of what is no move, only what the house promises to remember."""
        requests = list(self._requests.values())
        for name in list(self._requests)[:-KEPT]:
            del self._requests[name]
        old = [one for at, one in enumerate(reversed(requests)) if one.count or at < REMEMBERED]
        return self._luck.choice(old).text if old else ""

    async def _hear(self, socket: ClientConnection, text: str | bytes) -> None:
        match read_server(text):
            case Done() | Refused() as answer:
                self._hear_answer(answer)
            case Seen() as seen:
                self._see(seen)
            case Replaced():
                self._ledger.surprise(f"{self._code}: a stubborn player was replaced by nobody")
            case _:
                return
        await self._act(socket)

    def _see(self, seen: Seen) -> None:
        if seen.rolled_back:
            self._waiting = None
            self._requests.clear()
        self._sight.look(seen, time.monotonic(), asked=self._asked_again)
        if seen.about:
            self._match = seen.about.match
        self._last = seen
        if seen.seat is not None:
            self.seated.set()
        elif self.seated.is_set():
            self._ledger.left_out += 1
            self._done = True

    def _hear_answer(self, answer: Done | Refused) -> None:
        name = answer.re or ""
        if isinstance(answer, Refused) and self._is_for_the_moment(answer):
            self._not_now.add(name[:1])
            return  # it is asked again in a quiet moment, or on the next connection
        if name.startswith("w"):
            self._hear_watch(answer)
        request = self._requests.get(name)
        if self._waiting == name:
            self._waiting = None
        if request is None:
            return
        first = request.answer
        if isinstance(answer, Refused):
            self._hear_no(request, answer)
        elif not isinstance(first, Done):
            request.answer = answer
            if request.count:
                self._ledger.acknowledge(
                    self._code, NAME, request.count, request.move, answer.version
                )
        elif request.count and answer.version != first.version:  # a late "ready" changes nothing
            self._ledger.surprise(f"{self._code}: {request.text} was {first} and then {answer}")

    def _hear_watch(self, answer: Done | Refused) -> None:
        """Whoever was left out of a match needs the password to watch it, and that may have changed."""
        self._plays |= isinstance(answer, Done)
        if isinstance(answer, Refused) and answer.word == "no_table" and self._key:
            self._ledger.left_out += 1
            self._done = True

    def _is_for_the_moment(self, no: Refused) -> bool:
        """A line that could not follow the table just now does not play the seat: that is the older one's."""
        return no.word in TRY_AGAIN or (no.word == "replaced" and not self._plays)

    def _hear_no(self, request: Request, no: Refused) -> None:
        """Old moves are stale; nothing else may be refused that was asked for at the right time."""
        self._ledger.refuse(no.word)
        if request.answer is None:
            request.answer = no
        if no.word not in OVERTAKEN | {"not_seated"}:
            self._ledger.surprise(f"{self._code}: {request.text} was refused with {no.word}")

    async def _act(self, socket: ClientConnection) -> None:
        """Do the one thing that the table waits for, if there is one."""
        last = self._last
        if self._waiting or last is None or last.view is None or last.seat is None:
            return
        me = last.view.seats[last.seat]
        if me is None:
            return
        if last.view.phase == "over":
            await self._after_a_match(socket, ready=me.ready)
        elif (move := pick(last.moves, self._luck, race=self._race)) is not None:
            await self._move(socket, me.count + 1, move)
        elif last.view.phase in ("lobby", "starting", "between") and not me.ready:
            given = {"entropy": self._luck.randbytes(16).hex()}
            more = {} if last.view.phase == "between" else given
            await self._ask(socket, Request(""), type="ready", **more)

    async def _after_a_match(self, socket: ClientConnection, *, ready: bool) -> None:
        if not self._goes_on(self._match):
            self._done = True
        elif not ready:
            await self._ask(socket, Request(""), type="rematch")

    async def _move(self, socket: ClientConnection, count: int, move: Move) -> None:
        if any(
            one.count == count and isinstance(one.answer, Done) for one in self._requests.values()
        ):
            return  # it is done, and not seen yet
        text = written(move, race=self._race)
        self._ledger.card(self._code, NAME).ask(count, text, time.monotonic())
        request = Request("", count, text)
        await self._ask(socket, request, type="play", count=count, move=move)

    async def _ask(self, socket: ClientConnection, request: Request, **fields: object) -> None:
        self._numbers += 1
        name = f"r{self._numbers}"
        request.text = _json(id=name, table=self._code, **fields)
        self._requests[name] = request
        self._waiting = name
        await self._say(socket, request.text)


def _json(**fields: object) -> str:
    return to_json(fields).decode()
