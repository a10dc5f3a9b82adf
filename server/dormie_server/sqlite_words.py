"""All the SQL there is, but for a few pragmas."""

FORMAT = 1

SCHEMA = f"""
BEGIN;
CREATE TABLE document (
    life    INTEGER PRIMARY KEY AUTOINCREMENT,
    key     TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    alarm   REAL,
    expires REAL NOT NULL,
    body    BLOB NOT NULL
) STRICT;
CREATE TABLE note (life INTEGER NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
CREATE INDEX note_of_life ON note (life, version);
CREATE TABLE card (
    shelf TEXT NOT NULL,
    life  INTEGER NOT NULL,
    body  BLOB NOT NULL,
    PRIMARY KEY (shelf, life)
) STRICT, WITHOUT ROWID;
CREATE INDEX card_of_life ON card (life);
PRAGMA user_version = {FORMAT};
COMMIT;
"""

GET = "SELECT version, body FROM document WHERE key = ? AND expires > ?"
LIFE = "SELECT life FROM document WHERE key = ? AND expires > ?"
TIMES = "SELECT key, alarm, expires FROM document WHERE alarm IS NOT NULL OR expires < ?"
NOTES = """
    SELECT note.version, note.body FROM document JOIN note USING (life)
    WHERE key = ? AND expires > ? AND note.version > ? ORDER BY note.version
"""
REPLAY = """
    SELECT note.version, note.body FROM document
    LEFT JOIN note ON note.life = document.life AND note.version > ?
    WHERE document.life = ? AND expires > ? ORDER BY note.version LIMIT ?
"""
ON = """
    SELECT key, card.body FROM card JOIN document USING (life) WHERE shelf = ? AND expires > ?
"""

CREATE = """
    INSERT INTO document (version, body, alarm, expires, key) VALUES (1, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING RETURNING life
"""
REPLACE = """
    UPDATE document SET version = version + 1, body = ?, alarm = ?, expires = ?
    WHERE key = ? AND version = ? AND expires > ? RETURNING life
"""
REPLACE_KNOWN = """
    UPDATE document SET version = version + 1, body = ?, alarm = ?, expires = ?
    WHERE life = ? AND key = ? AND version = ? AND expires > ?
"""
ADD_NOTE = "INSERT INTO note (life, version, body) VALUES (?, ?, ?)"
LAY_CARD = "INSERT OR REPLACE INTO card (shelf, life, body) VALUES (?, ?, ?)"
CHANGE_NOTE = "UPDATE note SET body = ? WHERE life = ? AND version = ?"
KEYS = "SELECT key FROM document WHERE key >= ? AND key < ? AND expires > ? ORDER BY key"
TAKE_CARD = "DELETE FROM card WHERE shelf = ? AND life = ?"
END = "DELETE FROM document WHERE key = ? AND expires <= ? RETURNING life"
END_NOTES = "DELETE FROM note WHERE life = ?"
END_CARDS = "DELETE FROM card WHERE life = ?"
