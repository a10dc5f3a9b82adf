"""What a table of Golf Patience offers besides what every table does: one's own board, and its moves."""

from abc import abstractmethod

from dormie_client.errors import refusing
from dormie_client.house import House
from dormie_client.told import told
from dormie_protocol.games import Move, Pocket
from dormie_protocol.messages import Hint, HintSeen, Seen
from dormie_protocol.patience_messages import HintKind
from dormie_rules import patience_hints as rules
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_moves import Concede, GiveUp, Play, TakeBack
from dormie_rules.patience_state import Board
from dormie_rules.race_state import RacePocket


class PatienceCalls:
    """The part of a table that is about Golf Patience."""

    _house: House

    @property
    @abstractmethod
    def code(self) -> str:
        """What others type to join."""

    @property
    @abstractmethod
    def pocket(self) -> Pocket | None:
        """What only you know."""

    @abstractmethod
    async def play(self, move: Move, *, on: Seen | None = None) -> None:
        """Make a move."""

    @property
    def board(self) -> Board | None:
        """Your columns, the foundation and how long the stock is; None where there is none of yours."""
        return self.pocket.board if isinstance(self.pocket, RacePocket) else None

    async def play_column(self, column: int) -> None:
        """Put the last card of a column, counted from 0, on the foundation.

        Raises RefusedError with the rules' word, as all of these do: ``does_not_fit``, ``hole_over``.
        """
        await self.play(Play(column))

    async def draw(self) -> None:
        """Turn the next card of the stock onto the foundation; in grid Golf, draw it."""
        await self.play(Draw())

    async def undo(self) -> None:
        """Take your last move back, where the table's option ``undo`` lets somebody who plays alone."""
        await self.play(TakeBack())

    async def give_up(self) -> None:
        """End the hole: the cards left are the score."""
        await self.play(GiveUp())

    async def hint(self, kind: HintKind = "fair") -> rules.Hint:
        """A good move, where you play alone: *fair* from what you can see, *open* from the stock as well.

        ``dormie_bots.say_hint`` puts it into words. Raises RefusedError, ``no_hint`` in
        company, ``hint_unknown`` where none is sure.
        """
        house = self._house
        with refusing(house.language):
            message = Hint(id=house.new_id(), table=self.code, hint=kind)
        return (await told(house, message, HintSeen)).hint

    async def concede(self) -> None:
        """Give the match to whoever you still play against; it is final."""
        await self.play(Concede())
