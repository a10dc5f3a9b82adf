"""One connection: hello first, then one side says what the desk has to say, the other listens."""

import asyncio
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection

from dormie_client.backoff import Allowance, Pace
from dormie_client.desk import Desk
from dormie_client.errors import TRY_AGAIN, RefusedError
from dormie_client.wire import hear
from dormie_protocol.codec import write
from dormie_protocol.messages import Bye, Hello, Refused, Seen, ServerMessage, Welcome


class Line:
    """A connection on which the server has not been greeted yet."""

    def __init__(
        self,
        socket: ClientConnection,
        desk: Desk,
        pace: Pace,
        server_time: Callable[[float], None],
    ) -> None:
        self.bye: Bye | None = None
        """What the server said before it closed the connection."""
        self._socket = socket
        self._desk = desk
        self._pace = pace
        self._server_time = server_time

    async def greet(self, hello: Hello) -> Welcome:
        """Say hello. Raises RefusedError when patience would not help, and OSError when it may."""
        await self._socket.send(write(hello))
        async with asyncio.timeout(self._pace.answer):
            while True:
                match await self._hear():
                    case Welcome() as welcome:
                        return welcome
                    case Refused(re=re) as refused if re in (None, hello.id):
                        if refused.word in TRY_AGAIN:
                            raise ConnectionError(0, refused.because)
                        raise RefusedError(refused.word, refused.because, refused.field)
                    case _:
                        continue

    async def talk(self) -> None:
        """Talk until the connection breaks; raises whatever broke it."""
        jobs = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]
        try:
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for job in jobs:
                job.cancel()
            ends = await asyncio.gather(*jobs, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        allowance = Allowance(self._pace.a_second, self._pace.at_once)
        while True:
            self._desk.work.clear()
            message = self._desk.next()
            if message is None:
                await self._desk.work.wait()
                continue
            await self._socket.send(write(message))
            pause = allowance.spend(loop.time())
            if pause:
                await self._pace.sleep(pause)

    async def _read(self) -> None:
        while True:
            message = await self._hear()
            if message is not None:
                self._desk.hear(message)

    async def _hear(self) -> ServerMessage | None:
        message = hear(await self._socket.recv())
        match message:
            case Bye():
                self.bye = message
            case Welcome(now=now) | Seen(now=now, replay=False):
                self._server_time(now)
            case _:
                pass
        return message
