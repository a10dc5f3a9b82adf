"""The pen of one table: it writes the table's documents, and reads what other servers have written.

Nearly every change is a move, and a move changes the same few things. So a document has a line for each of
its parts, the pen remembers the parts that stay as they are together with their text, and neither writes
nor reads them again. To everybody else a document is JSON like any other.
"""

import re
from collections.abc import Callable, Sequence
from operator import attrgetter
from operator import call as _call
from typing import Any, Final, TypeAlias, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, create_model

from dormie_protocol.games import Pocket
from dormie_protocol.table_view import About, Fairness, TablePublic
from dormie_rules.drawers import State
from dormie_rules.grid_cards import NOTHING
from dormie_rules.values import replace
from dormie_server.documents import Kept, read_table, write_part, write_pocket, writer
from dormie_server.table.state import Sitter, Table, TableSecret

_FRAME: Final = (
    b',"state":{"public":',
    b',"pockets":[',
    b'],"secret":{',
    b',"sitters":[',
    b"],",
    b"}}}}",
)
_TABLE: Final = b"\n".join(
    [
        b'{"format":1,"chain":"%s","mark":"%s","table":{"version":%d,',
        *(b"%s\n" + part for part in _FRAME),
    ]
)
"""Six parts between the lines of the frame; no text of a part has a line break in it."""
_HEAD: Final = re.compile(
    rb'\{"format":1,"chain":"([0-9a-f]*)","mark":"([0-9a-f]*)","table":\{"version":([1-9]\d{,17}),'
)
_ABOUT_IT: Final = b'"about":%s,"fairness":%s'
_LINES: Final = 1 + 2 * len(_FRAME)


_Sitters: TypeAlias = tuple[Sitter | None, ...]


class Pen:
    """Writes and reads the documents of one table."""

    def __init__(self) -> None:
        self._calm: tuple[object, ...] = ()
        self._calm_text = b""
        self._before: tuple[About | None, Fairness | None] = (None, None)
        self._before_text = b""
        self._sitters: tuple[Sitter | None, ...] = ()
        self._sitter_texts: list[bytes] = []
        self._secret: TableSecret | None = None
        """The newest, with the calm values."""

    def write(self, kept: Kept) -> bytes:
        """The body of a table's document."""
        table = kept.table
        secret = table.secret
        before, calm = (table.about, table.fairness), _read_calm(secret)
        if self._before != before:
            self._before, self._before_text = before, _ABOUT_IT % tuple(map(write_part, before))
        if self._calm != calm:
            self._calm, self._calm_text = calm, b",".join(map(_call, _CALM.values(), calm))
        # These very values the next time: what is the same needs no comparing.
        self._before, self._calm, self._secret = before, calm, secret
        return _TABLE % (
            kept.chain.encode(),
            kept.mark.encode(),
            table.version,
            self._before_text,
            kept.public,
            b",".join([write_pocket(pocket) for pocket in table.state.pockets]),
            self._calm_text,
            self._write_sitters(secret.sitters),
            b",".join(map(_call, _BUSY.values(), _read_busy(secret))),
        )

    def read(self, body: bytes) -> Kept:
        """A table from a document that anybody wrote. Raises pydantic's ValidationError like `read_table`."""
        lines = body.split(b"\n")
        kept = self._read_what_changed(lines) if self._knows(lines) else None
        if kept is None:
            kept = read_table(body)
            self._learn(kept.table, lines)
        return kept

    def _knows(self, lines: Sequence[bytes]) -> bool:
        """Whether a document has the parts that stay as they are as they were."""
        return (
            len(lines) == _LINES
            and (lines[1], lines[7]) == (self._before_text, self._calm_text)
            and tuple(lines[2::2]) == _FRAME
        )

    def _read_what_changed(self, lines: Sequence[bytes]) -> Kept | None:
        """The table, or None if anything about it has to be looked at as a whole."""
        head, (about, fairness) = _HEAD.fullmatch(lines[0]), self._before
        if head is None or about is None or fairness is None or self._secret is None:
            return None
        try:
            public = _read_public(lines[3])
            pockets = _read_pockets(b"[%s]" % lines[5])
            sitters = _same(self._secret.sitters, _read_sitters(b"[%s]" % lines[9]))
            busy = _Busy.model_validate_json(b"{%s}" % lines[11]).__dict__
        except ValidationError:
            return None  # whoever reads all of it says what is wrong with it
        if public is None:  # a part may be read as nothing, and this one may not be missing
            return None
        chain, mark, version = head[1].decode(), head[2].decode(), int(head[3])
        self._secret = replace(self._secret, sitters=sitters, **busy)
        state = State(public, tuple(map(_as_nothing, pockets)), self._secret)
        return Kept(Table(version, about, fairness, state), chain, lines[3], mark)

    def _learn(self, table: Table, lines: Sequence[bytes]) -> None:
        """Remember what was read as a whole, if it has lines."""
        if len(lines) != _LINES or tuple(lines[2::2]) != _FRAME:
            return
        self._before, self._before_text = (table.about, table.fairness), lines[1]
        self._calm, self._calm_text = _read_calm(table.secret), lines[7]
        self._secret = table.secret

    def _write_sitters(self, sitters: tuple[Sitter | None, ...]) -> bytes:
        """Whoever sits there; a move changes one of them."""
        if len(sitters) != len(self._sitters):
            self._sitters, self._sitter_texts = sitters, [_write_sitter(s) for s in sitters]
        olds = zip(self._sitters, self._sitter_texts, strict=True)
        self._sitter_texts = [
            text if new is old else _write_sitter(new)
            for new, (old, text) in zip(sitters, olds, strict=True)
        ]
        self._sitters = sitters
        return b",".join(self._sitter_texts)


