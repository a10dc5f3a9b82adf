"""Whether a table is followed on the present connection, and how far that has come."""

from typing import Literal

from dormie_client.errors import ClosedError, RefusedError
from dormie_client.mirror import Mirror
from dormie_protocol.messages import Seen, Watch

State = Literal["idle", "wanted", "asked", "later", "followed"]
"""idle: not to be followed; wanted: to be asked for; asked: the server has not answered yet; later:
to be asked for in a while; followed: the server has said yes."""


class Place:
    """One table's place in a session."""

    def __init__(self, mirror: Mirror) -> None:
        self.mirror = mirror
        self.state: State = "wanted"
        self.tries = 0
        """How often in a row the server was asked again and nothing new came of it."""
        self.refused: RefusedError | None = None
        """Why the server does not let us follow, once it has said so."""
        self.password: str | None = None
        """What opens the table to whoever has no seat there, as far as it is known here."""
        self.held = False
        """Whether the server has let us follow, and nobody here has asked for the seat anew since."""
        self._told = (0, "")
        """The newest version that an answer named, and its chain."""
        self._target = 0
        self._fresh = False
        self._behind = 0

    @property
    def open(self) -> bool:
        """Whether everything up to the present was seen, so that one may act on it."""
        version = self.mirror.copy.version
        caught_up = version == self._target or (self._fresh and version > self._target)
        return self.state == "followed" and (not self._target or caught_up)

    @property
    def has_gap(self) -> bool:
        """Whether something is missing that does not come by itself."""
        return self.state == "followed" and self.mirror.copy.version < self._behind

    def shows(self, version: int) -> bool:
        """Whether the table can be seen as it was at *version* or later."""
        return self.open and self.mirror.copy.complete and self.mirror.copy.version >= version

    def want(self) -> None:
        """Follow the table, unless its seat is played from elsewhere: that would take it back."""
        self.state = "idle" if self.mirror.replaced else "wanted"

    def new_line(self) -> None:
        """There is a new connection, on which nothing is followed yet."""
        self.tries = 0
        self.want()

    def replace(self) -> None:
        """The seat is played from elsewhere, and nothing here changes that by itself."""
        self.state = "idle"
        self.mirror.replace()

    def send_away(self, why: str) -> None:
        """The host wants us neither to play nor to watch here any more, or nobody to watch."""
        self.state = "idle"
        banned = why == "banned"
        sentence = "The host has sent you away from this table."
        self.mirror.end(
            ClosedError(sentence if banned else "You may not watch this table any more.")
        )

    def ask(self, name: str, run: str, line: int) -> Watch:
        """Ask the server, under an id, for all that came after what was seen.

        *run* names this program, and *line* is the number of its connection.
        """
        self.state, self._fresh, self._behind = "asked", False, 0
        copy = self.mirror.copy
        told, told_chain = self._told if self._told[0] > copy.version else (0, "")
        return Watch(
            id=name,
            table=self.mirror.code,
            after=copy.version,
            chain=copy.chain,
            told=told,
            told_chain=told_chain,
            run=run,
            line=line,
            resume=self.held,
            # Whoever has a seat need not prove anything, and the server need not compute.
            password=self.password if copy.seat is None else None,
            chat_after=self.mirror.heard,
        )

    def answered(self, version: int | None) -> None:
        """The server follows the table for us, from *version* on."""
        if self.state == "asked":
            self.state, self._target, self.held = "followed", version or 0, True
        self.mirror.ask_hopes()

    def acknowledged(self, version: int, chain: str) -> None:
        """A request was answered with a version, which may not be seen yet."""
        self._told = max(self._told, (version, chain))

    def hear(self, seen: Seen) -> None:
        """Take in what was seen, and notice what is missing."""
        before = self.mirror.copy
        if not self.mirror.hear(seen):
            self._behind = max(self._behind, seen.version, before.version + 1)
            return
        self._fresh = True
        if self.mirror.copy.version != before.version:
            self.tries = 0
        if seen.rolled_back:
            self._behind, self._told = 0, (0, "")
        self.mirror.ask_hopes()

    def refuse(self, error: RefusedError) -> None:
        """The server does not let us follow."""
        self.state, self.refused = "idle", error
        self.mirror.end(ClosedError(error.because))
