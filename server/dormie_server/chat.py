"""What was said at a table: the last lines, for a day, under a key of its own.

The document holds the lines, and its notes only say that there is something new: so a line can be
taken back, and nothing that was said is kept anywhere else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pydantic import ConfigDict, TypeAdapter

from dormie_server.plain_text import clean_text
from dormie_server.store import Conflict, Document, Store, StoreUnavailable
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from dormie_server.traces import traces_shelf

KEPT_LINES = 200
KEPT_SECONDS = 86400.0
_TRIES = 20
_BELL = b"!"


@dataclass(frozen=True, slots=True)
class Line:
    """Something somebody said; *text* or *emote*."""

    number: int
    player: str
    ask: str
    """The id of the request, so that it is said once."""
    seat: int | None
    name: str
    text: str
    emote: str | None
    when: float
    apart: bool = False
    """Whether only those hear it who watch without a seat."""
    among: bool = False
    """Whether only those at the table hear it: nobody else could when it was said."""


@dataclass(frozen=True, slots=True)
class Chat:
    """The last lines of a table."""

    __pydantic_config__ = ConfigDict(hide_input_in_errors=True)
    newest: int = 0
    """The number of the last line there ever was."""
    lines: tuple[Line, ...] = ()

    def with_line(self, line: Line) -> "Chat":
        """The chat with one line more; the oldest go."""
        young = tuple(old for old in self.lines if line.when - old.when < KEPT_SECONDS)
        said = replace(line, number=self.newest + 1)
        return Chat(self.newest + 1, (*young, said)[-KEPT_LINES:])

    def last_of(self, player: str) -> Line | None:
        """The last thing a player said."""
        return next((line for line in reversed(self.lines) if line.player == player), None)


_CHAT: TypeAdapter[Chat] = TypeAdapter(Chat)


def chat_key(code: str) -> str:
    """The store's key of what is said at a table."""
    return f"chat:{code}"


class Chats:
    """The chats of all tables."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, code: str) -> Chat:
        """What was said in the last day. Raises No."""
        _, chat = await self._read(code)
        now = await self._now()
        young = tuple(line for line in chat.lines if now - line.when < KEPT_SECONDS)
        return chat if len(young) == len(chat.lines) else replace(chat, lines=young)

    async def add(self, code: str, make: Callable[[Chat, float], Line | None]) -> None:
        """Add the line that *make* makes of the chat and the time, if any. Raises No."""
        for _ in range(_TRIES):
            document, chat = await self._read(code)
            line = make(chat, await self._now())
            if line is None:
                return
            cards = {traces_shelf(line.player): line.name.encode()}
            if await self._put(code, chat.with_line(line), document, cards):
                return
        raise No("store_unavailable")

    async def forget(self, code: str, player: str) -> None:
        """Let nothing that *player* said be heard any more. Raises No."""
        for _ in range(_TRIES):
            document, chat = await self._read(code)
            if document is None:
                return
            kept = tuple(line for line in chat.lines if line.player != player)
            if await self._put(
                code, replace(chat, lines=kept), document, {traces_shelf(player): None}
            ):
                return
        raise No("store_unavailable")

    async def _put(
        self, code: str, chat: Chat, document: Document | None, cards: Mapping[str, bytes | None]
    ) -> bool:
        """Whether nobody was faster."""
        was = document.version if document else 0
        try:
            await self._store.put(
                chat_key(code),
                _CHAT.dump_json(chat),
                was,
                note=_BELL,
                shelves=cards,
                lifetime=KEPT_SECONDS,
            )
        except Conflict:
            return False
        except StoreUnavailable:
            raise No("store_unavailable") from None
        return True

    async def _read(self, code: str) -> tuple[Document | None, Chat]:
        try:
            document = await self._store.get(chat_key(code))
        except StoreUnavailable:
            raise No("store_unavailable") from None
        return document, _CHAT.validate_json(document.body) if document else Chat()

    async def _now(self) -> float:
        try:
            return await self._store.now()
        except StoreUnavailable:
            raise No("store_unavailable") from None


def shown(text: str) -> str:
    """A stranger's text as it will be shown. Raises No."""
    try:
        return clean_text(text)
    except ValueError as because:
        raise No("bad_text", str(because), "text") from None


def behind(table: Table, chat: Chat, seat: int) -> tuple[str, str]:
    """The player in a seat, or who last spoke from it and has gone; and their name. Raises No."""
    sitters, seats = table.secret.sitters, table.public.seats
    if seat < len(sitters):
        sitter, who = sitters[seat], seats[seat]
        if sitter is not None and who is not None and sitter.player:
            return sitter.player, who.name
        if who is not None and who.bot is not None:
            raise No("no_such_seat", field="seat")
    for line in reversed(chat.lines):
        if line.seat == seat:
            return line.player, line.name
    raise No("no_such_seat", field="seat")


def who_said(chat: Chat, number: int) -> tuple[str, str]:
    """The player who said line *number*, and their name. Raises No when it is not kept any more."""
    for line in chat.lines:
        if line.number == number:
            return line.player, line.name
    raise No("no_such_line", field="line")


def old_enough(chat: Chat, horizon: float) -> int:
    """The number of the last line that was said by *horizon*, or would have been before the first."""
    old = [line.number for line in chat.lines if line.when <= horizon]
    before = chat.lines[0].number - 1 if chat.lines else chat.newest
    return max(old, default=before)
