"""The only place where the parts of the server are put together, started, and taken apart again."""

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import structlog
from websockets.asyncio.server import Server

from dormie_protocol import messages as m
from dormie_protocol.codec import write
from dormie_protocol.words import REFUSALS, sentence
from dormie_server.admin_desk import AdminDesk
from dormie_server.admin_socket import AdminSocket, place_of_admin
from dormie_server.alarms import Alarms
from dormie_server.config import BadSetting, Settings
from dormie_server.connection import Reception
from dormie_server.cupboard import cupboard, place_of
from dormie_server.desk import Desk
from dormie_server.front import listen, web_of
from dormie_server.goodbye import close_all
from dormie_server.greeting import greeting
from dormie_server.guard import guarded
from dormie_server.hub import Hub
from dormie_server.ids import new_player_id
from dormie_server.keeper import Keeper
from dormie_server.limits import Misses
from dormie_server.links import links
from dormie_server.luck_source import LuckSource, SystemLuck
from dormie_server.metrics import Metrics
from dormie_server.openings import openings_of
from dormie_server.players import Players
from dormie_server.porter import Porter
from dormie_server.roll_call import RollCall
from dormie_server.store import Store
from dormie_server.table import fair
from dormie_server.table.commands import DealHole
from dormie_server.table.draft import Change
from dormie_server.table.state import Table
from dormie_server.talk import RESTART
from dormie_server.tls import Certificate, certificate_of

log = structlog.get_logger(__name__)

_COLLECT = (20_000, 20, 50)
"""A move makes hundreds of values, and nearly none of them in a circle: look for circles seldom."""

_MOVES = ("move ", "auto ")

COME_BACK = 1.0
"""Seconds after which a client may try again when the server restarts."""
_GOODBYE = 0.75
"""The part of the time to drain that goodbyes may take."""


