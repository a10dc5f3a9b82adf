"""The lobby: which listed tables there are, told to whoever asks and to whoever follows.

One answer is written for everybody who asks the same, and only when something has changed. Looking at the
shelf takes little of the server's time, however many ask; whoever asks in between waits a moment for the next
look, so that nobody is told less than what was kept before they asked.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import structlog
from pydantic import TypeAdapter

from dormie_protocol import messages as m
from dormie_protocol.lobby_messages import LISTED_AT_ONCE
from dormie_protocol.lobby_view import Counts, LobbyCard
from dormie_server.census import Census
from dormie_server.lobby_cards import LOBBY, read_card, write_card
from dormie_server.store import Store, StoreUnavailable
from dormie_server.table.games import all_variants
from dormie_server.table.refusal import No
from dormie_server.watching import Peer

log = structlog.get_logger(__name__)

_EVERY = 1.0
"""Followers are told at most so often, in seconds."""
_REST_FOR = 9
"""After a look nobody looks for so many times as long as it took."""
_REST_AT_MOST = 0.1
"""But for no longer than this, in seconds: on a busy machine every look takes long."""
_AT_A_TIME = 64
"""So many followers are told before others have their turn."""

_COUNTS: TypeAdapter[Counts] = TypeAdapter(Counts)


class Filter(NamedTuple):
    """Which tables somebody wants to hear of."""

    variant: str | None = None
    free: bool = False

    def fits(self, card: LobbyCard) -> bool:
        """Whether *card* is one of them."""
        return self.variant in (None, card.variant) and (not self.free or _open(card))


@dataclass(slots=True)
class _Follower:
    re: str
    filter: Filter
    told: bytes


class Lobby:
    """What the house shows of its listed tables."""

    def __init__(self, store: Store, census: Census, every: float = _EVERY) -> None:
        self.census = census
        self._store = store
        self._every = every
        self._looking = asyncio.Lock()
        self._begun = 0
        self._shown = 0
        """The number of the look that is shown, among those that were begun."""
        self._rested_at = 0.0
        self._seen: tuple[dict[str, bytes], Counts] | None = None
        self._cards: list[LobbyCard] = []
        self._texts: dict[Filter, bytes] = {}
        self._followers: dict[Peer, _Follower] = {}
        self._telling: asyncio.Task[None] | None = None

    @property
    def followers(self) -> int:
        """How many connections are told of changes."""
        return len(self._followers)

    async def answer(self, message: m.Lobby, peer: Peer) -> None:
        """Push what *message* asks for. Raises No."""
        if message.variant is not None and message.variant not in all_variants():
            raise No("bad_option", "There is no variant of this name.", "variant")
        try:
            await self._look()
        except StoreUnavailable:
            raise No("store_unavailable") from None
        wish = Filter(message.variant, message.free)
        text = self._text(wish)
        if message.follow is not None:
            self._followers.pop(peer, None)
        if message.follow:
            self._follow(peer, _Follower(message.id, wish, text))
        peer.push(_HEAD % message.id.encode() + text)

    def leave(self, peer: Peer) -> None:
        """*peer* is gone, and hears no more."""
        self._followers.pop(peer, None)

    async def stop(self) -> None:
        """Tell nobody any more."""
        self._followers.clear()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)

    async def tell(self) -> None:
        """Tell every follower for whom something has changed."""
        await self._look()
        for number, (peer, follower) in enumerate(list(self._followers.items()), 1):
            text = self._text(follower.filter)
            if text != follower.told and self._followers.get(peer) is follower:
                follower.told = text
                peer.push(_HEAD % follower.re.encode() + text)
            if number % _AT_A_TIME == 0:
                await asyncio.sleep(0)

    def _follow(self, peer: Peer, follower: _Follower) -> None:
        self._followers[peer] = follower
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell_on())

    async def _tell_on(self) -> None:
        """For as long as anybody follows."""
        while self._followers:
            await asyncio.sleep(self._every)
            try:
                await self.tell()
            except StoreUnavailable:
                log.warning("lobby_waits_for_the_store")
            except Exception:
                log.exception("lobby_waits")

    async def _look(self) -> None:
        """Look at the shelf, together with all who wait for the same look."""
        begun = self._begun
        async with self._looking:
            if self._shown > begun:
                return  # somebody has looked, and began to after we had asked
            loop = asyncio.get_running_loop()
            if (tired := self._rested_at - loop.time()) > 0:
                await asyncio.sleep(tired)
            self._begun += 1
            began = loop.time()
            self._show(await self._store.on(LOBBY), self.census.counts())
            took = loop.time() - began
            self._rested_at = loop.time() + min(_REST_FOR * took, _REST_AT_MOST)
            self._shown = self._begun

    def _show(self, shelf: dict[str, bytes], counts: Counts) -> None:
        if self._seen == (shelf, counts):
            return
        self._seen = shelf, counts
        self._cards = sorted((read_card(text) for text in shelf.values()), key=_best_first)
        self._texts.clear()

    def _text(self, wish: Filter) -> bytes:
        """What everybody is told who has this wish."""
        assert self._seen is not None, "somebody has looked"
        text = self._texts.get(wish)
        if text is None:
            text = self._texts[wish] = write_tables(filter(wish.fits, self._cards), self._seen[1])
        return text


def write_tables(cards: Iterable[LobbyCard], counts: Counts) -> bytes:
    """The rest of a ``lobby_seen`` message, behind the name of the request."""
    fitting = list(cards)
    shown = b",".join(map(write_card, fitting[:LISTED_AT_ONCE]))
    more = max(0, len(fitting) - LISTED_AT_ONCE)
    return _REST % (shown, more, _COUNTS.dump_json(counts))


_HEAD = b'{"type":"lobby_seen","re":"%s",'
_REST = b'"tables":[%s],"more":%d,"counts":%s}'


def _open(card: LobbyCard) -> bool:
    return card.free > 0 and not card.locked


def _best_first(card: LobbyCard) -> tuple[bool, int, float, str]:
    """With free seats, fewest missing, newest."""
    return not _open(card), card.free, -card.since, card.table
