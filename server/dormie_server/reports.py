"""Reports about people: what everybody at the table saw and heard of it, for those who run the house.

A report never holds a hidden card: its events are the public ones. A player sends so many a day; their
keys are made from the player's secret and the day, so that no server and no restart forgets the count.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from dormie_protocol.people_messages import Report as ReportMessage
from dormie_protocol.spoken import say
from dormie_protocol.table_view import PublicEvent
from dormie_server.chat import Chat, shown
from dormie_server.documents import read_note
from dormie_server.ids import table_code
from dormie_server.keeper import table_key
from dormie_server.person import Player, player_key
from dormie_server.store import Conflict, Store, StoreUnavailable
from dormie_server.table.forgetting import SOMEBODY, anonymous_event
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, people
from dormie_server.traces import traces_shelf

REPORTS = "reports"
"""The shelf of those that nobody has closed."""

_LIVES = 90 * 86400.0
_LIVES_CLOSED = 7 * 86400.0
_A_DAY = 10
_EVENTS = 50
_LINES = 50
_TRIES = 20
_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class SaidThen:
    """A line of the chat, as it was."""

    player: str
    name: str
    text: str
    when: float


@dataclass(frozen=True, slots=True)
class Filed:
    """A report as it is kept."""

    __pydantic_config__ = ConfigDict(hide_input_in_errors=True)
    id: str
    when: float
    table: str
    match: int
    version: int
    reporter: str
    reporter_name: str
    about: str
    about_name: str
    seat: int | None
    reason: str
    text: str
    ask: str = ""
    """The id of the request, so that it is filed once."""
    names: tuple[str | None, ...] = ()
    """Who sat where."""
    events: tuple[Annotated[PublicEvent, Field(discriminator="event")], ...] = ()
    chat: tuple[SaidThen, ...] = ()
    closed: bool = False


FILED: TypeAdapter[Filed] = TypeAdapter(Filed)


def report_key(name: str) -> str:
    """The store's key of a report."""
    return f"report:{name}"


class Reports:
    """The queue of reports."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(
        self,
        message: ReportMessage,
        reporter: Player,
        about: tuple[str, str],
        table: Table,
        chat: Chat,
    ) -> None:
        """File a report about a player, by id and name. Raises No."""
        text = shown(message.text) if message.text.strip() else ""
        try:
            now = await self._store.now()
            events = await self._events(table)
            filed = _filed(message, reporter, about, table, chat)
            filed = replace(filed, when=now, text=text, events=events)
            named = _named(filed, table)
            for number in range(_A_DAY):
                name = _name(reporter, now, number)
                if await self._file(replace(filed, id=name), named):
                    await self._forget_gone(name, named)
                    return
        except StoreUnavailable:
            raise No("store_unavailable") from None
        raise No("too_many_reports")

    async def waiting(self) -> list[Filed]:
        """The reports that nobody has closed, oldest first."""
        found = [await self.find(key.partition(":")[2]) for key in await self._store.on(REPORTS)]
        return sorted((one for one in found if one is not None), key=lambda one: one.when)

    async def find(self, name: str) -> Filed | None:
        """A report, or None."""
        document = await self._store.get(report_key(name))
        return FILED.validate_json(document.body) if document else None

    async def close(self, name: str) -> bool:
        """Close a report: it leaves the queue, and is gone a week later. Whether there is one."""
        return await self._change(name, lambda filed: replace(filed, closed=True), {REPORTS: None})

    async def forget(self, name: str, player: str, names: frozenset[str]) -> None:
        """Leave a player and the names they had out of a report."""
        await self._change(
            name, lambda filed: _without(filed, player, names), {traces_shelf(player): None}
        )

    async def _change(
        self, name: str, how: Callable[[Filed], Filed], shelves: Mapping[str, bytes | None]
    ) -> bool:
        for _ in range(_TRIES):
            document = await self._store.get(report_key(name))
            if document is None:
                return False
            filed = how(FILED.validate_json(document.body))
            if await self._put(filed, document.version, shelves):
                return True
        raise StoreUnavailable("somebody is always faster")

    async def _put(self, filed: Filed, was: int, shelves: Mapping[str, bytes | None]) -> bool:
        """Whether nobody was faster."""
        lives = _LIVES_CLOSED if filed.closed else _LIVES
        body = FILED.dump_json(filed)
        try:
            await self._store.put(report_key(filed.id), body, was, shelves=shelves, lifetime=lives)
        except Conflict:
            return False
        return True

    async def _file(self, filed: Filed, named: Mapping[str, str]) -> bool:
        """Whether the report is filed, now or by an earlier try."""
        cards: dict[str, bytes | None] = {REPORTS: b""}
        cards |= {traces_shelf(player): name.encode() for player, name in named.items()}
        if await self._put(filed, 0, cards):
            return True
        other = await self.find(filed.id)
        return other is not None and (other.reporter, other.ask) == (filed.reporter, filed.ask)

    async def _forget_gone(self, report: str, named: Mapping[str, str]) -> None:
        """Leave out whoever was erased before the report was filed: nobody looks for them any more."""
        for player, name in named.items():
            if player and await self._store.get(player_key(player)) is None:
                await self.forget(report, player, frozenset({name}))

    async def _events(self, table: Table) -> tuple[PublicEvent, ...]:
        key, after = table_key(table.about.table), max(0, table.version - _EVENTS)
        notes = await self._store.notes(key, after)
        told = [event.public for note in notes for event in read_note(note.body).events]
        return tuple(told[-_EVENTS:])


def _name(reporter: Player, now: float, number: int) -> str:
    """What the report *number* of a player's day is called."""
    return table_code(bytes.fromhex(reporter.secret), f"report {int(now // _DAY)} {number}")


