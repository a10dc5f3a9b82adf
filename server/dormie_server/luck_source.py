"""The only place where luck comes from outside; tests bring their own."""

import secrets
from typing import Protocol


class LuckSource(Protocol):
    """Random bytes that nobody can guess."""

    def draw(self, size: int = 32) -> bytes:
        """*size* random bytes."""


class SystemLuck:
    """Luck from the operating system."""

    def draw(self, size: int = 32) -> bytes:
        """*size* random bytes."""
        return secrets.token_bytes(size)