def write_table(kept: Kept) -> bytes:
    """The body of a table's document, by a new pen."""
    return Pen().write(kept)


def _same(olds: _Sitters, news: _Sitters) -> _Sitters:
    """The new ones, and for each that is as it was the very one."""
    if len(olds) != len(news):
        return news
    return tuple(old if old == new else new for old, new in zip(olds, news, strict=True))


def _as_nothing(pocket: Pocket) -> Pocket:
    return NOTHING if pocket == NOTHING else pocket


def _named(name: str, write: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    before = b'"%s":' % name.encode()
    return lambda value: before + write(value)


def _reader(kind: Any) -> Callable[[bytes], Any]:  # any type that pydantic can read
    adapter = TypeAdapter(kind | None, config=_CONFIG)  # a bare dataclass would take no config
    return adapter.validator.validate_json


_CONFIG: Final = ConfigDict(val_json_bytes="hex", hide_input_in_errors=True)
_BUSY_FIELDS = ("last_human", "turn", "bot_for", "bot_at", "hole", "alarm", "generations")
"""What a move changes, or who comes back; the rest of a table's secrets stays as it is for a hole or longer."""
_HINTS = get_type_hints(TableSecret, include_extras=True)
_SECRET = {name: _named(name, writer(kind)) for name, kind in _HINTS.items()}
_BUSY = {name: _SECRET[name] for name in _BUSY_FIELDS}
_CALM = {name: write for name, write in _SECRET.items() if name not in {*_BUSY, "sitters"}}
_fields: dict[str, Any] = {name: (_HINTS[name], ...) for name in _BUSY}
_Busy: type[BaseModel] = create_model("_Busy", __config__=_CONFIG, **_fields)
_write_sitter = writer(Sitter)
_read_public = _reader(TablePublic)
_read_pockets = _reader(tuple[Pocket, ...])
_read_sitters = _reader(tuple[Sitter | None, ...])
_read_busy, _read_calm = attrgetter(*_BUSY), attrgetter(*_CALM)
