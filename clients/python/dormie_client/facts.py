"""What a session knows of itself and of the house, as it was told with the welcome."""

from dormie_client.lifeline import Lifeline
from dormie_protocol.fields import CODE_LETTERS
from dormie_protocol.messages import Welcome


class Facts:
    """The part of a session that only tells."""

    _line: Lifeline

    @property
    def player(self) -> str:
        """Who you are, for the server."""
        return self._welcome.player

    @property
    def name(self) -> str:
        """What others call you."""
        return self._welcome.name

    @property
    def token(self) -> str:
        """What proves that you are you. Keep it: it brings you back to your seats."""
        return self._line.token

    @property
    def variants(self) -> tuple[str, ...]:
        """What can be played here."""
        return self._welcome.variants

    @property
    def bots(self) -> tuple[str, ...]:
        """The levels of the house's bots."""
        return self._welcome.bots

    @property
    def tables(self) -> tuple[str, ...]:
        """Where you had a seat when the server last said welcome."""
        return self._welcome.tables

    @property
    def links(self) -> tuple[str, ...]:
        """Where others reach the house, as far as it knows: the one for those farthest away last."""
        return self._welcome.links

    @property
    def near(self) -> str | None:
        """With what the code of a new table has to end so that its people come to this server; None: anything."""
        return self._line.here if self._welcome.near else None

    def comes_to(self, code: str) -> None:
        """The next connection goes to the server where the people of that table are."""
        letter = code.strip()[-1:].upper()
        if letter and letter in CODE_LETTERS:
            self._line.near = letter

    @property
    def connected(self) -> bool:
        """Whether there is a connection just now."""
        return self._line.connected

    @property
    def clock_offset(self) -> float:
        """The server's clock minus ours, in seconds: a deadline less this is a time of ours."""
        return self._line.clock_offset

    @property
    def over(self) -> bool:
        """Whether the session has ended, for good."""
        return self._line.over is not None

    @property
    def _welcome(self) -> Welcome:
        return self._line.welcomed.result()
