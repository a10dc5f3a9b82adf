"""A match whose scores are chosen, hole by hole: for tests of what scores do to a match."""

from dataclasses import replace
from typing import Any, TypeVar

from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CoursePublic, CourseState
from dormie_rules.drawers import look
from dormie_rules.game import Deal, Step, act
from dormie_rules.grid_moves import Draw, GridMove, Swap
from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import Scoring

E = TypeVar("E")

NOUGHT, FIRST = "K", 0x100
"""A card worth n is called by the n-th letter from here, a card worth nothing by the other."""

# Two cards each, the first one lies face-up and is the score; whoever begins closes the hole.
SMALL = GridRules(
    rows=1,
    cols=2,
    scoring=Scoring((*((chr(FIRST + n), n) for n in range(-50, 200)), (NOUGHT, 0)), lines=()),
    initial_face_up=1,
    flip_after_discard="never",
    final_lap="none",
)


class Match:
    """A match of so many *seats*: each hole is dealt so that seats make the scores one wants."""

    def __init__(self, seats: int, dealer: int | None = 0, **options: Any) -> None:
        self.course = GridCourse(replace(SMALL, **options), seats)
        self.state = self.course.start(dealer)
        self.heard: list[Any] = []  # an event of any kind
        self.began: list[tuple[int | None, int | None]] = []
        """Who dealt and who began each hole."""

    @property
    def card(self) -> CoursePublic:
        return self.state.public

    def deals(self, *scores: int, luck: bytes = b"luck") -> None:
        """Deal a hole in which the seats still in, by their numbers, make *scores*."""
        rest = (Card(NOUGHT),) * 12
        trial = self.course.deal(self.state, Deal(rest * 2, luck)).state.public
        assert trial.play is not None, "a hole was dealt"
        dealer, playing = trial.dealer or 0, sorted(trial.play.playing)
        makes = dict(zip(playing, scores, strict=True))
        order = sorted(playing, key=lambda seat: (seat - dealer - 1) % self.course.seats)
        dealt = [Card(chr(FIRST + makes[seat])) for seat in order]
        pack = (*rest, *(Card(NOUGHT) for _ in order), *reversed(dealt))
        self._follow(self.course.deal(self.state, Deal(pack, luck)))
        self.began.append((self.card.dealer, self.card.first))

    def plays_out(self) -> None:
        """Play the hole to its end."""
        while seats := self.course.waiting_for(self.state):
            view = look(self.state, seats[0])
            move = self.course.default(view)
            self._follow(act(self.course, self.state, seats[0], move))
            if move == Draw():
                self._follow(act(self.course, self.state, seats[0], Swap(1)))

    def holes(self, *holes: tuple[int, ...]) -> None:
        """Deal and play one hole after the other."""
        for scores in holes:
            self.deals(*scores)
            self.plays_out()

    def leaves(self, seat: int) -> None:
        self._follow(self.course.withdraw(self.state, seat))

    def refuses(self, seat: int | None, move: GridMove) -> str | None:
        return self.course.why_not(look(self.state, seat), move)

    def all_heard(self, kind: type[E]) -> list[E]:
        return [event for event in self.heard if isinstance(event, kind)]

    def _follow(self, step: Step[CourseState]) -> None:
        self.state = step.state
        self.heard += [event.public for event in step.events]
