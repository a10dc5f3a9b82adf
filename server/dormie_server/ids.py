"""Names nobody can guess, and names everybody may know.

A token is the only thing that proves who someone is: it is random, sent once, and kept here only as
its hash. The code of a table is hard to guess, and proves nothing. A player's id proves nothing
either; it is told to nobody but the player.
"""

import hashlib
import hmac
import re
import secrets

from dormie_protocol.messages import CODE_LENGTH, CODE_LETTERS

TOKEN_BYTES = 32
_FAIR = 256 - 256 % len(CODE_LETTERS)  # bytes from here on would favour the first letters

_RECORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def new_token() -> str:
    """Return 256 random bits as 43 characters."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_key(token: str) -> str:
    """Return the name under which a token's owner is kept; the token cannot be found from it.

    >>> token_key("a" * 43)[:16]
    '66d34fba71f8f450'
    """
    return hashlib.sha256(token.encode()).hexdigest()


def new_player_id() -> str:
    return "p" + secrets.token_hex(10)


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal; it takes as long for nearly equal ones as for others."""
    return hmac.compare_digest(one.encode(), other.encode())


def table_code(secret: bytes, request_id: str, near: str | None = None) -> str:
    """Return the code of the table that a request opens: asked twice, it is the same table.

    *request_id* must name the player too, or *secret* be the player's own: what two players call
    their requests may be the same. *near* is the last letter, if that has been chosen.

    >>> table_code(b"a secret of the house", "player-1/request-1")
    'MRY6KWCC'
    >>> table_code(b"a secret of the house", "player-1/request-1", "T")
    'MRY6KWCT'
    """
    letters: list[str] = []
    block = 0
    while len(letters) < CODE_LENGTH:
        wish = f"table code {block} {request_id}".encode()
        digest = hmac.digest(secret, wish, "sha256")
        letters += [CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in digest if byte < _FAIR]
        block += 1
    code = "".join(letters[:CODE_LENGTH])
    return code if near is None else code[:-1] + near


def is_record_id(text: str) -> bool:
    r"""Whether *text* could name a record: nothing that a path or a key could trip over.

    >>> is_record_id("KAYMEDZ5-1"), is_record_id("../dormie.db"), is_record_id("a\n")
    (True, False, False)
    """
    return _RECORD.fullmatch(text) is not None
