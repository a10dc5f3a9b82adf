"""The answers to those who run the house. Nothing is answered from memory: other servers play, too."""

import asyncio
import secrets
from collections.abc import Callable, Sequence

from pydantic import ValidationError
from pydantic_core import from_json

from dormie_server import admin_words as a
from dormie_server import documents
from dormie_server.addresses import Network, among
from dormie_server.bans import BadBan, Ban, Bans, network_of
from dormie_server.documents import Kept
from dormie_server.keeper import Keeper, table_key
from dormie_server.notices import BANS_CHANGED, Notice, post
from dormie_server.person import player_key
from dormie_server.plain_text import clean_text
from dormie_server.reports import Reports, in_short, in_words
from dormie_server.store import Store, StoreUnavailable
from dormie_server.table.commands import Shut
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, people_here
from dormie_server.table_shelves import OPEN_TABLES

_TOGETHER = 32
_DAY = 86400.0


class AdminDesk:
    """Does what is asked over the admin socket."""

    def __init__(
        self, store: Store, keeper: Keeper, proxies: Sequence[Network], drain: Callable[[], None]
    ) -> None:
        """*proxies* are never banned: everybody comes through them. *drain* asks this server to stop."""
        self._store = store
        self._keeper = keeper
        self._proxies = proxies
        self._drain = drain
        self._bans = Bans(store)
        self._reports = Reports(store)

    async def answer(self, asked: a.Asked) -> a.Answer:
        """Do it. Raises AdminNo."""
        try:
            return await self._answer(asked)
        except StoreUnavailable as because:
            raise a.AdminNo("store_unavailable", f"the store does not answer: {because}") from None
        except BadBan as because:
            raise a.AdminNo("bad_ban", str(because)) from None

    async def _answer(self, asked: a.Asked) -> a.Answer:
        match asked:
            case a.ListTables(limit=limit):
                return await self._list(limit)
            case a.Inspect(table=table):
                return await self._inspect(table)
            case a.CloseTable():
                return await self._close(asked)
            case a.Drain():
                self._drain()
                return a.Said("this server stops; everybody was told to come back")
            case a.ListBans():
                return a.BanList(tuple(map(_ban_line, await self._bans.all())))
            case a.AddBan():
                return await self._ban(asked)
            case a.LiftBan(who=who):
                return await self._unban(who)
            case a.ListReports():
                waiting = await self._reports.waiting()
                return a.ReportLines(
                    tuple(one.id for one in waiting), tuple(in_short(one) for one in waiting)
                )
            case a.OneReport():
                return await self._report(asked)

    # ------------------------------------------------------------------------ tables

    async def _list(self, limit: int) -> a.Tables:
        codes = [key.partition(":")[2] for key in await self._store.on(OPEN_TABLES)]
        lines, unreadable = list[a.TableLine](), 0
        for at in range(0, len(codes), _TOGETHER):
            for kept in await asyncio.gather(*map(self._look, codes[at : at + _TOGETHER])):
                if isinstance(kept, Kept):
                    lines.append(_line(kept.table))
                unreadable += kept is None
            await asyncio.sleep(0)  # players go first
        lines.sort(key=lambda line: (-line.opened, line.table))
        return a.Tables(tuple(lines[:limit]), max(0, len(lines) - limit), unreadable)

    async def _look(self, code: str) -> Kept | str | None:
        """A table as it is kept, "gone", or None for a damaged one. This server does not remember it."""
        document = await self._store.get(table_key(code))
        if document is None:
            return "gone"
        try:
            return documents.read_table(document.body)
        except ValidationError:
            return None

    async def _inspect(self, table: str) -> a.TableInside:
        kept = await self._look(_code(table))
        if kept is None:
            raise a.AdminNo("damaged", f"the document of table {_code(table)} cannot be read")
        if not isinstance(kept, Kept):
            raise _no_table(table)
        return inside(kept, await self._store.now())

    async def _close(self, asked: a.CloseTable) -> a.Said:
        code = _code(asked.table)
        try:
            because = clean_text(asked.because)
        except ValueError as why:
            raise a.AdminNo("bad_text", str(why)) from None
        document = await self._store.get(table_key(code))
        if document is None:
            raise _no_table(code)
        try:
            await self._keeper.table(code, document.version)  # it may remember an older one
            change = await self._keeper.do(code, Shut(because))
        except No as no:
            raise a.AdminNo(no.why, str(no) or no.why) from None
        except ValidationError:
            raise a.AdminNo("damaged", f"the document of table {code} cannot be read") from None
        closed = any(event.public.event == "closed" for event in change.events)
        return a.Said(f"table {code} is closed" if closed else f"table {code} was closed already")

    # -------------------------------------------------------------------------- bans

    async def _ban(self, asked: a.AddBan) -> a.Said:
        who = await self._player(asked.who) if asked.what == "player" else self._place(asked.who)
        now = await self._store.now()
        because = "".join(sign for sign in asked.because if sign.isprintable())
        ban = Ban(
            secrets.token_hex(4), asked.what, who, now, now + asked.days * _DAY, because.strip()
        )
        await self._bans.add(ban)
        await post(self._store, Notice(BANS_CHANGED))
        return a.Said(f"ban {ban.id}: {asked.what} {who}, for {asked.days:g} days")

    async def _player(self, player: str) -> str:
        if await self._store.get(player_key(player)) is None:
            raise a.AdminNo(
                "no_such_player", f"there is no player {player}: say the id that inspect shows"
            )
        return player

    def _place(self, text: str) -> str:
        network = network_of(text)
        proxies = [proxy for proxy in self._proxies if _touch(proxy, network)]
        if proxies or among(text, self._proxies):
            raise a.AdminNo(
                "bad_ban", f"{network} is a trusted proxy's: everybody comes from there"
            )
        return str(network)

    async def _unban(self, who: str) -> a.Said:
        lifted = await self._bans.lift(who)
        # Also of none: it may have been lifted before, and the store gone before anybody was told.
        await post(self._store, Notice(BANS_CHANGED))
        if not lifted:
            raise a.AdminNo("no_such_ban", f"there is no ban of {who}")
        return a.Said("lifted: " + ", ".join(f"ban {one.id} of {one.who}" for one in lifted))

    # ----------------------------------------------------------------------- reports

    async def _report(self, asked: a.OneReport) -> a.Answer:
        filed = await self._reports.find(asked.id.strip().upper())
        if filed is None:
            raise a.AdminNo("no_such_report", f"there is no report {asked.id}")
        if asked.close:
            await self._reports.close(filed.id)
            return a.Said(f"report {filed.id} is closed")
        return a.ReportLines((filed.id,), tuple(in_words(filed)))


