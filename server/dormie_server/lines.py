"""The lines that are open here, by whose they are: so that those of a device can be cut."""

from typing import Protocol


class Line(Protocol):
    """A connection of a player, from one of the player's devices."""

    player: str
    device: str
    """The hash of the device's token."""

    def hang_up(self, reason: str) -> None:
        """End the connection soon, for good: its token is worth nothing any more."""

    def refuse(self, reason: str) -> None:
        """End the connection soon: whose it is may not be here, whatever the token is worth."""

    def begin_anew(self, reason: str) -> None:
        """End the connection soon: who comes again says hello, and is known then or not."""


class Lines:
    """Every greeted connection of this process."""

    def __init__(self) -> None:
        self._open: dict[str, set[Line]] = {}
        self.spared: dict[str, object] = {}
        """For a player who asked to be erased: the line that still waits for the answer."""

    def add(self, line: Line) -> None:
        """A connection has said hello."""
        self._open.setdefault(line.player, set()).add(line)

    def discard(self, line: Line) -> None:
        """A connection has ended, greeted or not."""
        lines = self._open.get(line.player)
        if lines is not None:
            lines.discard(line)
            if not lines:
                del self._open[line.player]

    def players(self) -> tuple[str, ...]:
        """The players who are connected here."""
        return tuple(self._open)

    def devices(self, player: str) -> frozenset[str]:
        """The devices from which a player is connected here."""
        return frozenset(line.device for line in self._open.get(player, ()))

    def cut(self, player: str, reason: str, device: str | None = None, but: object = None) -> None:
        """End the lines of a player, or only those of one device, *but* for one line."""
        for line in tuple(self._open.get(player, ())):
            if device in (None, line.device) and line is not but:
                line.hang_up(reason)

    def begin_anew(self, player: str, reason: str) -> None:
        """End the lines of a player of whom nobody here can say whether there still is one."""
        for line in tuple(self._open.get(player, ())):
            line.begin_anew(reason)

    def refuse(self, player: str, reason: str) -> None:
        """End the lines of a player who may not be here."""
        for line in tuple(self._open.get(player, ())):
            line.refuse(reason)
