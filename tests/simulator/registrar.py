"""Who is who, as far as can be told from what is said on the lines; and who must not be any more.

A code makes a device somebody's once. A device that was forgotten is nobody's, and of a player who was
erased nothing is left in the store.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Json = Any  # what JSON may hold

CUT_SECONDS = 3.0
"""After so long a line is down whose device was forgotten at the server that serves it."""


@dataclass(eq=False)
class Caller:
    """Who speaks on a line, and how they said so."""

    token: str | None = None
    claim: str | None = None
    player: str | None = None
    since: float = 0.0
    """When they said hello."""
    asked: dict[str, Json] = field(default_factory=dict)
    """The requests about themselves that have no answer yet, by id."""


class Registrar:
    """The referee's book of players, devices and codes."""

    def __init__(self, fail: Callable[[str], None], now: Callable[[], float]) -> None:
        self.traces: Callable[[tuple[str, ...]], list[str]] = lambda _: []
        """The keys of the store where one of these words can be found."""
        self.counts: Counter[str] = Counter()
        self.erased: dict[str, str] = {}
        """The players who were erased, and their names."""
        self.kept_late = set[str]()
        """What the store has kept when whoever asked for it had given it up."""
        self._fail = fail
        self._now = now
        self._players: dict[str, str] = {}
        """Whose each token is."""
        self._codes: dict[str, str] = {}
        """Whose each claim code is."""
        self._used: set[str] = set()
        self._labels: dict[tuple[str, str], str] = {}
        """The token of a player's device, by the made-up name of it."""
        self._void: dict[str, float] = {}
        """The tokens of the devices that were forgotten, and when that was acknowledged."""
        self._guests: Counter[str] = Counter()
        """How often somebody new came by each name: who never heard the answer comes again."""
        self._gone: dict[str, float] = {}
        """When each player was erased."""

    def forget(self) -> None:
        """Forget everybody: nobody is there."""
        for book in (self._players, self._codes, self._labels, self._void, self._gone, self.erased):
            book.clear()
        self._used.clear()
        self.kept_late.clear()
        self._guests.clear()

    def said(self, caller: Caller, message: Json) -> None:
        """A client has said something."""
        kind = message.get("type")
        if kind == "hello":
            caller.token, caller.claim = message.get("token"), message.get("claim")
            caller.since = self._now()
            self._guests[message.get("name") or ""] += caller.token is None and not caller.claim
        elif kind in ("claim_code", "devices", "forget_device", "erase"):
            caller.asked[message["id"]] = message

    def told(self, caller: Caller, message: Json) -> None:
        """A server has told a client something."""
        kind = message["type"]
        if kind == "welcome":
            self._welcomed(caller, message)
        elif kind == "claim":
            self._codes[message["code"]] = caller.player or ""
        elif kind == "device_list":
            self._listed(caller, message["devices"])
        elif kind in ("done", "refused"):
            asked = caller.asked.pop(message["re"] or "", None)
            if asked and kind == "done":
                self._done(caller, asked)

    def ended(self, caller: Caller) -> float | None:
        """Since when a caller's device is nobody's, or the caller nobody; None if it is not so."""
        if caller.player is None:
            return None
        at = self._void.get(caller.token or "")
        return self._gone.get(caller.player) if at is None else at

    def check_erased(self) -> None:
        """Nothing is left of those who were erased; and nothing of them came back."""
        for player, name in self.erased.items():
            names = (f'"{name}"', f" {name}\n") if self._guests[name] == 1 else ()
            found = self.traces((player, *names))
            # A code that is kept when nobody waits for it any longer is good for nothing, and gone soon.
            if left := [key for key in found if not self._is_late_code(key)]:
                self._fail(f"{name}, {player}, was erased, and is found at {', '.join(left)}")

    def _is_late_code(self, key: str) -> bool:
        return key.startswith("claim:") and key in self.kept_late

    def _welcomed(self, caller: Caller, welcome: Json) -> None:
        player, token = welcome["player"], welcome["token"] or caller.token
        if caller.claim is not None:
            self._claimed(caller.claim, player)
        elif caller.token is not None:
            if self._players.get(caller.token, player) != player:
                self._fail(f"a token of {self._players[caller.token]} has become {player}'s")
            if self._void.get(caller.token, caller.since) < caller.since:
                self._fail(f"a device of {player} is welcome, and was forgotten")
            self.counts["returned"] += 1
        if self._gone.get(player, caller.since) < caller.since:
            self._fail(f"{player} is welcome, and was erased")
        caller.player, caller.token = player, token
        if token:
            self._players[token] = player

    def _claimed(self, code: str, player: str) -> None:
        self.counts["device claimed"] += 1
        if code in self._used:
            self._fail(f"a code of {player} was good for two devices")
        if self._codes.get(code) != player:
            self._fail(f"a code of {self._codes.get(code)} has made a device {player}'s")
        self._used.add(code)

    def _listed(self, caller: Caller, devices: Json) -> None:
        """A device learns by what name it is called, and that the void ones are on no list."""
        own = [one["device"] for one in devices if one["this"]]
        if len({one["device"] for one in devices}) != len(devices):
            self._fail(f"two devices of {caller.player} have one name")
        if len(own) == 1 and caller.player and caller.token:
            self._labels[caller.player, own[0]] = caller.token

    def _done(self, caller: Caller, asked: Json) -> None:
        player = caller.player or ""
        if asked["type"] == "forget_device":
            self.counts["device forgotten"] += 1
            token = self._labels.get((player, asked["device"]))
            if token is not None:
                self._void.setdefault(token, self._now())
                self.counts["device forgotten by its name"] += 1
        elif asked["type"] == "erase" and player not in self.erased:
            self.counts["player erased"] += 1
            self.erased[player] = asked["name"]
            self._gone[player] = self._now()
            self.check_erased()
