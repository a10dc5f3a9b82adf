"""One connection's conversation: hello first, then request and answer until one side has had enough."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version

import structlog
from websockets.exceptions import ConnectionClosed

from dormie_protocol import messages as m
from dormie_protocol.codec import Unreadable, read_client
from dormie_protocol.words import sentence
from dormie_server.addresses import shared_by
from dormie_server.desk import Desk
from dormie_server.guard import GuardedConnection
from dormie_server.hub import Hub
from dormie_server.ids import token_key
from dormie_server.limits import Allowance, Bucket, Limits, Misses, Strikes
from dormie_server.metrics import Metrics
from dormie_server.person import Caller, Player
from dormie_server.players import Players
from dormie_server.porter import Porter
from dormie_server.store import StoreUnavailable
from dormie_server.table.games import all_levels, all_variants
from dormie_server.table.refusal import No
from dormie_server.talk import POLICY, UNKNOWN, Talk

log = structlog.get_logger(__name__)

UNSUPPORTED, CRASHED = 1003, 1011
STRUCK_OUT, SILENT = 4400, 4408
VERSION = version("dormie")


class Closing(Exception):
    """The conversation is over: the close code and the reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@dataclass
class Reception:
    """Who receives connections, and what they all share."""

    players: Players
    desk: Desk
    hub: Hub
    limits: Limits
    metrics: Metrics
    line: type[GuardedConnection]
    """What connections are made of; it knows every one that is alive, greeted or not."""
    clock: Callable[[], float] = time.monotonic
    """Seconds, for limits only."""
    hello_within: float = 5.0
    links: tuple[str, ...] = ()
    """Where this house is reached."""
    near: bool = False
    """Whether it has other servers, too, and people of one table are better off at one."""
    porter: Porter = field(kw_only=True)
    """Who keeps out whom the house does not let in."""
    drop_grace: float = 1.0
    """A connection that is back after so short a time was never away."""
    stopping: bool = False
    open: set[GuardedConnection] = field(default_factory=set)
    _drops: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._tokens = Misses(self.limits.token_misses_per_address, self.limits.remembered)
        self._guests = Allowance(
            self.limits.guests_per_minute, self.limits.guests_at_once, self.limits.remembered
        )

    async def receive(self, socket: GuardedConnection) -> None:
        """Talk with one peer until it goes."""
        talk = Talk(socket, "", self.metrics.frames_out)
        self.open.add(socket)
        self.metrics.connections.inc()
        try:
            caller = await self._greet(socket, talk)
            await self._converse(talk, caller)
        except Closing as end:
            await socket.close(end.code, end.reason)
        except ConnectionClosed:
            pass  # gone, as connections go
        except Exception:
            log.exception("conversation_failed", player=talk.player or None)
            await socket.close(CRASHED, "something went wrong here")
        finally:
            self.open.discard(socket)
            self.metrics.connections.dec()
            self._gone(talk)

    async def _greet(self, socket: GuardedConnection, talk: Talk) -> Caller:
        """The first message must be hello, soon, and from somebody we may know."""
        try:
            async with asyncio.timeout(self.hello_within):
                text = await socket.recv()
        except TimeoutError:
            raise Closing(SILENT, "no hello") from None
        message = self._read_first(talk, text)
        try:
            player, token = await self._identify(message, shared_by(socket.address))
            await self._let_in(talk, player.id, token_key(token or message.token or ""))
            tables, time = await self.desk.tables(player), await self.hub.now()
        except No as no:
            self._refuse(talk, no, message.id)
            code = UNKNOWN if no.why in ("unknown_token", "unknown_claim") else POLICY
            raise Closing(code, no.why) from None
        welcome = m.Welcome(
            re=message.id,
            player=player.id,
            name=player.name,
            token=token,
            now=time,
            server=VERSION,
            variants=all_variants(),
            bots=all_levels(),
            tables=tables,
            links=self.links,
            near=self.near,
        )
        talk.answer(welcome)
        return Caller(player, talk, shared_by(socket.address))

    def _read_first(self, talk: Talk, text: str | bytes) -> m.Hello:
        if isinstance(text, bytes):
            raise Closing(UNSUPPORTED, "text messages only")
        try:
            message = read_client(text)
        except Unreadable as what:
            self._refuse(talk, No("unreadable", field=what.field), what.re)
            raise Closing(UNKNOWN, "hello first") from None
        if not isinstance(message, m.Hello):
            self._refuse(talk, No("hello_first"), message.id)
            raise Closing(UNKNOWN, "hello first")
        return message

    async def _identify(self, hello: m.Hello, address: str) -> tuple[Player, str | None]:
        now = self.clock()
        if hello.claim is not None:
            if hello.token is not None:
                raise No("unknown_claim", field="claim")  # one proof, not two
            return await self.desk.claim(hello.claim, address, now)
        if hello.token is None:
            if not self._guests.take(address, now):
                raise No("too_fast")
            return await self.players.hello(None, hello.name)
        try:
            return await self.players.hello(hello.token, hello.name)
        except No as no:
            if no.why != "unknown_token":
                raise
            # A token that is known always opens the door: others may share the address.
            if self._tokens.blocked(address, now):
                raise No("too_fast") from None
            self._tokens.missed(address, now)
            raise

    async def _let_in(self, talk: Talk, player: str, device: str) -> None:
        """Know the line as a player's until it has `_gone`. Raises No for whom the house does not let in."""
        talk.player, talk.device = player, device
        self.desk.people.lines.add(talk)  # before the look: who is banned meanwhile is found there
        self.desk.lobby.census.came(player)
        if await self.porter.barred.player(player):
            raise No("banned")

    async def _converse(self, talk: Talk, caller: Caller) -> None:
        bucket = Bucket(self.limits.messages_per_second, self.limits.messages_at_once)
        strikes = Strikes(self.limits.strikes)
        while True:  # ``async for`` would be the same, by way of a generator
            text = await talk.socket.recv()
            now = self.clock()
            message = self._read(talk, text, bucket, strikes, now)
            if message is not None and talk.ending is None:
                await self._answer(talk, message, caller, now)
            del text, message  # who waits for the next one keeps nothing of the last

    def _read(
        self, talk: Talk, text: str | bytes, bucket: Bucket, strikes: Strikes, now: float
    ) -> m.ClientMessage | None:
        """One message, or None when it is none, and refused. Raises Closing when it is one too many."""
        if isinstance(text, bytes):
            raise Closing(UNSUPPORTED, "text messages only")
        if not bucket.take(now):
            self._refuse(talk, No("too_fast"), None)
            raise Closing(POLICY, "too many messages")
        try:
            return read_client(text)
        except Unreadable as what:
            self._refuse(talk, No("unreadable", field=what.field), what.re)
            if strikes.out(now):
                raise Closing(STRUCK_OUT, "too many unreadable messages") from None
            return None

    async def _answer(
        self, talk: Talk, message: m.ClientMessage, caller: Caller, now: float
    ) -> None:
        """Exactly one answer to every request, done or refused."""
        if self.stopping:
            self._refuse(talk, No("stopping"), message.id)
            return
        talk.asking = True
        try:
            done = await self.desk.answer(message, caller, now)
        except No as no:
            self._refuse(talk, no, message.id)
        except StoreUnavailable:
            self._refuse(talk, No("store_unavailable"), message.id)
        except Exception:
            about = {"asked": message.type, "table": getattr(message, "table", None)}
            log.exception("conversation_failed", player=caller.player.id, **about)
            raise Closing(CRASHED, "something went wrong here") from None
        else:
            talk.answer(done)

    def _refuse(self, talk: Talk, no: No, re: str | None) -> None:
        self.metrics.refused(no.why)
        because = str(no) or sentence(no.why)
        refused = m.Refused(re=re, word=no.why, because=because, field=no.field)
        talk.answer(refused)

    def _gone(self, talk: Talk) -> None:
        """A connection has ended; the seats it played are told after a moment, unless it is back by then."""
        if talk.player:
            self.desk.gone(talk)
            self.desk.people.lines.discard(talk)
        held = self.hub.leave_all(talk)
        if held and not self.stopping:
            task = asyncio.get_running_loop().create_task(self._drop(talk.player, held))
            self._drops.add(task)
            task.add_done_callback(self._drops.discard)

    async def _drop(self, player: str, held: list[tuple[str, int]]) -> None:
        while held:
            await asyncio.sleep(self.drop_grace)
            held = [seat for seat in held if not await self._dropped(player, *seat)]

    async def _dropped(self, player: str, code: str, generation: int) -> bool:
        """Whether a table has been told, or cannot be: one table's trouble is not the next one's."""
        try:
            return await self.hub.drop(player, code, generation)
        except Exception:
            log.exception("drop_failed", table=code, player=player)
            return True

    async def stop(self) -> None:
        """Say no more about who has dropped."""
        self.stopping = True
        for task in self._drops:
            task.cancel()
        await asyncio.gather(*self._drops, return_exceptions=True)
