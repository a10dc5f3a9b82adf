"""The file behind `SqliteStore`; its words are in `sqlite_words`.

Each key has a *life*, a number never used twice, from its first put to its drop: notes and cards
belong to a life, so that a key dropped and made again cannot inherit any. Notes are laid down one
after the other and found by an index: that keeps a put at three pages whatever the match's age.
"Kept for ever" is written as an infinite time.
"""

import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal

from dormie_server.alone import alone_with
from dormie_server.folders import sync_file
from dormie_server.sqlite_words import (
    ADD_NOTE,
    CHANGE_NOTE,
    CREATE,
    END,
    END_CARDS,
    END_NOTES,
    FORMAT,
    GET,
    KEYS,
    LAY_CARD,
    LIFE,
    NOTES,
    ON,
    REPLACE,
    REPLACE_KNOWN,
    REPLAY,
    SCHEMA,
    TAKE_CARD,
    TIMES,
)
from dormie_server.sqlite_writes import Drop, Put, Rewrite, Write
from dormie_server.store import Conflict, Document, Note, StoreUnavailable

OLDEST_SQLITE = (3, 37)
PATIENCE_ON_LOOP = 0.05
CACHE_KIB = 1024
"""Half of what SQLite takes by itself: what is not there is in the system's memory."""
PATIENCE_IN_THREAD = 5.0

Outcome = int | Exception | None
"""The life a write touched, why it did not happen, or None: there was nothing to drop."""

NOT_THE_STORES_FAULT = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)


