"""Where tables are kept between two moves: a few verbs, blind to what they keep.

A key holds one document, the notes that led to it, at most one alarm, and cards on shelves (the
lobby reads a shelf). A store neither reads nor understands any of them: they are bytes. Whoever
wants to change a document says which version it has seen; if somebody was faster, the answer is
`Conflict`, and nothing has happened.

One number does three jobs: the version of a document is the number of the note that made it, and
the place from which a reader resumes.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypedDict

NO_CARDS: Mapping[str, bytes | None] = MappingProxyType({})


def NOTHING_KNOWN() -> int:  # noqa: N802 - it is a constant
    """What a reader knows who hears of notes by no other road."""
    return 0


class Conflict(Exception):
    """Somebody was faster: the document is not at the version the writer had seen.

    >>> print(Conflict("table:7", was=3))
    table:7 is no longer at version 3
    """

    def __init__(self, key: str, was: int) -> None:
        super().__init__(f"{key} is no longer at version {was}")
        self.key = key
        self.was = was


class StoreUnavailable(Exception):
    """The store cannot answer now: closed, locked, out of disk. Nothing was acknowledged."""


class WentBack(StoreUnavailable):
    """The store knows less of a key than it has told already: whoever follows it looks again at what there is."""


@dataclass(frozen=True, slots=True)
class Document:
    version: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Note:
    version: int
    body: bytes
    document: bytes | None = field(default=None, compare=False, repr=False)
    """The document as the same put has left it, where a store that is shared brings it along."""


class Mark(NamedTuple):
    """What tells a document from any other that may have had the same number."""

    before: str
    """The mark of the document that is replaced; empty where it has none."""
    after: str
    """The mark of this one."""


class Beside(TypedDict, total=False):
    """What a put may bring beside the document, for those who only pass it on."""

    note: bytes | None
    alarm: float | None
    shelves: Mapping[str, bytes | None]
    lifetime: float | None
    mark: Mark | None


class Store(Protocol):
    """The verbs. Any of them may raise `StoreUnavailable`; `docs/store.md` has the whole promise.

    Times are seconds on the store's own clock. What has outlived its lifetime is gone for every
    verb at once, whenever the store finds the leisure to sweep it away.
    """

    @property
    def shared(self) -> bool:
        """Whether other servers may be using it, too."""

    async def get(self, key: str) -> Document | None:
        """The newest acknowledged document, or None."""

    async def put(  # noqa: PLR0913 - all of it happens together or not at all
        self,
        key: str,
        body: bytes,
        was: int,
        *,
        note: bytes | None = None,
        alarm: float | None = None,
        shelves: Mapping[str, bytes | None] = NO_CARDS,
        lifetime: float | None = None,
        mark: Mark | None = None,
    ) -> int:
        """Replace version *was* of a document and return the new version, *was* + 1.

        *was* = 0 says that the key must not exist. The *note* gets the new version as its number.
        The *alarm* is a time at which `due` returns the key; None clears it. *shelves* names the
        cards to lay down, or with None to take away; a shelf not named keeps its card. After
        *lifetime* seconds all of it vanishes; None keeps it for ever.

        A store that several servers share may go back to what it was, when a copy takes its place, and
        then a number says too little: somebody may still know another document of that number. So a
        *mark* names the document that is replaced, too.

        Raises `Conflict` if the document is at another version or bears another mark, and ValueError
        if the lifetime would not outlast the alarm. Returns only when the change is as safe as this
        store makes it.
        A caller that is cancelled does not know whether it happened: read before trying again.
        """

    def follow(
        self, key: str, after: int, known: Callable[[], int] = NOTHING_KNOWN
    ) -> AsyncIterator[Note]:
        """Every note numbered above *after*, in order: first the kept ones, then as they come.

        A reader that also hears of notes by another road says how far, with *known*: for those it need
        not be woken, and some of them may be left out.
        Ends when the key is dropped or the store closed. A key that does not exist is waited for.
        Raises `WentBack` when the key is at an older version than was told here.
        """

    async def notes(self, key: str, after: int = 0) -> list[Note]:
        """The kept notes numbered above *after*: what `follow` would replay."""

    async def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None] = NO_CARDS
    ) -> None:
        """Put other words into kept notes, by number, and lay down or take away cards.

        Version, document and times stay, and nobody is told: it is for what has to be forgotten.
        Fine if the key or a note is not there.
        """

    async def scrub(self) -> None:
        """Return when nothing that was replaced or dropped can be found in what the store keeps.

        It may take a while, and puts wait meanwhile.
        """

    async def drop(self, key: str) -> None:
        """Forget a document, its notes, its alarm and its cards; fine if there is nothing."""

    async def due(self, hold: float) -> list[str]:
        """The keys whose alarm has gone off, earliest first.

        For *hold* seconds nobody else is given them; then they are due again, unless a put has set
        another alarm. So a caller that dies loses nothing.
        """

    async def next_due(self) -> float | None:
        """When `due` will next have something to return; a held key counts when it comes back."""

    async def on(self, shelf: str) -> dict[str, bytes]:
        """The cards on a shelf, by key."""

    async def now(self) -> float:
        """The time on the store's clock."""

    async def close(self) -> None:
        """Finish what was asked, end the followers, answer nothing more. Fine to call twice."""
