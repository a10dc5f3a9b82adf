"""Who watches a table from this process, and how far each of them has been told."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol


class Peer(Protocol):
    """A connection, as far as the hub needs it."""

    player: str
    device: str
    """The hash of the token that the connection was opened with."""

    def push(self, text: bytes) -> None:
        """Send a message without waiting; a peer that cannot keep up is cut off, and resumes later."""

    async def drained(self) -> None:
        """Let others go first, and the line take what was pushed."""


@dataclass(slots=True, eq=False)
class Watching:
    """One connection that watches one table."""

    peer: Peer
    generation: int
    """The generation of the seat this connection plays; 0 for a spectator."""
    seat: int | None = None
    """Where that seat was when somebody last looked."""
    sent: int | None = None
    """The version this watcher has been told of; None while its first view is being put together."""
    heard: int | None = None
    """The number of the last line of the chat it was told; None for one that does not listen."""


@dataclass(slots=True)
class Room:
    watchers: dict[Peer, Watching] = field(default_factory=dict)
    told: int = 0
    """The version all of them have been told of."""
    follower: asyncio.Task[None] | None = None
    talk: asyncio.Task[None] | None = None
    """Who hears the bells of the chat."""
