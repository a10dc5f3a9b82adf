"""What a player asks about other people, and about devices: mute, block, report, claim, forget."""

import asyncio
from dataclasses import replace

from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_protocol.codec import write
from dormie_server.chat import Chats, behind, who_said
from dormie_server.erasing import Eraser
from dormie_server.hub import Hub
from dormie_server.keeper import Keeper
from dormie_server.limits import Allowance, Limits
from dormie_server.lines import Lines
from dormie_server.notices import Notice, mark_of, post_patiently
from dormie_server.person import (
    MOST_HIDDEN,
    Blocked,
    Caller,
    Player,
    blocks,
)
from dormie_server.players import Players
from dormie_server.reports import Reports
from dormie_server.store import Store
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, seat_of
from dormie_server.traces import traces_shelf


class People:
    """Answers about the people of the house."""

    def __init__(
        self, store: Store, keeper: Keeper, hub: Hub, players: Players, limits: Limits
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._players = players
        self._hub = hub
        self.lines = Lines()
        self._telling = set[asyncio.Task[None]]()
        self._chats = Chats(store)
        self._reports = Reports(store)
        self._eraser = Eraser(store, keeper, players)
        self._erasures = Allowance(
            limits.erasures_per_minute, limits.erasures_at_once, limits.remembered
        )
        self._claims = Allowance(limits.claims_per_minute, limits.claims_at_once, limits.remembered)

    async def at_seat(self, message: p.AtSeat, caller: Caller) -> m.Done:
        """Do something about whoever sits, or sat, in a seat. Raises No."""
        kept = await self._keeper.table(message.table)
        if kept is None:
            raise No("no_table")
        chat = await self._chats.read(message.table)
        if message.line is not None:
            player, name = who_said(chat, message.line)
        elif message.seat is not None:
            player, name = behind(kept.table, chat, message.seat)
        else:
            raise No("no_such_seat", field="seat")
        if player == caller.player.id:
            raise No("yourself", field="seat" if message.line is None else "line")
        if isinstance(message, p.Report):
            if not self._was_there(message.table, kept.table, caller):
                raise No("not_seated")
            await self._reports.add(message, caller.player, (player, name), kept.table, chat)
        else:
            await self._hide(message, caller.player.id, player, name)
        return m.Done(re=message.id, table=message.table, seat=message.seat)

    def _was_there(self, code: str, table: Table, caller: Caller) -> bool:
        """Whether the caller sits or watches there, or was sent away for good."""
        player = caller.player.id
        if seat_of(table, player) is not None or player in table.secret.banned:
            return True
        return self._hub.watching(caller.peer, code) is not None

    async def about_me(self, message: p.AboutMe, caller: Caller, now: float) -> m.Done:
        """Do something about the caller's own lists and devices. Raises No."""
        match message:
            case p.Blocks():
                await self._tell_blocked(message, caller)
            case p.Unblock():
                await self._unblock(message, caller.player.id)
            case p.ClaimCode():
                await self._tell_claim(message, caller, now)
            case p.Devices():
                await self._tell_devices(message, caller)
            case p.ForgetDevice():
                own = caller.player.id
                key = await self._players.forget_device(own, message.device, message.id)
                self.lines.cut(own, "this device was forgotten", key)
                self._tell_others(Notice("device", mark_of(key)))
            case p.Erase():
                await self._erase(message, caller, now)
            case _:
                raise AssertionError(f"{type(message)} has no answer here")
        return m.Done(re=message.id)

    def _tell_others(self, notice: Notice) -> None:
        """Tell every server, by and by: what was done is not refused because they could not be told at once."""
        task = asyncio.get_running_loop().create_task(post_patiently(self._store, notice))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def may_meet(self, player: str, others: tuple[str, ...]) -> bool:
        """Whether chance may bring a player and others together: nobody blocks anybody. Raises No."""
        own = await self._players.find(player)
        there = [await self._players.find(other) for other in others]
        return own is None or not any(one is not None and blocks(own, one) for one in there)

    async def check_join(self, code: str, player: Player) -> None:
        """Raise No for a player whom the host blocks: for them there is no such table."""
        kept = await self._keeper.table(code)
        if kept is None or seat_of(kept.table, player.id) is not None:
            return
        host = kept.table.public.host
        sitter = kept.table.secret.sitters[host] if host is not None else None
        found = await self._players.find(sitter.player) if sitter and sitter.player else None
        if found is not None and blocks(found, replace(player, blocked=())):
            raise No("no_table")

    async def _erase(self, message: p.Erase, caller: Caller, now: float) -> None:
        own = caller.player.id
        found = await self._players.find(own)
        if found is not None and message.name.strip() != found.name:
            raise No("wrong_name", field="name")
        if not self._erasures.take(caller.address, now):
            raise No("too_fast")
        self.lines.cut(own, "this player was erased", but=caller.peer)
        self.lines.spared[own] = caller.peer
        try:
            await self._eraser.erase(own)
        except No:
            # Another device may have done it meanwhile, of which this line was not told: it was spared.
            asyncio.get_running_loop().call_soon(self.lines.begin_anew, own, "not quite erased")
            raise
        finally:  # the answer goes out first
            asyncio.get_running_loop().call_soon(self.lines.spared.pop, own, None)
        asyncio.get_running_loop().call_soon(self.lines.cut, own, "this player was erased")

    async def _hide(self, message: p.AtSeat, own: str, player: str, name: str) -> None:
        if isinstance(message, p.Unmute):
            await self._players.change(own, lambda one: _unmuted(one, player))
            return
        now = await self._store.now()
        how = _muted if isinstance(message, p.Mute) else _blocked
        who = Blocked("", player, name, now)
        await self._players.change(
            own, lambda one: how(one, who), {traces_shelf(player): name.encode()}
        )

    async def _unblock(self, message: p.Unblock, own: str) -> None:
        def without(one: Player) -> Player:
            left = tuple(who for who in one.blocked if who.entry != message.entry)
            if len(left) == len(one.blocked):
                raise No("no_such_entry", field="entry")
            return replace(one, blocked=left)

        await self._players.change(own, without)

    async def _tell_blocked(self, message: p.Blocks, caller: Caller) -> None:
        found = await self._players.find(caller.player.id)
        listed = tuple(
            p.BlockedPlayer(entry=one.entry, name=one.name, since=one.since)
            for one in (found.blocked if found else ())
        )
        caller.peer.push(write(p.BlockedList(re=message.id, players=listed)).encode())

    async def _tell_claim(self, message: p.ClaimCode, caller: Caller, now: float) -> None:
        if not self._claims.take(caller.player.id, now):
            raise No("too_fast")
        code, until = await self._players.new_claim(caller.player.id)
        ticket = p.ClaimTicket(re=message.id, code=code, until=until)
        caller.peer.push(write(ticket).encode())

    async def _tell_devices(self, message: p.Devices, caller: Caller) -> None:
        found = await self._players.find(caller.player.id)
        here = self.lines.devices(caller.player.id)
        listed = tuple(
            p.DeviceInfo(
                device=one.label,
                seen=one.seen,
                here=one.key in here,
                this=one.key == caller.peer.device,
            )
            for one in (found.devices if found else ())
        )
        caller.peer.push(write(p.DeviceList(re=message.id, devices=listed)).encode())


def _unmuted(one: Player, player: str) -> Player:
    return replace(one, muted=tuple(who for who in one.muted if who != player))


def _muted(one: Player, new: Blocked) -> Player:
    """The oldest goes when there are too many: it is only for one's own ears."""
    return replace(one, muted=(*_unmuted(one, new.player).muted, new.player)[-MOST_HIDDEN:])


def _blocked(one: Player, new: Blocked) -> Player:
    if any(old.player == new.player for old in one.blocked):
        return one
    if len(one.blocked) >= MOST_HIDDEN:
        raise No("too_many_blocked")
    taken = tuple(old.entry for old in one.blocked)
    entry = f"player_{next(n for n in range(1, MOST_HIDDEN + 2) if f'player_{n}' not in taken)}"
    return replace(one, blocked=(*one.blocked, replace(new, entry=entry)))
