"""The desk: what a player who has said hello may ask for, message by message.

It knows nothing of sockets: a message and a peer go in, an answer comes out.
"""

from functools import partial

from dormie_protocol import day_messages as d
from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_protocol.codec import write
from dormie_protocol.spectators import Spectators
from dormie_protocol.table_view import Given
from dormie_server import ids
from dormie_server.asking import request
from dormie_server.census import Census
from dormie_server.conversation import Conversation
from dormie_server.day_desk import answer_day
from dormie_server.days import Days
from dormie_server.hints import hint_for
from dormie_server.hub import Hub
from dormie_server.keeper import Keeper
from dormie_server.limits import Allowance, Limits, Misses
from dormie_server.lobby import Lobby
from dormie_server.luck_source import LuckSource
from dormie_server.matchmaker import Asking, Matchmaker
from dormie_server.openings import Openings
from dormie_server.own import history, own_tables
from dormie_server.passwords import Passwords, new_salt, salt_of
from dormie_server.people import People
from dormie_server.person import Caller, Player
from dormie_server.players import Players
from dormie_server.store import Store, StoreUnavailable
from dormie_server.table import commands as c
from dormie_server.table.clock_choice import choose_clock
from dormie_server.table.draft import Change
from dormie_server.table.games import hole_seconds
from dormie_server.table.refusal import No
from dormie_server.table.state import seat_of
from dormie_server.table_shelves import player_shelf
from dormie_server.watching import Peer
from dormie_server.worker import Worker


