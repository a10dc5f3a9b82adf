"""How many people and tables there are: the one place that counts, for the lobby and for /metrics alike."""

from collections import Counter

from dormie_protocol.lobby_view import Counts, Tables
from dormie_server.hub import Hub
from dormie_server.keeper import Keeper


class Census:
    """Who is in the house, as far as this process serves it."""

    def __init__(self, keeper: Keeper, hub: Hub) -> None:
        self._keeper = keeper
        self._hub = hub
        self._connections: Counter[str] = Counter()

    def came(self, player: str) -> None:
        """A connection of *player* was greeted."""
        self._connections[player] += 1

    def gone(self, player: str) -> None:
        """A connection has ended; for one that was never greeted there is nobody to count."""
        self._connections[player] -= 1
        if self._connections[player] <= 0:
            del self._connections[player]

    def counts(self) -> Counts:
        """Everything that is counted, now."""
        phases, seated = self._keeper.census()
        return Counts(
            tables=Tables(**{phase: phases.get(phase, 0) for phase in Tables.__slots__}),
            seated=seated,
            online=len(self._connections),
            spectators=self._hub.spectators(),
        )