def inside(kept: Kept, now: float) -> a.TableInside:
    """What may be shown of a table: what everybody at it sees, and who sits there."""
    table = kept.table
    secret = table.secret
    seats = tuple(
        a.Sits(seat, who.name, sitter.player if sitter else None, who.bot, who.here)
        for seat, (who, sitter) in enumerate(zip(table.public.seats, secret.sitters, strict=True))
        if who is not None
    )
    owes = secret.owes_record is not None
    return a.TableInside(_line(table), seats, now, secret.alarm, owes, from_json(kept.public))


def _line(table: Table) -> a.TableLine:
    about, public = table.about, table.public
    names = tuple(who.name if who else None for who in public.seats)
    return a.TableLine(
        about.table,
        about.variant,
        public.phase,
        table.secret.opened,
        table.version,
        about.size,
        names,
        len(people_here(table)),
    )


def _ban_line(ban: Ban) -> a.BanLine:
    return a.BanLine(ban.id, ban.what, ban.who, ban.since, ban.until, ban.because)


def _code(table: str) -> str:
    return table.strip().upper()


def _no_table(table: str) -> a.AdminNo:
    return a.AdminNo("no_table", f"there is no table {_code(table)}")


def _touch(proxy: Network, network: Network) -> bool:
    return proxy.version == network.version and proxy.overlaps(network)
