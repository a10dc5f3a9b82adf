"""Forgetting a player: no name, no id, nothing they said, and nothing that is theirs stays behind.

Whatever names a player lies on a shelf of theirs, with the name it uses; so all of it is found without
looking through everything. Asked twice, or cut short in the middle, it is simply done again.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from dormie_rules.drawers import Event
from dormie_rules.game import AnyEvent
from dormie_server import documents
from dormie_server.bans import Bans
from dormie_server.chat import Chats
from dormie_server.day_book import forget_try
from dormie_server.keeper import Keeper
from dormie_server.notices import Notice, mark_of, post
from dormie_server.person import PLAYER, Player, claim_key, device_key, names_of, player_key
from dormie_server.players import Players
from dormie_server.records import anonymous_line, forget_in_record
from dormie_server.reports import Reports
from dormie_server.store import Conflict, Store, StoreUnavailable
from dormie_server.table.commands import Forget
from dormie_server.table.forgetting import SOMEBODY, anonymous_event
from dormie_server.table.refusal import No
from dormie_server.table_shelves import player_shelf
from dormie_server.traces import traces_shelf

_PASSES = 3
"""Something may still be under way while the first is made."""

_LEFT_OVER = 60.0
"""So many seconds a player's document may outlast a server that dies while it erases the player."""

Names = frozenset[str]


class Eraser:
    """Forgets players."""

    def __init__(self, store: Store, keeper: Keeper, players: Players) -> None:
        self._store = store
        self._keeper = keeper
        self._players = players
        self._chats = Chats(store)
        self._reports = Reports(store)
        self._ways: dict[str, Callable[[str, str, Names], Awaitable[None]]] = {
            "table": self._at_table,
            "chat": self._in_chat,
            "record": self._in_record,
            "report": self._in_report,
            "player": self._with_another,
            "claim": self._in_claim,
            "device": self._as_device,
            "try": self._in_a_day,
        }

    async def erase(self, player: str) -> bool:
        """Forget a player, by id. Whether anything was known of them. Raises No.

        When it returns, nothing of them can be found in what the store keeps.
        """
        gone = Notice("player", mark_of(player))
        try:
            await post(self._store, gone)  # whoever is connected elsewhere does nothing more
            known = await self._players.find(player)
            names = frozenset(names_of(known)) if known else frozenset()
            traced = await self._trace(player, names)
            if known is not None:
                await self._drop(known)
                await self._trace(player, names)
            await Bans(self._store).forget(player)
            await post(self._store, gone)  # and whoever came back meanwhile
            await self._store.scrub()
        except StoreUnavailable:
            raise No("store_unavailable") from None
        return traced or known is not None

    async def _trace(self, player: str, names: Names) -> bool:
        """See to everything that names the player; whether there was anything."""
        found = False
        for _ in range(_PASSES):
            cards = dict.fromkeys(await self._store.on(player_shelf(player)), b"")
            cards |= await self._store.on(traces_shelf(player))
            if not cards:
                break
            found = True
            for key, card in cards.items():
                here = names | {card.decode()} - {""}
                with _gone_meanwhile():
                    await self._ways[key.partition(":")[0]](key, player, here)
        return found

    async def _at_table(self, key: str, player: str, names: Names) -> None:
        code = key.partition(":")[2]
        # The notes first: a record may be made of them as soon as the player is out of the match.
        await self._in_notes(key, names)
        with _gone_meanwhile():
            await self._keeper.do(code, Forget(player, tuple(sorted(names))))
        await self._in_notes(key, names)
        await self._store.rewrite(key, {}, {traces_shelf(player): None, player_shelf(player): None})

    async def _in_notes(self, key: str, names: Names) -> None:
        changed = dict[int, bytes]()
        for note in await self._store.notes(key):
            body = _anonymous_note(note.body, names)
            if body != note.body:
                changed[note.version] = body
        if changed:
            await self._store.rewrite(key, changed)

    async def _in_chat(self, key: str, player: str, _names: Names) -> None:
        await self._chats.forget(key.partition(":")[2], player)

    async def _in_record(self, key: str, player: str, names: Names) -> None:
        await forget_in_record(self._store, key, player, names)

    async def _in_report(self, key: str, player: str, names: Names) -> None:
        await self._reports.forget(key.partition(":")[2], player, names)

    async def _in_a_day(self, key: str, _player: str, _names: Names) -> None:
        await forget_try(self._store, key)

    async def _with_another(self, key: str, player: str, _names: Names) -> None:
        """Take the player off the list of somebody else."""

        def without(one: Player) -> Player:
            return replace(
                one,
                blocked=tuple(who for who in one.blocked if who.player != player),
                muted=tuple(who for who in one.muted if who != player),
            )

        other = key.partition(":")[2]
        await self._players.change(other, without, {traces_shelf(player): None})

    async def _in_claim(self, key: str, _player: str, _names: Names) -> None:
        """A code that nobody said in time, or whose end was lost."""
        await self._store.drop(key)

    async def _as_device(self, key: str, player: str, _names: Names) -> None:
        """A device of nobody's: one that is on the player's list may still ask, and goes with it."""
        known = await self._players.find(player)
        if not known or key not in {device_key(one.key) for one in known.devices}:
            await self._store.drop(key)

    async def _drop(self, player: Player) -> None:
        """The player's own documents; the one that a new try begins with goes last.

        Between the last two nobody but the player's id could ask again: so it names nobody by then, and is
        gone soon whatever happens to this server.
        """
        await self._shorten(player)
        if player.claim:
            await self._store.drop(claim_key(player.claim))
        for key in (*(device.key for device in player.devices), *player.forgotten):
            await self._store.drop(device_key(key))
        await self._store.drop(player_key(player.id))

    async def _shorten(self, player: Player) -> None:
        """Keep of a player's document only what a new try needs, and that for a short while."""
        key = player_key(player.id)
        left = Player(
            player.id,
            SOMEBODY,
            "",
            devices=player.devices,
            claim=player.claim,
            forgotten=player.forgotten,
        )
        while (document := await self._store.get(key)) is not None:
            with suppress(Conflict):
                body, was = PLAYER.dump_json(left), document.version
                await self._store.put(key, body, was, lifetime=_LEFT_OVER)
                return


@contextmanager
def _gone_meanwhile() -> Iterator[None]:
    """What is gone need not be forgotten."""
    try:
        yield
    except No as no:
        if no.why not in ("no_table", "unknown_token"):
            raise


def _anonymous_note(body: bytes, names: Names) -> bytes:
    """A note without the names; the chain stays, for those who go on from there."""
    if not any(mark in body for mark in (b'"name"', b'"names"', b" human ")):
        return body
    note = documents.read_note(body)
    events = tuple(_anonymous_event(event, names) for event in note.events)
    lines = tuple(anonymous_line(line, names) for line in note.lines)
    if (events, lines) == (note.events, note.lines):
        return body
    return documents.rewrite_note(note.chain, events, lines)


def _anonymous_event(event: AnyEvent, names: Names) -> AnyEvent:
    public = anonymous_event(event.public, names)
    return event if public is event.public else Event(public, event.pockets)