@dataclass
class App:
    """A running server: ``App.open`` starts one, ``close`` drains and stops it."""

    settings: Settings
    store: Store
    alarms: Alarms
    keeper: Keeper
    hub: Hub
    reception: Reception
    metrics: Metrics
    misses: Misses
    certificate: Certificate | None = None
    server: Server | None = None
    port: int = 0
    roll: RollCall | None = None
    """The servers that share the store, if they do."""
    admin: AdminSocket | None = None
    asked_to_stop: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when those who run the house say so."""
    _rounds: asyncio.Task[None] | None = None
    _sending: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        settings: Settings,
        store: Store | None = None,
        luck: LuckSource | None = None,
        deal: Callable[[Table], DealHole] = fair.next_deal,
    ) -> Self:
        """Open the house.

        Raises OSError when the port is taken, StoreUnavailable when the file is or when the Redis cannot
        be used, BadSetting for a certificate that is none.
        """
        certificate = certificate_of(settings)
        store = store or await cupboard(settings)
        app = cls._build(settings, store, luck or SystemLuck(), deal)
        app.certificate = certificate
        try:
            await app._begin()  # noqa: SLF001 - it is this very class
        except BaseException:
            await app.close()
            raise
        return app

    @classmethod
    def _build(
        cls,
        settings: Settings,
        store: Store,
        luck: LuckSource,
        deal: Callable[[Table], DealHole],
    ) -> Self:
        metrics = Metrics(REFUSALS)
        alarms = Alarms(store, luck, metrics, deal)

        def kept(change: Change, now: float) -> None:
            metrics.events.inc(len(change.events))
            metrics.moves.inc(sum([line.startswith(_MOVES) for line in change.lines]))
            alarms.changed(change, now)

        keeper = Keeper(store, luck, kept, metrics)
        # The name of this process: nobody can guess it, and it never comes back.
        hub = Hub(store, keeper, new_player_id())
        limits = settings.limits
        misses = Misses(limits.code_misses_per_address, limits.remembered, limits.code_misses)
        desk = Desk(store, keeper, hub, luck, openings_of(settings), limits, misses)
        desk.worker = desk.days.worker = alarms.worker
        alarms.elsewhere = desk.days.ring
        line = guarded(limits, metrics, trusted=settings.trusted_proxies)
        players, hello = Players(store, luck), settings.hello_seconds
        porter = Porter(store, desk.people.lines, line.alive)
        reception = Reception(
            players, desk, hub, limits, metrics, line, hello_within=hello, porter=porter
        )
        reception.near = settings.store is not None
        return cls(settings, store, alarms, keeper, hub, reception, metrics, misses)

    async def _begin(self) -> None:
        """Take up what an earlier process left, then let people in."""
        self._rounds = asyncio.create_task(self.alarms.run(self.keeper))
        await self._take_up()
        await self.reception.porter.begin()
        web = web_of(self.settings, self.store, self.reception, self.metrics, self.misses)
        self.server = await listen(self.settings, self.reception, web, self.certificate)
        self.port = next(iter(self.server.sockets)).getsockname()[1]
        self.reception.links = self.links()
        await self._open_admin()

    async def _open_admin(self) -> None:
        """Listen to those who run the house. A place that nobody has chosen may turn out to be none."""
        path, chosen = place_of_admin(self.settings), self.settings.admin_socket != "auto"
        if path is None:
            return
        proxies = self.settings.trusted_proxies
        desk = AdminDesk(self.store, self.keeper, proxies, self.asked_to_stop.set)
        admin = AdminSocket(path, desk.answer)
        try:
            await admin.open()
        except BadSetting as bad:
            if chosen:
                raise
            log.warning("no_admin_socket", because=str(bad))
        else:
            self.admin = admin

    async def _take_up(self) -> None:
        """Who is alone knows that all whom another served have dropped; among others there is a roll call."""
        if not self.store.shared:
            await self.keeper.recover(self.hub.server)
            return
        self.roll = RollCall(self.store, self.keeper, self.hub.server, self._called_gone)
        self.alarms.elsewhere = self._ring
        await self.roll.begin()

    def _ring(self, key: str) -> None:
        """An alarm that is not a table's is a day's or another server's."""
        if not self.reception.desk.days.ring(key) and self.roll is not None:
            self.roll.ring(key)

    def _called_gone(self, name: str) -> None:
        """The others have given us up: whoever is connected comes back, and is served under another name."""
        self.hub.server = name
        alive = tuple(self.reception.line.alive)
        within = self.settings.close_seconds
        self._sending = asyncio.create_task(close_all(alive, RESTART, "restarting", within))

    def links(self) -> tuple[str, ...]:
        """Where the house is reached: from this machine first, from farthest away last."""
        host, url = self.settings.host, self.settings.public_url
        return links(host, self.port, url, tls=self.certificate is not None)

    def renew(self) -> None:
        """Read the certificate again, for connections to come; a bad one is written down and left alone."""
        if self.certificate is None:
            return
        try:
            self.certificate.read()
        except BadSetting as bad:
            log.warning("certificate_not_renewed", because=str(bad))
        else:
            log.info("certificate_renewed")

    async def close(self) -> None:
        """Drain: nobody new, everybody told when to come back, and an end in bounded time."""
        if self.server is not None:
            self.server.close(close_connections=False)
        await self.reception.stop()
        if self.admin is not None:
            await self.admin.close()
        await self.reception.porter.stop()
        await self.reception.desk.days.stop()
        await self.alarms.stop()
        await self._say_goodbye()
        if self.roll is not None:
            await self.roll.stop()
        if self._rounds is not None:
            self._rounds.cancel()
            await asyncio.gather(self._rounds, return_exceptions=True)
        await self.reception.desk.lobby.stop()
        await self.hub.stop()
        if self.server is not None:
            self.server.close()
            with contextlib.suppress(
                TimeoutError
            ):  # somebody waits for a disk that does not answer
                async with asyncio.timeout(self.settings.drain_seconds * (1 - _GOODBYE)):
                    await self.server.wait_closed()
        await self.store.close()

    async def _say_goodbye(self) -> None:
        """Tell everybody when to come back; who does not listen is cut off, also in mid-handshake."""
        bye = m.Bye(word="stopping", because=sentence("stopping"), retry_after=COME_BACK)
        for socket in tuple(self.reception.open):
            socket.write_text(write(bye).encode())
        within = self.settings.drain_seconds * _GOODBYE
        alive = tuple(self.reception.line.alive)
        await close_all(alive, RESTART, "restarting", within)


async def run(settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C, then drain."""
    app = await App.open(settings)
    stop = app.asked_to_stop
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":  # a loop there takes no signals: Ctrl-C ends ``run`` by itself
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        if app.certificate is not None:
            loop.add_signal_handler(signal.SIGHUP, app.renew)
    # What is alive now stays alive: the collector need not look at it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)
    for line in greeting(app.links()):
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    log.info("open", port=app.port, **place_of(settings))
    try:
        await stop.wait()
    finally:
        log.info("stopping")
        await app.close()
        log.info("closed")