def _filed(
    message: ReportMessage, reporter: Player, about: tuple[str, str], table: Table, chat: Chat
) -> Filed:
    said = tuple(SaidThen(one.player, one.name, one.text, one.when) for one in chat.lines)
    return Filed(
        id="",
        when=0.0,
        table=table.about.table,
        match=table.about.match,
        version=table.version,
        reporter=reporter.id,
        reporter_name=reporter.name,
        about=about[0],
        about_name=about[1],
        seat=message.seat if message.line is None else None,
        reason=message.reason,
        text="",
        ask=message.id,
        names=tuple(seat.name if seat else None for seat in table.public.seats),
        chat=said[-_LINES:],
    )


def _named(filed: Filed, table: Table) -> dict[str, str]:
    """Every player whom a report names, with the name it uses."""
    named = {one.player: one.name for one in filed.chat}
    for seat in people(table):
        sitter, who = table.secret.sitters[seat], table.public.seats[seat]
        if sitter and sitter.player and who:
            named[sitter.player] = who.name
    return named | {filed.reporter: filed.reporter_name, filed.about: filed.about_name}


def _without(filed: Filed, player: str, names: frozenset[str]) -> Filed:
    """A report in which a player is somebody, and of whose words nothing is left."""

    def other(name: str) -> str:
        return SOMEBODY if name in names else name

    return replace(
        filed,
        reporter="" if filed.reporter == player else filed.reporter,
        reporter_name=SOMEBODY if filed.reporter == player else filed.reporter_name,
        about="" if filed.about == player else filed.about,
        about_name=SOMEBODY if filed.about == player else filed.about_name,
        text="" if filed.reporter == player else filed.text,
        names=tuple(name and other(name) for name in filed.names),
        events=tuple(anonymous_event(event, names) for event in filed.events),
        chat=tuple(one for one in filed.chat if one.player != player),
    )


def in_words(filed: Filed) -> list[str]:
    """A report as an operator reads it, line by line; whatever a stranger wrote is plain text in it."""
    lines = [
        f"report {filed.id}{' (closed)' if filed.closed else ''}",
        f"  when    {_time(filed.when)}",
        f"  table   {filed.table}, match {filed.match}, version {filed.version}",
        f"  about   {filed.about_name} ({filed.about or 'erased'}), {_where(filed.seat)}",
        f"  by      {filed.reporter_name} ({filed.reporter or 'erased'})",
        f"  reason  {filed.reason}",
        *([f"  text    {filed.text}"] if filed.text else []),
        "what happened last:",
        *(f"  {line}" for event in filed.events if (line := _spoken(event, filed.names))),
        "what was said last:",
        *(f"  {_time(one.when)} {one.name}: {one.text}" for one in filed.chat),
    ]
    return ["".join(sign for sign in line if sign.isprintable()) for line in lines]


def in_short(filed: Filed) -> str:
    """A report in one line of the queue."""
    line = (
        f"{filed.id}  {_time(filed.when)}  {filed.table}  {filed.reason}  about {filed.about_name}"
    )
    return "".join(sign for sign in line if sign.isprintable())


def _spoken(event: PublicEvent, names: tuple[str | None, ...]) -> str:
    return say(event, None, names, None, "en", "full")


def _where(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat + 1}"


def _time(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M:%S")
