"""What keeps a session alive: one connection after another, until it is over for good."""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from websockets.exceptions import WebSocketException

from dormie_client.address import server_name, socket_url
from dormie_client.backoff import Pace, delay
from dormie_client.desk import Desk
from dormie_client.errors import ClosedError, RefusedError, no
from dormie_client.line import Line
from dormie_client.wire import FINAL, SLOW, close_code, open_line, refused_at_the_door, trouble
from dormie_protocol.fields import CODE_LETTERS
from dormie_protocol.messages import SUBPROTOCOL, Hello, Welcome

log = logging.getLogger(__name__)

_SAMPLES = 16
"""So many of the server's times are compared with ours."""


@dataclass(frozen=True, slots=True)
class _Parting:
    """How a connection ended."""

    met: bool
    """Whether the server had said welcome."""
    asked: float | None
    """How long the server asked us to stay away."""
    slow: bool


class Lifeline:
    """The connections of one session."""

    def __init__(
        self, url: str, hello: Hello, desk: Desk, pace: Pace, on_state: Callable[[str], None]
    ) -> None:
        self.connected = False
        self.over: ClosedError | None = None
        """Why the session is over, once it is."""
        self.token = hello.token or ""
        self.trouble = "nobody answers there"
        """What was wrong with the last connection."""
        self.here = self.near = secrets.choice(CODE_LETTERS)
        """The last letter of the code of a table, to whose players this connection was to go, and the next is."""
        self.welcomed: asyncio.Future[Welcome] = asyncio.get_running_loop().create_future()
        """The last welcome, once there was one."""
        self.welcomed.add_done_callback(lambda met: met.cancelled() or met.exception())
        self._url = socket_url(url)
        self._hello = hello
        self._desk = desk
        self._pace = pace
        self._on_state = on_state
        self._offsets: deque[float] = deque(maxlen=_SAMPLES)

    @property
    def clock_offset(self) -> float:
        """The server's clock minus ours.

        A message may be late and is never early: the largest of the last differences is nearest.
        """
        return max(self._offsets, default=0.0)

    async def live(self) -> None:
        """Keep the session alive until it is over."""
        tries = 0
        try:
            while True:
                parting = await self._one_line(f"hello-{tries}")
                tries = 0 if parting.met else tries
                luck = self._pace.luck()
                pause = delay(tries, luck, asked=parting.asked, slow=parting.slow)
                tries += 1
                await self._pace.sleep(pause)
        except (ClosedError, RefusedError) as error:
            self.end(error)
        except Exception:
            log.exception("a session failed")
            self.end(ClosedError("The session failed, by a mistake of this program."))

    def end(self, error: ClosedError | RefusedError) -> None:
        """It is over, for this reason."""
        if self.over is not None:
            return
        self.over = error if isinstance(error, ClosedError) else ClosedError(error.because)
        self.connected = False
        self._desk.close(self.over)
        if not self.welcomed.done():
            self.welcomed.set_exception(error)
        self._say("closed")

    async def _one_line(self, name: str) -> _Parting:
        """Talk over one connection until it ends, and say how it did."""
        line, met = None, False
        try:
            self.here = self.near
            socket = await open_line(self._url, self.here)
            line = Line(socket, self._desk, self._pace, self._server_time)
            try:
                self._check(socket.subprotocol)
                hello = self._hello.model_copy(update={"id": name} | self._proof())
                self._welcome(await line.greet(hello))
                met = True
                await line.talk()
            finally:
                self._part()
                await socket.close()
        except (OSError, WebSocketException) as error:
            code = close_code(error)
            if code in FINAL:
                raise ClosedError(FINAL[code]) from None
            if word := refused_at_the_door(error):
                raise no(word, self._hello.language) from None
            self.trouble = trouble(error)
            asked = line.bye.retry_after if line and line.bye else None
            return _Parting(met, asked, code in SLOW)
        raise AssertionError("a connection ends by breaking")

    def _proof(self) -> dict[str, object]:
        """Who we are: a code is said once, and then there is a token."""
        return {"token": self.token, "claim": None} if self.token else {}

    def _check(self, spoken: str | None) -> None:
        """Make sure that it is a server of ours that we talk to."""
        if spoken == SUBPROTOCOL:
            return
        if self.welcomed.done():  # we have been there: this is somebody in between
            raise ConnectionError(0, "something else answers there")
        where = server_name(self._url)
        raise ClosedError(f"There is no Dormie server at {where}, or it is too old or too new.")

    def _welcome(self, welcome: Welcome) -> None:
        self.token = welcome.token or self.token
        self.connected = True
        self._desk.new_line()
        if self.welcomed.done():
            self.welcomed = asyncio.get_running_loop().create_future()
        self.welcomed.set_result(welcome)
        self._say("connected")

    def _part(self) -> None:
        if self.connected:
            self.connected = False
            self._say("reconnecting")

    def _say(self, state: str) -> None:
        try:
            self._on_state(state)
        except Exception:
            log.exception("whoever listens to the state of a session failed")

    def _server_time(self, now: float) -> None:
        self._offsets.append(now - self._pace.clock())
