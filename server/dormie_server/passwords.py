"""Passwords of tables: nobody keeps one, only what takes a while to follow from it.

The hash is slow on purpose and is made beside the loop, one at a time; how many an address may ask for
is limited. A table compares hashes and never meets a password.
"""

import asyncio
import hashlib
import hmac
import unicodedata

from dormie_server.limits import Allowance, Limits
from dormie_server.table.refusal import No
from dormie_server.table.state import Table

_COST, _BLOCK, _TIMES = 2**12, 8, 2
"""About 20 ms and 4 MiB, which a thread keeps: slow for whoever tries many, and no burden for the house."""


class Passwords:
    """Makes keys of passwords, for everybody at one desk."""

    def __init__(self, limits: Limits) -> None:
        self._tries = Allowance(
            limits.passwords_per_minute, limits.passwords_at_once, limits.remembered
        )
        self._one_at_a_time = asyncio.Semaphore(1)

    async def key(self, password: str, salt: str, address: str, now: float) -> str:
        """The key of *password* for a table with this *salt*. Raises No when *address* asks too often."""
        if not self._tries.take(address, now):
            raise No("too_fast")
        async with self._one_at_a_time:
            return await asyncio.to_thread(key_of, password, salt)


def key_of(password: str, salt: str) -> str:
    """What a table remembers of a password; however an accent was typed, it is the same.

    >>> key_of("caf\u00e9", "s") == key_of("cafe\u0301", "s"), key_of("caf\u00e9", "t")[:8]
    (True, 'efad9980')
    """
    plain = unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(plain, salt=salt.encode(), n=_COST, r=_BLOCK, p=_TIMES, dklen=32).hex()


def new_salt(secret: bytes, code: str) -> str:
    """The salt of a table to be opened: asked twice, the same, since it follows from its player's secret."""
    return hmac.digest(secret, f"door {code}".encode(), "sha256")[:16].hex()


def salt_of(table: Table | None, code: str) -> str:
    """The salt of a table; one that is not there takes as long to say no."""
    return (table.secret.salt if table else "") or code
