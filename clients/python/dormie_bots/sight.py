"""What a bot looks at first: the hole, its own grid, the card in its hand, and who else is playing."""

from dataclasses import dataclass

from dormie_rules.cards import Card, rank
from dormie_rules.course_state import CourseView
from dormie_rules.grid_moves import Flip, GridMove
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPublic


@dataclass(frozen=True, slots=True)
class Sight:
    """The parts of a view that a choice is made from."""

    hole: GridPublic
    seat: int
    grid: tuple[Card | None, ...]
    held: Card | None
    """The card in hand, wherever it came from."""

    @property
    def card(self) -> str:
        """The rank of the card in hand or, with an empty hand, of the one that may be taken."""
        card = self.held or self.hole.discard
        assert card is not None, "a turn begins with a card on the discard pile (rule A1)"
        return rank(card)

    @property
    def shown(self) -> frozenset[str]:
        """The ranks of all cards that this seat may lay on the discard pile knowingly."""
        cards = (*self.grid, self.held)
        return frozenset(rank(card) for card in cards if card is not None)

    @property
    def face_down(self) -> int:
        return self.grid.count(None)

    @property
    def can_close(self) -> bool:
        """Whether turning one more card up calls the final lap."""
        return self.face_down == 1 and self.hole.ending is None

    @property
    def rivals(self) -> tuple[int, ...]:
        """The other seats in the hole, in the order of their turns after this one."""
        at = self.hole.playing.index(self.seat)
        return self.hole.playing[at + 1 :] + self.hole.playing[:at]

    @property
    def next(self) -> int | None:
        """The seat that plays after this one, or None when the hole is over then."""
        if self.hole.ending is None:
            return self.rivals[0]
        return next((seat for seat in self.hole.last if seat != self.seat), None)


def see(view: CourseView) -> Sight:
    """The sight of a seat that may move."""
    hole, seat = view.public.play, view.seat
    assert hole is not None, "a bot is asked in the middle of a hole"
    assert seat is not None, "a bot has a seat"
    drawn = view.pocket.drawn if view.pocket else None
    return Sight(hole, seat, hole.grids[seat], hole.taken or drawn)


def crowd(rules: GridRules, sight: Sight, move: GridMove) -> int:
    """How many face-up cards share the column of the card that *move* turns up.

    Two first cards in two columns leave twice as many chances of a pair.
    """
    if not isinstance(move, Flip):
        return 0
    return sum(card is not None for card in sight.grid[move.at % rules.cols :: rules.cols])