class Desk:
    """Answers to everything but hello."""

    def __init__(  # noqa: PLR0913 - the desk stands where all these meet
        self,
        store: Store,
        keeper: Keeper,
        hub: Hub,
        luck: LuckSource,
        openings: Openings,
        limits: Limits,
        misses: Misses,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._hub = hub
        self._luck = luck
        self._openings = openings
        self._misses = misses
        self._passwords = Passwords(limits)
        self.worker = Worker()
        """Where hints are thought about; the house has one for everything."""
        self.days = Days(store, keeper, luck, self.worker)
        self._hinted: set[str] = set()
        """The players for whom a hint is being found."""
        self.lobby = Lobby(store, Census(keeper, hub))
        self.matchmaker = Matchmaker(store, keeper)
        players = Players(store, luck)
        self.people = People(store, keeper, hub, players, limits)
        self.matchmaker.may_meet = self.people.may_meet
        self._players = players
        self._conversation = Conversation(store, keeper, hub, players, limits)
        self._creations = Allowance(
            limits.creations_per_minute, limits.creations_at_once, limits.remembered
        )

    async def answer(self, message: m.ClientMessage, caller: Caller, now: float) -> m.Done:
        """Do what *message* asks. Raises No. *now* is only for counting guesses."""
        if isinstance(message, m.AtTable):
            return await self._at_table(message, caller, now)
        if isinstance(message, m.Create):
            return await self._create(message, caller, now)
        if isinstance(message, m.Quick):
            return await self._quick(message, caller, now)
        if isinstance(message, m.Hello):
            raise No("already_greeted")
        if isinstance(message, p.AboutMe):
            return await self.people.about_me(message, caller, now)
        if isinstance(message, d.OfTheDay):
            may_open = partial(self._may_open, caller=caller, now=now)
            policy = self._openings.policy
            return await answer_day(self.days, message, caller, policy, may_open)
        await self._look(message, caller)
        return m.Done(re=message.id)

    def gone(self, peer: Peer) -> None:
        """A connection that was greeted has ended."""
        self.lobby.leave(peer)
        self.lobby.census.gone(peer.player)

    async def claim(self, code: str, address: str, now: float) -> tuple[Player, str]:
        """The player whom a new device may be, by a code. Raises No: a wrong code is a guess."""
        if self._misses.blocked(address, now):
            raise No("unknown_claim", field="claim")
        try:
            return await self._players.claim(code)
        except No as no:
            if no.why == "unknown_claim":
                self._misses.missed(address, now)
            raise

    async def tables(self, player: Player) -> tuple[str, ...]:
        """The codes of the tables at which *player* sits. Raises No."""
        try:
            keys = await self._store.on(player_shelf(player.id))
        except StoreUnavailable:
            raise No("store_unavailable") from None
        return tuple(sorted(key.partition(":")[2] for key in keys))

    async def _look(self, message: m.Lobby | m.Mine | m.History, caller: Caller) -> None:
        """Push what somebody only wants to know."""
        player, peer = caller.player, caller.peer
        match message:
            case m.Lobby():
                await self.lobby.answer(message, peer)
            case m.Mine():
                codes = await self.tables(player)
                own = await own_tables(self._keeper, player.id, codes, message.id)
                peer.push(write(own).encode())
            case m.History():
                page = await history(self._store, player.id, message)
                peer.push(write(page).encode())

    async def _quick(self, message: m.Quick, caller: Caller, now: float) -> m.Done:
        async def create(wish: m.Create) -> m.Done:
            return await self._create(wish, caller, now, quick=True)

        tables, may_join = partial(self.tables, caller.player), partial(self._check_tables, caller)
        asking = Asking(caller.player, message, tables, may_join, create)
        return await self.matchmaker.seat(asking)

    async def _create(
        self, message: m.Create, caller: Caller, now: float, *, quick: bool = False
    ) -> m.Done:
        usual = hole_seconds(message.variant, message.options, message.size)
        usual = usual or self._openings.turn_seconds
        clock = choose_clock(message.clock, message.turn_seconds, usual)
        secret = bytes.fromhex(caller.player.secret)
        code = ids.table_code(secret, message.id, message.near)
        await self._may_open(code, caller, now)
        salt, key = new_salt(secret, code), None
        if message.password is not None:
            key = await self._passwords.key(message.password, salt, caller.address, now)
        opening = c.Opening(
            code=code,
            player=caller.player.id,
            name=caller.player.name,
            variant=message.variant,
            options=message.options,
            size=message.size,
            turn_seconds=clock.turn_seconds,
            bots=message.bots,
            master=self._luck.draw().hex(),
            salt=salt,
            key=key,
            listed=message.listed,
            quick=quick,
            clock=clock if message.clock else None,
            chat=message.chat,
            spectators=Spectators(**message.spectators.model_dump()),
            undo=message.undo,
            given=None if message.practice is None else Given(practice=message.practice),
        )
        change = await self._keeper.open(opening, self._openings.policy)
        return m.Done(re=message.id, table=code, seat=change.seat, version=change.version)

    async def _may_open(self, code: str, caller: Caller, now: float) -> None:
        """Whether the player may open another table; one that is open already is only answered again."""
        if code in await self.tables(caller.player):
            return
        await self._check_tables(caller)
        if self._keeper.count() >= self._openings.tables:
            raise No("too_many_tables", "This house is full; try again later.")
        if not self._creations.take(caller.player.id, now):
            raise No("too_fast")

    async def _check_tables(self, caller: Caller, but: str = "") -> None:
        """Raise No when a player sits at as many tables as anybody may, *but* for this one."""
        tables = set(await self.tables(caller.player)) - {but}
        if len(tables) >= self._openings.tables_per_player:
            raise No("too_many_tables")

    async def _at_table(self, message: m.AtTable, caller: Caller, now: float) -> m.Done:
        """A guess at a code that is wrong, full or private gets one answer, and only so many are answered."""
        if self._misses.blocked(caller.address, now):
            await self._seat_or_no(message.table, caller)
        try:
            key = await self._key(message, caller, now)
            return await self._do(message, caller, key, now)
        except No as no:
            if no.why in ("no_table", "wrong_password"):
                self._misses.missed(caller.address, now)
            raise

    async def _seat_or_no(self, code: str, caller: Caller) -> None:
        """Whoever sits at the table is never taken for a guesser."""
        if code not in await self.tables(caller.player):
            raise No("no_table")

    async def _key(self, message: m.AtTable, caller: Caller, now: float) -> str | None:
        """What follows from the password that a message says, whether or not there is such a table.

        Whoever comes back to a seat needs none: a whole club may come back at once.
        """
        if not isinstance(message, m.Join | m.Watch | m.SetPassword) or message.password is None:
            return None
        kept = await self._keeper.table(message.table)
        seat = seat_of(kept.table, caller.player.id) if kept else None
        if seat is not None and isinstance(message, m.Watch):
            return None
        salt = salt_of(kept.table if kept else None, message.table)
        return await self._passwords.key(message.password, salt, caller.address, now)

    async def _do(self, message: m.AtTable, caller: Caller, key: str | None, now: float) -> m.Done:
        match message:
            case p.Say() | p.Emote() | p.Chat():
                return await self._conversation.answer(message, caller, now)
            case p.AtSeat():
                return await self.people.at_seat(message, caller)
            case m.Play():
                return await self._play(message, caller)
            case m.Watch():
                return await self._watch(message, caller, key)
            case m.Unwatch():
                return await self._unwatch(message, caller)
            case m.Hint():
                return await self._hint(message, caller)
            case m.Join():
                await self._check_tables(caller, but=message.table)
                await self.people.check_join(message.table, caller.player)
            case _:
                pass
        asked = c.Asked(caller.player.id, message.id, request(message, caller.player.name, key))
        change = await self._keeper.do(message.table, asked)
        return _done(message.id, message.table, change)

    async def _play(self, message: m.Play, caller: Caller) -> m.Done:
        generation = self._hub.generation(caller.peer, message.table)
        command = c.PlayMove(caller.player.id, generation, message.count, message.move)
        change = await self._keeper.do(message.table, command)
        return _done(message.id, message.table, change)

    async def _watch(self, message: m.Watch, caller: Caller, key: str | None) -> m.Done:
        seat, version = await self._hub.watch(
            caller.peer,
            message.table,
            message.after,
            message.chain,
            message.run,
            message.line,
            told=(message.told, message.told_chain),
            resume=message.resume,
            proof=key,
        )
        await self._conversation.listen(caller.peer, message.table, message.chat_after)
        return m.Done(re=message.id, table=message.table, seat=seat, version=version)

    async def _hint(self, message: m.Hint, caller: Caller) -> m.Done:
        kept, player = await self._keeper.table(message.table), caller.player.id
        if kept is None:
            raise No("no_table")
        if player in self._hinted:  # each takes a while to find
            raise No("too_fast")
        self._hinted.add(player)
        try:
            hint = await hint_for(kept.table, player, message.hint, self._luck.draw(), self.worker)
        finally:
            self._hinted.discard(player)
        seen = m.HintSeen(re=message.id, table=message.table, hint=hint)
        caller.peer.push(write(seen).encode())
        return m.Done(re=message.id, table=message.table)

    async def _unwatch(self, message: m.Unwatch, caller: Caller) -> m.Done:
        generation = self._hub.generation(caller.peer, message.table)
        if generation and not await self._hub.drop(caller.player.id, message.table, generation):
            raise No("store_unavailable")
        self._hub.unwatch(caller.peer, message.table)
        return m.Done(re=message.id, table=message.table)


def _done(request: str, table: str, change: Change) -> m.Done:
    return m.Done(
        re=request, table=table, seat=change.seat, version=change.version, chain=change.chain
    )
