"""What a store of several servers keeps, as one thing that is never half done: the truth of a simulation.

Every method is one moment. Whoever asks from afar, and what may happen on the way, is `FarStore`'s
business; who is told of a put, the cupboard's: it calls every bell there is.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from dormie_server.bells import Moments
from dormie_server.store import NO_CARDS, Conflict, Document, Mark, Note
from dormie_server.tail import Hint, Kept

LARGEST_READ = 64
Bell = Callable[[str, Hint], None]


@dataclass(slots=True)
class Life:
    """A key from its first put to its end."""

    name: str
    version: int = 0
    body: bytes = b""
    mark: str = ""
    expires: float = math.inf
    alarm: float | None = None
    notes: list[Note] = field(default_factory=list)
    cards: dict[str, bytes] = field(default_factory=dict)


class Cupboard:
    """Documents, notes, alarms and cards."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.bells: dict[object, Bell] = {}
        self.compares = True
        """Whether a put on another version is a conflict; a planted bug has it otherwise."""
        self.dies_at_next_move = False
        """Whether the next move is the last thing it does, and is lost again."""
        self.doing_late = False
        """Whether what is being done now was asked so long ago that nobody waits for it any longer."""
        self.dead = False
        """Whether it answers nobody; what it had kept is there when it is back."""
        self.died: Callable[[], None] = lambda: None
        """Who is told that it has died."""
        self._lives: dict[str, Life] = {}
        self._alarms = Moments()
        self._born = 0

    def life(self, key: str) -> Life | None:
        """The present life of a key."""
        life = self._lives.get(key)
        return life if life is not None and life.expires > self.clock() else None

    def __len__(self) -> int:
        """How many keys there are, but for those by which servers tell each other something."""
        return sum(not key.startswith(("server:", "house:")) for key in self._lives)

    def forget(self, *kinds: str) -> None:
        """Drop every key that begins like one of these."""
        for key in [key for key in self._lives if key.startswith(kinds)]:
            self.drop(key)

    def get(self, key: str) -> Document | None:
        life = self.life(key)
        return None if life is None else Document(life.version, life.body)

    def put(
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
        now = self.clock()
        end = math.inf if lifetime is None else now + lifetime
        if end <= (now if alarm is None else max(now, alarm)):
            raise ValueError(f"{key} would not outlive its alarm")
        self._sweep(key)
        life = self._lives.get(key)
        known = life is None or mark is None or life.mark == mark.before
        if self.compares and (was != (life.version if life else 0) or not known):
            raise Conflict(key, was)
        if life is None:
            self._born += 1
            life = self._lives[key] = Life(f"life {self._born}")
        life.version, life.body, life.expires = was + 1, body, end
        life.mark = mark.after if mark else ""
        if note is not None:
            life.notes.append(Note(life.version, note))
        for shelf, card in shelves.items():
            if card is None:
                life.cards.pop(shelf, None)
            else:
                life.cards[shelf] = card
        life.alarm = alarm
        self._alarms.set(key, alarm)
        brought = None if note is None else body
        self._ring(key, Hint(life.name, life.version, note, brought))
        return life.version

    def remember(self, key: str) -> Callable[[], None]:
        """What is kept under a key now; returns how to make it so again, without a bell."""
        life = self._lives[key]
        then = replace(life, notes=list(life.notes), cards=dict(life.cards))

        def go_back() -> None:
            self._lives[key] = then
            self._alarms.set(key, then.alarm)

        return go_back

    def notes(self, key: str, after: int) -> list[Note]:
        life = self.life(key)
        return [] if life is None else [note for note in life.notes if note.version > after]

    def read(self, key: str, after: int) -> Kept | None:
        """What a follower reads."""
        life = self.life(key)
        if life is None:
            return None
        notes = self.notes(key, after)
        return Kept(
            life.name, life.version, tuple(notes[:LARGEST_READ]), more=len(notes) > LARGEST_READ
        )

    def rewrite(
        self, key: str, notes: Mapping[int, bytes], shelves: Mapping[str, bytes | None]
    ) -> None:
        life = self.life(key)
        if life is None:
            return
        life.notes[:] = [Note(n.version, notes.get(n.version, n.body)) for n in life.notes]
        for shelf, card in shelves.items():
            if card is None:
                life.cards.pop(shelf, None)
            else:
                life.cards[shelf] = card

    def naming(self, words: tuple[str, ...]) -> list[str]:
        """The keys under which one of these words can be found."""
        found = []
        for key in self._lives:
            life = self.life(key)
            texts = [key.encode(), life.body, *(note.body for note in life.notes)] if life else []
            texts += (
                [part for s, c in life.cards.items() for part in (s.encode(), c)] if life else []
            )
            if any(word.encode() in text for word in words for text in texts):
                found.append(key)
        return found

    def drop(self, key: str) -> None:
        life = self._lives.pop(key, None)
        if life is not None:
            self._alarms.set(key, None)
            self._ring(key, Hint(life.name, life.version, ended=True))

    def due(self, hold: float) -> list[str]:
        for key in list(self._lives):
            self._sweep(key)
        now = self.clock()
        keys = self._alarms.passed(now)
        for key in keys:
            self._alarms.set(key, now + hold)
        return keys

    def next_due(self) -> float | None:
        return self._alarms.first()

    def on(self, shelf: str) -> dict[str, bytes]:
        return {
            key: life.cards[shelf]
            for key in self._lives
            if (life := self.life(key)) is not None and shelf in life.cards
        }

    def _sweep(self, key: str) -> None:
        """Take away what has outlived its lifetime."""
        if key in self._lives and self.life(key) is None:
            self.drop(key)

    def _ring(self, key: str, hint: Hint) -> None:
        for bell in list(self.bells.values()):
            bell(key, hint)
