"""Quick match: the best listed table that waits for players, or a new one.

Compare-and-set in the store decides who gets a seat; here one player after the other is seen to, so that
fifty who come at once fill tables instead of opening fifty.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dormie_protocol import messages as m
from dormie_protocol.lobby_view import LobbyCard
from dormie_server import ids
from dormie_server.keeper import Keeper
from dormie_server.lobby_cards import LOBBY, card_of, read_card
from dormie_server.person import Player
from dormie_server.store import Store, StoreUnavailable
from dormie_server.table import commands as c
from dormie_server.table.games import all_variants, kind_with
from dormie_server.table.refusal import No
from dormie_server.table.state import Answer, Table, people, seat_of

_TRIES = 8
"""So many tables are tried before a new one is opened."""
_DESERTED = 60.0
"""A table at which nobody has been for so long since it was opened is left alone, in seconds."""
USUAL_VARIANT, USUAL_SIZE = "six_card", 4


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody who wants a quick match, and what the desk lets them do."""

    player: Player
    wish: m.Quick
    tables: Callable[[], Awaitable[tuple[str, ...]]]
    """Where the player has a seat. Raises No."""
    may_join: Callable[[], Awaitable[None]]
    """Raises No when the player sits at as many tables as anybody may."""
    open: Callable[[m.Create], Awaitable[m.Done]]


async def anybody(_player: str, _others: tuple[str, ...]) -> bool:
    """Whether a player and others may be brought together by chance: nobody minds anybody."""
    return True


class Matchmaker:
    """Brings together people who do not mind with whom they play."""

    def __init__(self, store: Store, keeper: Keeper) -> None:
        self.may_meet: Callable[[str, tuple[str, ...]], Awaitable[bool]] = anybody
        """Asked with a player's id and those of the persons at a table."""
        self._store = store
        self._keeper = keeper
        self._turn = asyncio.Lock()

    async def seat(self, asking: Asking) -> m.Done:
        """Give the player a seat somewhere; asked twice under an id, it is the same one. Raises No."""
        if asking.wish.variant not in (None, *all_variants()):
            raise No("bad_option", "There is no variant of this name.", "variant")
        async with self._turn:
            own = await asking.tables()
            again = await self._again(asking, own) or await self._waiting(asking, own)
            if again is not None:
                return again
            await asking.may_join()
            joined = await self._join_one(asking, own)
            return joined or await asking.open(_new_table(asking.wish))

    async def _again(self, asking: Asking, own: tuple[str, ...]) -> m.Done | None:
        """The answer to a request that was done before."""
        player, name = asking.player, asking.wish.id
        if await self._keeper.table(ids.table_code(bytes.fromhex(player.secret), name)):
            return await asking.open(_new_table(asking.wish))  # which only answers again
        for code in own:
            kept = await self._keeper.table(code)
            answer = _answered(kept.table, player.id, name) if kept else None
            if answer is not None:
                if answer.digest != c.in_short(c.Join(player.name)):
                    raise No("id_conflict", field="id")
                return m.Done(re=name, table=code, seat=answer.seat, version=answer.version)
        return None

    async def _waiting(self, asking: Asking, own: tuple[str, ...]) -> m.Done | None:
        """Where the player waits already, or is about to begin, under whatever id."""
        for code in own:
            kept = await self._keeper.table(code)
            card = card_of(kept.table) if kept else None
            if kept and card and card.phase in ("lobby", "starting") and _fits(card, asking.wish):
                seat = seat_of(kept.table, asking.player.id)
                version = kept.table.version
                return m.Done(re=asking.wish.id, table=code, seat=seat, version=version)
        return None

    async def _join_one(self, asking: Asking, own: tuple[str, ...]) -> m.Done | None:
        """Take a seat at the first table that has one; None when none had."""
        try:
            shelf, now = await self._store.on(LOBBY), await self._store.now()
        except StoreUnavailable:
            raise No("store_unavailable") from None
        cards = [card for card in map(read_card, shelf.values()) if card.table not in own]
        inviting = [card for card in cards if _invites(card, now) and _fits(card, asking.wish)]
        for card in sorted(inviting, key=_best_first)[:_TRIES]:
            if not await self._may_sit(asking.player.id, card.table):
                continue
            join = c.Asked(asking.player.id, asking.wish.id, c.Join(asking.player.name))
            try:
                change = await self._keeper.do(card.table, join)
            except No as no:
                if no.why == "store_unavailable":
                    raise  # the seat may have been taken: the same request finds out
                continue
            return m.Done(
                re=asking.wish.id, table=card.table, seat=change.seat, version=change.version
            )
        return None

    async def _may_sit(self, player: str, code: str) -> bool:
        kept = await self._keeper.table(code)
        if kept is None:
            return False
        sitters = kept.table.secret.sitters
        others = [sitter.player for s in people(kept.table) if (sitter := sitters[s])]
        return await self.may_meet(player, tuple(one for one in others if one))


def _invites(card: LobbyCard, now: float) -> bool:
    """Whether anybody may sit down there, and somebody is likely to be there."""
    open_to_all = (card.phase, card.password, card.locked) == ("lobby", False, False)
    lively = card.here > 0 or now - card.since < _DESERTED
    return open_to_all and card.free > 0 and lively


def _fits(card: LobbyCard, wish: m.Quick) -> bool:
    return wish.variant in (None, card.variant) and wish.size in (None, card.size)


def _best_first(card: LobbyCard) -> tuple[bool, int, float, str]:
    """Where somebody is, fewest are missing, and they have waited longest."""
    return not card.here, card.free, card.since, card.table


def _new_table(wish: m.Quick) -> m.Create:
    variant = wish.variant or USUAL_VARIANT
    size = wish.size or min(USUAL_SIZE, kind_with(variant).most(variant))
    return m.Create(id=wish.id, variant=variant, size=size, listed=True)


def _answered(table: Table, player: str, name: str) -> Answer | None:
    answers = table.secret.answers
    return next((one for one in answers if (one.player, one.id) == (player, name)), None)