class SqliteFile:
    """One file in two hands: one connection for the event loop, one for a thread beside it.

    With FULL the thread writes, because a commit waits for the disk; with NORMAL it does not, and
    the loop writes at a fraction of the cost of asking a thread. In memory there is one hand.

    Raises `StoreUnavailable`, with a sentence, when the file cannot be opened, is in use, is newer
    than this program, or is something else.
    """

    def __init__(
        self, path: str, synchronous: Literal["FULL", "NORMAL"], *, alone: bool = True
    ) -> None:
        self.in_memory = path == ":memory:"
        self.writes_beside = synchronous == "FULL" and not self.in_memory
        self.needs_checkpoints = not self.writes_beside and not self.in_memory
        self._log = Path(f"{path}-wal")
        self._open: list[sqlite3.Connection | IO[str]] = []
        self._lives: dict[str, int] = {}
        """The lives of keys written here. One may be over, or undone: the file itself has the last word."""
        try:
            if alone and not self.in_memory:
                self._open.append(alone_with(path))
            self._loop = self._connect(path, PATIENCE_ON_LOOP)
            _found(self._loop, path)
            if not self.in_memory:
                _ask_for_wal(self._loop, path)
            self._thread = self._loop
            if not self.in_memory:
                self._thread = self._connect(path, PATIENCE_IN_THREAD)
            self.writer = self._thread if self.writes_beside else self._loop
            self.writer.execute(f"PRAGMA synchronous = {synchronous}")
            if self.needs_checkpoints:  # by itself SQLite would checkpoint on the loop
                self.writer.execute("PRAGMA wal_autocheckpoint = 0")
        except BaseException as error:
            self.close()
            if isinstance(error, sqlite3.Error):
                raise StoreUnavailable(f"cannot open {path}: {error}") from error
            raise

    def get(self, key: str, now: float) -> Document | None:
        for version, body in self._ask(GET, key, now):
            return Document(version, body)
        return None

    def life(self, key: str, now: float) -> int | None:
        for (life,) in self._ask(LIFE, key, now):
            return int(life)
        return None

    def notes(self, key: str, after: int, now: float) -> list[Note]:
        return [Note(*row) for row in self._ask(NOTES, key, now, after)]

    def replay(self, life: int, after: int, now: float, most: int) -> list[Note] | None:
        """At most so many notes of a life, the oldest first; None when the life is over."""
        rows = self._ask(REPLAY, after, life, now, most)
        return [Note(*row) for row in rows if row[0] is not None] if rows else None

    def on(self, shelf: str, now: float) -> dict[str, bytes]:
        return dict(self._ask(ON, shelf, now))

    def keys(self, kind: str, now: float) -> list[str]:
        """Every key that begins with *kind*, for those who look after the house."""
        return [key for (key,) in self._ask(KEYS, kind, kind + "\U0010ffff", now)]

    def times(self) -> Iterator[tuple[str, float | None, float]]:
        """Key, alarm and end of all that has an alarm or an end. Reads the whole file once."""
        yield from self._ask(TIMES, math.inf)

    def commit(self, group: Sequence[Write]) -> list[Outcome]:
        """Do a group of writes in one transaction, each wholly or not at all.

        A conflict has written nothing and hurts nobody. Should anything else go wrong, the group
        is undone and each write tried alone, so that only those at fault fail. Never raises.
        """
        try:
            return self._together(group)
        except Exception as error:  # noqa: BLE001 - it goes to whoever asked for the write
            if len(group) > 1:
                return [outcome for write in group for outcome in self.commit([write])]
            return [_in_our_words(error)]

    def checkpoint(self) -> None:
        """Move what the log holds into the file, from the thread, without stopping the writer.

        The log begins again only if the writer was at rest when this ended. What cannot be moved
        now is moved the next time.
        """
        with suppress(sqlite3.Error):
            self._thread.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def sync(self) -> None:
        """Make safe what the log holds, from the thread, while the writer goes on. Raises OSError.

        No lock of SQLite's is on the log, so nothing is let go of when it is closed here again.
        """
        sync_file(self._log)

    def scrub(self) -> None:
        """Write the file anew without what was deleted, and empty the log; the writer must be at rest."""
        if self.in_memory:
            return
        try:
            self._thread.execute("VACUUM")
            self._thread.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            raise _in_our_words(error) from error

    def close(self) -> None:
        """Close the connections, then let go of the lock. Fine to call twice."""
        while self._open:
            self._open.pop().close()

    def _connect(self, path: str, patience: float) -> sqlite3.Connection:
        connection = sqlite3.connect(
            path, timeout=patience, isolation_level=None, check_same_thread=False
        )
        self._open.append(connection)
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        return connection

    def _ask(self, sql: str, *values: object) -> list[Any]:  # Any: rows are what the SQL says
        try:
            return self._loop.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _in_our_words(error) from error

    def _together(self, group: Sequence[Write]) -> list[Outcome]:
        try:
            self.writer.execute("BEGIN IMMEDIATE")
            outcomes = [self._write(write) for write in group]
            self.writer.execute("COMMIT")
        except BaseException:
            if self.writer.in_transaction:  # SQLite undoes some failures by itself
                self.writer.execute("ROLLBACK")
            raise
        return outcomes

    def _write(self, write: Write) -> Outcome:
        match write:
            case Put():
                return self._put(write)
            case Drop(key, by):
                return self._drop(key, by)
            case Rewrite():
                return self._rewrite(write)

    def _put(self, put: Put) -> int | Conflict:
        run = self.writer.execute
        life = self._replace_known(put) or self._replace(put)
        if life is None:
            return Conflict(put.key, put.was)
        if put.note is not None:
            run(ADD_NOTE, (life, put.was + 1, put.note))
        if put.shelves:
            self._lay(life, put.shelves)
        return life

    def _lay(self, life: int, shelves: Mapping[str, bytes | None]) -> None:
        run = self.writer.execute
        for shelf, card in shelves.items():
            if card is None:
                run(TAKE_CARD, (shelf, life))
            else:
                run(LAY_CARD, (shelf, life, card))

    def _rewrite(self, what: Rewrite) -> int | None:
        for (life,) in self.writer.execute(LIFE, (what.key, what.now)).fetchall():
            for version, body in what.notes.items():
                self.writer.execute(CHANGE_NOTE, (body, life, version))
            self._lay(life, what.shelves)
            return int(life)
        return None

    def _replace_known(self, put: Put) -> int | None:
        """Replace a document of a known life; None if it is not that life's, or not at that version."""
        life = self._lives.get(put.key)
        if life is None or not put.was:
            return None
        values = (put.body, put.alarm, put.expires, life, put.key, put.was, put.now)
        return life if self.writer.execute(REPLACE_KNOWN, values).rowcount else None

    def _replace(self, put: Put) -> int | None:
        """Make or replace a document, whichever life its key has; None if it is not at that version."""
        values = (put.body, put.alarm, put.expires, put.key)
        if put.was:
            rows = self.writer.execute(REPLACE, (*values, put.was, put.now)).fetchall()
        else:
            rows = self.writer.execute(CREATE, values).fetchall()
        if rows:
            self._lives[put.key] = int(rows[0][0])
        return self._lives[put.key] if rows else None

    def _drop(self, key: str, by: float) -> int | None:
        run = self.writer.execute
        self._lives.pop(key, None)
        for (life,) in run(END, (key, by)).fetchall():
            run(END_NOTES, (life,))
            run(END_CARDS, (life,))
            return int(life)
        return None


def _in_our_words(error: Exception) -> Exception:
    if isinstance(error, sqlite3.Error) and not isinstance(error, NOT_THE_STORES_FAULT):
        return StoreUnavailable(f"the store cannot answer: {error}")
    return error


def _found(connection: sqlite3.Connection, path: str) -> None:
    """Make sure that the file is ours and readable; lay out a new one."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreUnavailable(f"SQLite {sqlite3.sqlite_version} is too old: 3.37 is the oldest")
    ((found,),) = connection.execute("PRAGMA user_version")
    if found > FORMAT:
        raise StoreUnavailable(f"{path} has format {found}; this server reads {FORMAT} at most")
    if found == FORMAT:
        return
    if connection.execute("SELECT 1 FROM sqlite_schema").fetchall():
        raise StoreUnavailable(f"{path} is a database, but not of this server")
    connection.executescript(SCHEMA)


def _ask_for_wal(connection: sqlite3.Connection, path: str) -> None:
    ((mode,),) = connection.execute("PRAGMA journal_mode = WAL")
    if mode != "wal":
        raise StoreUnavailable(f"{path} lies where SQLite cannot keep a write-ahead log")
